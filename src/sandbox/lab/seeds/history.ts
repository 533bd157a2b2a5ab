import { seededRandom } from '../../engine/store/ids.ts';
import type { OrderAddress } from '../../service/orders/order-record.ts';
import { demoPlaces, personName } from './demo-people.ts';
import { moments, type Shares, sharesOf } from './history-shares.ts';
import type { History, OrderSeed, ShopSeed } from './seed-content.ts';

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

const HOUR_MS = 3_600_000;

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
