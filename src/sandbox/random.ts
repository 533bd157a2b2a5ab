import { createHash, randomBytes } from 'node:crypto';

/** So many random bytes; the one source of chance, so that a test decides it. */
export type Random = (bytes: number) => Uint8Array;

/** The machine's own randomness, fit for secrets. */
export const systemRandom: Random = (bytes) => randomBytes(bytes);

/** Chance that is the same in every run for the same seed: for example data, never for secrets. */
export function seededRandom(seed: string): Random {
  let count = 0;
  return (bytes) => {
    const blocks: Buffer[] = [];
    while (blocks.length * 32 < bytes) blocks.push(createHash('sha256').update(`${seed} ${count++}`).digest());
    return Buffer.concat(blocks).subarray(0, bytes);
  };
}

/** A secret of 43 characters that are safe in a url and a header: 256 bits. */
export function randomSecret(random: Random): string {
  return Buffer.from(random(32)).toString('base64url');
}

/** A whole number from 0 to below `limit`, which is at most 2^32; even enough for ids and examples, not for secrets. */
export function randomBelow(random: Random, limit: number): number {
  const bytes = random(4);
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) % limit;
}
