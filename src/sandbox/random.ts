import { hash, randomBytes } from 'node:crypto';

/** So many random bytes; the one source of chance, so that a test decides it. */
export type Random = (bytes: number) => Uint8Array;

/** So many bytes are fetched at once: each id needs four, and the way to the system costs more than they do. */
const FETCHED_BYTES = 4096;

let fetched: Uint8Array = new Uint8Array(0);
let used = 0;

/** The machine's own randomness, fit for secrets; no byte is given out twice. */
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

/** Chance that is the same in every run for the same seed: for example data, never for secrets. */
export function seededRandom(seed: string): Random {
  let count = 0;
  let [block, used] = [Buffer.alloc(0), 0];
  const nextHash = () => hash('sha256', `${seed} ${count++}`, 'buffer');
  return (bytes) => {
    // Many hashes serve many draws: to begin anew for each id was a part of what planting costs.
    while (block.length - used < bytes) {
      block = Buffer.concat([block.subarray(used), ...Array.from({ length: HASHES_AT_ONCE }, nextHash)]);
      used = 0;
    }
    used += bytes;
    return block.subarray(used - bytes, used);
  };
}

/** A secret of 43 characters that are safe in a url and a header: 256 bits. */
export function randomSecret(random: Random): string {
  return Buffer.from(random(32)).toString('base64url');
}

/** A whole number from 0 to below `limit`, which is at most 2^32; even enough for ids and examples, not for secrets. */
export function randomBelow(random: Random, limit: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = random(4);
  return (((first * 256 + second) * 256 + third) * 256 + fourth) % limit;
}
