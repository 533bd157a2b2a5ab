import type { WireResponse } from '../../../../src/platform/http/transport.ts';

/** A request as it goes between processes. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a process of the fleet is told. */
export type ToProcess =
  | {
      readonly type: 'run';
      readonly argv: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly stdin: string;
      readonly terminal: boolean;
      readonly directory: string;
      /** Where the randomness of this run begins. */
      readonly seed: string;
      /** The number of the writing statement at which the process is killed. */
      readonly killAtStore?: number | undefined;
    }
  | { readonly type: 'interrupt' }
  /** What was compiled so far is kept for the next processes. */
  | { readonly type: 'keep' }
  | { readonly type: 'answer'; readonly call: number; readonly value: WireResponse | string | boolean }
  /** The connection was closed without an answer. */
  | { readonly type: 'cut'; readonly call: number }
  /** There was no connection. */
  | { readonly type: 'unsent'; readonly call: number }
  /** The person left instead of answering. */
  | { readonly type: 'leave'; readonly call: number };

/** What a process of the fleet tells. */
export type FromProcess =
  | { readonly type: 'ready' }
  | { readonly type: 'request'; readonly call: number; readonly request: SentRequest }
  | {
      readonly type: 'question';
      readonly call: number;
      readonly kind: string;
      readonly message: string;
      readonly initial: string;
    }
  | { readonly type: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'ended'; readonly exit: number; readonly error?: string };
