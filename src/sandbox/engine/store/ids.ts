import { hash, randomBytes } from 'node:crypto';

/** Returns this many random bytes; the only source of randomness, so that a test can control it. */
export type Random = (bytes: number) => Uint8Array;

/** How many bytes are fetched at once: an id needs four, and the system call costs more than the bytes. */
const FETCHED_BYTES = 4096;

let fetched: Uint8Array = new Uint8Array(0);
let used = 0;

/** The machine's own randomness, fit for secrets; no byte is used twice. */
export const systemRandom: Random = (bytes) => {
  if (bytes > FETCHED_BYTES) return randomBytes(bytes);
  if (used + bytes > fetched.length) {
    fetched = randomBytes(FETCHED_BYTES);
    used = 0;
  }
  used += bytes;
  return fetched.subarray(used - bytes, used);
};

const HASHES_AT_ONCE = 16;

/** Pseudo-random bytes, the same in every run for the same seed: for example data, never for secrets. */
export function seededRandom(seed: string): Random {
  let count = 0;
  let [block, used] = [Buffer.alloc(0), 0];
  const nextHash = () => hash('sha256', `${seed} ${count++}`, 'buffer');
  return (bytes) => {
    // One block of hashes serves many draws: hashing anew for each id was a noticeable part of populating's cost.
    while (block.length - used < bytes) {
      block = Buffer.concat([block.subarray(used), ...Array.from({ length: HASHES_AT_ONCE }, nextHash)]);
      used = 0;
    }
    used += bytes;
    return block.subarray(used - bytes, used);
  };
}

/** A secret of 43 characters that are safe in urls and headers: 256 bits. */
export function randomSecret(random: Random): string {
  return Buffer.from(random(32)).toString('base64url');
}

/**
 * A random integer in [0, `limit`), with `limit` at most 2^32; uniform enough for ids and examples, not for secrets.
 */
export function randomBelow(random: Random, limit: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = random(4);
  return (((first * 256 + second) * 256 + third) * 256 + fourth) % limit;
}

/** Generates the ids of all records. */
export interface Ids {
  /**
   * A new id: 19 digits, a 64-bit integer, greater than all previous ones; from another time and random source if
   * given.
   */
  next(moment?: number, chance?: Random): string;
  /** Continues from this id, or from none: the data were restored to a state in which it was the highest. */
  rewind(highest: string | undefined): void;
}

const FIRST = 10n ** 18n;
const LAST = 2n ** 63n - 1n;
const PER_MILLISECOND = 10n ** 6n;

/**
 * Ids from the time and some randomness, so that two sandboxes generate different ones; with a fixed clock and a fixed
 * random source they are always the same. All have 19 digits, so that they sort as text like numbers, and all are odd:
 * no double can represent an odd number of 19 digits, so a client that reads ids as JavaScript numbers fails at once.
 */
export function createIds(now: () => number, random: Random, highest?: string): Ids {
  let last = highest === undefined ? FIRST : BigInt(highest);
  return {
    next(moment = now(), chance = random) {
      const fromTime = FIRST + BigInt(Math.max(0, Math.floor(moment))) * PER_MILLISECOND;
      const least = fromTime > last && fromTime < LAST - PER_MILLISECOND ? fromTime : last + 1n;
      last = (least + BigInt(randomBelow(chance, 1000))) | 1n;
      return last.toString();
    },
    rewind(newHighest) {
      last = newHighest === undefined ? FIRST : BigInt(newHighest);
    },
  };
}
