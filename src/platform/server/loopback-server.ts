import type { WireRequest, WireResponse } from '../http/transport.ts';

/** A server that only this machine can reach, for a page that the user's own browser opens. */
export interface LoopbackServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Stops listening once pending responses are sent. */
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. A request's url is built from its Host header, which the handler must check. */
export type ListenOnLoopback = (
  answer: (request: WireRequest) => Promise<WireResponse> | WireResponse,
) => Promise<LoopbackServer>;
