import { type Random, randomBelow } from '../random.ts';

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
