import { onTestFinished } from 'vitest';
import { parseJson } from '../../src/domain/json/json.ts';
import type { RunOptions, TestMachine } from '../support/context.ts';
import { type Came, navigating, ofOwnPage, type Sent, send } from './served-console.ts';

/** A console of a test machine, opened as a browser does. */
export interface OpenedConsole {
  readonly origin: string;
  /** The cookie by which it knows its browser. */
  readonly cookie: string;
  /** Everything that was answered so far. */
  readonly answers: readonly Came[];
  /** Sends a request of the page. */
  ask(path: string, sent?: Sent): Promise<Came>;
  /** Runs an action, and returns what the page shows. */
  run(id: string, request: object, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /** Opens a form: the mark that the page keeps. */
  open(id: string): Promise<string>;
  /** Says that a result was shown: the next mark of its form. */
  acknowledge(ran: Readonly<Record<string, unknown>>): Promise<string>;
}

/** Starts `console` on a machine, or another command that serves one, with further words, until the test has finished. */
export async function openedConsole(
  machine: TestMachine,
  words: readonly string[] = [],
  { command = ['console'], ...options }: Pick<RunOptions, 'clock' | 'spoken'> & { command?: readonly string[] } = {},
): Promise<OpenedConsole> {
  const ending = new AbortController();
  let running: Promise<unknown> | undefined;
  const url = await new Promise<string>((ready, failed) => {
    running = machine
      .run([...command, '--port', '0', '--json', ...words], {
        signal: ending.signal,
        ...options,
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
  const headersOfPost = { 'content-type': 'application/json' };
  return {
    origin,
    cookie,
    answers,
    ask,
    open: async (id) => JSON.parse((await ask(`/api/form/${encodeURIComponent(id)}`)).body).opened,
    async acknowledge({ receipt }) {
      const sent = { method: 'POST', headers: headersOfPost, body: '{}' };
      return JSON.parse((await ask(`/api/told/${receipt}`, sent)).body).opened;
    },
    async run(id, request, signal) {
      const body = JSON.stringify(request);
      const sent = { method: 'POST', headers: headersOfPost, body, ...(signal === undefined ? {} : { signal }) };
      const came = await ask(`/api/run/${encodeURIComponent(id)}`, sent);
      if (came.status !== 200) throw new Error(`${came.status} ${came.body}`);
      return Object(parseJson(came.body));
    },
  };
}
