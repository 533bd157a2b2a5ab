import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { wireTime } from '../../../src/sandbox/engine/business-clock.ts';
import { kinds } from '../../../src/sandbox/engine/store/record-kinds.ts';
import { orderStates } from '../../../src/sandbox/lab/seeds/seed-content.ts';
import { shippingStates } from '../../../src/sandbox/service/shipments/shipping-states.ts';
import { rows } from '../../support/rows.ts';
import { fixedRandom, openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';

// Records of every shape are read here; what is expected of them says the test itself.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Rows = any[];

/** Every record of a list operation, over all pages. */
async function all(
  { post }: TestSandbox,
  operation: string,
  key: string,
  apiKey: string,
  filter: object = {},
): Promise<Rows> {
  const rows: Rows = [];
  for (let after = '.'; ; ) {
    const { status, body } = await post(operation, { ...filter, paging: { after } }, apiKey);
    expect(status).toBe(200);
    rows.push(...body[key]);
    if (body[key].length === 0) return rows;
    after = body.paging.next;
  }
}

const bothShops = (test: TestSandbox) => [test.shop.apiKey, test.otherShop.apiKey];

async function ofBoth(test: TestSandbox, operation: string, key: string): Promise<Rows> {
  const lists = await Promise.all(bothShops(test).map((apiKey) => all(test, operation, key, apiKey)));
  return lists.flat();
}

describe('the demo', () => {
  it('has a partner, two shops, 30 products with variants and stock, 71 customers, some in groups, and 124 orders', async () => {
    const test = await openTestSandbox({ seed: 'demo' });
    const { partner, shops } = await test.sandbox.control.credentials();
    expect([partner.id.length, shops.map(({ name }) => name)]).toEqual([19, ['Demo Shop', 'Second Demo Shop']]);

    const products = await ofBoth(test, 'shop.Product/ListProducts', 'products');
    expect(products).toHaveLength(30);
    for (const product of products) expect(product.variants.length).toBeGreaterThan(1);
    const levels = await ofBoth(test, 'shop.Inventory/ListInventoryLevels', 'inventory_levels');
    expect(levels).toHaveLength((await ofBoth(test, 'shop.Variant/ListVariants', 'shop_variants')).length);
    expect(levels.filter(({ available_quantity }) => available_quantity > 0).length).toBeGreaterThan(40);
    expect(levels.some(({ picked_quantity }) => picked_quantity > 0)).toBe(true);

    expect(await ofBoth(test, 'shop.Customer/ListCustomers', 'customers')).toHaveLength(71);
    for (const apiKey of bothShops(test)) {
      const groups = await all(test, 'shop.CustomerGroup/ListGroups', 'customer_groups', apiKey);
      expect(groups).toHaveLength(3);
      for (const { id } of groups) {
        const filter = { filter: { group_id: id } };
        const members = await all(
          test,
          'shop.CustomerGroupRelationship/ListRelationships',
          'relationship',
          apiKey,
          filter,
        );
        expect(members.length).toBeGreaterThan(0);
      }
      const [collection] = await all(test, 'shop.ProductCollection/ListCollections', 'collections', apiKey);
      expect(collection).toMatchObject({ deleted: false });
    }
    expect(await ofBoth(test, 'shop.Order/ListOrders', 'orders')).toHaveLength(124);
  });

  it('has real places, in their official names', async () => {
    const test = await openTestSandbox({ seed: 'demo' });
    const addresses = await ofBoth(test, 'shop.CustomerAddress/ListAddresses', 'addresses');
    expect(addresses.length).toBeGreaterThan(25);
    const places = await test.core.read((work) => work.places);
    for (const address of addresses) expect(places.canonical(address, '')).toEqual(address);
  });

  it('has orders and shipments in all states, each whole', async () => {
    const test = await openTestSandbox({ seed: 'demo' });
    const shipments = await ofBoth(test, 'shop.Fulfillment/ListFulfillments', 'fulfillments');
    const wanted = orderStates.filter((state) => state in shippingStates && state !== 'confirmed');
    expect(new Set(shipments.map(({ shipping_state }) => shipping_state))).toEqual(new Set(wanted));
    expect(shipments.some(({ platform_payment_status }) => platform_payment_status === 'P')).toBe(true);

    const orders = await ofBoth(test, 'shop.Order/ListOrders', 'orders');
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['Z', 'P', 'S', 'N', 'NS']));
    expect(new Set(orders.map(({ confirm_status }) => confirm_status))).toEqual(new Set(['Z', 'P', 'N']));
  });

  it('goes back two months, and holds at most 2,500 records', async () => {
    const test = await openTestSandbox({ seed: 'demo' });
    const now = test.clock.now();
    for (const apiKey of bothShops(test)) {
      const orders = await all(test, 'shop.Order/ListOrders', 'orders', apiKey);
      const ages = orders.map(({ created_at }) => (now - Date.parse(created_at)) / (24 * 3_600_000));
      expect(Math.max(...ages)).toBeGreaterThan(55);
      for (let week = 0; week < 8; week += 1) {
        expect(ages.filter((age) => Math.floor(age / 7) === week).length).toBeGreaterThan(0);
      }
    }
    const shipments = await ofBoth(test, 'shop.Fulfillment/ListFulfillments', 'fulfillments');
    const isLate = (estimate: string | undefined) => Date.parse(estimate ?? '') < now;
    const open = shipments.filter(({ closed_at }) => !closed_at);
    expect(open.filter(({ estimated_delivery_at }) => isLate(estimated_delivery_at)).length).toBeGreaterThan(0);
    const delivered = shipments.filter(({ shipping_state }) => shipping_state === 'delivered');
    expect(delivered.filter(({ platform_payment_status }) => platform_payment_status !== 'P').length).toBeGreaterThan(
      5,
    );
    expect(delivered.filter(({ actual_cod_amount }) => actual_cod_amount > 0).length).toBeGreaterThan(25);
    expect(shipments.filter(({ shipping_state }) => shipping_state === 'returned').length).toBeGreaterThan(5);
    const records = test.core.read(({ database }) =>
      [...new Set(Object.values(kinds).map(({ table }) => table))].map((table) => {
        const [row] = rows<{ n: number }>(database, sql`SELECT count(*) AS n FROM ${sql.table(table)}`);
        return row?.n ?? 0;
      }),
    );
    expect(records.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2500);
  });

  it('happened in the past, in order', async () => {
    const test = await openTestSandbox({ seed: 'demo' });
    const now = wireTime(test.clock.now());
    for (const sort of ['created_at', 'updated_at'] as const) {
      const { body } = await test.post('shop.Order/ListOrders', { paging: { sort } }, test.shop.apiKey);
      const times: string[] = body.orders.map((order: Record<string, string>) => order[sort]);
      expect(times).toEqual([...times].sort());
      expect(times.every((time) => time < now)).toBe(true);
      expect(new Set(times).size).toBeGreaterThan(15);
    }
  });

  it('notifies nobody: only later events are changes', async () => {
    const test = await openTestSandbox({ seed: 'demo' });
    expect(await test.changes()).toEqual([]);
    const [order] = await all(test, 'shop.Order/ListOrders', 'orders', test.shop.apiKey);
    const states = await all(test, 'shop.Fulfillment/ListFulfillments', 'fulfillments', test.shop.apiKey);
    const created = states.find(({ shipping_state }) => shipping_state === 'created');
    await test.sandbox.control.advance(created.id, { to: 'picking' });
    expect((await test.changes()).map(({ name }) => name)).toEqual(['fulfillment update', 'order update']);
    expect(order).toBeDefined();
  });
});

describe('what a seed makes', () => {
  const bodiesOf = async (test: TestSandbox) => ({
    orders: await ofBoth(test, 'shop.Order/ListOrders', 'orders'),
    shipments: await ofBoth(test, 'shop.Fulfillment/ListFulfillments', 'fulfillments'),
    products: await ofBoth(test, 'shop.Product/ListProducts', 'products'),
    addresses: await ofBoth(test, 'shop.CustomerAddress/ListAddresses', 'addresses'),
    accounts: [test.partner.id, test.shop.id, test.otherShop.id],
  });

  it('is the same at the same time, its keys excepted', async () => {
    const one = await openTestSandbox({ seed: 'demo', random: fixedRandom('one') });
    const other = await openTestSandbox({ seed: 'demo', random: fixedRandom('other') });
    expect(await bodiesOf(other)).toEqual(await bodiesOf(one));
    expect([other.shop.apiKey, other.partner.apiKey]).not.toEqual([one.shop.apiKey, one.partner.apiKey]);
  });

  it('is followed by ids that are new', async () => {
    const test = await openTestSandbox({ seed: 'demo' });
    const before = await all(test, 'shop.CustomerGroup/ListGroups', 'customer_groups', test.shop.apiKey);
    const { body } = await test.post('shop.CustomerGroup/CreateGroup', { name: 'Mới' }, test.shop.apiKey);
    for (const { id } of before) expect(body.id > id).toBe(true);
    const { body: customer } = await test.post(
      'shop.Customer/CreateCustomer',
      { full_name: 'Nguyễn Văn Mới', phone: '0999999999' },
      test.shop.apiKey,
    );
    expect(customer.code).toBe('KH000047');
  });
});
