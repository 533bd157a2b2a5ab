import { afterAll, describe, expect, it } from 'vitest';
import { rebuildRollups } from '../../src/mirror/store/write/rebuild-rollups.ts';
import { callsToVerify, compareRollups, type Verified } from '../../src/mirror/verify.ts';
import { mirrorKinds } from '../support/mirrors.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { syncedShop } from '../support/synced-shop.ts';

const differencesIn = (found: readonly Verified[]) =>
  found
    .flatMap(({ differences }) => differences)
    .map(({ area, field, mirror, service }) => ({ area, field, mirror, service }));

for (const kind of mirrorKinds()) {
  describe.skipIf(kind.missing !== undefined)(`verifying a mirror in ${kind.name}`, () => {
    afterAll(() => kind.end());

    async function demo() {
      const service = await openTestSandbox({ seed: 'demo' });
      const shop = await syncedShop(service, await kind.place());
      await shop.sync();
      const change = (sql: string) => shop.mirror.write((session) => session.run(sql));
      return { service, shop, change, table: shop.mirror.dialect.table };
    }

    it('finds nothing in a faithful copy, and says through when that is known', async () => {
      const { shop } = await demo();
      const reported = await callsToVerify(shop.setup);
      shop.calls();
      expect(differencesIn(await shop.verify())).toEqual([]);
      expect(shop.calls()).toHaveLength(reported);
      const rows = await shop.rows(
        `select count(*) as n from ${shop.mirror.dialect.table('mirror_areas')} where verified_through is null`,
      );
      expect(Number(rows[0]?.n)).toBe(0);
    });

    it('names the field of a column that was changed behind its back, in parts of records too', async () => {
      const { shop, change, table } = await demo();
      const [{ id } = { id: '' }] = await shop.rows(`select id from ${table('orders')} order by id limit 1`);
      await change(`update ${table('orders')} set total_amount = total_amount + 1 where id = '${id}'`);
      await change(`update ${table('order_lines')} set quantity = quantity + 1 where order_id = '${id}' and line = 1`);
      await change(`delete from ${table('order_addresses')} where order_id = '${id}' and kind = 'shipping'`);
      const found = differencesIn(await shop.verify());
      expect(found.map(({ field }) => field).sort()).toEqual([
        'order_addresses[shipping]',
        'order_lines[1].quantity',
        'total_amount',
      ]);
    });

    it('tells a text from the JSON that it holds, and not one order of fields from another', async () => {
      const { service, shop, change, table } = await demo();
      const lines = [{ product_name: 'Trà sen', quantity: 1, retail_price: 1000, payment_price: 1000 }];
      const sums = { total_items: 1, basket_value: 1000, total_amount: 1000, payment_method: 'cod' };
      const made = { lines, ...sums, external_meta: { warehouse: 'Q1', a: '2' } };
      const { body } = await service.post('shop.Order/CreateOrder', made, service.shop.apiKey);
      service.clock.advance(60_000);
      await shop.sync();
      expect(differencesIn(await shop.verify({ areas: ['orders'] }))).toEqual([]);
      const stored = JSON.stringify(JSON.stringify(made.external_meta)).replaceAll("'", "''");
      await change(`update ${table('orders')} set external_meta = '${stored}' where id = '${body.id}'`);
      expect(differencesIn(await shop.verify({ areas: ['orders'] }))).toMatchObject([{ field: 'external_meta' }]);
    });

    it('reports a record that is missing, and one that the service does not have', async () => {
      const { service, shop, change, table } = await demo();
      const [one, other] = await shop.rows(`select id from ${table('customers')} order by id limit 2`);
      await change(`delete from ${table('customers')} where id = '${one?.id}'`);
      await service.post('shop.Customer/DeleteCustomer', { id: other?.id }, service.shop.apiKey);
      await shop.sync();
      await change(`update ${table('customers')} set deleted_at = null where id = '${other?.id}'`);
      const found = differencesIn(await shop.verify({ areas: ['customers'] }));
      expect(found).toEqual([
        { area: 'customers', field: 'record', mirror: null, service: 'present' },
        { area: 'customers', field: 'record', mirror: 'present', service: null },
      ]);
    });

    it('reports nothing that changed after the last sync', async () => {
      const { service, shop, table } = await demo();
      const [customer] = await shop.rows(`select id from ${table('customers')} limit 1`);
      const [address] = await shop.rows(`select id from ${table('customer_addresses')} limit 1`);
      service.clock.advance(60_000);
      const { apiKey } = service.shop;
      await service.post('shop.Customer/UpdateCustomer', { id: customer?.id, note: 'mới' }, apiKey);
      await service.post('shop.CustomerAddress/UpdateAddress', { id: address?.id, address1: '1 Phố Mới' }, apiKey);
      const found = await shop.verify();
      expect(differencesIn(found)).toEqual([]);
      const rows = await shop.rows(`select count(*) as n from ${table('customers')} where deleted_at is null`);
      // What is newer than the mirror is not compared with it.
      expect(found.find(({ area }) => area === 'customers')?.compared).toBe(Number(rows[0]?.n) - 1);
    });

    it('reports nothing of a record that changes while it is verified', async () => {
      const service = await openTestSandbox({ seed: 'demo' });
      let changing = '';
      const shop = await syncedShop(service, await kind.place(), (transport) => async (request) => {
        if (changing !== '' && request.url.endsWith('ListCustomers')) {
          service.clock.advance(10_000);
          const note = `${service.clock.now()}`;
          await service.post('shop.Customer/UpdateCustomer', { id: changing, note }, service.shop.apiKey);
        }
        return transport(request);
      });
      await shop.sync();
      const [customer] = await shop.rows(`select id from ${shop.mirror.dialect.table('customers')} limit 1`);
      changing = String(customer?.id);
      expect(differencesIn(await shop.verify())).toEqual([]);
    });

    it('reports no membership that is ended and begun again while it is verified', async () => {
      const service = await openTestSandbox({ seed: 'demo' });
      let member: Readonly<Record<string, unknown>> | undefined;
      let asked = 0;
      const to = (change: string) =>
        service.post(`shop.CustomerGroupRelationship/${change}`, { ...member }, service.shop.apiKey);
      const shop = await syncedShop(service, await kind.place(), (transport) => async (request) => {
        if (request.url.endsWith('ListRelationships') && request.body.includes(`"${member?.group_id}"`)) {
          asked += 1;
          // The first look, then the sync between, then the second look.
          if (asked === 1) await to('DeleteRelationship');
          if (asked === 3) await to('CreateRelationship');
        }
        return transport(request);
      });
      await shop.sync();
      const members = `select customer_id, group_id from ${shop.mirror.dialect.table('customer_group_members')} order by 1`;
      [member] = await shop.rows(members);
      expect(differencesIn(await shop.verify({ areas: ['customer_group_members'] }))).toEqual([]);
      expect([asked, (await shop.rows(members))[0]]).toEqual([5, member]);
    });

    it('computes the rollups again', async () => {
      const { shop, change, table } = await demo();
      const [row] = await shop.rows(
        `select day, state, orders from ${table('daily_orders')} order by day, state limit 1`,
      );
      await change(
        `update ${table('daily_orders')} set orders = orders + 1 where day = '${row?.day}' and state = '${row?.state}'`,
      );
      await change(`update ${table('open_parcels')} set value = value + 1`);
      await change(`delete from ${table('daily_cod')}`);
      const found = differencesIn(await shop.verify());
      expect(new Set(found.map(({ area, field }) => `${area}.${field}`))).toEqual(
        new Set([
          'daily_orders.orders',
          ...['parcels', 'cod_amount', 'actual_cod_amount', 'basket_value'].map((sum) => `daily_cod.${sum}`),
          ...['shipping_service_fee', 'actual_shipping_service_fee'].map((sum) => `daily_cod.${sum}`),
          'open_parcels.value',
        ]),
      );
      await shop.sync({ isFull: true });
      expect(differencesIn(await shop.verify())).toEqual([]);
    });

    it('ends while it computes the rollups, once it is told to', async () => {
      const { shop } = await demo();
      const ending = new AbortController();
      ending.abort(new Error('ended'));
      await expect(compareRollups(shop.mirror, shop.setup.shopId, ending.signal)).rejects.toThrow('ended');
      await expect(rebuildRollups(shop.mirror, 'UTC', ending.signal)).rejects.toThrow('ended');
      expect(differencesIn(await shop.verify())).toEqual([]);
    });

    it('finds a missing record behind the first thousand, and samples each once', async () => {
      const { shop, change, table } = await demo();
      const copies = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200)
insert into ${table('products')} (id, shop_id) select '92230000' || (100000 + i), '${shop.setup.shopId}' from n`;
      await change(copies);
      const all = await shop.verify({ areas: ['products'] });
      expect(differencesIn(all)).toHaveLength(1200);
      const some = await shop.verify({ areas: ['products'], sample: 5_000 });
      expect(differencesIn(some)).toHaveLength(1200);
    });

    it('compares a sample, if that is asked for', async () => {
      const { shop, change, table } = await demo();
      shop.calls();
      const found = await shop.verify({ sample: 5 });
      expect(found.find(({ area }) => area === 'customers')?.compared).toBe(5);
      expect(differencesIn(found)).toEqual([]);
      await change(`update ${table('customers')} set full_name = 'nobody'`);
      expect(differencesIn(await shop.verify({ areas: ['customers'], sample: 5 }))).toHaveLength(5);
    });
  });
}
