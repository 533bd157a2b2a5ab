import { type Random, randomBelow } from '../../../engine/random.ts';

/** Seeded chance in the forms in which example data need it. */
export interface Shares {
  /** A number from 0, below 1. */
  next(): number;
  /** A whole number from 0, below a limit. */
  below(limit: number): number;
  /** Whether it is one of those: true with this probability. */
  isOne(probability: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

const STEPS = 1_000_000;

/** Chance from a source of randomness. */
export function sharesOf(chance: Random): Shares {
  const below = (limit: number) => randomBelow(chance, limit);
  const next = () => below(STEPS) / STEPS;
  return {
    next,
    below,
    isOne: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] ?? items[0],
  };
}
