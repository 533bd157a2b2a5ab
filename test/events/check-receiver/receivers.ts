import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** How a receiver deals with one request. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** A receiver on a port of this machine, until the test is over; it can be cut off and come back at its address. */
export interface TestReceiver {
  readonly url: string;
  cutOff(): Promise<void>;
  comeBack(): Promise<void>;
}

/** Starts a receiver. */
export async function startReceiver(respond: Respond): Promise<TestReceiver> {
  let server: Server;
  let port = 0;
  const comeBack = async () => {
    server = createServer(respond);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const cutOff = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await comeBack();
  onTestFinished(cutOff);
  return { url: `http://127.0.0.1:${port}/hook`, cutOff, comeBack };
}

interface SeenCallback {
  readonly changes: readonly { entity: string; time: string; changed: object; latest: Record<string, object> }[];
}

/** Reads the whole body, then answers as told; `ok` where nothing is said. */
function reading(answer: (response: ServerResponse, callback: SeenCallback, text: string) => unknown): Respond {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.once('end', () => {
      const text = Buffer.concat(chunks).toString();
      answer(response, JSON.parse(text), text);
    });
  };
}

const plain = (status: number, body: string, headers: Record<string, string> = {}): Respond =>
  reading((response) => response.writeHead(status, headers).end(body));

/** A receiver as it must be. */
export const correct: Respond = plain(200, 'ok\n');

/** A wrong receiver: which checks must find it, and with which reason. */
export interface WrongReceiver {
  readonly is: string;
  /** Made anew for each test, since some remember. */
  readonly respond: () => Respond;
  readonly fails: readonly string[] | 'all';
  readonly reason: RegExp;
}

/** Receivers as they are found in the wild. */
export const wrongReceivers: readonly WrongReceiver[] = [
  {
    is: 'answers 204',
    respond: () => plain(204, ''),
    fails: 'all',
    reason: /status 204; the service accepts only 200/,
  },
  { is: 'answers 202 with ok', respond: () => plain(202, 'ok'), fails: 'all', reason: /status 202/ },
  { is: 'answers OK', respond: () => plain(200, 'OK'), fails: 'all', reason: /"OK".*in lower case/ },
  { is: 'answers with CRLF', respond: () => plain(200, 'ok\r\n'), fails: 'all', reason: /one newline at most/ },
  {
    is: 'answers with a byte order mark',
    respond: () => plain(200, '\uFEFFok'),
    fails: 'all',
    reason: /byte order mark/,
  },
  { is: 'answers JSON', respond: () => plain(200, '{"ok":true}'), fails: 'all', reason: /not JSON/ },
  { is: 'answers a JSON string', respond: () => plain(200, '"ok"'), fails: 'all', reason: /without quotes/ },
  { is: 'answers nothing', respond: () => plain(200, ''), fails: 'all', reason: /empty body/ },
  {
    is: 'compresses its answer',
    respond: () => plain(200, 'not really gzip', { 'content-encoding': 'gzip' }),
    fails: 'all',
    reason: /encoded with gzip/,
  },
  {
    is: 'sends elsewhere',
    respond: () => plain(301, 'ok', { location: '/hook/' }),
    fails: 'all',
    reason: /redirect \(301\); the service follows none/,
  },
  {
    is: 'closes the connection',
    respond: () => (request) => void request.socket.destroy(),
    fails: 'all',
    reason: /gave no answer: the connection to .* closed/,
  },
  {
    is: 'never answers',
    respond: () => () => {},
    fails: 'all',
    reason: /gave no answer: .* did not answer within/,
  },
  {
    is: 'answers late',
    respond: () => reading((response) => void setTimeout(() => response.end('ok'), 120)),
    fails: 'all',
    reason: /took 0\.\d s, longer than 0\.05 s/,
  },
  {
    is: 'refuses what it has seen',
    respond: () => {
      const seen = new Set<string>();
      return reading((response, { changes }) => {
        const known = changes.some((change) => seen.has(JSON.stringify(change)));
        for (const change of changes) seen.add(JSON.stringify(change));
        response.writeHead(known ? 409 : 200).end('ok');
      });
    },
    fails: ['the same twice'],
    reason: /the second time it answered status 409/,
  },
  {
    is: 'refuses what is older',
    respond: () => {
      let newest = '';
      return reading((response, { changes }) => {
        const [first] = changes;
        const isOlder = (first?.time ?? '') < newest;
        if (changes.length === 1) newest = first?.time ?? '';
        response.writeHead(isOlder ? 400 : 200).end('ok');
      });
    },
    fails: ['out of order'],
    reason: /status 400/,
  },
  {
    is: 'takes no large body',
    respond: () => reading((response, _, text) => response.writeHead(text.length > 100_000 ? 413 : 200).end('ok')),
    fails: ['a body of 1 MiB'],
    reason: /answered 413/,
  },
  {
    is: 'takes only a few changes',
    respond: () => reading((response, { changes }) => response.writeHead(changes.length > 50 ? 500 : 200).end('ok')),
    fails: ['a batch of 100'],
    reason: /status 500/,
  },
  {
    is: 'is strict about fields',
    respond: () =>
      reading((response, { changes }) => {
        const strange = changes.some((change) => Object.keys(change).length !== 5);
        response.writeHead(strange ? 422 : 200).end('ok');
      }),
    fails: ['unknown fields'],
    reason: /status 422/,
  },
  {
    is: 'knows orders alone',
    respond: () =>
      reading((response, { changes }) => {
        response.writeHead(changes.every(({ entity }) => entity === 'order') ? 200 : 400).end('ok');
      }),
    fails: ['an unknown entity'],
    reason: /status 400/,
  },
  {
    is: 'answers before it has read',
    respond: () => (request, response) => {
      response.end('ok');
      request.on('error', () => {}).resume();
    },
    fails: ['a slow sender'],
    reason: /before it had the whole body/,
  },
  {
    is: 'takes one at a time',
    respond: () => {
      let busy = false;
      return reading((response) => {
        if (busy) return response.writeHead(503).end('busy');
        busy = true;
        setImmediate(() =>
          setImmediate(() =>
            setImmediate(() => {
              busy = false;
              response.end('ok');
            }),
          ),
        );
      });
    },
    fails: ['ten at once'],
    reason: /of 10 went wrong: it answered status 503/,
  },
];
