import { afterAll, describe, expect, it } from 'vitest';
import { mirrorAreas } from '../../src/mirror/store/declared-areas.ts';
import { ensureSchema } from '../../src/mirror/store/ensure-tables.ts';
import type { Mirror } from '../../src/mirror/store/mirror.ts';
import { openMirror } from '../../src/mirror/store/open-mirror.ts';
import { daysIn } from '../../src/mirror/store/write/days.ts';
import { PageWriter } from '../../src/mirror/store/write/write-page.ts';
import { fc } from '../support/fast-check.ts';
import { kindsHere } from '../support/mirrors.ts';
import { mirroredOrigin } from '../support/synced-shop.ts';

const order = fc.record({
  kind: fc.constant('order' as const),
  id: fc.nat(3),
  total: fc.constantFrom(0, 70_000, 90_000),
});

const shipment = fc.record({
  kind: fc.constant('shipment' as const),
  id: fc.nat(5),
  order: fc.nat(3),
  state: fc.constantFrom('delivered', 'returning', 'delivering', 'picking', 'cancelled'),
  payment: fc.constantFrom('P', 'Z', 'Z'),
  cod: fc.constantFrom(null, 0, 150_000),
  actual: fc.constantFrom(null, 140_000),
  quoted: fc.constantFrom(null, 22_000),
  charged: fc.constantFrom(null, 25_000),
});

const loss = fc.record({ kind: fc.constant('loss' as const), id: fc.nat(5) });

type Shipment = typeof shipment extends fc.Arbitrary<infer Each> ? Each : never;

/** What the present comes to by plain code. */
function judge(orders: ReadonlyMap<number, number>, shipments: ReadonlyMap<number, Shipment>) {
  const sums = new Map<string, number[]>();
  for (const { state, payment, cod, actual, quoted, charged, order: of } of shipments.values()) {
    if (payment === 'P' || state === 'cancelled') continue;
    const cash = state === 'delivered' ? (actual ?? 0) : state === 'returning' ? 0 : (cod ?? 0);
    const adds = [1, (cod ?? 0) === 0 ? 0 : 1, orders.get(of) ?? 0, cash, charged ?? quoted ?? 0];
    sums.set(
      state,
      (sums.get(state) ?? [0, 0, 0, 0, 0]).map((sum, index) => sum + (adds[index] ?? 0)),
    );
  }
  return [...sums].sort();
}

async function stored(mirror: Mirror, shopId: string) {
  const rows = await mirror.read((session) =>
    session.run(`select * from ${mirror.dialect.table('open_parcels')} where shop_id = ?`, [shopId]),
  );
  const sums = rows.map(({ state, parcels, cod_parcels, value, cash, fees }): [string, number[]] => [
    String(state),
    [parcels, cod_parcels, value, cash, fees].map(Number),
  ]);
  return sums.filter(([, [parcels]]) => parcels !== 0).sort();
}

for (const kind of kindsHere()) {
  describe.skipIf(kind.missing !== undefined)(`the sums of what is open in ${kind.name}`, () => {
    afterAll(() => kind.end());

    it('follow every page, in whatever order shipments and their orders come, change and go', async () => {
      const mirror = await openMirror(await kind.place(), mirroredOrigin);
      const writer = new PageWriter(mirror.dialect, daysIn('Asia/Ho_Chi_Minh'));
      const areaOf = (name: string) => {
        const area = mirrorAreas.find((one) => one.name === name);
        if (area === undefined) throw new TypeError(`no area ${name}`);
        return area;
      };
      let seen = Date.parse('2026-11-20T00:00:00Z');
      let shop = 0;
      const steps = fc.array(fc.oneof(order, shipment, shipment, loss), { minLength: 1, maxLength: 14 });
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          shop += 1;
          const shopId = `shop${shop}`;
          const orders = new Map<number, number>();
          const shipments = new Map<number, Shipment>();
          for (const step of all) {
            seen += 1_000;
            const idOf = (of: string, id: number) => `${of}${shop}-${id}`;
            const page = { shopId, seen, source: 'list', isPresent: true } as const;
            const write = (name: string, records: readonly Record<string, unknown>[], gone: readonly string[] = []) =>
              mirror.write((session) => writer.write(session, { ...page, area: areaOf(name), records, gone }));
            if (step.kind === 'order') {
              orders.set(step.id, step.total);
              await write('orders', [{ id: idOf('o', step.id), total_amount: step.total }]);
            } else if (step.kind === 'loss') {
              shipments.delete(step.id);
              await write('fulfillments', [], [idOf('f', step.id)]);
            } else {
              shipments.set(step.id, step);
              const record = {
                id: idOf('f', step.id),
                order_id: idOf('o', step.order),
                shipping_state: step.state,
                platform_payment_status: step.payment,
                cod_amount: step.cod,
                actual_cod_amount: step.actual,
                shipping_service_fee: step.quoted,
                actual_shipping_service_fee: step.charged,
              };
              await write('fulfillments', [record]);
            }
            expect(await stored(mirror, shopId)).toEqual(judge(orders, shipments));
          }
        }),
        { numRuns: kind.name === 'SQLite' ? 40 : 10 },
      );
      // A mirror of a version without them gets them with its next use.
      const before = await stored(mirror, 'shop1');
      await mirror.write(async (session) => {
        await session.run(`drop table ${mirror.dialect.table('open_parcels')}`);
        await session.run(`update ${mirror.dialect.table('mirror_facts')} set value = '' where name = 'schema'`);
      });
      await ensureSchema(mirror, mirroredOrigin);
      expect(await stored(mirror, 'shop1')).toEqual(before);
      await mirror.close();
    });
  });
}
