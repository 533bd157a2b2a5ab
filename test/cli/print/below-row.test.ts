/* Columns that stand below their rows where a terminal is too narrow for them. */
import { expect, it } from 'vitest';
import type { View } from '../../../src/cli/print/document.ts';
import { displayWidth } from '../../../src/platform/terminal/text-width.ts';
import { fc } from '../../support/fast-check.ts';
import { printedList } from './orders.ts';

const view: View = {
  columns: [
    { path: 'row', kind: 'number' },
    { path: 'name', below: 'own-line' },
    { path: 'phone', below: 'same-line' },
    { path: 'where', below: 'same-line' },
    { path: 'what', below: 'own-line' },
    { path: 'cash', kind: 'number', unlessBlank: true, blank: { text: 'none', beside: 'parcel' } },
  ],
};
const lan = {
  row: 1,
  name: 'Lan',
  phone: '0901',
  where: '12 ngõ 5, Dịch Vọng',
  what: '2 × Áo',
  cash: 900_000,
  parcel: {},
};
const binh = { row: 2, name: 'Bình', phone: '0902', where: '8 Lê Lợi', what: '1 × Mũ', cash: null, parcel: {} };

it('are in the row while it fits, and go below from the last on, wrapped under names of their own', async () => {
  expect(await printedList([lan, binh], { columns: 80 }, view)).toBe(
    [
      'ROW  NAME  PHONE  WHERE                WHAT       CASH',
      '  1  Lan   0901   12 ngõ 5, Dịch Vọng  2 × Áo  900,000',
      '  2  Bình  0902   8 Lê Lợi             1 × Mũ     none',
      '',
    ].join('\n'),
  );
  expect(await printedList([lan, binh], { columns: 30 }, view)).toBe(
    [
      'ROW  NAME  PHONE     CASH',
      '     WHERE',
      '     WHAT',
      '  1  Lan   0901   900,000',
      '     12 ngõ 5, Dịch Vọng',
      '     2 × Áo',
      '  2  Bình  0902      none',
      '     8 Lê Lợi',
      '     1 × Mũ',
      '',
    ].join('\n'),
  );
  const narrow = await printedList([lan], { columns: 20 }, view);
  expect(narrow).toBe(
    [
      'ROW  NAME     CASH',
      '     PHONE  WHERE',
      '     WHAT',
      '  1  Lan   900,000',
      '     0901  12 ngõ 5,',
      '       Dịch Vọng',
      '     2 × Áo',
      '',
    ].join('\n'),
  );
});

it('are all there, with whole numbers, and no line is wider than the terminal, whatever the letters are', async () => {
  const words = fc.array(fc.constantFrom('Áo', 'Nguyễn'.normalize('NFD'), '한국', 'Lê Lợi', '👗', 'size M'), {
    minLength: 1,
    maxLength: 30,
  });
  const rows = fc.array(fc.record({ where: words, what: words, cash: fc.nat(99_999_999) }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 40, max: 200 }), async (given, columns) => {
      const list = given.map(({ where, what, cash }, at) => ({
        ...lan,
        row: at + 1,
        where: where.join(' '),
        what: what.join(' '),
        cash,
      }));
      const text = await printedList(list, { columns }, view);
      for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      const flat = text.replaceAll(/\s+/g, ' ');
      for (const { where, what, cash } of list) {
        for (const each of [where, what, cash.toLocaleString('en-US')]) expect(flat).toContain(each);
      }
    }),
    { numRuns: 100 },
  );
});

it('do not widen a table that is piped: a long cell shifts the rest of its own line alone', async () => {
  const long = 'x '.repeat(200).trim();
  const lines = (await printedList([lan, { ...binh, where: long }], {}, view)).split('\n');
  expect(displayWidth(lines[1] ?? '')).toBeLessThan(140);
  expect(lines[2]).toContain(long);
});

it('say nothing of cash where there is none to collect or not', async () => {
  const text = await printedList([{ ...binh, parcel: undefined }], { columns: 80 }, view);
  expect(text).not.toMatch(/CASH|none/);
});

it('stand below the rows of long lists as well', async () => {
  const many = Array.from({ length: 130 }, (_, at) => ({ ...lan, row: at + 1 }));
  const lines = (await printedList(many, { columns: 30 }, view)).trimEnd().split('\n');
  expect(lines).toHaveLength(3 * 131);
  expect(lines.slice(-3)).toEqual(['130  Lan   0901   900,000', '     12 ngõ 5, Dịch Vọng', '     2 × Áo']);
});
