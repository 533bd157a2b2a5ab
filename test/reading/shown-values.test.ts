import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import type { Cell } from '../../src/sheets/formats/sheet.ts';
import { showNumber } from '../../src/sheets/xlsx/workbook.ts';
import { bookOf, formatted } from './books.ts';
import { readSheet } from './read-sheet.ts';

const columns = [
  'external_id',
  'shipping_address.full_name',
  'shipping_address.phone',
  'shipping_address.address1',
  'lines.product_name',
  'lines.attributes.value',
  'lines.quantity',
  'lines.retail_price',
  'shipping.shipping_note',
];
const usual: readonly Cell[] = ['A', 'An', '0901234567', '12 ngõ 5', 'Áo', 'Đỏ', 1, 200_000, 'gọi trước'];

/** What is read of a workbook with one order in which a cell of a column has a format. */
async function shown(column: string, cell: Cell, code: string) {
  const at = columns.indexOf(column);
  const book = bookOf([{ name: 'T', columns, lines: [usual.map((own, index) => (index === at ? cell : own))] }]);
  return readSheet('o.xlsx', formatted(book, { [`${'ABCDEFGHI'.charAt(at)}2`]: code }));
}

/** The first sheet of a workbook with one order, written by another program. */
const written = (from: RegExp | string, to: string) => {
  const book = unzipSync(bookOf([{ name: 'T', columns, lines: [usual, usual] }]));
  const path = 'xl/worksheets/sheet1.xml';
  return zipSync({ ...book, [path]: strToU8(strFromU8(book[path] ?? new Uint8Array()).replace(from, to)) });
};

it.each([
  ['external_id', 42, '000000', { external_id: '000042' }],
  ['external_id', 42, '"SP"0000', { external_id: 'SP0042' }],
  ['external_id', 123_456, '\\A-000', { external_id: 'A-123456' }],
  ['external_id', 42, 'General', { external_id: '42' }],
  ['external_id', 1234, '#,##0', { external_id: '1234' }],
  ['shipping_address.phone', 901_234_567, '0000 000 000', { shipping_address: { phone: '0901 234 567' } }],
  ['shipping_address.address1', 7, '00"/2"', { shipping_address: { address1: '07/2' } }],
  ['lines.product_name', 0.5, '0%', { lines: [{ product_name: '50%' }] }],
  ['lines.quantity', 2, '0 "cái"', { lines: [{ quantity: 2 }] }],
  ['lines.retail_price', 7000, '000000', { lines: [{ retail_price: 7000 }] }],
  ['shipping.shipping_note', 2, '0 "túi"', { shipping: { shipping_note: '2 túi' } }],
])('%s of %s in the format %s is read as it is shown, and a number is one', async (column, cell, code, order) => {
  const { orders, faults } = await shown(column, cell, code);
  expect([orders[0], faults]).toMatchObject([order, []]);
});

it.each([
  ['external_id', 100_000, '0.00E+00'],
  ['shipping_address.address1', 12_000, '0.00E+00'],
  ['lines.attributes.value', 46_093, 'd-mmm'],
  ['shipping_address.address1', 46_093, 'd-mmm'],
  ['lines.product_name', 0.4375, 'h:mm'],
])('%s of %s in the format %s is what a spreadsheet made of another text', async (column, cell, code) => {
  expect((await shown(column, cell, code)).faults).toEqual([expect.stringContaining('a spreadsheet has')]);
});

it('what a formula leaves behind 15 digits is in no text', async () => {
  const book = written(/<c r="I2"[^>]*>.*?<\/c>|<c r="I2"[^>]*\/>/, '<c r="I2"><v>165000.00000000003</v></c>');
  expect((await readSheet('o.xlsx', book)).orders).toMatchObject([{ shipping: { shipping_note: '165000' } }]);
});

it('a date that is written as one is a date, too', async () => {
  const book = written(/<c r="D2"[^>]*>.*?<\/c>/, '<c r="D2" t="d"><v>2026-03-12</v></c>');
  expect((await readSheet('o.xlsx', book)).faults.join()).toContain('T!D2: is a date');
});

it('a sheet whose rows go back is refused', async () => {
  const book = written('</sheetData>', '<row r="2"><c r="I2"><v>1</v></c></row></sheetData>');
  await expect(readSheet('o.xlsx', book)).rejects.toThrow('row 2 stands below row 3');
});

it.each([
  ['0', 5, undefined],
  ['00', 5, '05'],
  ['0;-0;"không"', 5, undefined],
  ['00-00', 12_345, '123-45'],
  ['##-##', 5, '-5'],
  ['[<=99]00;0000', 5, undefined],
  ['000', 1.5, undefined],
  ['000', -1, undefined],
  ['000', 1e15, undefined],
  ['# ?/?', 3.5, undefined],
  ['0.0%', 0.125, '12.5%'],
  ['0 [$₫-42A]', 7, '7 ₫'],
  ['"E+"0', 7, 'E+7'],
])('the format %s shows %s as %s', (code, number, text) => {
  expect(showNumber(code)(number)).toBe(text);
});

it.each([
  ['lines.retail_price', 12_500, '#,##0",000"', 12_500_000],
  ['lines.retail_price', 350, '#,##0",000"\\ "đ"', 350_000],
  ['lines.retail_price', 350, '0"k"', 350_000],
  ['lines.retail_price', 1_200, '0"tr"000', 1_200_000],
  ['lines.retail_price', 350_000, '#,##0,"k"', 350_000],
  ['lines.retail_price', 350_000, '#,##0\\ "đ"', 350_000],
  ['lines.retail_price', 350_000, '[$₫-42A]#,##0', 350_000],
  ['lines.retail_price', 350_000, '00000000', 350_000],
  ['lines.retail_price', 350_000, '0.00E+00', 350_000],
])('a number of %s, %d in the format %s, is read as it is shown', async (column, cell, code, amount) => {
  const { rows, faults } = await shown(column, cell, code);
  expect([faults, rows[0]?.value.lines]).toMatchObject([[], [{ retail_price: amount }]]);
});

it.each([
  [12_500_000, '#,##0,', 'T!H2: is what its format leaves of 12,500,000'],
  [12_500_000, '0.0,,', 'T!H2: is what its format leaves of 12,500,000'],
  [3_500, '0%', 'T!H2: '],
])('an amount %d in the format %s is shown as none, and its cell is invalid', async (cell, code, message) => {
  const { faults } = await shown('lines.retail_price', cell, code);
  expect(faults).toEqual([expect.stringContaining(message)]);
});
