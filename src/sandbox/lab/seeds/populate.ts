import type { Work } from '../../engine/call.ts';
import { invalid, Refusal } from '../../engine/refusal.ts';
import { makeAddress } from '../../service/customer-address.ts';
import { makeProduct, makeVariant } from '../../service/make-variant.ts';
import { makeCustomer } from '../../service/orders/customer-of-order.ts';
import type { Maker } from '../../service/orders/order-record.ts';
import { populateAccounts, runTimeline, type SeedEvent, type StoredAccounts, unknownPartner } from './accounts.ts';
import { type NextOfOrder, populateOrder } from './populate-order.ts';
import { type OrderSeed, type SeedContent, SeedError, type ShopSeed } from './seed-content.ts';

type CustomerSeed = NonNullable<ShopSeed['customers']>[number];
type ProductSeed = NonNullable<ShopSeed['products']>[number];
type CollectionSeed = NonNullable<ShopSeed['collections']>[number];

/** Creates a customer with its addresses and group memberships. */
function populateCustomer(
  work: Work,
  shopId: string,
  { hours_ago: _, groups = [], addresses = [], ...fields }: CustomerSeed,
  groupIds: ReadonlyMap<string, string>,
): void {
  const { id: customer_id } = makeCustomer(work, shopId, fields);
  for (const address of addresses) makeAddress(work, shopId, { ...address, customer_id });
  for (const [index, name] of groups.entries()) {
    const group_id = groupIds.get(name);
    if (group_id === undefined)
      throw invalid(`groups[${index}]`, `names no group of the shop: ${JSON.stringify(name)}`);
    work.records('customer_group_relationship', shopId).insert({ customer_id, group_id });
  }
}

/** Creates a product with its variants and their stock; returns its code and id. */
function populateProduct(
  work: Work,
  shopId: string,
  { hours_ago: _, variants = [], ...fields }: ProductSeed,
): readonly [code: string, id: string] {
  const product = makeProduct(work, shopId, fields);
  for (const { stock = 0, ...variant } of variants) {
    const { id } = makeVariant(work, shopId, { ...variant, product_id: product.id });
    if (stock > 0) putInStock(work, shopId, id, stock);
  }
  return [product.record.code ?? '', product.id];
}

function putInStock(work: Work, shopId: string, variant_id: string, stock: number): void {
  const levels = work.records('inventory_level', shopId);
  const [level] = levels.find({ variant_id });
  if (level !== undefined) levels.update(level, { available_quantity: stock });
}

/** Creates a collection of products, given by code. */
function populateCollection(
  work: Work,
  shopId: string,
  { products = [], ...fields }: CollectionSeed,
  productIds: ReadonlyMap<string, string>,
): void {
  const { id: collection_id } = work.records('product_collection', shopId).insert(fields);
  for (const [index, code] of products.entries()) {
    const product_id = productIds.get(code);
    if (product_id === undefined)
      throw invalid(`products[${index}]`, `names no product of the shop: ${JSON.stringify(code)}`);
    work.records('product_collection_relationship', shopId).insert({ collection_id, product_id });
  }
}

const HOUR = 3_600_000;
/** The age, in hours, of records that do not specify one. */
const HOURS_AGO = 60 * 24;

/** So many orders of a history are in one transaction: the log of a whole history would be larger than its data. */
const ORDERS_AT_ONCE = 500;

/** What populating depends on: units of work at any time, and the current time. */
export interface Ground {
  readonly now: number;
  at(moment: number): Work;
  /** Keeps what is there by now; absent if everything is to be kept together. */
  commit?(): void;
}

/**
 * Creates everything in a seed in chronological order, with the code of the operations: so populated records obey every
 * rule. It all predates any webhook, so none of it is in the outbox. Throws a SeedError that names the place.
 */
export function populate(ground: Ground, seed: SeedContent, kept?: StoredAccounts): void {
  const oldest = Math.max(HOURS_AGO, ...seed.shops.map(({ history }) => (history?.days ?? 0) * 24));
  const beginning = ground.at(ground.now - (seed.shops.some(hasRecords) ? oldest * HOUR : 0));
  const { partners, shops } = populateAccounts(beginning, seed, kept);
  const events: SeedEvent[] = [];
  for (const [index, shop] of seed.shops.entries()) {
    const plot = { ground, shopId: shops[index] ?? '', path: `shops[${index}]`, partners };
    events.push(...eventsOfShop(plot, beginning, shop));
  }
  runTimeline(events);
}

/** Whether a shop starts with more than its account. */
function hasRecords({ customer_groups, customers, products, collections, orders }: ShopSeed): boolean {
  return [customer_groups, customers, products, collections, orders].some((list) => (list?.length ?? 0) > 0);
}

interface Plot {
  readonly ground: Ground;
  readonly shopId: string;
  /** The shop's path in the seed. */
  readonly path: string;
  readonly partners: ReadonlyMap<string, string>;
}

function eventsOfShop(plot: Plot, beginning: Work, shop: ShopSeed): SeedEvent[] {
  const { ground, shopId, path } = plot;
  const { customer_groups = [], customers = [], products = [], collections = [], orders = [], warehouse } = shop;
  const groupIds = new Map<string, string>();
  for (const { name } of customer_groups) {
    groupIds.set(name, beginning.records('customer_group', shopId).insert({ name }).id);
  }
  const productIds = new Map<string, string>();
  const event = <Seed extends { readonly hours_ago?: number | undefined }>(
    list: string,
    seeds: readonly Seed[],
    make: (work: Work, seed: Seed, path: string) => readonly SeedEvent[] | undefined,
  ): SeedEvent[] =>
    seeds.map((seed, index) => {
      const at = ground.now - (seed.hours_ago ?? HOURS_AGO) * HOUR;
      const place = `${path}.${list}[${index}]`;
      return { at, happen: () => naming(place, () => make(ground.at(at), seed, place)) ?? [] };
    });

  return [
    ...event('products', products, (work, seed) => {
      const [code, id] = populateProduct(work, shopId, seed);
      productIds.set(code, id);
      return undefined;
    }),
    ...event('customers', customers, (work, seed) => {
      populateCustomer(work, shopId, seed, groupIds);
      return undefined;
    }),
    ...event('orders', orders, (work, seed, place) => {
      const next = populateOrder(work, { maker: makerOf(plot, seed.partner, place), warehouse }, seed);
      return later(ground, place, next);
    }),
    ...(shop.history === undefined
      ? []
      : nextOfHistory(plot, shop, shop.history.orders(ground.now)[Symbol.iterator]())),
    // A collection is created after its last product.
    ...event(
      'collections',
      collections.map((seed) => ({ ...seed, hours_ago: 0 })),
      (work, { hours_ago: _, ...seed }) => {
        populateCollection(work, shopId, seed, productIds);
        return undefined;
      },
    ),
  ];
}

/** The next order of a history, which is followed by the one after it: only orders on their way are in memory. */
function nextOfHistory(plot: Plot, { warehouse }: ShopSeed, orders: Iterator<OrderSeed>, number = 1): SeedEvent[] {
  const { ground, path } = plot;
  const { value: seed, done } = orders.next();
  if (done) return [];
  const at = ground.now - (seed.hours_ago ?? 0) * HOUR;
  const place = `${path}.history`;
  return [
    {
      at,
      happen() {
        const maker = makerOf(plot, seed.partner, place);
        const next = naming(place, () => populateOrder(ground.at(at), { maker, warehouse, until: ground.now }, seed));
        if (number % ORDERS_AT_ONCE === 0) ground.commit?.();
        return [...later(ground, place, next), ...nextOfHistory(plot, { warehouse, name: '' }, orders, number + 1)];
      },
    },
  ];
}

function makerOf({ shopId, partners }: Plot, partner: string | undefined, path: string): Maker {
  const partnerId = partner === undefined ? undefined : partners.get(partner);
  if (partner !== undefined && partnerId === undefined) throw unknownPartner(`${path}.partner`, partner);
  return { shopId, partnerId };
}

/** The next event of an order; never later than now. */
function later(ground: Ground, path: string, next: NextOfOrder | undefined): SeedEvent[] {
  if (next === undefined) return [];
  const at = Math.min(next.at, ground.now);
  return [
    {
      at,
      happen: () =>
        later(
          ground,
          path,
          naming(path, () => next.happen(ground.at(at))),
        ),
    },
  ];
}

/** Turns a refusal into a SeedError with the path in the seed. */
function naming<Result>(path: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { field } = error.meta;
    const problem =
      field !== undefined && error.message.startsWith(field) ? error.message.slice(field.length).trim() : error.message;
    throw new SeedError(field === undefined ? path : `${path}.${field}`, problem, { cause: error });
  }
}
