import { errorCode } from '../../../platform/process/error-code.ts';

/** A receiver's answer. */
export interface ReceiverAnswer {
  readonly status: number;
  /** The body, or its beginning: `KEPT_BYTES` are enough. */
  readonly body: Uint8Array;
}

/** Whether a delivery was accepted, or otherwise its `last_error` (contract, "Webhook"). */
export type Verdict =
  | { readonly accepted: true; readonly resp_status: number }
  | {
      readonly accepted: false;
      readonly error: string;
      /** 0 if there was no answer. */
      readonly resp_status: number;
      readonly resp_body: string;
    };

/** How many bytes of an unexpected body `last_error` shows (decisions, section 8). */
export const KEPT_BYTES = 256;

const accepted = new Set(['ok', 'ok\n']);

/**
 * Evaluates an answer: accepted only with status 200 and a body that is exactly `ok`, optionally with one newline
 * (decisions, section 8).
 */
export function judge({ status, body }: ReceiverAnswer): Verdict {
  if (status !== 200) {
    return { accepted: false, error: `unexpected status: ${status}`, resp_status: status, resp_body: '' };
  }
  // Byte by byte: decoding would drop a byte order mark, for example.
  if (accepted.has(Buffer.from(body).toString('latin1'))) return { accepted: true, resp_status: status };
  // Without an incomplete character at its end.
  const resp_body = new TextDecoder().decode(body.subarray(0, KEPT_BYTES), { stream: true });
  return { accepted: false, error: 'unexpected response', resp_status: status, resp_body };
}

/** The verdict if no complete answer arrived, with the transport's message. */
export function noAnswer(error: unknown): Verdict {
  return { accepted: false, error: wordsOf(error), resp_status: 0, resp_body: '' };
}

function wordsOf(error: unknown): string {
  // A host with several addresses fails with one error for each, and no message of its own.
  if (error instanceof AggregateError && error.errors.length > 0) return wordsOf(error.errors[0]);
  if (!(error instanceof Error)) return 'no answer';
  return error.message || (errorCode(error) ?? 'no answer');
}
