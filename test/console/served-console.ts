import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Served } from '../../src/console/served.ts';
import { startConsole } from '../../src/console/start.ts';
import type { Changed, Ran, RunRequest } from '../../src/console/wire.ts';
import { listenForPages } from '../../src/platform/server/http-server.ts';
import { fixedRandom } from '../support/sandbox.ts';

/** An answer as it came. */
export interface Came {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a caller sends, of which nothing is added by a browser. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Closes the connection when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Sends a request exactly as it is written. */
export function send(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body = '', signal }: Sent = {},
): Promise<Came> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const closing = signal === undefined ? {} : { signal };
    const asking = request({ hostname, port, path, method, headers, agent: false, ...closing }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
      answer.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** Headers of a browser that opens an address. */
export const navigating = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** Headers of the console's own page. */
export const ofOwnPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

const part: Ran = { kind: 'text', text: 'so far', command: 'shopctl known', notices: [] };

/** A console whose only action is `shop.known`; it remembers what it was asked to run, and tells parts of it on request. */
export async function servedConsole() {
  const ran: { readonly id: string; readonly request: RunRequest }[] = [];
  const watchers = new Set<(change: Changed) => void>();
  const served: Served = {
    catalogue: async () => ({ screens: [], actions: [], readOnly: false, version: '0.0.0', timeZone: 'UTC' }),
    form: async (id) => (id === 'shop.known' ? { schema: { type: 'object' }, uploads: [] } : undefined),
    async run(id, request, _, early) {
      if (id !== 'shop.known') return undefined;
      ran.push({ id, request });
      if (request.early === true) {
        early?.(part);
        await new Promise(setImmediate);
        early?.(part);
      }
      return { kind: 'nothing', command: 'shopctl known', notices: [] };
    },
    reported: async () => ({ opened: ' 0' }),
    watch(changed) {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
    receive: async () => undefined,
    file: async () => undefined,
    end: async () => {},
  };
  const running = await startConsole(served, {
    port: 0,
    listen: listenForPages,
    randomBytes: fixedRandom('console'),
    speaking: (_, work) => work(),
  });
  onTestFinished(running.close);
  const { origin } = running;
  return {
    ...running,
    ran,
    watchers,
    secret: () => new URL(running.address()).searchParams.get('secret') ?? '',
    origin,
  };
}

/** Opens the console as a browser does; returns the Cookie header of its page. */
export async function signedIn({ origin, address }: Awaited<ReturnType<typeof servedConsole>>): Promise<string> {
  const { pathname, search } = new URL(address());
  const { headers } = await send(origin, `${pathname}${search}`, { headers: navigating });
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}
