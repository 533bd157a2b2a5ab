/* Rows of sums in the sheets of the service are known, left out and compared as in any other sheet. */
import { expect, it } from 'vitest';
import type { Cell } from '../../../src/sheets/formats/sheet.ts';
import { csvOf, readSheet } from '../../reading/read-sheet.ts';
import { orderCells, orderHeader } from './sheets.ts';

type Line = Readonly<Record<string, Cell>>;

const second: Line = { ...orderCells, 'Mã đơn hàng': 'A-2', 'Tên khách hàng': 'Tống Văn Hải', 'Giảm giá\n(%)': '35%' };
const first: Line = { ...orderCells, 'Giảm giá\n(%)': '35%' };
const sums: Line = {
  'Số lượng': 4,
  'Thành tiền\n(trước giảm giá)': 700_000,
  'Thành tiền\n(sau giảm giá)': 455_000,
  'Tổng tiền thanh toán (khách trả)': 515_000,
  'Tiền thu hộ (COD) shop nhập': 515_000,
};

const read = (...lines: Line[]) =>
  readSheet('don.csv', csvOf(orderHeader, ...lines.map((line) => orderHeader.map((name) => line[name] ?? ''))));

const idsOf = ({ orders }: Awaited<ReturnType<typeof read>>) => orders.map(({ external_code }) => external_code);

it.each([
  ['a word in the column of codes', { ...sums, 'Mã đơn hàng': 'Tổng cộng:' }],
  ['a word in the column of goods', { ...sums, 'Tên phiên bản sản phẩm': 'Tổng' }],
  ['numbers alone', sums],
  ['an amount that is only checked', { 'Số lượng': 4, 'Thành tiền\n(trước giảm giá)': 700_000 }],
])('a row of sums with %s is left out of an order sheet', async (_, line) => {
  const found = await read(first, second, line);
  expect([idsOf(found), found.left, found.faults, found.reported]).toEqual([
    ['A-1', 'A-2'],
    [['a row of sums', 1]],
    [],
    [],
  ]);
});

it('what a row of sums has otherwise than its rows is told with both', async () => {
  const found = await read(first, second, { ...sums, 'Mã đơn hàng': 'Tổng', 'Tiền thu hộ (COD) shop nhập': 500_000 });
  expect(found.warnings).toEqual([
    { code: 'sum_differs', message: expect.stringContaining('has 500,000, and the rows above add up to 515,000') },
  ]);
});

it('sums beside goods are asked about, a name of sums is an order, and a note is left out with its text', async () => {
  const goods = await read(first, second, { ...sums, 'Tên phiên bản sản phẩm': '4 món' });
  expect(goods.faults.join()).toContain('is it a row of sums, or a line of the order above?');
  const named = await read(first, { ...second, 'Mã đơn hàng': 'SUM-0001' });
  expect([idsOf(named), named.left]).toEqual([['A-1', 'SUM-0001'], []]);
  const noted = await read(first, { 'Ghi chú giao hàng': 'Người lập biểu ký tên' });
  expect([idsOf(noted), noted.left]).toEqual([['A-1'], [['a note: "Người lập biểu ký tên"', 1]]]);
});

it('a row of sums is left out of a sheet of parcels', async () => {
  const parcels = ['Tên khách hàng*', 'SĐT*', 'Địa chỉ giao hàng*', 'Mô tả sản phẩm*', 'Tổng khối lượng (g)*'];
  const found = await readSheet(
    'giao.csv',
    csvOf(
      [...parcels, 'Tổng giá trị hàng hoá*', 'COD*', 'Ghi chú'],
      ['Lan', '0901234567', '12 ngõ 5, Dịch Vọng, Cầu Giấy, Hà Nội', '2 áo', 500, 200_000, 200_000, ''],
      ['An', '0901234568', '14 ngõ 5, Dịch Vọng, Cầu Giấy, Hà Nội', '3 áo', 500, 300_000, 300_000, ''],
      ['', '', '', '', '', 500_000, 500_000, ''],
    ),
    { command: 'ship' },
  );
  expect([found.orders.length, found.left, found.faults]).toEqual([2, [['a row of sums', 1]], []]);
});
