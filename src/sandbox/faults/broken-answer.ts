import { TransportError, type TransportFailure, type WireResponse } from '../../platform/transport.ts';

/** What a broken call leaves behind for whoever stands around it. */
export interface Breakage {
  readonly faultId: number;
  /** What the service had answered; undefined where it was never asked. */
  readonly answer?: WireResponse | undefined;
  /** Half of the answer is to arrive, with the length of the whole, before the connection closes. */
  readonly half?: boolean;
}

/** Thrown by `sandbox.handle` where a fault lets no whole answer arrive; over HTTP the connection is closed. */
export class BrokenAnswerError extends TransportError {
  readonly faultId: number;
  readonly answer: WireResponse | undefined;
  readonly half: boolean;

  constructor(failure: TransportFailure, { faultId, answer, half = false }: Breakage) {
    super(failure, 'maybe', `fault ${faultId} of the sandbox: ${words[failure] ?? words.closed}`);
    this.name = 'BrokenAnswerError';
    this.faultId = faultId;
    this.answer = answer;
    this.half = half;
  }
}

const words: Partial<Record<TransportFailure, string>> & { readonly closed: string } = {
  closed: 'the connection closed before the whole answer had arrived',
  timeout: 'no answer came in time',
  aborted: 'the caller gave up',
};
