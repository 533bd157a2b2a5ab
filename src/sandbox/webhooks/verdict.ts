import { errorCode } from '../../platform/error-code.ts';

/** What a receiver answered. */
export interface ReceiverAnswer {
  readonly status: number;
  /** The body, or its beginning: `KEPT_BYTES` are enough. */
  readonly body: Uint8Array;
}

/** Whether a delivery was accepted, or what `last_error` says of it (contract, "Webhook"). */
export type Verdict =
  | { readonly accepted: true; readonly resp_status: number }
  | {
      readonly accepted: false;
      readonly error: string;
      /** 0 where there was no answer. */
      readonly resp_status: number;
      readonly resp_body: string;
    };

/** How much of an unexpected body `last_error` shows (decisions, section 8). */
export const KEPT_BYTES = 256;

const accepted = new Set(['ok', 'ok\n']);

/** Judges an answer: accepted only with status 200 and a body that is exactly `ok`, or that with one newline (decisions, section 8). */
export function judge({ status, body }: ReceiverAnswer): Verdict {
  if (status !== 200) {
    return { accepted: false, error: `unexpected status: ${status}`, resp_status: status, resp_body: '' };
  }
  // Byte by byte: a byte order mark, for example, would be lost in decoding.
  if (accepted.has(Buffer.from(body).toString('latin1'))) return { accepted: true, resp_status: status };
  // Without its end, which may be half a character.
  const resp_body = new TextDecoder().decode(body.subarray(0, KEPT_BYTES), { stream: true });
  return { accepted: false, error: 'unexpected response', resp_status: status, resp_body };
}

/** The verdict where no whole answer came, in the transport's own words. */
export function noAnswer(error: unknown): Verdict {
  return { accepted: false, error: wordsOf(error), resp_status: 0, resp_body: '' };
}

function wordsOf(error: unknown): string {
  // A name with several addresses fails with one error for each, and no words of its own.
  if (error instanceof AggregateError && error.errors.length > 0) return wordsOf(error.errors[0]);
  if (!(error instanceof Error)) return 'no answer';
  return error.message || (errorCode(error) ?? 'no answer');
}
