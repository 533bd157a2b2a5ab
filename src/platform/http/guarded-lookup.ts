import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/**
 * Resolves a host name for a connection, and fails unless connecting to every one of its addresses is allowed: a name
 * can point anywhere, and somewhere else the next time. `refusalOf` says why an address is not allowed, or returns
 * undefined. A literal address is never looked up, and must be checked beforehand.
 */
export function guardedLookup(
  refusalOf: (address: string) => string | undefined,
  lookup: typeof systemLookup = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (first === undefined) return callback(new Error(`${hostname} leads nowhere`), []);
      const refused = addresses.find(({ address }) => refusalOf(address) !== undefined);
      if (refused !== undefined) {
        return callback(new Error(`${hostname} leads to ${refused.address}, ${refusalOf(refused.address)}`), []);
      }
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
