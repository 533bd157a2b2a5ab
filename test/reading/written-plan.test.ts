/* A plan as a workbook: each row beside the lines of the sheet that it was read from. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Cell } from '../../src/sheets/formats/sheet.ts';
import { readXlsx } from '../../src/sheets/xlsx/read-xlsx.ts';
import { orderCells, orderHeader } from '../batch/batch-world.ts';
import { shopWorld } from '../support/shop-world.ts';
import { bookOf, formatted } from './books.ts';

/** How many columns a plan has of its own. */
const OWN = 10;

async function written(book: Uint8Array, name = 'o.xlsx', ...words: readonly string[]) {
  const { run, directory } = await shopWorld();
  writeFileSync(join(directory, name), book);
  const { exit, stderr } = await run(['batch', 'plan', name, '--to', 'plan.xlsx', ...words]);
  expect([exit, stderr]).toEqual([0, expect.stringContaining('the plan is written to plan.xlsx')]);
  const bytes = readFileSync(join(directory, 'plan.xlsx'));
  const sheet = await readXlsx({
    name: 'plan.xlsx',
    bytes: (async function* () {
      yield bytes;
    })(),
  });
  const lines: (readonly Cell[])[] = [];
  for await (const { cells } of sheet.lines) lines.push(cells);
  return { columns: sheet.columns, lines };
}

/** The line of an order that is below its first one, with other goods. */
const further = (number: number, goods: string) =>
  orderCells(number).map((cell, at) => (at === 0 ? cell : at === 7 ? goods : at === 8 ? '1' : at === 9 ? '10000' : ''));

it('has the columns of the sheet in their order, with what a spreadsheet shows in them', async () => {
  const columns = ['Ngày đặt', ...orderHeader];
  const lines: Cell[][] = [
    [46_093, 42, ...orderCells(1).slice(1)],
    [46_094, 43, ...orderCells(2).slice(1)],
  ];
  const book = formatted(bookOf([{ name: 'T', columns, lines }]), { A2: 'dd/mm/yyyy', B2: '000000', B3: '"SP"0000' });
  const plan = await written(book, 'o.xlsx', '--ignore-columns');
  expect(plan.columns.slice(OWN)).toEqual(columns);
  expect(plan.lines.slice(0, 2).map((cells) => cells.slice(OWN, OWN + 3))).toEqual([
    ['12/03/2026', '000042', 'Khách 1'],
    [46_094, 'SP0043', 'Khách 2'],
  ]);
  expect(plan.lines[0]?.slice(0, 3)).toEqual([1, '000042', 'Khách 1']);
});

it('has each line of an order, and what is planned for it once', async () => {
  const lines = [orderCells(1), further(1, 'Mũ'), further(1, 'Khăn'), orderCells(2)];
  const plan = await written(bookOf([{ name: 'T', columns: orderHeader, lines }]));
  const goods = orderHeader.indexOf('lines.product_name') + OWN;
  expect(plan.lines.slice(0, 4).map((cells) => [cells[0], cells[5], cells[goods]])).toEqual([
    [1, '2 × Áo 1, 1 × Mũ, 1 × Khăn', 'Áo 1'],
    ['', '', 'Mũ'],
    ['', '', 'Khăn'],
    [2, '2 × Áo 2', 'Áo 2'],
  ]);
});

it('sums up below the rows, with what is left out', async () => {
  const sums = orderCells(0).map((_, at) => (at === 0 ? 'Tổng cộng' : at === 8 ? '4' : ''));
  const plan = await written(
    bookOf([{ name: 'T', columns: orderHeader, lines: [orderCells(1), orderCells(2), sums] }]),
  );
  expect(plan.lines.slice(2).map((cells) => cells[5])).toEqual([
    'sheet "T" is read',
    '1 line is left out: a row of sums (T!A4)',
    '3 lines: 2 in orders, 1 left out',
    '2 rows: 2 to send',
    'cash 1,800,000 to collect',
    '2 parcels insured, for goods worth 1,800,000',
    expect.stringMatching(/^fees [\d,]+: /),
    'times are in Asia/Ho_Chi_Minh',
  ]);
});

it('has only its own columns where the file has none', async () => {
  const [external_id, full_name, phone, province, district, ward, address1] = orderCells(1);
  const place = { full_name, phone, province, district, ward, address1 };
  const order = {
    external_id,
    shipping_address: place,
    lines: [{ product_name: 'Áo', quantity: 1, retail_price: 100_000 }],
    shipping: { gross_weight: 500, try_on: 'open', pickup_address: place },
  };
  const plan = await written(Buffer.from(JSON.stringify([order])), 'o.json');
  expect(plan.columns).toHaveLength(OWN);
  expect(plan.lines[0]?.slice(5, 7)).toEqual(['1 × Áo', 'none']);
});
