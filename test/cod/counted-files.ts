import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/cod/sheet/layout.ts';
import type { MirrorKind } from '../support/mirrors.ts';
import { type CodWorld, codWorld, type PlantedParcel, shopId } from './cod-world.ts';

/** Everything that a carrier may tell, and two columns that no field is. */
const layout = layoutOf(
  {
    columns: {
      STT: null,
      Parcel: 'shipping_code',
      Session: 'session',
      Kind: { field: 'kind', words: { Cash: 'cod', Fee: 'delivery', Again: 'redelivery', Debt: 'debt' } },
      Amount: { field: 'amount', negative: true },
      Day: { field: 'delivered_on', dates: 'DD/MM/YYYY' },
      Note: null,
    },
  },
  'own',
);

type Row = readonly [
  parcel: string,
  session: string,
  kind: string,
  amount: number | string,
  day: string,
  note?: string,
];

/** The text of a file whose rows are numbered. */
const csv = (...rows: readonly Row[]) =>
  ['STT;Parcel;Session;Kind;Amount;Day;Note', ...rows.map((row, index) => [index + 1, ...row].join(';'))].join('\n');

const parcel = (id: number, more: Partial<PlantedParcel> = {}): PlantedParcel => ({
  id: `10000000000000000${id}`,
  code: `P${id}`,
  carrier: 'jt',
  state: 'delivered',
  cod: 850_000,
  actual: 850_000,
  quoted: 50_570,
  closedAt: '2026-11-05T03:00:00Z',
  ...more,
});

/** What is counted of payment files in one of the mirror's dialects. */
export function countsFiles(kind: MirrorKind): void {
  describe.skipIf(kind.missing !== undefined)(`a payment file in ${kind.name}`, () => {
    let world: CodWorld;
    beforeAll(async () => {
      world = await codWorld(kind);
    });
    afterAll(async () => {
      await world.close();
      await kind.end();
    });
    const come = async (name: string, content: string, answers = {}) =>
      world.import(name, content, { layout, answers });
    /** What a session comes to at the database itself. */
    const sumOf = async (session: string) => {
      await world.copy();
      const rows = await world.mirror.read((at) =>
        at.run(
          `select sum(amount) as sum from ${world.mirror.dialect.table('payment_lines')} where session = ? and repeats is null and deleted_at is null`,
          [session],
        ),
      );
      return Number(rows[0]?.sum);
    };

    it('adds up what rows that differ in a cell have for a parcel, and counts rows that are equal once', async () => {
      await world.clear();
      await world.plant([parcel(11)]);
      const rows: readonly Row[] = [
        ['P11', 's1', 'Cash', 850_000, '27/11/2026'],
        ['P11', 's1', 'Fee', -28_570, '27/11/2026'],
        ['P11', 's1', 'Again', -11_000, '25/11/2026'],
        ['P11', 's1', 'Again', -11_000, '26/11/2026'],
        // The same rows again: their number in the file is none of what they say.
        ['P11', 's1', 'Again', -11_000, '25/11/2026'],
        ['P11', 's1', 'Cash', 850_000, '27/11/2026'],
      ];
      const done = await come('a.csv', csv(...rows));
      expect(done).toMatchObject({ rows: 6, lines: 4, repeated: 2, amount: 850_000 - 28_570 - 22_000 });
      expect(done.problems).toMatchObject([
        { cell: 'E6', problem: 'repeats E4: redelivery -11,000 is counted once' },
        { cell: 'E7', problem: 'repeats E2: cod 850,000 is counted once' },
      ]);
      expect(done.notes.join()).toContain('E5 like E4');
      expect((await world.reconcile()).parcels).toMatchObject([{ paid: 850_000, fee_charged: 50_570 }]);
      // Read once more with other bytes, nothing is doubled.
      const again = await come('b.csv', `${csv(...rows)}\n`);
      expect(again).toMatchObject({ lines: 0, repeated: 6, amount: 0 });
      expect(await sumOf('s1')).toBe(799_430);
      // A charge of another day is another one.
      const third = csv(['P11', 's1', 'Again', -11_000, '28/11/2026']);
      await expect(come('c.csv', third)).rejects.toMatchObject({ code: 'questions_open' });
      expect(await come('c.csv', third, { adds: true })).toMatchObject({ lines: 1, repeated: 0 });
    });

    it('has debts of its session as often as its rows differ, in one file and in another', async () => {
      await world.clear();
      await world.plant([parcel(11)]);
      const debts: readonly Row[] = [
        ['', 's1', 'Debt', -50_000, '', 'of s7'],
        ['', 's1', 'Debt', -50_000, '', 'of s8'],
      ];
      const first = await come('a.csv', csv(['P11', 's1', 'Cash', 850_000, '27/11/2026'], ...debts));
      expect(first).toMatchObject({ lines: 3, repeated: 0, amount: 750_000 });
      const third: Row = ['', 's1', 'Debt', -50_000, '', 'of s9'];
      await expect(come('b.csv', csv(third))).rejects.toMatchObject({
        code: 'questions_open',
        message: expect.stringContaining('E2 debt -50,000, and -50,000 at a.csv E3'),
      });
      // Their numbers in the file say nothing in another one.
      expect(await come('b.csv', csv(...debts.toReversed(), third), { adds: true })).toMatchObject({
        lines: 1,
        repeated: 2,
      });
      expect(await come('c.csv', csv(third, third), { adds: true })).toMatchObject({ lines: 1, repeated: 1 });
      expect(await sumOf('s1')).toBe(850_000 - 4 * 50_000);
    });

    it('lets the lines of another file count once the file that they repeat is gone, each for one', async () => {
      await world.clear();
      await world.plant([parcel(11)]);
      const rows: readonly Row[] = [
        ['P11', 's1', 'Again', -11_000, '25/11/2026', 'at noon'],
        ['P11', 's1', 'Again', -11_000, '25/11/2026', 'at night'],
      ];
      await come('a.csv', csv(...rows));
      expect(await come('b.csv', `${csv(...rows)}\n`)).toMatchObject({ lines: 0, repeated: 2 });
      expect(await come('c.csv', `${csv(...rows)}\n\n`)).toMatchObject({ lines: 0, repeated: 2 });
      expect(await sumOf('s1')).toBe(-22_000);
      const [, , first] = await world.payments.files(shopId);
      if (first === undefined) throw new Error('the file is not listed');
      await world.payments.remove(shopId, first);
      expect(await sumOf('s1')).toBe(-22_000);
    });

    it('leaves a session as it was where it is replaced and something else is still in question', async () => {
      await world.clear();
      await world.plant([parcel(11), parcel(12)]);
      await come(
        'a.csv',
        csv(['P11', 's1', 'Cash', 850_000, '27/11/2026'], ['P12', 's2', 'Cash', 850_000, '27/11/2026']),
      );
      const both = csv(['P11', 's1', 'Cash', 1_000, '27/11/2026'], ['P12', 's2', 'Cash', 2_000, '27/11/2026']);
      await expect(come('b.csv', both, { replaces: ['s1'] })).rejects.toMatchObject({ code: 'questions_open' });
      expect([await sumOf('s1'), await sumOf('s2')]).toEqual([850_000, 850_000]);
      expect((await world.payments.files(shopId)).map(({ name }) => name)).toEqual(['a.csv']);
      expect(await come('b.csv', both, { replaces: ['s1', 's2'] })).toMatchObject({ replaced: 2, lines: 2 });
      expect([await sumOf('s1'), await sumOf('s2')]).toEqual([1_000, 2_000]);
      expect((await world.payments.files(shopId)).map(({ name }) => name)).toEqual(['b.csv']);
    });

    it('pays the parcel of its time where a carrier has used a code again, each line one parcel', async () => {
      await world.clear();
      const old = parcel(11, { code: 'R1', actual: 321_000, cod: 321_000, closedAt: '2026-10-05T15:00:00Z' });
      const fresh = parcel(12, { code: 'R1', actual: 165_000, cod: 165_000, closedAt: '2026-11-27T10:00:00Z' });
      await world.plant([fresh, old]);
      await come('new.csv', csv(['R1', 's2', 'Cash', 165_000, '27/11/2026'], ['R1', 's2', 'Again', -5_000, '']));
      const paid = async (span = {}) =>
        (await world.reconcile(span)).parcels
          .map(({ fulfillment_id, paid, lines }) => [fulfillment_id, paid, lines.map(({ amount }) => amount)])
          .sort();
      // What has no day came with a file of the 20th of November: the new one was not there yet.
      expect(await paid()).toEqual([
        [old.id, 0, [-5_000]],
        [fresh.id, 165_000, [165_000]],
      ]);
      await come(
        'old.csv',
        csv(['R1', 's1', 'Cash', 321_000, '05/10/2026'], ['R1', 's1', 'Fee', -22_000, '06/10/2026']),
      );
      expect(await paid()).toEqual([
        [old.id, 321_000, [-5_000, 321_000, -22_000]],
        [fresh.id, 165_000, [165_000]],
      ]);
      expect((await paid({ session: 's1' })).map(([id]) => id)).toEqual([old.id]);
      expect((await world.reconcile()).sums.reduce((sum, { amount }) => sum + amount, 0)).toBe(
        165_000 - 5_000 + 321_000 - 22_000,
      );
    });

    it('accounts for every line of its table, and for every cell that is read otherwise than it is written', async () => {
      await world.clear();
      await world.plant([parcel(11)]);
      const table = csv(
        ['P11', 's1', 'Cash', '850k', '27/11/2026'],
        ['P11', 's1', 'Fee', -28_570, '27/11/2026'],
        ['P12', 's1', 'Cash', '4x', '27/11/2026'],
        ['', '', '', '', '', 'a word on the way'],
        ['Tổng cộng', '', '', '821430', ''],
      );
      const { read, ...done } = await come('a.csv', `Đối soát;;;;;;\n${table}`);
      expect(done).toMatchObject({ rows: 3, unread: 1, amount: 821_430 });
      expect(read).toMatchObject({
        lines: 6,
        rows: 3,
        left_out: [
          { cell: 'A1', reason: 'no parcel and no amount' },
          { cell: 'A6', reason: 'no parcel and no amount' },
          { cell: 'A7', reason: 'sums of other rows' },
        ],
        readings: [{ cell: 'E3', value: '850k', message: 'is read as 850,000' }],
      });
      expect(read.lines).toBe(read.rows + read.left_out.length);
      expect(done.notes.join()).toContain('E3 "850k" is read as 850,000');
      expect(done.problems.map(({ cell }) => cell)).toEqual(['E5']);
    });
  });
}
