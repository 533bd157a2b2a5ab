import type { PageAnswer, PageHead } from '../../platform/server/page-server.ts';
import { sameSecret } from '../../platform/settings/secret.ts';
import { headersOf, refused } from './answers.ts';
import type { Secrets } from './secrets.ts';

/** What the gate knows about its own server. */
export interface Own {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  readonly secrets: Secrets;
  /** The token by which another process of this user asks for a new address. */
  readonly token: string;
}

/** Where another process of this user asks for a new address. */
export const ADDRESS_PATH = '/api/address';

const elsewhere = 'This console has another address.';
const fromElsewhere = 'The console answers its own page only.';
const noCookie = 'Open the console with the address that `shopctl console --open` prints: each address works once.';

/** Whether the browser says that this is the address bar, a bookmark or another program: no page caused it. */
const isNavigation = ({ headers }: PageHead) =>
  headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** Why a request cannot come from the console's own page, or from its address typed into a browser. */
function whyForeign(head: PageHead, { origin }: Own): PageAnswer | undefined {
  const { method, headers } = head;
  if (headers.host !== new URL(origin).host) return refused(421, elsewhere);
  if (headers.origin !== undefined && headers.origin !== origin) return refused(403, fromElsewhere);
  if (method === 'POST') {
    if (headers.origin !== origin) return refused(403, fromElsewhere);
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    return type.trim().toLowerCase() === 'application/json' ? undefined : refused(415, 'Only JSON is read here.');
  }
  if (method !== 'GET') return refused(405, 'Only GET and POST are known here.');
  const site = headers['sec-fetch-site'];
  const isOwn = site === 'same-origin' && headers['sec-fetch-dest'] !== 'iframe';
  return isOwn || (site === 'none' && isNavigation(head)) ? undefined : refused(403, fromElsewhere);
}

/** Whether a process of this user asks, which is no browser: it has read the token from a file that only the user can read. */
function hasToken({ headers, path, method }: PageHead, { origin, token }: Own): boolean {
  const isBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  const isAsked = method === 'POST' && path === ADDRESS_PATH && headers.host === new URL(origin).host;
  return isAsked && !isBrowser && sameSecret(headers.authorization ?? '', `Bearer ${token}`);
}

/**
 * Admits a request by its headers alone: the exact Host, our own Origin, a navigation or a request of our own page, and
 * the cookie; a secret that was not used before is exchanged for it. Returns the refusal otherwise, or the redirect.
 */
export function admit(head: PageHead, own: Own): PageAnswer | undefined {
  if (hasToken(head, own)) return undefined;
  const foreign = whyForeign(head, own);
  if (foreign !== undefined) return foreign;
  const { origin, secrets } = own;
  const url = `${origin}${head.path}`;
  if (!head.path.startsWith('/') || !URL.canParse(url)) return refused(400, 'This is not an address.');
  const { port, pathname, searchParams } = new URL(url);
  const secret = searchParams.get('secret');
  if (head.method === 'GET' && pathname === '/' && secret !== null) {
    if (!secrets.redeem(secret)) return refused(403, noCookie);
    const cookie = `${secrets.cookieName(port)}=${secrets.cookie}; Path=/; HttpOnly; SameSite=Strict`;
    return { status: 303, headers: { ...headersOf('text/plain'), location: '/', 'set-cookie': cookie }, body: '' };
  }
  if (pathname === ADDRESS_PATH || !secrets.isIn(head.headers.cookie, port)) return refused(403, noCookie);
  return undefined;
}
