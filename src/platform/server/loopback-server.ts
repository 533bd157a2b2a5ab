import type { AddressInfo } from 'node:net';
import type { WireRequest, WireResponse } from '../http/transport.ts';

/** Whether a host name is this machine's own: 127.0.0.0/8, ::1 (with brackets, as `URL` writes it, or without) or localhost. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Where a server listens. Throws a TypeError for one that listens on no port. */
export function boundAddress(server: { address(): AddressInfo | string | null }): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server listens on no port');
  return address;
}

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
