import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { totalOf } from '../../src/cod/reconcile.ts';
import { startOfDay, workingDaysBefore } from '../../src/cod/times-sql.ts';
import { fc } from '../support/fast-check.ts';
import { kindsHere } from '../support/mirrors.ts';
import { builtIn, type CodWorld, codWorld, type PlantedParcel } from './cod-world.ts';
import { filesFor, shops, textOfFile } from './meant-files.ts';
import { judge, type MeantFile, type MeantRow } from './referee.ts';

const today = '2026-11-20';
const grace = 5;
const dayOf = (moment: string) => new Date(Date.parse(moment) + 7 * 3_600_000).toISOString().slice(0, 10);
const overdueBefore = startOfDay(workingDaysBefore(today, grace), dayOf).replace('Z', '');

const runs = Number(process.env.SHOPCTL_TEST_COD_RUNS ?? 20);

const scenario = shops.chain((parcels) => filesFor(parcels).map((files) => ({ parcels, files })));

/** One delivered parcel, in order. */
const delivered: PlantedParcel = {
  id: '1000000000000000099',
  code: 'GR000099',
  carrier: 'greenmile',
  state: 'delivered',
  cod: 350_000,
  actual: 350_000,
  quoted: 22_000,
  closedAt: '2026-11-05T03:00:00Z',
};

const ghn = (...rows: readonly string[]) =>
  [
    'Mã đơn hàng\tMã đơn hàng KH\tNgày tạo\tNgày giao hàng thành công\tNgười nhận\tĐịa chỉ\tCOD\tTạm thu\tHoàn tạm thu',
    ...rows,
  ].join('\n');

const row = (code: string, cash: number, more = '\t') =>
  `${code}\t\t11/02/26 08:30\t11/05/26 10:00\tLan\tHà Nội\t${cash}\t${more}`;

for (const kind of kindsHere()) {
  describe.skipIf(kind.missing !== undefined)(`a reconciliation in ${kind.name}`, () => {
    let world: CodWorld;
    beforeAll(async () => {
      world = await codWorld(kind);
    });
    afterAll(async () => {
      await world.close();
      await kind.end();
    });

    it('puts every parcel of a random shop into the class of the referee, and accounts for every dong', async () => {
      await fc.assert(
        fc.asyncProperty(scenario, async ({ parcels, files }) => {
          await world.clear();
          await world.plant(parcels);
          let imported = 0;
          for (const [index, file] of files.entries()) {
            // Files with the same text are one file.
            const name = `${index}.${file.layout === 'ghn' ? 'tsv' : 'csv'}`;
            const text = textOfFile(file);
            const layout = file.layout === 'vtp' ? { layout: builtIn('vtp') } : {};
            if (file.rows.every(({ broken }) => broken) && file.layout === 'vtp') continue;
            const done = await world.import(name, text, { session: file.session, answers: { adds: true }, ...layout });
            if (done.new) imported += done.amount;
            const broken = file.rows.filter((one) => one.broken);
            expect(done.unread).toBe(broken.length);
            for (const one of broken) expect(done.problems.map(({ row }) => row)).toContain(rowOf(file, one));
          }
          const unreadable = ({ layout, rows }: (typeof files)[number]) =>
            layout === 'vtp' && rows.every(({ broken }) => broken);
          const expected = judge(
            parcels,
            files.filter((file) => !unreadable(file)),
            { today, grace },
          );
          const found = await world.reconcile({ overdueBefore });
          const keys = found.parcels.map(({ fulfillment_id, shipping_code }) =>
            fulfillment_id === null ? `?${shipping_code}` : shipping_code,
          );
          expect(new Set(keys).size).toBe(keys.length);
          const judged = found.parcels.map(({ class: name, also, due, paid }, index) => [
            keys[index],
            name,
            also,
            due,
            paid,
          ]);
          const wanted = [...expected.parcels].map(([key, one]) => [key, one.class, one.also, one.due, one.paid]);
          expect(judged.sort()).toEqual(wanted.sort());
          const leftOut = [...expected.parcels].flatMap(([code, one]) => (one.leftOut ? [code] : []));
          expect(found.leftOut.map(({ shipping_code }) => shipping_code).sort()).toEqual(leftOut.sort());
          expect(imported).toBe(expected.sum);
          expect(totalOf(found.sums).amount).toBe(expected.sum);
          expect(totalOf(found.sums).parcels).toBe(expected.parcels.size);
          const lines = found.parcels.flatMap(({ lines }) => lines).filter(({ repeated }) => !repeated);
          expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(expected.sum);
        }),
        { numRuns: kind.name === 'SQLite' ? runs : Math.ceil(runs / 4) },
      );
    });

    it('adds up a parcel over two sessions, and counts a line of one session once', async () => {
      await world.clear();
      await world.plant([delivered]);
      await world.import('a.tsv', ghn(row('GR000099', 350_000)), { session: 'one' });
      await world.import('b.tsv', ghn(row('GR000099', 350_000), ''), { session: 'two' });
      const again = await world.import('c.tsv', ghn('', row('GR000099', 350_000)), { session: 'one' });
      expect(again.repeated).toBe(1);
      expect(again.problems).toMatchObject([
        { cell: 'G3', problem: expect.stringContaining('repeats a.tsv G2 of the same session: cod 350,000') },
      ]);
      const { parcels } = await world.reconcile();
      expect(parcels).toMatchObject([
        { class: 'over', paid: 700_000, due: 350_000, difference: 350_000, also: ['doubled'] },
      ]);
      expect(parcels[0]?.lines).toHaveLength(3);
    });

    it('counts a repeated line again once the file that it repeats is gone', async () => {
      await world.clear();
      await world.plant([delivered]);
      const first = await world.import('a.tsv', ghn(row('GR000099', 350_000)), { session: 'one' });
      await world.import('b.tsv', ghn('', row('GR000099', 350_000)), { session: 'one' });
      await world.import('c.tsv', ghn('', '', row('GR000099', 350_000)), { session: 'one' });
      const file = (await world.payments.files('1234567890123456789')).find(({ id }) => id === first.id);
      if (file === undefined) throw new Error('the file is not listed');
      await world.payments.remove('1234567890123456789', file);
      const { parcels } = await world.reconcile();
      expect(parcels).toMatchObject([{ class: 'paid', paid: 350_000, also: ['doubled'] }]);
      expect(parcels[0]?.lines.map(({ file, repeated }) => [file, repeated]).sort()).toEqual([
        ['b.tsv', false],
        ['c.tsv', true],
      ]);
    });

    it('sees a provisional charge until it is given back, in whichever session', async () => {
      await world.clear();
      await world.plant([delivered]);
      await world.import('a.tsv', ghn(row('GR000099', 350_000, '30000\t')), { session: 'one' });
      expect((await world.reconcile()).parcels).toMatchObject([
        { class: 'provisional_open', paid: 350_000, difference: 0 },
      ]);
      await world.import('b.tsv', ghn(row('GR000099', 0, '\t30000')), { session: 'two' });
      expect((await world.reconcile()).parcels).toMatchObject([{ class: 'paid', also: [] }]);
    });

    it('lists every line of every parcel once, however many lines each has', async () => {
      await world.clear();
      const parcels = Array.from({ length: 800 }, (_, index) => {
        const number = String(index).padStart(4, '0');
        return { ...delivered, id: `100000000000000${number}`, code: `GR00${number}` };
      });
      await world.plant(parcels);
      const lines = parcels.flatMap(({ code }) => Array.from({ length: 10 }, (_, index) => row(code, 1_000 + index)));
      await world.import('many.tsv', ghn(...lines), { session: 'one' });
      const found = (await world.reconcile()).parcels;
      expect(found.map(({ shipping_code }) => shipping_code)).toEqual(parcels.map(({ code }) => code));
      const cells = found.flatMap((one) => one.lines.map(({ cell }) => cell));
      expect(cells).toEqual(lines.map((_, index) => `G${index + 2}`));
    });

    it('marks what comes for a closed session, and does not let its files go', async () => {
      await world.clear();
      await world.plant([delivered]);
      const shop = '1234567890123456789';
      await world.import('a.tsv', ghn(row('GR000099', 350_000)), { session: 'one' });
      const by = { at: '2026-11-20T11:00:00.000Z', name: 'Lan', note: '' };
      expect(await world.payments.close(shop, 'one', by)).toMatchObject({
        closed_by: 'Lan',
        lines: 1,
        amount: 350_000,
      });
      expect(await world.payments.close(shop, 'one', by)).toBe(false);
      expect(await world.payments.close(shop, 'none', by)).toBeUndefined();
      const late = await world.import('b.tsv', ghn(row('GR000099', -10_000, '\t'), row('GR000099', 10_000)), {
        session: 'one',
        answers: { adds: true },
      });
      expect(late.notes[0]).toBe('the session one is closed: what came now is marked as such');
      const { parcels } = await world.reconcile();
      expect(parcels).toMatchObject([{ class: 'over', also: ['after_close'] }]);
      const [, first] = await world.payments.files(shop);
      if (first === undefined) throw new Error('the file is not listed');
      expect(await world.payments.remove(shop, first)).toEqual(['one']);
      expect(await world.payments.files(shop)).toHaveLength(2);
      expect(await world.payments.reopen(shop, 'one')).toBe(true);
      expect((await world.reconcile()).parcels).toMatchObject([{ class: 'over', also: [] }]);
      expect(await world.payments.remove(shop, first)).toEqual([]);
    });

    it('takes a span by the day a parcel was closed, one carrier and one session', async () => {
      await world.clear();
      const early = { ...delivered, id: '1000000000000000001', code: 'GR000001', closedAt: '2026-11-04T16:59:59Z' };
      const other = { ...delivered, id: '1000000000000000002', code: 'BL000002', carrier: 'bluewhale' };
      await world.plant([early, delivered, other]);
      await world.import('a.tsv', ghn(row('GR000099', 350_000)), { session: 'one' });
      const codes = async (span: Parameters<CodWorld['reconcile']>[0]) =>
        (await world.reconcile(span)).parcels.map(({ shipping_code }) => shipping_code);
      expect(await codes({ since: '2026-11-04T17:00:00' })).toEqual(['BL000002', 'GR000099']);
      expect(await codes({ until: '2026-11-04T17:00:00' })).toEqual(['GR000001']);
      expect(await codes({ carrier: 'bluewhale' })).toEqual(['BL000002']);
      expect(await codes({ session: 'one' })).toEqual(['GR000099']);
      const lenient = await world.reconcile({ overdueOf: new Map([['bluewhale', '2026-11-01T00:00:00']]) });
      expect(lenient.parcels.map(({ class: name }) => name)).toEqual(['awaiting', 'unpaid', 'paid']);
    });
  });
}

/** The row of the file in which a row stands. */
function rowOf({ layout, rows }: MeantFile, one: MeantRow): number {
  return rows.indexOf(one) + { ghtk: 4, ghn: 2, vtp: 3 }[layout];
}
