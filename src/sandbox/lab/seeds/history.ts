import { type Random, randomBelow, seededRandom } from '../../engine/store/ids.ts';
import type { OrderAddress } from '../../service/orders/order-record.ts';
import { demoPlaces, personName } from './demo-people.ts';
import type { History, OrderSeed, ShopSeed } from './seed-content.ts';

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

/** The share of orders whose buyer is new. */
const NEW = 0.3;

const phoneOf = (number: number) => `09${String(10_000_000 + number * 137).slice(-8)}`;

/**
 * Draws the buyer of each order: someone new, or one of those before. Names and numbers are invented, the places are
 * real; `first` keeps the phone numbers of two shops apart.
 */
function buyers(first: number, shares: Shares): () => OrderAddress {
  const known: OrderAddress[] = [];
  return () => {
    // Those who bought lately come again more often.
    const again = known[Math.floor(known.length * Math.sqrt(shares.next()))];
    if (again !== undefined && !shares.isOne(NEW)) return again;
    const [province, district, ward, street] = shares.pick(demoPlaces);
    const buyer = {
      full_name: personName(shares.pick, shares.isOne(0.6)),
      phone: phoneOf(first + known.length),
      province,
      district,
      ward,
      address1: `${1 + shares.below(190)} ${street}`,
    };
    known.push(buyer);
    return buyer;
  };
}

type Variant = { readonly code?: string | undefined; readonly retail_price?: number | undefined };
type Lines = [OrderSeed['lines'][number], ...OrderSeed['lines']];

/** A carrier as the shop knows it; the shares are of its parcels. */
interface Experience {
  readonly service: NonNullable<OrderSeed['service']>;
  readonly late: number;
  readonly returned: number;
}

const redkite: Experience = { service: 'redkite', late: 0.05, returned: 0.06 };
const greenmile: Experience = { service: 'greenmile', late: 0.08, returned: 0.08 };
const bluewhale: Experience = { service: 'bluewhale', late: 0.1, returned: 0.09 };
const tortoise: Experience = { service: 'tortoise', late: 0.2, returned: 0.14 };
const platform: Experience = { service: 'platform', late: 0.03, returned: 0.04 };

/** Who carries the parcels, as often as named. The platform's own carrier collects no cash. */
const withCash: readonly [Experience, ...Experience[]] = [
  redkite,
  redkite,
  redkite,
  greenmile,
  greenmile,
  bluewhale,
  tortoise,
];
const withoutCash: readonly [Experience, ...Experience[]] = [platform, platform, redkite, greenmile];

const reasons = ['Khách đổi ý', 'Hết hàng', 'Sai địa chỉ', 'Khách không nghe máy'] as const;
const channels = ['WEB', 'FB', 'ZALO'] as const;

/** Whoever buys for this much pays nothing for the delivery. */
const FREE_DELIVERY = 800_000;
/** Orders that are younger than this may still wait for someone to look at them. */
const WAITING_HOURS = 20;

/** What becomes of a parcel: most are delivered and paid, each some hours later than the carrier said. */
function outcomeOf(
  { late, returned }: Experience,
  shares: Shares,
): Pick<OrderSeed, 'state' | 'hours_late' | 'cancel_reason'> {
  if (shares.isOne(0.04)) return { state: 'cancelled', cancel_reason: shares.pick(reasons) };
  const hours_late = {
    ...(shares.isOne(late / 2) ? { holding: 3 + shares.below(45) } : {}),
    ...(shares.isOne(late) ? { delivered: 4 + shares.below(120) } : {}),
    // Carriers pay twice a week.
    reconciled: shares.below(84),
  };
  if (shares.isOne(returned)) return { state: 'returned', hours_late };
  if (shares.isOne(0.006)) return { state: 'undeliverable', hours_late };
  // Nobody has noticed that it is stuck.
  if (shares.isOne(0.004)) return { state: 'delivered', hours_late: { delivered: 300 + shares.below(1200) } };
  return { state: shares.isOne(0.025) ? 'delivered' : 'reconciled', hours_late };
}

/** What is bought: few things of many, and some of them far more often than others. */
function basket(variants: readonly Variant[], shares: Shares): { readonly lines: Lines; readonly value: number } {
  const line = () => {
    const { code = '', retail_price: price = 0 } = variants[Math.floor(variants.length * shares.next() ** 2)] ?? {};
    const isReduced = shares.isOne(0.2);
    return {
      variant: code,
      quantity: shares.isOne(0.75) ? 1 : 2 + shares.below(3),
      payment_price: isReduced ? Math.round(price * 0.0009) * 1000 : price,
    };
  };
  const more = shares.isOne(0.35) ? 1 + shares.below(2) : 0;
  const lines = [line(), ...Array.from({ length: more }, line)] as const;
  return {
    lines: [...lines],
    value: lines.reduce((sum, { quantity, payment_price }) => sum + quantity * payment_price, 0),
  };
}

/** What the orders of a shop are drawn from. */
interface Trade {
  readonly variants: readonly Variant[];
  readonly buyer: () => OrderAddress;
  readonly shares: Shares;
}

/** An order, and what became of it. */
function orderOf(number: number, hours_ago: number, { variants, buyer, shares }: Trade): OrderSeed {
  const isCash = shares.isOne(0.75);
  const address = buyer();
  const { lines, value } = basket(variants, shares);
  const fee = value >= FREE_DELIVERY ? 0 : 15_000 + shares.below(4) * 5000;
  const order = {
    external_code: `${shares.pick(channels)}-${5000 + number}`,
    lines,
    ...(fee > 0 ? { fee_lines: [{ type: 'shipping' as const, name: 'Phí giao hàng', amount: fee }] } : {}),
    payment_method: isCash ? ('cod' as const) : ('bank' as const),
    customer_address: address,
    shipping_address: address,
    hours_ago,
  };
  if (hours_ago < WAITING_HOURS && shares.isOne(0.5)) return order;
  const experience = shares.pick(isCash ? withCash : withoutCash);
  return {
    ...order,
    ...outcomeOf(experience, shares),
    service: experience.service,
    shipping: {
      gross_weight: 200 + shares.below(18) * 100,
      cod_amount: isCash ? value + fee : 0,
      try_on: shares.isOne(0.5) ? 'open' : 'none',
    },
  };
}

/** How a history is to be. */
export interface HistoryPlan {
  readonly count: number;
  readonly days: number;
  readonly products: NonNullable<ShopSeed['products']>;
  /** Keeps the phone numbers of two shops apart. */
  readonly firstBuyer: number;
}

/** So many orders over so many days, in all states, the same in each run. */
export function historyOf({ count, days, products, firstBuyer }: HistoryPlan): History {
  const variants = products.flatMap(({ variants: of = [] }) => of);
  return {
    days: days + 1,
    *orders(now) {
      const shares = sharesOf(seededRandom(`history ${firstBuyer}`));
      const trade = { variants, buyer: buyers(firstBuyer, shares), shares };
      let number = 0;
      for (const at of moments(count, days, now, shares)) {
        number += 1;
        yield orderOf(number, (now - at) / HOUR_MS, trade);
      }
    },
  };
}
