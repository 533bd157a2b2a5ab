import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventIds } from '../../src/events/store/ids.ts';
import { storedEvents } from '../../src/events/store/list.ts';
import { poll } from '../../src/mirror/poll.ts';
import { ensureSchema } from '../../src/mirror/store/ensure-tables.ts';
import { openWorkspace } from '../../src/store/open-workspace.ts';
import { mirrorKinds } from '../support/mirrors.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { createShipnow } from '../support/shipnow.ts';
import { mirroredOrigin, syncedShop } from '../support/synced-shop.ts';
import { changeCount, deliverChanges } from '../support/webhook-deliveries.ts';

for (const kind of mirrorKinds()) {
  describe.skipIf(kind.missing !== undefined)(`what webhooks missed, found through a mirror in ${kind.name}`, () => {
    afterAll(() => kind.end());

    /** A shop with a mirror that is polled, and a way to deliver the changes of its outbox as a webhook would. */
    async function listening() {
      const service = await openTestSandbox({ seed: 'demo' });
      const shop = await syncedShop(service, await kind.place());
      const workspace = await openWorkspace(await kind.place());
      onTestFinished(() => workspace.close());
      const account = 'a';
      const pollNow = (webhookSince?: number) =>
        poll({ ...shop.setup, source: { workspace, account }, entities: [], webhookSince });
      const source = { workspace, account };
      const deliver = (from: number, to?: number) => deliverChanges(service, source, from, to);
      const stored = () => workspace.read((database) => storedEvents(database, { account }, { limit: 1000 }));
      const post = async (operation: string, body: object) =>
        (await service.post(operation, body, service.shop.apiKey)).body;
      return { service, shop, source, pollNow, deliver, stored, post };
    }

    it('begins with the present, and then stores each record once', async () => {
      const { service, pollNow, stored, post } = await listening();
      expect(await pollNow()).toEqual([]);
      service.clock.advance(60_000);
      const made = await post('shop.Customer/CreateCustomer', { full_name: 'Trần Thị Mới', phone: '0912345678' });
      await post('shop.Customer/UpdateCustomer', { id: made.id, note: 'một' });
      service.clock.advance(60_000);
      await post('shop.Customer/UpdateCustomer', { id: made.id, note: 'hai' });
      await pollNow();
      await pollNow();
      const events = await stored();
      expect(events.map(({ entity, change_type, record_id }) => [entity, change_type, record_id])).toEqual([
        ['customer', 'create', made.id],
      ]);
      const change = JSON.parse(events[0]?.change ?? '{}');
      expect(change).toMatchObject({ source: 'poll', change_type: 'create', latest: { customer: { note: 'hai' } } });
      expect(change).not.toHaveProperty('changed');
    });

    it('stores nothing that a webhook has delivered, and recognises what a webhook repeats late', async () => {
      const { service, pollNow, deliver, stored, post } = await listening();
      await pollNow();
      const before = changeCount(service);
      service.clock.advance(60_000);
      const one = await post('shop.Customer/CreateCustomer', { full_name: 'Lê Văn Một', phone: '0912345671' });
      await deliver(before);
      await pollNow();
      expect((await stored()).map(({ hook }) => hook)).toEqual(['hook']);
      const missed = changeCount(service);
      const other = await post('shop.Customer/CreateCustomer', { full_name: 'Lê Văn Hai', phone: '0912345672' });
      await post('shop.Customer/DeleteCustomer', { id: one.id });
      service.clock.advance(60_000);
      await pollNow();
      const reported = (await stored()).filter(({ hook }) => hook === 'poll');
      expect(reported.map(({ change_type, record_id }) => [change_type, record_id]).sort()).toEqual(
        [
          ['create', other.id],
          ['delete', one.id],
        ].sort(),
      );
      expect(await deliver(missed)).toEqual([]);
    });

    it('waits with what the present webhook may still deliver, until the next poll', async () => {
      const { service, pollNow, stored, post } = await listening();
      await pollNow();
      service.clock.advance(60_000);
      const since = service.clock.now();
      await post('shop.Customer/CreateCustomer', { full_name: 'Lê Văn Ba', phone: '0912345673' });
      await pollNow(since);
      expect(await stored()).toEqual([]);
      await pollNow(since);
      expect(await stored()).toHaveLength(1);
    });

    it('reads an on-demand delivery that a webhook made known, until it is over', async () => {
      const { service, shop, source, deliver } = await listening();
      const area = ['shipnow_fulfillments'];
      const table = shop.mirror.dialect.table('shipnow_fulfillments');
      const { body } = await createShipnow(service, { external_id: 'RIDE-1' });
      expect(await shop.sync({ areas: area })).toMatchObject([{ read: 0, calls: 0 }]);
      await deliver(0);
      await shop.sync({ areas: area, source });
      const stored = () => shop.rows(`select id, status, cancel_reason, deleted_at from ${table}`);
      expect(await stored()).toMatchObject([{ id: body.id, status: 'S', deleted_at: null }]);
      const cancelled = { id: body.id, cancel_reason: 'mưa' };
      await service.post('shop.Shipnow/CancelShipnowFulfillment', cancelled, service.shop.apiKey);
      service.clock.advance(60_000);
      expect(await shop.sync({ areas: area, source })).toMatchObject([{ read: 1, updated: 1, calls: 1 }]);
      expect(await stored()).toMatchObject([{ status: 'N', cancel_reason: 'mưa', deleted_at: null }]);
      expect(await shop.sync({ areas: area, source })).toMatchObject([{ read: 0, calls: 0 }]);
      const differing = async () => (await shop.verify({ areas: area })).flatMap(({ differences }) => differences);
      expect(await differing()).toEqual([]);
      await shop.mirror.write(({ run }) => run(`update ${table} set status = 'Z'`));
      expect(await differing()).toMatchObject([{ id: body.id, field: 'status', mirror: 'Z', service: 'N' }]);
      expect((await shop.verify({ areas: area, sample: 1 }))[0]?.compared).toBe(1);
    });

    it('has every stored change as a row, those too that were applied before there was a table for them', async () => {
      const { service, shop, source, pollNow, deliver, post } = await listening();
      const { idOf } = await source.workspace.write((database) => eventIds(database, () => 0.5));
      await pollNow();
      const before = changeCount(service);
      service.clock.advance(60_000);
      const reported = await post('shop.Customer/CreateCustomer', { full_name: 'Báo', phone: '0912345675' });
      await deliver(before);
      await post('shop.Customer/UpdateCustomer', { id: reported.id, note: 'sau' });
      service.clock.advance(60_000);
      await pollNow();
      const table = shop.mirror.dialect.table('changes');
      const copied = () =>
        shop.rows(`select id, entity, record_id, change_type, source, shop_id from ${table} order by id`);
      const expected = ['webhook', 'poll'].map((kind, index) => ({
        id: idOf(index + 1),
        entity: 'customer',
        record_id: reported.id,
        change_type: index === 0 ? 'create' : 'update',
        source: kind,
        shop_id: service.shop.id,
      }));
      await shop.sync({ areas: ['orders'], source });
      expect(await copied()).toEqual(expected);
      await shop.sync({ areas: ['orders'], source });
      await shop.mirror.write(async ({ run }) => {
        await run(`drop table ${table}`);
        await run(`update ${shop.mirror.dialect.table('mirror_facts')} set value = '' where name = 'schema'`);
      });
      await ensureSchema(shop.mirror, mirroredOrigin);
      await shop.sync({ areas: ['orders'], source });
      expect(await copied()).toEqual(expected);
    });

    it('fills a column that a release has added, which changes no record', async () => {
      const { service, shop, source, pollNow, stored, post } = await listening();
      await pollNow();
      const made = await post('shop.Customer/CreateCustomer', { full_name: 'Báo', phone: '0912345675', note: 'một' });
      service.clock.advance(600_000);
      await pollNow();
      const [reported, { table }] = [await stored(), shop.mirror.dialect];
      const versions = () => shop.rows(`select area, id from ${table('history')} order by area, id`);
      const before = await versions();
      await shop.mirror.write(async ({ run }) => {
        await run(`alter table ${table('customers')} drop column note`);
        await run(`alter table ${table('order_addresses')} drop column company`);
        await run(`update ${table('mirror_facts')} set value = '' where name = 'schema'`);
      });
      await ensureSchema(shop.mirror, mirroredOrigin);
      const summaries = await shop.sync({ source });
      expect(summaries.filter(({ created, updated, deleted }) => created + updated + deleted > 0)).toEqual([]);
      await pollNow();
      expect(await stored()).toEqual(reported);
      expect(await versions()).toEqual(before);
      expect(await shop.rows(`select note from ${table('customers')} where id = ?`, [made.id])).toEqual([
        { note: 'một' },
      ]);
      expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
      const stale = `select id from ${table('mirror_records')} where fingerprint like '~%'`;
      expect(await shop.rows(stale)).toEqual([]);
    });

    it('applies what webhooks brought to the mirror, and an older version replaces nothing', async () => {
      const { service, shop, source, pollNow, deliver, post } = await listening();
      const table = shop.mirror.dialect.table;
      const made = await post('shop.Customer/CreateCustomer', { full_name: 'Cũ', phone: '0912345674' });
      const first = changeCount(service) - 1;
      await pollNow();
      service.clock.advance(60_000);
      await post('shop.Customer/UpdateCustomer', { id: made.id, full_name: 'Mới' });
      await pollNow();
      // The creation arrives only now.
      await deliver(first, first + 1);
      // Only the change is applied: the list, which would repair it, is not read.
      await shop.sync({ areas: ['orders'], source });
      const rows = await shop.rows(`select full_name from ${table('customers')} where id = ?`, [made.id]);
      expect(rows).toEqual([{ full_name: 'Mới' }]);
      expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
    });
  });
}
