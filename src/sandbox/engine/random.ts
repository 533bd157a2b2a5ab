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
