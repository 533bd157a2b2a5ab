import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Cell } from '../../src/sheets/formats/sheet.ts';
import { xlsxOf } from '../../src/sheets/xlsx/write-xlsx.ts';
import { orderCells, orderHeader } from '../sheets/service/sheets.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf, noticeText } from '../support/stderr-lines.ts';

type Line = Readonly<Record<string, Cell>>;

const productHeader = [
  'Danh mục (3 cấp)',
  'Bộ sưu tập (ngang hàng)',
  'Mã sản phẩm',
  'Mã phiên bản sản phẩm',
  'Tên sản phẩm',
  'Thuộc tính',
  'Giá bán',
  'Giá vốn',
  'Tồn kho',
  'Đơn vị tính',
  'Hình ảnh (link1, link2)',
  'Khối lượng (kg)',
  'Mô tả',
];

const variant = (product: string, code: string, attributes: string, name = 'Áo'): Line => ({
  'Mã sản phẩm': product,
  'Mã phiên bản sản phẩm': code,
  'Tên sản phẩm': name,
  'Thuộc tính': attributes,
  'Giá bán': 100_000,
});

async function world() {
  const { run, directory, service } = await shopWorld();
  const book = (header: readonly string[], lines: readonly Line[], name = 'sheet.xlsx') => {
    const path = join(directory, name);
    const rows = lines.map((line) => header.map((title) => line[title] ?? ''));
    writeFileSync(path, xlsxOf(header, rows, 'S'));
    return path;
  };
  const faults = async (path: string, command: string) => {
    const words = ['batch', 'plan', path, '--do', command, '--profile', 'shop', '-o', 'json'];
    const { exit, stderr } = await run(words);
    if (exit !== 2) return [`exit ${exit}`];
    const { field_errors: errors, message } = errorOf(stderr);
    const reported: { path: string; message: string }[] = errors;
    return reported.length === 0 ? [String(message)] : reported.map((error) => `${error.path}: ${error.message}`);
  };
  return { run, book, faults, service };
}

it('names the required column that a sheet of the service lacks', async () => {
  const { book, faults } = await world();
  const header = orderHeader.filter((name) => name !== 'Số lượng');
  expect(await faults(book(header, [orderCells]), 'orders create')).toEqual([
    `the file looks like the service's order sheet, but has no column "Số lượng"`,
  ]);
});

it('refuses an order whose places are not all there and known, where one of them is given', async () => {
  const { book, faults } = await world();
  const ward = 'Địa chỉ giao hàng (phường/xã)';
  const province = 'Địa chỉ giao hàng (tỉnh)';
  const district = 'Địa chỉ giao hàng (quận/huyện)';
  const lines = [
    { ...orderCells, 'Mã đơn hàng': 'A-1', [ward]: '' },
    { ...orderCells, 'Mã đơn hàng': 'A-2', [province]: 'Atlantis' },
    { ...orderCells, 'Mã đơn hàng': 'A-3' },
  ];
  expect(await faults(book(orderHeader, lines), 'orders create')).toEqual([
    'S!Q2: must not be blank beside the other parts',
    expect.stringMatching(/^S!O3: "Atlantis" is not in our list of places/),
  ]);
  const without = { ...orderCells, [ward]: '', [district]: '', [province]: '' };
  expect(await faults(book(orderHeader, [without]), 'orders create')).not.toContainEqual(
    expect.stringContaining('beside the other parts'),
  );
});

it('refuses variants that are there twice, and a product with and without its code', async () => {
  const { book, faults, service } = await world();
  for (const code of ['P1', 'P2']) {
    const product = { code, name: 'Áo', list_price: 1 };
    await service.post('shop.Product/CreateProduct', product, service.shop.apiKey);
  }
  const twice = [variant('P1', 'V1', 'màu: xanh, cỡ: M'), variant('P1', 'V2', 'Cỡ: M, Màu: Xanh')];
  expect(await faults(book(productHeader, twice), 'variants create')).toEqual([
    'S!F3: "Cỡ: M, Màu: Xanh" is the same variant as S!F2',
  ]);
  const sameCode = [variant('P1', 'V1', 'màu: xanh'), variant('P2', 'V1', 'màu: đỏ', 'Quần')];
  expect(await faults(book(productHeader, sameCode), 'variants create')).toEqual([
    'S!D3: "V1" is the code of another row, at S!D2',
  ]);
  const mixed = [variant('P1', '', 'màu: xanh'), variant('', '', 'màu: đỏ')];
  expect(await faults(book(productHeader, mixed), 'products create')).toEqual([
    'S!C3: must be filled in all rows of a product, or none: S!C2',
  ]);
});

it('refuses the code of a variant that the shop has, but not in the rows that made it', async () => {
  const { run, book, faults, service } = await world();
  const product = { code: 'P1', name: 'Áo', list_price: 1 };
  await service.post('shop.Product/CreateProduct', product, service.shop.apiKey);
  const path = book(productHeader, [variant('P1', 'V1', 'màu: xanh')]);
  const words = ['--do', 'variants create', '--profile', 'shop', '--yes', '-o', 'json'];
  const made = await run(['batch', 'run', path, ...words]);
  expect(made.exit).toBe(0);
  expect((await run(['batch', 'run', path, ...words])).stderr).toContain('was run as');
  const other = book(productHeader, [variant('P1', 'V1', 'màu: đỏ')], 'other.xlsx');
  expect(await faults(other, 'variants create')).toEqual(['S!D2: "V1" is the code of another variant of the shop']);
  const both = book(productHeader, [variant('P1', 'V1', 'màu: xanh'), variant('P1', 'V2', 'màu: đỏ')], 'both.xlsx');
  const { batch } = JSON.parse(made.stdout);
  const continued = await run(['batch', 'run', both, '--continue', batch, ...words]);
  expect([continued.exit, JSON.parse(continued.stdout).counts]).toMatchObject([0, { existed: 1, done: 1 }]);
});

it('shows how a sheet of the service is understood, and saves no mapping that would stand in its way', async () => {
  const { run, book } = await world();
  const path = book(orderHeader, [orderCells]);
  const words = ['batch', 'map', path, '--do', 'orders create', '--profile', 'shop', '-o', 'json'];
  const shown = await run(words);
  expect([shown.exit, noticeText(shown)]).toEqual([0, 'read as order sheet: no mapping of its columns is needed\n']);
  const { columns } = JSON.parse(shown.stdout);
  expect(columns).toContainEqual(
    expect.objectContaining({ column: 'Mã đơn hàng', field: 'external_code', unit: null }),
  );
  expect(columns).toContainEqual(
    expect.objectContaining({ column: 'Số điện thoại', field: 'shipping_address.phone', unit: null }),
  );
  const saved = await run([...words, '--save', 'svc']);
  expect([saved.exit, saved.stderr]).toMatchObject([2, expect.stringContaining('nothing was saved')]);
  const planned = await run(['batch', 'plan', path, '--do', 'orders create', '--profile', 'shop']);
  expect([planned.exit, planned.stderr]).toMatchObject([0, expect.stringContaining('read as order sheet')]);
});

it("keeps what stands behind a test's phone number, and takes a d for the currency", async () => {
  const { run, book } = await world();
  const line = { ...orderCells, 'Số điện thoại': '0912000003-test', 'Đơn giá': '175 000 d' };
  const path = book(orderHeader, [line]);
  const words = ['--do', 'orders create', '--profile', 'shop'];
  const shown = await run(['batch', 'map', path, ...words, '-o', 'json']);
  const { shipping_address, lines } = JSON.parse(JSON.parse(shown.stdout).rows[0].read);
  expect([shipping_address.phone, lines[0].retail_price]).toEqual(['0912000003-test', 175_000]);
  expect((await run(['batch', 'plan', path, ...words])).exit).toBe(0);
});

it('names an order that comes again by its cells alone, each once, and by no name that the file does not have', async () => {
  const { book, faults } = await world();
  const code = (own: string): Line => ({ ...orderCells, 'Mã đơn hàng': own });
  const path = book(orderHeader, [code('F5-1'), code('F5-2'), code('F5-1')]);
  expect(await faults(path, 'orders create')).toEqual([
    'S!A2: "F5-1" is the same as at S!A4, and other rows stand between',
    'S!A4: "F5-1" is the same as S!A2, and other rows stand between',
  ]);
});
