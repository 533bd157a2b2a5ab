import { afterAll, describe, expect, it } from 'vitest';
import type { WireResponse } from '../../../src/platform/http/transport.ts';
import { mirrorKinds } from '../../support/mirrors.ts';
import { SERVER_HOOK_MS } from '../../support/postgres-cluster.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { syncedShop } from '../../support/synced-shop.ts';

const STEPS = 60;
const WRITES_A_STEP = 6;

/** Random writes on one shop, by the operations that anybody has. */
function writer({ post, shop }: TestSandbox, random: () => number) {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)];
  const call = async (operation: string, body: object) => (await post(operation, body, shop.apiKey)).body;
  const idsOf = async (list: string, items: string) => {
    const { [items]: found = [] } = await call(list, {});
    return (found as { id: string }[]).map(({ id }) => id);
  };
  let number = 0;
  const ways: (() => Promise<unknown>)[] = [
    async () => {
      number += 1;
      const phone = `097${String(1_000_000 + number)}`;
      return call('shop.Customer/CreateCustomer', { full_name: `Khách ${number}`, phone });
    },
    async () => {
      const id = pick(await idsOf('shop.Customer/ListCustomers', 'customers'));
      return call('shop.Customer/UpdateCustomer', { id, note: `lần ${below(1000)}` });
    },
    async () =>
      call('shop.Customer/DeleteCustomer', { id: pick(await idsOf('shop.Customer/ListCustomers', 'customers')) }),
    async () => {
      const id = pick(await idsOf('shop.Variant/ListVariants', 'shop_variants'));
      return call('shop.Variant/UpdateVariant', { id, note: `lần ${below(1000)}` });
    },
    async () =>
      call('shop.Variant/DeleteVariant', { id: pick(await idsOf('shop.Variant/ListVariants', 'shop_variants')) }),
    async () => {
      const group_id = pick(await idsOf('shop.CustomerGroup/ListGroups', 'customer_groups'));
      const customer_id = pick((await idsOf('shop.Customer/ListCustomers', 'customers')).slice(0, 3));
      const to = below(2) === 0 ? 'CreateRelationship' : 'DeleteRelationship';
      return call(`shop.CustomerGroupRelationship/${to}`, { group_id, customer_id });
    },
    async () => {
      const lines = [{ product_name: 'Trà sen', quantity: 1 + below(3), retail_price: 1000, payment_price: 1000 }];
      const total = (lines[0]?.quantity ?? 0) * 1000;
      const sums = { total_items: lines[0]?.quantity, basket_value: total, total_amount: total };
      return call('shop.Order/CreateOrder', { lines, ...sums, payment_method: 'cod' });
    },
    async () => {
      const id = pick(await idsOf('shop.Order/ListOrders', 'orders'));
      return call('shop.Order/CancelOrder', { id, cancel_reason: 'đổi ý' });
    },
  ];
  return async () => {
    await pick(ways)?.();
  };
}

/** Every record of a list by raw requests, deleted ones left out. */
async function listed({ post, shop }: TestSandbox, list: string, items: string): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (let after: string | undefined; ; ) {
    const { body } = await post(list, after === undefined ? {} : { paging: { after } }, shop.apiKey);
    for (const record of body[items]) found.set(record.id, record);
    if (body[items].length === 0) return found;
    after = body.paging.next;
  }
}

const refused: WireResponse = { status: 400, headers: {}, body: '{"code":"invalid_argument","msg":"no such cursor"}' };

for (const kind of mirrorKinds()) {
  describe.skipIf(kind.missing !== undefined)(`a mirror in ${kind.name} of a shop that never rests`, () => {
    afterAll(() => kind.end(), SERVER_HOOK_MS);

    it('agrees with the service in the end, whatever happened to its syncs', async () => {
      const random = seededRandom('sync');
      const service = await openTestSandbox({ seed: 'demo' });
      let trouble: 'none' | 'cut' | 'cursors' = 'none';
      const write = writer(service, random);
      const shop = await syncedShop(service, await kind.place(), (transport) => async (request) => {
        // The service goes on while a list is being read.
        if (random() < 0.3) await write();
        if (trouble === 'cut' && random() < 0.15)
          return { status: 412, headers: {}, body: '{"code":"aborted","msg":"cut"}' };
        if (trouble === 'cursors' && random() < 0.1 && request.body.includes('"after"')) return refused;
        return transport(request);
      });
      for (let step = 0; step < STEPS; step += 1) {
        for (let count = 0; count < WRITES_A_STEP; count += 1) await write();
        // Often not at all, so that many records share a second; sometimes back.
        const moved = random();
        if (moved < 0.5) service.clock.advance(Math.floor(random() * 200_000));
        else if (moved < 0.6) service.clock.advance(-Math.floor(random() * 400_000));
        trouble = random() < 0.4 ? 'cut' : random() < 0.3 ? 'cursors' : 'none';
        const ending = new AbortController();
        const isKilled = random() < 0.3;
        if (isKilled) setTimeout(() => ending.abort(new Error('killed')), Math.floor(random() * 60));
        await shop.sync({ signal: ending.signal }).catch(() => {});
      }
      trouble = 'none';
      service.clock.advance(300_000);
      await shop.sync();
      expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
      for (const [list, items, table] of [
        ['shop.Order/ListOrders', 'orders', 'orders'],
        ['shop.Customer/ListCustomers', 'customers', 'customers'],
        ['shop.CustomerAddress/ListAddresses', 'addresses', 'customer_addresses'],
        ['shop.Variant/ListVariants', 'shop_variants', 'variants'],
      ] as const) {
        await shop.sync({ areas: [table] });
        const present = await listed(service, list, items);
        const rows = await shop.rows(
          `select id, json from ${shop.mirror.dialect.table('records_json')} where area = ? and id in (select id from ${shop.mirror.dialect.table(table)} where deleted_at is null)`,
          [table],
        );
        const stored = new Map(
          rows.map(({ id, json }) => [String(id), typeof json === 'string' ? JSON.parse(json) : json]),
        );
        expect(stored.size).toBe(present.size);
        expect(stored).toEqual(present);
      }
    }, 240_000);
  });
}
