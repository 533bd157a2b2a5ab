import type { IncomingMessage } from 'node:http';
import { decodeUtf8 } from '../../../platform/files/utf8.ts';
import { MAX_BODY_BYTES } from './request-body.ts';

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
