import { TransportError, type TransportFailure, type WireResponse } from '../../../platform/http/transport.ts';

/** Details of a broken call, for the layers around it. */
export interface Breakage {
  readonly faultId: number;
  /** The service's answer; undefined if it was not called. */
  readonly answer?: WireResponse | undefined;
  /** Whether half of the answer is sent, with the length of the whole, before the connection is closed. */
  readonly half?: boolean;
}

/** Thrown by `sandbox.handle` if a fault prevents a complete answer; over HTTP the connection is closed. */
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
