import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { areaStatus } from '../../src/mirror/status.ts';
import type { Mirror } from '../../src/mirror/store/mirror.ts';
import { openWorkspace } from '../../src/store/open-workspace.ts';
import { kindsHere } from '../support/mirrors.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { syncedShop } from '../support/synced-shop.ts';
import { deliverChanges } from '../support/webhook-deliveries.ts';

const AREAS = 12;

async function customers({ post, shop }: TestSandbox, count: number, from = 0): Promise<string[]> {
  const ids: string[] = [];
  for (let number = from; number < from + count; number += 1) {
    const { body } = await post(
      'shop.Customer/CreateCustomer',
      { full_name: `Lê Thị ${number}`, phone: `09${String(10_000_000 + number)}` },
      shop.apiKey,
    );
    ids.push(body.id);
  }
  return ids;
}

/** The ids of a list, over all its pages. */
async function idsIn({ post, shop }: TestSandbox, list: string, items: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = '.'; ; ) {
    const { body } = await post(list, { paging: { after } }, shop.apiKey);
    ids.push(...body[items].map(({ id }: { id: string }) => id));
    if (body[items].length === 0) return ids;
    after = body.paging.next;
  }
}

for (const kind of kindsHere()) {
  describe.skipIf(kind.missing !== undefined)(`the copy of a shop in ${kind.name}`, () => {
    afterAll(() => kind.end());

    it('has every record of every list, in typed columns and as it was sent', async () => {
      const service = await openTestSandbox({ seed: 'demo' });
      const shop = await syncedShop(service, await kind.place());
      const summaries = await shop.sync();
      expect(summaries).toHaveLength(AREAS);
      for (const [list, items, table] of [
        ['shop.Order/ListOrders', 'orders', 'orders'],
        ['shop.Fulfillment/ListFulfillments', 'fulfillments', 'fulfillments'],
        ['shop.Customer/ListCustomers', 'customers', 'customers'],
        ['shop.Variant/ListVariants', 'shop_variants', 'variants'],
      ] as const) {
        const rows = await shop.rows(`select id from ${shop.mirror.dialect.table(table)} order by id`);
        expect(rows.map(({ id }) => id)).toEqual((await idsIn(service, list, items)).sort());
      }
      const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
      const [first] = body.orders;
      const [row] = await shop.rows(`select * from ${shop.mirror.dialect.table('orders')} where id = ?`, [first.id]);
      expect(row).toMatchObject({
        shop_id: service.shop.id,
        code: first.code,
        total_amount: first.total_amount,
        shipping_cod_amount: first.shipping?.cod_amount ?? null,
        deleted_at: null,
      });
      const lines = await shop.rows(
        `select product_name, quantity from ${shop.mirror.dialect.table('order_lines')} where order_id = ? order by line`,
        [first.id],
      );
      expect(lines).toEqual(
        first.lines.map(({ product_name, quantity }: { product_name: string; quantity: number }) => ({
          product_name,
          quantity,
        })),
      );
    });

    it('costs at most two calls per list with a time when nothing has changed', async () => {
      const service = await openTestSandbox({ seed: 'demo' });
      const shop = await syncedShop(service, await kind.place());
      await shop.sync();
      shop.calls();
      const summaries = await shop.sync();
      expect(summaries.every(({ created, updated, deleted }) => created + updated + deleted === 0)).toBe(true);
      const byArea = new Map(summaries.map(({ area, calls }) => [area, calls]));
      for (const area of ['orders', 'fulfillments', 'customers', 'products', 'collections', 'inventory_levels']) {
        expect([area, byArea.get(area)]).toEqual([area, 2]);
      }
      const { body } = await service.post('shop.CustomerGroup/ListGroups', {}, service.shop.apiKey);
      expect(byArea.get('customer_group_members')).toBe(body.customer_groups.length);
    });

    it('reads no page again of which everything is older than two minutes', async () => {
      const service = await openTestSandbox();
      await customers(service, 100);
      service.clock.advance(600_000);
      await customers(service, 150, 100);
      const shop = await syncedShop(service, await kind.place());
      expect(await shop.sync({ areas: ['customers'] })).toMatchObject([{ read: 250 }]);
      expect(await shop.sync({ areas: ['customers'] })).toMatchObject([{ read: 150, created: 0 }]);
    });

    it('follows changes and deletions, and keeps what a record was before', async () => {
      const service = await openTestSandbox();
      const { post, shop: account } = service;
      const ids = await customers(service, 20);
      const shop = await syncedShop(service, await kind.place());
      await shop.sync({ areas: ['customers'] });
      await post('shop.Customer/UpdateCustomer', { id: ids[3], full_name: 'Lê Văn Mới' }, account.apiKey);
      await post('shop.Customer/DeleteCustomer', { id: ids[7] }, account.apiKey);
      const [summary] = await shop.sync({ areas: ['customers'] });
      expect(summary).toMatchObject({ created: 0, updated: 1, deleted: 1 });
      const table = shop.mirror.dialect.table;
      const rows = await shop.rows(
        `select full_name, deleted_at from ${table('customers')} where id in (?, ?) order by id`,
        [ids[3], ids[7]],
      );
      expect(rows[0]).toEqual({ full_name: 'Lê Văn Mới', deleted_at: null });
      expect(rows[1]?.full_name).toBe('Lê Thị 7');
      expect(rows[1]?.deleted_at).not.toBeNull();
      const history = await shop.rows(`select source, replaced_at from ${table('history')} where id = ?`, [ids[3]]);
      expect(history).toHaveLength(2);
    });

    it('marks what a list says is deleted, and unmarks what comes again', async () => {
      const service = await openTestSandbox({ seed: 'demo' });
      const shop = await syncedShop(service, await kind.place());
      const areas = ['customer_addresses', 'customer_groups', 'customer_group_members'];
      await shop.sync({ areas });
      const table = shop.mirror.dialect.table;
      const of = (name: string) => shop.rows(`select * from ${table(name)} where deleted_at is null order by 1, 2, 3`);
      const [[address], [member]] = [await of('customer_addresses'), await of('customer_group_members')];
      const { apiKey } = service.shop;
      const membership = { customer_id: member?.customer_id, group_id: member?.group_id };
      await service.post('shop.CustomerAddress/DeleteAddress', { id: address?.id }, apiKey);
      await service.post('shop.CustomerGroupRelationship/DeleteRelationship', membership, apiKey);
      expect((await shop.sync({ areas })).map(({ area, deleted }) => [area, deleted])).toEqual([
        ['customer_addresses', 1],
        ['customer_groups', 0],
        ['customer_group_members', 1],
      ]);
      expect((await of('customer_addresses')).map(({ id }) => id)).not.toContain(address?.id);
      await service.post('shop.CustomerGroupRelationship/CreateRelationship', membership, apiKey);
      expect((await shop.sync({ areas })).map(({ created, deleted }) => [created, deleted])).toEqual([
        [0, 0],
        [0, 0],
        [1, 0],
      ]);
      expect(await of('customer_group_members')).toContainEqual(expect.objectContaining(membership));
    });

    it('marks what was deleted with another record, of which the list of its own says nothing', async () => {
      const { post, shop: account, ...service } = await openTestSandbox();
      const tea = { name: 'Trà sen', code: 'TRA', retail_price: 60_000 };
      const { body: product } = await post('shop.Product/CreateProduct', tea, account.apiKey);
      const variants: string[] = [];
      for (let number = 0; number < 250; number += 1) {
        const box = { product_id: product.id, name: `Hộp ${number}`, retail_price: 60_000 };
        variants.push((await post('shop.Variant/CreateVariant', box, account.apiKey)).body.id);
      }
      service.clock.advance(600_000);
      const shop = await syncedShop({ ...service, shop: account }, await kind.place());
      const areas = ['variants', 'inventory_levels'];
      const levels = async () => (await shop.sync({ areas })).find(({ area }) => area === 'inventory_levels');
      const { read: all = 0 } = (await levels()) ?? {};
      expect(all).toBeGreaterThanOrEqual(250);
      // The stock of the first variants is no longer read.
      expect((await levels())?.read).toBeLessThan(150);
      service.clock.advance(600_000);
      await post('shop.Variant/DeleteVariant', { id: variants[3] }, account.apiKey);
      expect(await levels()).toMatchObject({ read: all - 1, deleted: 1 });
      expect((await shop.verify({ areas })).flatMap(({ differences }) => differences)).toEqual([]);
      // What is marked is no reason to read the list whole again.
      expect((await levels())?.read).toBeLessThan(150);
    });

    it('stores texts that databases do not take as they are', async () => {
      const service = await openTestSandbox();
      const [first] = await customers(service, 3);
      const strange = 'a\\u0000b\\ud800c \\\\u0000 \\ud83d\\ude00';
      const shop = await syncedShop(service, await kind.place(), (transport) => async (request) => {
        const answer = await transport(request);
        return { ...answer, body: answer.body.replaceAll('Lê Thị 0', strange) };
      });
      await shop.sync({ areas: ['customers'] });
      const { table } = shop.mirror.dialect;
      const [row] = await shop.rows(`select full_name from ${table('customers')} where id = ?`, [first]);
      const expected = 'ab\ufffdc \\u0000 \u{1f600}';
      expect(row?.full_name).toBe(expected);
      const [raw] = await shop.rows(`select json from ${table('records_json')} where id = ?`, [first]);
      expect(typeof raw?.json === 'string' ? JSON.parse(raw.json) : raw?.json).toMatchObject({ full_name: expected });
      expect((await shop.verify({ areas: ['customers'] })).flatMap(({ differences }) => differences)).toEqual([]);
    });

    it('goes on where it was interrupted, with everything before it stored', async () => {
      const service = await openTestSandbox();
      await customers(service, 250);
      let left = 2;
      const shop = await syncedShop(service, await kind.place(), (transport) => async (request) => {
        if (!request.url.endsWith('ListCustomers')) return transport(request);
        left -= 1;
        return left < 0
          ? { status: 400, headers: {}, body: '{"code":"failed_precondition","msg":"no"}' }
          : transport(request);
      });
      await expect(shop.sync({ areas: ['customers'] })).rejects.toThrow();
      const table = shop.mirror.dialect.table('customers');
      const [{ n } = { n: 0 }] = await shop.rows(`select count(*) as n from ${table}`);
      expect(Number(n)).toBe(200);
      left = 1_000;
      shop.calls();
      const [summary] = await shop.sync({ areas: ['customers'] });
      expect(summary).toMatchObject({ created: 50, updated: 0, deleted: 0, calls: 2 });
    });

    it('loses nothing wherever the database fails, and goes on from there', async () => {
      const service = await openTestSandbox();
      await customers(service, 250);
      const shop = await syncedShop(service, await kind.place());
      // Each sync stores one transaction more before the disk is full.
      for (let room = 0, isDone = false; !isDone && room < 10; room += 1) {
        let left = room;
        const mirror: Mirror = {
          ...shop.mirror,
          async writeAll(statements) {
            left -= 1;
            if (left < 0) throw new Error('full');
            return shop.mirror.writeAll(statements);
          },
        };
        isDone = await shop.sync({ mirror, areas: ['customers'] }).then(
          () => true,
          () => false,
        );
      }
      const [{ n } = { n: 0 }] = await shop.rows(`select count(*) as n from ${shop.mirror.dialect.table('customers')}`);
      expect(Number(n)).toBe(250);
    });

    it('has not copied what one transaction was to store that fails, whichever it is', async () => {
      const service = await openTestSandbox();
      await customers(service, 250);
      for (let failing = 1, isOver = false; !isOver; failing += 1) {
        const shop = await syncedShop(service, await kind.place());
        let tried = 0;
        const mirror: Mirror = {
          ...shop.mirror,
          async writeAll(statements) {
            tried += 1;
            if (tried === failing) throw new Error('full');
            return shop.mirror.writeAll(statements);
          },
        };
        const ended = await shop.sync({ mirror, areas: ['customers'] }).then(
          () => 'copied',
          (error: unknown) => (error instanceof Error ? error.message : error),
        );
        isOver = tried < failing;
        expect([failing, ended]).toEqual([failing, isOver ? 'copied' : 'full']);
        await shop.sync({ areas: ['customers'] });
        const [row] = await shop.rows(`select count(*) as n from ${shop.mirror.dialect.table('customers')}`);
        expect([failing, Number(row?.n)]).toEqual([failing, 250]);
      }
    });

    it('copies a shop of which webhooks have brought some records before', async () => {
      const service = await openTestSandbox();
      const ids = await customers(service, 250);
      const shop = await syncedShop(service, await kind.place());
      const workspace = await openWorkspace(await kind.place());
      onTestFinished(() => workspace.close());
      const source = { workspace, account: 'a' };
      // Of the second page: the first one is on its way when its record turns out to be there.
      await deliverChanges(service, source, 120, 123);
      await service.post('shop.Customer/UpdateCustomer', { id: ids[121], note: 'đổi' }, service.shop.apiKey);
      expect(await shop.sync({ areas: ['customers'], source })).toMatchObject([
        { read: 250, created: 247, updated: 1 },
      ]);
      const table = shop.mirror.dialect.table('customers');
      const rows = await shop.rows(`select id, note from ${table} order by id`);
      expect(rows.map(({ id }) => id)).toEqual([...ids].sort());
      expect(rows.find(({ id }) => id === ids[121])?.note).toBe('đổi');
      expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
    });

    it('reads a list whole if the service refuses the stored cursor, or to sort it', async () => {
      const service = await openTestSandbox();
      await customers(service, 250);
      let refuses: 'cursor' | 'sort' | undefined;
      const shop = await syncedShop(service, await kind.place(), (transport) => async (request) => {
        const { paging = {} } = JSON.parse(request.body);
        const isRefused = refuses === 'sort' ? paging.sort : refuses === 'cursor' && paging.after;
        if (refuses === 'cursor') refuses = undefined;
        if (isRefused) return { status: 400, headers: {}, body: '{"code":"invalid_argument","msg":"no"}' };
        return transport(request);
      });
      service.clock.advance(600_000);
      await shop.sync({ areas: ['customers'] });
      refuses = 'cursor';
      expect(await shop.sync({ areas: ['customers'] })).toMatchObject([{ read: 250, updated: 0, deleted: 0 }]);
      refuses = 'sort';
      expect(await shop.sync({ areas: ['customers'] })).toMatchObject([{ read: 250, updated: 0, deleted: 0 }]);
    });

    it('ends although every record changes on every page, and loses none of them', async () => {
      const service = await openTestSandbox();
      const ids = await customers(service, 130);
      let isBusy = false;
      let pages = 0;
      const shop = await syncedShop(service, await kind.place(), (transport) => async (request) => {
        if (!isBusy || !request.url.endsWith('ListCustomers')) return transport(request);
        pages += 1;
        if (pages > 40) throw new Error('the walk does not end');
        const answer = await transport(request);
        service.clock.advance(2_000);
        const note = `${service.clock.now()}`;
        for (const id of ids) await service.post('shop.Customer/UpdateCustomer', { id, note }, service.shop.apiKey);
        return answer;
      });
      await shop.sync({ areas: ['customers'] });
      isBusy = true;
      service.clock.advance(600_000);
      // The walk over everything meets only the first page before the others have moved behind its end.
      expect(await shop.sync({ areas: ['customers'], isFull: true })).toMatchObject([{ created: 0, deleted: 0 }]);
      pages = 0;
      expect(await shop.sync({ areas: ['customers'] })).toMatchObject([{ created: 0, deleted: 0 }]);
      isBusy = false;
      await shop.sync({ areas: ['customers'] });
      expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
      const [row] = await shop.rows(
        `select count(*) as n from ${shop.mirror.dialect.table('customers')} where deleted_at is null and note = ?`,
        [`${service.clock.now()}`],
      );
      expect(Number(row?.n)).toBe(ids.length);
    });

    it('reads everything again after the clock of the service was set back', async () => {
      const service = await openTestSandbox();
      await customers(service, 250);
      const shop = await syncedShop(service, await kind.place());
      service.clock.advance(600_000);
      await shop.sync({ areas: ['customers'] });
      expect(await shop.sync({ areas: ['customers'] })).toMatchObject([{ read: 50 }]);
      await shop.verify({ areas: ['customers'] });
      service.clock.advance(-300_000);
      expect(await shop.sync({ areas: ['customers'] })).toMatchObject([{ read: 250 }]);
      const status = await areaStatus(shop.mirror, service.shop.id, service.clock.now());
      const customersOf = status.find(({ area }) => area === 'customers');
      expect(customersOf?.complete_until).not.toBeNull();
      expect(customersOf?.verified_through).toBe(customersOf?.complete_until);
      expect(await shop.sync({ areas: ['customers'] })).toMatchObject([{ read: 50 }]);
    });

    it('believes its list more than a webhook of a time that the clock of the service passed twice', async () => {
      const service = await openTestSandbox();
      const ids = await customers(service, 3);
      const shop = await syncedShop(service, await kind.place());
      const workspace = await openWorkspace(await kind.place());
      onTestFinished(() => workspace.close());
      const source = { workspace, account: 'a' };
      const write = (operation: string, id: string | undefined, changes = {}) =>
        service.post(`shop.Customer/${operation}`, { id, ...changes }, service.shop.apiKey);
      const noted = (note: string) => write('UpdateCustomer', ids[0], { note });
      service.clock.advance(600_000);
      await noted('before');
      await write('UpdateCustomer', ids[1], { note: 'before' });
      await shop.sync();
      service.clock.advance(-300_000);
      await shop.sync();
      await noted('after');
      await write('DeleteCustomer', ids[1]);
      await shop.sync();
      // Once its time is beyond all that it has told, areas are read from where they were read before.
      service.clock.advance(1_200_000);
      await customers(service, 120, 3);
      await shop.sync();
      service.clock.advance(600_000);
      expect(await shop.sync({ areas: ['customers'] })).toMatchObject([{ updated: 0, deleted: 0 }]);
      await deliverChanges(service, source, 3, 5);
      expect(await shop.sync({ areas: ['customers'], source })).toMatchObject([{ updated: 1, deleted: 1 }]);
      expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
    });
  });
}
