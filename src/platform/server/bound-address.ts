import type { AddressInfo } from 'node:net';

/** Where a server listens. Throws a TypeError for one that listens on no port. */
export function boundAddress(server: { address(): AddressInfo | string | null }): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server listens on no port');
  return address;
}
