import { onTestFinished } from 'vitest';
import { parseJson } from '../../src/domain/json/json.ts';
import type { TestMachine } from '../support/context.ts';
import { type Came, navigating, ofOwnPage, type Sent, send } from './served-console.ts';

/** A console of a test machine, opened as a browser does. */
export interface OpenedConsole {
  readonly origin: string;
  /** Everything that was answered so far. */
  readonly answers: readonly Came[];
  /** Sends a request of the page. */
  ask(path: string, sent?: Sent): Promise<Came>;
  /** Runs an action, and returns what the page shows. */
  run(id: string, request: object, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
}

/** Starts `console` on a machine, or another command that serves one, with further words, until the test has finished. */
export async function openedConsole(
  machine: TestMachine,
  words: readonly string[] = [],
  command: readonly string[] = ['console'],
): Promise<OpenedConsole> {
  const ending = new AbortController();
  let running: Promise<unknown> | undefined;
  const url = await new Promise<string>((ready, failed) => {
    running = machine
      .run([...command, '--port', '0', '--json', ...words], {
        signal: ending.signal,
        onStdout: (text) => {
          const { url, console_url = url } = JSON.parse(text);
          ready(console_url);
        },
      })
      .then(({ stderr }) => failed(new Error(stderr)));
  });
  onTestFinished(async () => {
    ending.abort();
    await running;
  });
  const { origin, pathname, search } = new URL(url);
  const { headers } = await send(origin, `${pathname}${search}`, { headers: navigating });
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const answers: Came[] = [];
  const ask = async (path: string, sent: Sent = {}) => {
    const came = await send(origin, path, { ...sent, headers: { ...ofOwnPage, cookie, origin, ...sent.headers } });
    answers.push(came);
    return came;
  };
  return {
    origin,
    answers,
    ask,
    async run(id, request, signal) {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(request);
      const sent = { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) };
      const came = await ask(`/api/run/${encodeURIComponent(id)}`, sent);
      if (came.status !== 200) throw new Error(`${came.status} ${came.body}`);
      return Object(parseJson(came.body));
    },
  };
}
