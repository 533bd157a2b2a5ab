import type { ListenForPages } from '../../platform/server/page-server.ts';
import { ADDRESS_PATH, admit } from '../gate/admit.ts';
import { inJson } from '../gate/answers.ts';
import { createSecrets } from '../gate/secrets.ts';
import type { Served } from '../served.ts';
import { answerer } from './answer.ts';

/** What a page may send at most; files come in pieces of this size. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;

/** Options of a console. */
export interface ConsoleOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly listen: ListenForPages;
  readonly randomBytes: (length: number) => Uint8Array;
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
  const { port, listen, randomBytes } = options;
  const secrets = createSecrets(randomBytes);
  const token = Buffer.from(randomBytes(32)).toString('hex');
  let origin = '';
  const address = () => `${origin}/?secret=${secrets.issue()}`;
  const answer = answerer(served);
  const server = await listen({
    port,
    mostBodyBytes: MOST_BODY_BYTES,
    admit: (head) => admit(head, { origin, secrets, token }),
    answer: async (head, body, left) =>
      // Only a request with the token is admitted there.
      head.path === ADDRESS_PATH ? inJson({ url: address() }) : answer(head, body, left),
  });
  origin = server.origin;
  return { origin, token, address, close: () => server.close() };
}
