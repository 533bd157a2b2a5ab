import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/**
 * Looks a name up for a connection, and fails unless every address of it may be connected to: a name may lead elsewhere
 * than it says, and elsewhere the next time. `refusalOf` says what is wrong with an address, or undefined. An address
 * in the place of a name is not looked up at all, and has to be judged before.
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
