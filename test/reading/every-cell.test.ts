/*
 * Each filled cell of an order's line is in the request, in a column that is left out, or in what is said of the file. What is
 * none of these may say anything without any difference: so each cell is changed in turn, and something has to differ.
 */
import { expect, it } from 'vitest';
import { orderCells, orderHeader } from '../sheets/service/sheets.ts';
import { randomFrom } from '../support/random-from.ts';
import { testSeed } from '../support/test-seed.ts';
import { exampleExport } from './exports.ts';
import { plantedColumns, plantSheet } from './generated-sheets.ts';
import { csvOf, readSheet } from './read-sheet.ts';

type Cells = readonly (readonly unknown[])[];
type How = Parameters<typeof readSheet>[2];

/** What a file amounts to: its orders, and whatever is said of its cells. */
async function readings(columns: readonly string[], lines: Cells, how: How) {
  const read = await readSheet('o.csv', csvOf(columns, ...lines), how);
  const { orders, rows, reported, leftOut, questions } = read;
  const ofCells = rows.map(({ faults, notes }) => [faults, notes]);
  const said = JSON.stringify([orders, ofCells, reported, leftOut, questions]);
  const gone = new Set(leftOut.map((one) => Number(/^line (\d+)/.exec(one)?.[1])));
  return { said, gone, unread: new Set(read.unread), orders: orders.length };
}

/** Another text than that of a cell, which nothing takes for the same. */
const another = (cell: unknown) => `${cell} khác 7`;

/** The cells of these lines that may say anything without any difference. */
async function silentCells(columns: readonly string[], lines: Cells, how: How, chosen: (at: number) => boolean) {
  const whole = await readings(columns, lines, how);
  const silent: string[] = [];
  let count = 0;
  for (const [row, cells] of lines.entries()) {
    if (whole.gone.has(row + 2)) continue;
    for (const [at, cell] of cells.entries()) {
      if (String(cell).trim() === '' || whole.unread.has(columns[at] ?? '')) continue;
      count += 1;
      if (!chosen(count)) continue;
      const changed = lines.map((line, index) => (index === row ? line.with(at, another(cell)) : line));
      const said = await readings(columns, changed, how).then((read) => read.said, String);
      if (said === whole.said) silent.push(`${columns[at]} in line ${row + 2}: ${String(cell)}`);
    }
  }
  return { silent, count, orders: whole.orders };
}

it('each filled cell of planted sheets makes a difference', async () => {
  let count = 0;
  for (let seed = 1; seed <= 12; seed += 1) {
    const planted = plantSheet(testSeed() * 1_000_000 + seed);
    const random = randomFrom(seed);
    const columns = [...plantedColumns, 'Cột của tôi', 'status'];
    const lines = planted.tab.lines.map((line) => [...line, 'ghi', '']);
    const how = { mapping: mappingOf(plantedColumns) };
    const found = await silentCells(columns, lines, how, () => random() < 0.2);
    expect({ seed, silent: found.silent }).toEqual({ seed, silent: [] });
    count += found.count;
  }
  expect(count).toBeGreaterThan(1_000);
});

/** A mapping that leaves out the columns of one's own. */
const mappingOf = (columns: readonly string[]) => ({
  columns: {
    ...Object.fromEntries(columns.map((column) => [column, column])),
    'Cột của tôi': null,
    status: null,
  },
});

it.each(['shopee.csv', 'tiktok.csv', 'lazada.csv', 'kiotviet.csv', 'sapo.csv'])(
  'each filled cell of %s makes a difference, or stands in a column that is left out',
  async (name) => {
    const { columns, lines } = exampleExport(name);
    const cells = lines.map((line) => columns.map((column) => line[column] ?? ''));
    const { silent, orders } = await silentCells(columns, cells, { isExport: true, command: 'ship' }, () => true);
    expect(orders).toBeGreaterThan(0);
    expect(silent).toEqual([]);
  },
);

it('each filled cell of an order sheet of the service makes a difference, but for those that it computes', async () => {
  const lines = [orderHeader.map((name) => orderCells[name] ?? '')].map((line) =>
    line.map((cell) => (cell === 0.35 ? '35%' : cell)),
  );
  const { silent } = await silentCells(orderHeader, lines, {}, () => true);
  // docs/sheets.md: "not read: calculated", and "not read".
  expect(silent.map((one) => one.split(' in line ')[0])).toEqual(['VUI LÒNG KHÔNG SỬA cột này!']);
});
