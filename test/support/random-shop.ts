import type { Transport } from '../../src/platform/http/transport.ts';

/** A record as a list answers it. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** The records of a made-up shop, by the list that has them. */
export interface RawShop {
  readonly orders: readonly RawRecord[];
  readonly fulfillments: readonly RawRecord[];
  readonly variants: readonly RawRecord[];
  readonly levels: readonly RawRecord[];
}

const states = [
  'default',
  'created',
  'picking',
  'holding',
  'delivering',
  'delivered',
  'delivered',
  'delivered',
  'returning',
  'returned',
  'undeliverable',
  'cancelled',
  'unknown',
] as const;

const over = new Set(['delivered', 'returned', 'undeliverable', 'cancelled']);

/** Names that a page must not take for anything but text. */
export const hostileName = '<script>alert(1)</script>"\'&\u202eđổi';

const wire = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');

/** A buyer of several orders, whose number is written in two ways; every third order names no other than the recipient. */
function buyerOf(index: number) {
  const number = `90100000${index % 7}`;
  const buyer = { full_name: `Khách ${index % 7}`, phone: index % 2 === 0 ? `0${number}` : `+84 ${number}` };
  return index % 3 === 0
    ? { shipping_address: buyer }
    : { customer_address: buyer, shipping_address: { full_name: 'Ai đó', phone: '0900000000' } };
}

/**
 * A shop of random records, about `count` orders, around `now`: many of them lie at the borders of days, of weeks and
 * of months in the zone of the shop (UTC+7) and in UTC.
 */
export function randomShop(random: () => number, now: number, count: number): RawShop {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const id = (kind: number, index: number) => String(1_000_000_000_000_000_000n * BigInt(kind) + BigInt(index));
  const around = (days: number) => {
    const at = now - below(days * 86_400) * 1000;
    const midnight = Math.floor(at / 86_400_000) * 86_400_000 + pick([0, 17 * 3_600_000]);
    return pick([at, midnight, midnight - 1000, midnight + 1000]);
  };
  const variants = Array.from({ length: 12 }, (_, index) => ({
    id: id(3, index),
    code: `V${index}`,
    name: index === 0 ? hostileName : `Áo ${index}`,
    product_id: id(5, index),
  }));
  const levels = variants.map(({ id: variant_id }) => ({
    variant_id,
    available_quantity: below(60) - 5,
    picked_quantity: below(5),
    reserved_quantity: below(5),
    updated_at: wire(now - 5_000_000),
  }));
  const orders = Array.from({ length: count }, (_, index) => {
    const created = around(70);
    const lines = Array.from({ length: 1 + below(3) }, () => ({
      product_name: 'Áo',
      variant_id: below(8) === 0 ? '0' : pick(variants).id,
      quantity: 1 + below(4),
      payment_price: below(300) * 1000,
    }));
    return {
      id: id(1, index),
      code: `O${index}`,
      status: pick(['Z', 'S', 'P', 'N', 'NS']),
      lines,
      total_items: lines.reduce((sum, { quantity }) => sum + quantity, 0),
      total_amount: lines.reduce(
        (sum, { quantity, payment_price }) => sum + quantity * payment_price,
        below(40) * 1000,
      ),
      created_at: wire(created),
      updated_at: wire(created),
      ...buyerOf(index),
    };
  });
  const fulfillments = orders.slice(0, Math.ceil(count * 0.8)).map((order, index) => {
    const state = pick(states);
    const created = Date.parse(order.created_at) + below(3) * 3_600_000;
    const cod_amount = below(3) === 0 ? 0 : order.total_amount;
    const closed = over.has(state) ? created + below(6) * 86_400_000 : undefined;
    return {
      id: id(2, index),
      order_id: below(20) === 0 ? '0' : order.id,
      carrier: pick(['tortoise', 'bluewhale', '', hostileName]),
      shipping_code: `S${index}`,
      shipping_state: state,
      status: 'S',
      shipping_status: 'S',
      platform_payment_status: pick(['Z', 'S', 'P']),
      cod_amount,
      shipping_service_fee: 15_000 + below(9) * 1000,
      ...(closed !== undefined && state !== 'cancelled'
        ? { actual_shipping_service_fee: 15_000 + below(12) * 1000, closed_at: wire(closed) }
        : {}),
      ...(state === 'delivered' || state === 'returned' ? { actual_cod_amount: cod_amount } : {}),
      estimated_pickup_at: wire(around(3) + 86_400_000),
      ...(below(9) === 0 ? {} : { estimated_delivery_at: wire(around(12) + 10 * 86_400_000) }),
      created_at: wire(created),
      updated_at: wire(created),
    };
  });
  return { orders, fulfillments, variants, levels };
}

const lists: Readonly<Record<string, readonly [items: string, shop: keyof RawShop]>> = {
  'shop.Order/ListOrders': ['orders', 'orders'],
  'shop.Fulfillment/ListFulfillments': ['fulfillments', 'fulfillments'],
  'shop.Variant/ListVariants': ['shop_variants', 'variants'],
  'shop.Inventory/ListInventoryLevels': ['inventory_levels', 'levels'],
};

/** Answers the lists of a made-up shop in one page each, and everything else as `service` does. */
export const servingShop =
  (shop: RawShop, now: number) =>
  (service: Transport): Transport =>
  async (request) => {
    const [items, name] = lists[new URL(request.url).pathname.replace('/v1/', '')] ?? [];
    if (items === undefined || name === undefined) return service(request);
    const records = request.body.includes('"after"') ? [] : shop[name];
    const headers = { 'content-type': 'application/json', date: new Date(now).toUTCString() };
    return { status: 200, headers, body: JSON.stringify({ [items]: records, paging: { next: 'end', limit: 1000 } }) };
  };
