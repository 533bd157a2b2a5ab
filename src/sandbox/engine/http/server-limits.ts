import type { Socket } from 'node:net';
import { Refusal } from '../refusal.ts';
import { refusalAnswer } from './json-answer.ts';

/** Limits at which a slow or greedy client is disconnected. */
export interface ServerLimits {
  /** The time in which a request must have arrived completely; also ends a body sent one byte per second. */
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** How often the two limits above are enforced. */
  readonly checkingIntervalMs: number;
  readonly keepAliveTimeoutMs: number;
  /** The idle time of a connection in both directions. */
  readonly connectionTimeoutMs: number;
  readonly maxHeaderBytes: number;
  readonly maxHeaders: number;
  /** How long closing waits for requests in flight. */
  readonly closeGraceMs: number;
}

export const defaultLimits: ServerLimits = {
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  checkingIntervalMs: 1_000,
  keepAliveTimeoutMs: 5_000,
  connectionTimeoutMs: 120_000,
  maxHeaderBytes: 16 * 1024,
  maxHeaders: 100,
  closeGraceMs: 10_000,
};

/** Answers a request that is not HTTP, is too slow or has too many headers, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new Refusal('deadline_exceeded', 'the request did not arrive in time')
      : new Refusal('invalid_argument', 'this is not an HTTP request, or its headers are too long');
  const { status, headers, body } = refusalAnswer(refusal);
  const head = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines}\r\n${body}`, () => socket.destroy());
}
