import type { WireRequest, WireResponse } from './transport.ts';

/** A server that only this machine can reach, for a page that the person's own browser opens. */
export interface LoopbackServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Stops listening, once the answers under way are out. */
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. The url of a request is made of its Host header, which the answer must check. */
export type ListenOnLoopback = (
  answer: (request: WireRequest) => Promise<WireResponse> | WireResponse,
) => Promise<LoopbackServer>;
