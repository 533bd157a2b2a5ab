import { type Language, languageNames } from '../domain/language.ts';
import type { ListenForPages, PageAnswer, PageHead } from '../platform/server/http-server.ts';
import { sameSecret } from '../platform/settings/secret.ts';
import { headersOf, inJson, refused } from './responses.ts';
import { answerer } from './serve.ts';
import type { Served } from './served.ts';
import { say } from './texts.ts';
import { LANGUAGE } from './wire.ts';

type RandomBytes = (length: number) => Uint8Array;

/** Enough for everybody who opens the console at the same time; older ones expire. */
const MOST_OPEN = 16;

/** The secrets of a console: each opens it once, and is exchanged for the cookie of this run. */
interface Secrets {
  /** A new secret of 128 bits, for one visit. */
  issue(): string;
  /** Whether it was issued and not used before; it is used then. */
  redeem(secret: string): boolean;
  /** The value of the cookie, 256 bits. */
  readonly cookie: string;
  /** The cookie's name, which contains the port: browsers send a host's cookies to all of its ports. */
  cookieName(port: string): string;
  /** Whether a Cookie header has the cookie. */
  isIn(header: string | undefined, port: string): boolean;
}

const inHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Creates the secrets of one run of a console. */
function createSecrets(randomBytes: RandomBytes): Secrets {
  const open: string[] = [];
  const cookie = inHex(randomBytes(32));
  const cookieName = (port: string) => `shopctl_console_${port}`;
  return {
    cookie,
    cookieName,
    issue() {
      const secret = inHex(randomBytes(16));
      open.push(secret);
      if (open.length > MOST_OPEN) open.shift();
      return secret;
    },
    redeem(secret) {
      // All are compared, so that the time tells nothing.
      const at = open.map((each) => sameSecret(secret, each)).indexOf(true);
      if (at >= 0) open.splice(at, 1);
      return at >= 0;
    },
    isIn(header = '', port) {
      const given = header.split(';').map((part) => part.trim());
      const name = `${cookieName(port)}=`;
      return given.some((part) => part.startsWith(name) && sameSecret(part.slice(name.length), cookie));
    },
  };
}

/** What the gate knows about its own server. */
interface Own {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  readonly secrets: Secrets;
  /** The token by which another process of this user asks for a new address. */
  readonly token: string;
}

/** Where another process of this user asks for a new address. */
const ADDRESS_PATH = '/api/address';

/** Whether the browser says that this is the address bar, a bookmark or another program: no page caused it. */
const isNavigation = ({ headers }: PageHead) =>
  headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** Why a request cannot come from the console's own page, or from its address typed into a browser. */
function whyForeign(head: PageHead, { origin }: Own): PageAnswer | undefined {
  const { method, headers } = head;
  if (headers.host !== new URL(origin).host) return refused(421, say().elsewhere);
  if (headers.origin !== undefined && headers.origin !== origin) return refused(403, say().fromElsewhere);
  if (method === 'POST') {
    if (headers.origin !== origin) return refused(403, say().fromElsewhere);
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    return type.trim().toLowerCase() === 'application/json' ? undefined : refused(415, 'Only JSON is read here.');
  }
  if (method !== 'GET') return refused(405, 'Only GET and POST are known here.');
  const site = headers['sec-fetch-site'];
  const isOwn = site === 'same-origin' && headers['sec-fetch-dest'] !== 'iframe';
  return isOwn || (site === 'none' && isNavigation(head)) ? undefined : refused(403, say().fromElsewhere);
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
function admit(head: PageHead, own: Own): PageAnswer | undefined {
  if (hasToken(head, own)) return undefined;
  const foreign = whyForeign(head, own);
  if (foreign !== undefined) return foreign;
  const { origin, secrets } = own;
  const url = `${origin}${head.path}`;
  if (!head.path.startsWith('/') || !URL.canParse(url)) return refused(400, say().noAddress);
  const { port, pathname, searchParams } = new URL(url);
  const secret = searchParams.get('secret');
  if (head.method === 'GET' && pathname === '/' && secret !== null) {
    if (!secrets.redeem(secret)) return refused(403, say().noCookie);
    const cookie = `${secrets.cookieName(port)}=${secrets.cookie}; Path=/; HttpOnly; SameSite=Strict`;
    return { status: 303, headers: { ...headersOf('text/plain'), location: '/', 'set-cookie': cookie }, body: '' };
  }
  if (pathname === ADDRESS_PATH || !secrets.isIn(head.headers.cookie, port)) return refused(403, say().noCookie);
  const language = languageNames.find((name) => name === searchParams.get(LANGUAGE));
  return head.method === 'GET' && language !== undefined ? switched(new URL(url), language) : undefined;
}

/** Leads to the same address without the choice of a language, which the browser remembers. */
function switched(address: URL, language: Language): PageAnswer {
  address.searchParams.delete(LANGUAGE);
  const cookie = `${LANGUAGE}=${language}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`;
  const location = `${address.pathname}${address.search}`;
  return { status: 303, headers: { ...headersOf('text/plain'), location, 'set-cookie': cookie }, body: '' };
}

/** What a page may send at most; files come in pieces of this size. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;

/** Options of a console. */
export interface ConsoleOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly listen: ListenForPages;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Does work in the language of whoever asks. */
  readonly speaking: <Value>(asked: LanguageAsked, work: () => Value) => Value;
}

/** What a browser says about languages: the one that the page was switched to, and the one that its user reads first. */
export interface LanguageAsked {
  readonly switched: Language | undefined;
  readonly preferred: Language | undefined;
}

function languageAsked({ headers }: PageHead): LanguageAsked {
  const [, switched] = new RegExp(`(?:^|;\\s*)${LANGUAGE}=(\\w+)`).exec(headers.cookie ?? '') ?? [];
  const [preferred] = (headers['accept-language'] ?? '').split(/[-,;]/);
  const named = (name: string | undefined) => languageNames.find((known) => known === name);
  return { switched: named(switched), preferred: named(preferred) };
}

/** A console that listens. */
export interface RunningConsole {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** The token by which another process of this user asks for an address. */
  readonly token: string;
  /** A new address to open, which works once. */
  address(): string;
  close(): Promise<void>;
}

/** Serves the page on 127.0.0.1. Throws a PortError if the port cannot be bound. */
export async function startConsole(served: Served, options: ConsoleOptions): Promise<RunningConsole> {
  const { port, listen, randomBytes, speaking } = options;
  const secrets = createSecrets(randomBytes);
  const token = Buffer.from(randomBytes(32)).toString('hex');
  let origin = '';
  const address = () => `${origin}/?secret=${secrets.issue()}`;
  const answer = answerer(served);
  const server = await listen({
    port,
    mostBodyBytes: MOST_BODY_BYTES,
    admit: (head) => speaking(languageAsked(head), () => admit(head, { origin, secrets, token })),
    answer: async (head, body, left) =>
      // Only a request with the token is admitted there.
      head.path === ADDRESS_PATH
        ? inJson({ url: address() })
        : speaking(languageAsked(head), () => answer(head, body, left)),
  });
  origin = server.origin;
  return { origin, token, address, close: () => server.close() };
}
