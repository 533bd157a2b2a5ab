import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { decodeUtf8 } from '../../platform/files/files.ts';
import { refusalAnswer } from './complete-answer.ts';
import { Refusal } from './refusal.ts';
import { MAX_BODY_BYTES } from './request-body.ts';

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

/** After this many bytes, the rest of a request is not read. */
const MOST_DRAINED_BYTES = 16 * MAX_BODY_BYTES;

/** A request's body, as far as it was kept. */
export interface ReceivedBody {
  /**
   * One byte longer than allowed if the body was too long: the service then refuses it in its usual order of checks.
   */
  readonly text: string;
  /** Whether it was read completely; otherwise the connection cannot be reused. */
  readonly whole: boolean;
}

/**
 * Reads a request's body. Bytes beyond the limit are read but discarded, so that the client gets its answer. Rejects if
 * the client disconnects. A body that is not UTF-8 becomes text that is not valid JSON either, from the first wrong byte on:
 * lenient decoding would store other characters than were sent.
 */
export function readBody(request: IncomingMessage): Promise<ReceivedBody> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let others: Buffer[] | undefined;
    let kept = 0;
    let received = 0;
    const finish = (whole: boolean) => {
      request.off('close', goneAway);
      const bytes = first === undefined || others === undefined ? first : Buffer.concat([first, ...others]);
      resolve({ text: bytes === undefined ? '' : decode(bytes), whole });
    };
    const goneAway = () => reject(new Error('the client went away'));
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      const part = chunk.subarray(0, MAX_BODY_BYTES + 1 - kept);
      if (first === undefined) first = part;
      else if (part.length > 0) {
        others ??= [];
        others.push(part);
      }
      kept += part.length;
      if (received > MOST_DRAINED_BYTES) {
        request.pause();
        finish(false);
      }
    });
    request.on('end', () => finish(true));
    request.on('error', reject);
    request.on('close', goneAway);
  });
}

function decode(bytes: Buffer): string {
  if (bytes.length > MAX_BODY_BYTES) return bytes.toString('latin1');
  const decoded = decodeUtf8(bytes);
  return 'text' in decoded ? decoded.text : `${bytes.subarray(0, decoded.badByte).toString('utf8')}\u0000`;
}
