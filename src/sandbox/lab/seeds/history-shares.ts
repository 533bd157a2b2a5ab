import { type Random, randomBelow } from '../../engine/store/ids.ts';

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

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The shops are in Vietnam. */
const ZONE_MS = 7 * HOUR_MS;

/** How busy each weekday is, from Sunday. */
const WEEK = [0.8, 1.15, 1.1, 1, 1, 1.05, 0.9] as const;
/** How busy each hour of a day is, from midnight. */
const HOURS = [3, 1, 1, 1, 1, 2, 4, 7, 11, 14, 15, 14, 12, 10, 11, 12, 12, 11, 10, 13, 17, 18, 14, 8] as const;

/** The sum of the hours before each. */
const before = HOURS.map((_, hour) => HOURS.slice(0, hour).reduce((sum, busy) => sum + busy, 0));
const wholeDay = HOURS.reduce((sum, busy) => sum + busy, 0);

/** How busy a day is that is this share of the way through the history: shops grow, and sell on double days. */
function weightOf(day: number, share: number): number {
  const date = new Date(day + ZONE_MS);
  const isDouble = date.getUTCDate() === date.getUTCMonth() + 1;
  return (0.6 + 0.8 * share) * (WEEK[date.getUTCDay()] ?? 1) * (isDouble ? 2.2 : 1);
}

/** How much of a day's work is done at a time in it. */
function doneBy(time: number): number {
  const hour = Math.min(HOURS.length - 1, Math.floor(time / HOUR_MS));
  return ((before[hour] ?? 0) + ((HOURS[hour] ?? 0) * (time - hour * HOUR_MS)) / HOUR_MS) / wholeDay;
}

/** The time in a day at which this much of its work is done. */
function timeWhen(done: number): number {
  const sum = done * wholeDay;
  const hour = before.findLastIndex((at) => at <= sum);
  return (hour + (sum - (before[hour] ?? 0)) / (HOURS[hour] ?? 1)) * HOUR_MS;
}

/**
 * When orders are made, in milliseconds since 1970, from the oldest to the newest: by day and night, on weekdays and
 * weekends, more and more of them.
 */
export function* moments(count: number, days: number, now: number, shares: Shares): Generator<number, void, undefined> {
  const today = Math.floor((now + ZONE_MS) / DAY_MS) * DAY_MS - ZONE_MS;
  const plan = Array.from({ length: days }, (_, index) => {
    const day = today - (days - 1 - index) * DAY_MS;
    const open = day === today ? doneBy(now - today) : 1;
    return { day, open, weight: weightOf(day, index / days) * open };
  });
  const all = plan.reduce((sum, { weight }) => sum + weight, 0);
  let [weighed, made] = [0, 0];
  for (const { day, open, weight } of plan) {
    weighed += weight;
    const today = Math.round((count * weighed) / all) - made;
    for (let order = 0; order < today; order += 1) yield day + timeWhen(((order + shares.next()) / today) * open);
    made += today;
  }
}
