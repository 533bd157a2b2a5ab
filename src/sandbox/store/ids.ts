import { type Random, randomBelow } from '../random.ts';

/** Makes the ids of all records. */
export interface Ids {
  /** A new id: 19 digits, a 64-bit integer, greater than every one before; from another moment and chance where given. */
  next(moment?: number, chance?: Random): string;
  /** Goes on from this id, or from none: the data were put back to where it was the highest. */
  rewind(highest: string | undefined): void;
}

const FIRST = 10n ** 18n;
const LAST = 2n ** 63n - 1n;
const PER_MILLISECOND = 10n ** 6n;

/**
 * Ids from the time and a little chance, so that two sandboxes make different ones, and with a fixed clock and fixed
 * chance always the same. All have 19 digits, so that their order as text is their order as numbers, and all are odd:
 * an odd number of 19 digits fits no double, so whoever takes an id for a JavaScript number is caught at once.
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
