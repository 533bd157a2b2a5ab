import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { areaNamed } from '../../src/mirror/store/declared-areas.ts';
import { momentOf } from '../../src/mirror/store/declared-columns.ts';
import type { Mirror } from '../../src/mirror/store/mirror.ts';
import { openMirror } from '../../src/mirror/store/open-mirror.ts';
import { daysIn } from '../../src/mirror/store/write/days.ts';
import { PageWriter, type Source } from '../../src/mirror/store/write/write-page.ts';
import { openWorkspace } from '../../src/store/open-workspace.ts';
import { fc } from '../support/fast-check.ts';
import { kindsHere } from '../support/mirrors.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { mirroredOrigin, syncedShop } from '../support/synced-shop.ts';
import { deliverChanges } from '../support/webhook-deliveries.ts';

function moment(value: unknown): string | null {
  const at = momentOf(value);
  return at === undefined ? null : new Date(at).toISOString();
}

/** The history of a record, in order. */
async function historyOf({ read, dialect }: Mirror, id: string) {
  const sql = `select seen_at, replaced_at, source, json from ${dialect.table('history')}
where id = ? order by seen_at, replaced_at is null, replaced_at`;
  return (await read((session) => session.run(sql, [id]))).map(({ seen_at, replaced_at, source, json }) => ({
    seenAt: moment(seen_at),
    replacedAt: moment(replaced_at),
    source,
    record: typeof json === 'string' ? JSON.parse(json) : json,
  }));
}

const second = (value: string | null) => value?.slice(0, 19);

for (const kind of kindsHere()) {
  describe.skipIf(kind.missing !== undefined)(`the history of a record in ${kind.name}`, () => {
    afterAll(() => kind.end());

    /** A shop with a mirror of its customers, and a webhook. */
    async function followed() {
      const service = await openTestSandbox();
      const shop = await syncedShop(service, await kind.place());
      const workspace = await openWorkspace(await kind.place());
      onTestFinished(() => workspace.close());
      const source = { workspace, account: 'a' };
      const post = async (operation: string, body: object) =>
        (await service.post(`shop.Customer/${operation}`, body, service.shop.apiKey)).body;
      const history = async (id: string) => {
        const versions = await historyOf(shop.mirror, id);
        return versions.map(({ record, source: from }) => [record.full_name ?? 'deleted', from]);
      };
      return {
        service,
        shop,
        post,
        history,
        deliver: (from: number, to?: number) => deliverChanges(service, source, from, to),
        /** Reads the list of customers. */
        look: () => shop.sync({ areas: ['customers'] }),
        /** Applies what the webhook brought; the list, which would repair the copy, is not read. */
        apply: () => shop.sync({ areas: ['orders'], source }),
        /** Applies everything that it ever brought once more. */
        async applyAgain() {
          const facts = shop.mirror.dialect.table('mirror_facts');
          await shop.rows(`delete from ${facts} where name like 'events %'`);
          return shop.sync({ areas: ['orders'], source });
        },
      };
    }

    it('has what a webhook brings late in its place, once, and the present version stays', async () => {
      const { service, shop, post, history, deliver, look, apply, applyAgain } = await followed();
      const { id } = await post('CreateCustomer', { full_name: 'Một', phone: '0912345678' });
      service.clock.advance(60_000);
      await look();
      for (const full_name of ['Hai', 'Ba', 'Bốn']) {
        service.clock.advance(60_000);
        await post('UpdateCustomer', { id, full_name });
      }
      service.clock.advance(60_000);
      await look();
      expect(await history(id)).toEqual([
        ['Một', 'list'],
        ['Bốn', 'list'],
      ]);
      await deliver(2, 3);
      await apply();
      await deliver(0, 2);
      await deliver(3);
      await apply();
      const whole = [
        ['Một', 'list'],
        ['Hai', 'webhook'],
        ['Ba', 'webhook'],
        ['Bốn', 'list'],
      ];
      expect(await history(id)).toEqual(whole);
      const versions = await historyOf(shop.mirror, id);
      for (const [at, { replacedAt }] of versions.entries()) expect(replacedAt).toBe(versions[at + 1]?.seenAt ?? null);
      expect(versions[1]?.seenAt).toBe(moment(versions[1]?.record.updated_at));
      await applyAgain();
      expect(await history(id)).toEqual(whole);
      const table = shop.mirror.dialect.table('customers');
      expect(await shop.rows(`select full_name from ${table} where id = ?`, [id])).toEqual([{ full_name: 'Bốn' }]);
      expect((await shop.verify()).flatMap(({ differences }) => differences)).toEqual([]);
    });

    it('has all versions of one second', async () => {
      const { service, post, history, deliver, look, apply, applyAgain } = await followed();
      const { id } = await post('CreateCustomer', { full_name: '0', phone: '0912345678' });
      for (const full_name of ['1', '2', '3']) await post('UpdateCustomer', { id, full_name });
      await deliver(0);
      await apply();
      const names = ['0', '1', '2', '3'].map((name) => [name, 'webhook']);
      expect(await history(id)).toEqual(names);
      service.clock.advance(60_000);
      await look();
      await applyAgain();
      expect(await history(id)).toEqual(names);
    });

    it('ends with the deletion, and has the last version of a deleted record once, though it comes late', async () => {
      const { service, shop, post, history, deliver, apply } = await followed();
      const { id } = await post('CreateCustomer', { full_name: 'Một', phone: '0912345678' });
      service.clock.advance(60_000);
      await post('UpdateCustomer', { id, full_name: 'Hai' });
      service.clock.advance(60_000);
      await post('DeleteCustomer', { id });
      await deliver(0, 1);
      await deliver(2);
      await apply();
      expect(await history(id)).toEqual([['Một', 'webhook']]);
      const [only] = await historyOf(shop.mirror, id);
      expect(second(only?.replacedAt ?? null)).toBe(second(new Date(service.clock.now()).toISOString()));
      await deliver(1, 2);
      await apply();
      const versions = await historyOf(shop.mirror, id);
      expect(versions.map(({ record }) => record.full_name)).toEqual(['Một', 'Hai']);
      expect(versions[0]?.replacedAt).toBe(versions[1]?.seenAt);
      expect(versions[1]?.replacedAt).toBe(only?.replacedAt);
      const [row] = await shop.rows(
        `select deleted_at is null as alive from ${shop.mirror.dialect.table('customers')} where id = ?`,
        [id],
      );
      expect(Number(row?.alive)).toBe(0);
    });

    it('has each version that was seen once and in order, whoever saw it, when and how often', async () => {
      const mirror = await openMirror(await kind.place(), mirroredOrigin);
      onTestFinished(() => mirror.close());
      const writer = new PageWriter(mirror.dialect, daysIn('Asia/Ho_Chi_Minh'));
      const start = Date.parse('2026-01-31T08:00:00Z');
      let runs = 0;
      const lookups = fc.array(fc.oneof(fc.constant('list' as const), fc.nat(11)), { maxLength: 4 });
      const steps = fc.array(fc.record({ gap: fc.nat(2), lookups }), { minLength: 1, maxLength: 8 });
      const property = fc.asyncProperty(steps, fc.boolean(), async (story, isTimed) => {
        const area = areaNamed(isTimed ? 'customers' : 'customer_groups');
        if (area === undefined) throw new Error('no such area');
        runs += 1;
        const id = `${runs}`;
        let now = start;
        const made: { readonly at: number; readonly record: Readonly<Record<string, unknown>> }[] = [];
        const expected = new Set<unknown>();
        const see = async (source: Source, number: number) => {
          const version = made[number];
          if (version === undefined) return;
          expected.add(version.record.name);
          const seen = source === 'webhook' ? version.at : now;
          const page = { area, shopId: 's', seen, source, records: [version.record], isPresent: false };
          await mirror.write((session) => writer.write(session, page));
        };
        for (const { gap, lookups: seen } of story) {
          // Without a time of its own, a version of the second in which the list was read cannot be told from it.
          now += 1_000 * (isTimed ? gap : gap + 1);
          const updated_at = new Date(now).toISOString().replace('.000Z', 'Z');
          made.push({ at: now, record: { id, name: `${made.length}`, ...(isTimed ? { updated_at } : {}) } });
          for (const look of seen)
            await see(look === 'list' ? 'list' : 'webhook', look === 'list' ? made.length - 1 : look);
        }
        await see('list', made.length - 1);
        const versions = await historyOf(mirror, id);
        expect(versions.map(({ record }) => record.name).sort()).toEqual([...expected].sort());
        const times = versions.map(({ record }) => made[Number(record.name)]?.at ?? 0);
        expect(times).toEqual([...times].sort((one, other) => one - other));
        for (const [at, { replacedAt }] of versions.entries()) {
          expect(second(replacedAt)).toBe(second(versions[at + 1]?.seenAt ?? null));
        }
        expect(versions.at(-1)).toMatchObject({ replacedAt: null, record: { name: `${made.length - 1}` } });
      });
      await fc.assert(property, { numRuns: kind.name === 'SQLite' ? 150 : 30 });
    });
  });
}
