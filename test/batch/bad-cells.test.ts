import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { xlsxOf } from '../../src/sheets/xlsx/write-xlsx.ts';
import { shopWorld } from '../support/shop-world.ts';
import { orderCells, orderHeader, orderSheet } from './batch-world.ts';

/** A machine with files, and the faults that `plan` and `run` find in one of them. */
async function world() {
  const { run, directory, service } = await shopWorld();
  const file = (content: string | Uint8Array, name: string) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
  const faultsOf = async (words: readonly string[]) => {
    const { exit, stderr } = await run(['batch', ...words, '-o', 'json']);
    const line = stderr.trim().split('\n').at(-1) ?? '';
    const found: { path: string; message: string }[] = JSON.parse(line).error.field_errors;
    return { exit, faults: found.map(({ path, message }) => `${path}: ${message}`) };
  };
  const faults = async (path: string, words: readonly string[] = []) => {
    const planned = await faultsOf(['plan', path, ...words]);
    const ran = await faultsOf(['run', path, '--yes', ...words]);
    expect(ran).toEqual(planned);
    expect(planned.exit).toBe(2);
    return planned.faults;
  };
  const count = async (operation: string, list: string) => {
    const { body } = await service.post(operation, {}, service.shop.apiKey);
    return body[list].length;
  };
  return { run, file, faults, count };
}

const changed = (number: number, changes: Readonly<Record<string, string>>): string[] => {
  const cells = orderCells(number);
  for (const [name, value] of Object.entries(changes)) cells[orderHeader.indexOf(name)] = value;
  return cells;
};

it('names every bad cell of a file at once, in the order of the file, in plan and run alike', async () => {
  const { file, faults, count } = await world();
  const rows = [
    changed(1, { 'shipping_address.ward': 'Q33', 'shipping_address.phone': '12' }),
    changed(2, { 'lines.retail_price': '-500000' }),
    changed(3, { 'shipping_address.province': 'Atlantis', 'lines.quantity': '0' }),
    changed(4, {}),
    changed(5, { 'shipping.try_on': 'maybe', 'shipping_address.full_name': '' }),
    changed(6, { 'lines.quantity': '-1', 'lines.retail_price': '1.350.00' }),
    changed(7, { 'lines.quantity': '0', 'shipping_address.full_name': '' }),
  ];
  const expected = (cell: (line: number, name: string) => string) => [
    expect.stringMatching(new RegExp(`^${cell(2, 'shipping_address.phone')}: "12" `)),
    expect.stringMatching(new RegExp(`^${cell(2, 'shipping_address.ward')}: "Q33" is not in our list of places`)),
    `${cell(3, 'lines.retail_price')}: "-500000" must not be negative`,
    expect.stringMatching(new RegExp(`^${cell(4, 'shipping_address.province')}: "Atlantis" is not in our list`)),
    `${cell(4, 'lines.quantity')}: "0" must be at least 1`,
    expect.stringMatching(new RegExp(`^${cell(6, 'shipping_address.full_name')}: .*is required`)),
    expect.stringMatching(new RegExp(`^${cell(6, 'shipping.try_on')}: "maybe" must be one of`)),
    `${cell(7, 'lines.quantity')}: "-1" must be at least 1`,
    expect.stringMatching(new RegExp(`^${cell(7, 'lines.retail_price')}: "1.350.00" can be read in more than one way`)),
    expect.stringMatching(new RegExp(`^${cell(8, 'shipping_address.full_name')}: .*is required`)),
    `${cell(8, 'lines.quantity')}: "0" must be at least 1`,
  ];
  const csv = file(orderSheet(rows), 'orders.csv');
  expect(await faults(csv)).toEqual(expected((line, name) => `line ${line}, column ${name}`));
  const letters = (name: string) => String.fromCharCode(65 + orderHeader.indexOf(name));
  const book = file(xlsxOf(orderHeader, rows, 'Orders'), 'orders.xlsx');
  expect(await faults(book)).toEqual(expected((line, name) => `Orders!${letters(name)}${line}`));
  expect(await count('shop.Order/ListOrders', 'orders')).toBe(0);
});

it('checks the e-mail addresses and phones of an update', async () => {
  const { file, faults } = await world();
  const path = file('id,email,phone\n123,x@@y,0901234567\n124,a@b.vn,call me\n', 'customers.csv');
  expect(await faults(path, ['--do', 'customers update', '--profile', 'shop'])).toEqual([
    expect.stringMatching(/^line 2, column email: "x@@y" is not an e-mail address/),
    expect.stringMatching(/^line 3, column phone: "call me" /),
  ]);
});

it('names the cells of a name that is there twice, and leaves both rows out where that is said: each may be half of an order', async () => {
  const { run, file, faults } = await world();
  const rows = [orderCells(1), orderCells(2), orderCells(3, 'SO-1')];
  expect(await faults(file(orderSheet(rows), 'orders.csv'))).toEqual([
    'line 2, column external_id: "SO-1" is the same as at line 4, column external_id, and other rows stand between',
    'line 4, column external_id: "SO-1" is the same as at line 2, column external_id, and other rows stand between',
  ]);
  const book = file(xlsxOf(orderHeader, rows, 'Orders'), 'orders.xlsx');
  const both = [
    'Orders!A2: "SO-1" is the same as at Orders!A4, and other rows stand between',
    'Orders!A4: "SO-1" is the same as at Orders!A2, and other rows stand between',
  ];
  expect(await faults(book)).toEqual(both);
  const [, ...others] = orderHeader;
  const codes = file(xlsxOf(['external_code', ...others], rows, 'Orders'), 'codes.xlsx');
  expect(await faults(codes)).toEqual(both);
  const left = await run(['batch', 'run', book, '--yes', '--skip-bad', '-o', 'json']);
  expect([left.exit, JSON.parse(left.stdout).counts]).toMatchObject([9, { rows: 3, done: 1, skipped: 2 }]);
  const shown = await run(['batch', 'rows', JSON.parse(left.stdout).batch, '-o', 'json']);
  expect(JSON.parse(shown.stdout).map(({ cell }: { cell: string }) => cell)).toEqual([
    'Orders!A2',
    'Orders!A3',
    'Orders!A4',
  ]);
});

it('shows a person the first bad cells and how many more there are, and a program all of them', async () => {
  const { run, file, faults } = await world();
  const path = file(`full_name,phone\n${'An,12\n'.repeat(1_500)}`, 'customers.csv');
  const words = ['--do', 'customers create', '--profile', 'shop'];
  expect(await faults(path, words)).toHaveLength(1_500);
  for (const command of [
    ['plan', path],
    ['run', path, '--yes'],
  ]) {
    const { stderr } = await run(['batch', ...command, ...words]);
    expect(stderr).toContain('… and 1,480 more; -o json lists all of them\n');
    expect(stderr).toContain('1,500 cells cannot be used; nothing was sent');
  }
});

it('shows no more of a bad cell than fits a line', async () => {
  const { run, file } = await world();
  const path = file(`full_name,phone\nAn,${'9'.repeat(900_000)}\n`, 'customers.csv');
  for (const format of ['table', 'json']) {
    const { stderr } = await run([
      'batch',
      'plan',
      path,
      '--do',
      'customers create',
      '--profile',
      'shop',
      '-o',
      format,
    ]);
    expect(stderr.length).toBeLessThan(3_000);
  }
});

/** A workbook with notes before a sheet with these columns. */
function bookWith(header: readonly string[], line: readonly string[]): Uint8Array {
  const parts = unzipSync(xlsxOf(['Hướng dẫn', 'x'], [['Đọc trước', '1']], 'Hướng dẫn'));
  const orders = unzipSync(xlsxOf(header, [line], 'Đơn hàng'))['xl/worksheets/sheet1.xml'];
  const text = (path: string) => strFromU8(parts[path] ?? new Uint8Array());
  return zipSync({
    ...parts,
    'xl/worksheets/sheet2.xml': orders ?? new Uint8Array(),
    'xl/workbook.xml': strToU8(
      text('xl/workbook.xml').replace('</sheets>', '<sheet name="Đơn hàng" sheetId="2" r:id="rId9"/></sheets>'),
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      text('xl/_rels/workbook.xml.rels').replace(
        '</Relationships>',
        '<Relationship Id="rId9" Target="worksheets/sheet2.xml"/></Relationships>',
      ),
    ),
  });
}

it('names the sheet and the others of a workbook without columns of the command, and finds the one that has them', async () => {
  const { run, file } = await world();
  const unknown = file(bookWith(['Cột', 'khác'], ['1', '2']), 'notes.xlsx');
  const { exit, stderr } = await run(['batch', 'plan', unknown]);
  expect([exit, stderr]).toEqual([2, expect.stringMatching(/hint: --sheet NAME reads another sheet .*: Đơn hàng/)]);
  expect(stderr).toContain('error: sheet "Hướng dẫn": no column is a field of "ship": there are "Hướng dẫn"');
  const path = file(bookWith(orderHeader, orderCells(1)), 'orders.xlsx');
  const found = await run(['batch', 'plan', path]);
  expect([found.exit, found.stderr]).toEqual([0, expect.stringContaining('sheet "Đơn hàng" is read\n')]);
  expect((await run(['batch', 'plan', path, '--sheet', 'Đơn hàng'])).exit).toBe(0);
});

it.each(['Ngày 28/11', '28/11', '28/11/2026', 'đơn của 2 chị em', 'TP.HCM'])(
  'a row with nothing but "%s" where a code is due is quoted, and what else it lacks is not told',
  async (text) => {
    const world = await shopWorld();
    const alone = orderHeader.map((_, at) => (at === 0 ? text : ''));
    writeFileSync(join(world.directory, 'o.csv'), orderSheet([orderCells(1), alone]));
    const { exit, stderr } = await world.run(['batch', 'plan', 'o.csv']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`"${text}" stands alone on its row: is it a note`)]);
    expect(stderr).not.toContain('is required');
  },
);

it('a row of sums in words and a percentage have one line each, and what no column has is one for all rows', async () => {
  const world = await shopWorld();
  const cash = orderHeader.indexOf('shipping.cod_amount');
  const sum = orderHeader.map((_, at): string => (at === 0 ? 'Cộng ngày 26' : at === cash ? '900000' : ''));
  const ofDistrict = sum.with(0, '').with(1, 'Cộng Cầu Giấy (2 đơn)');
  const rows = [orderCells(1), sum, orderCells(2).with(cash, '10%'), ofDistrict];
  const price = orderHeader.indexOf('lines.retail_price');
  const planned = async (lines: readonly (readonly string[])[], header: readonly string[]) => {
    writeFileSync(join(world.directory, 'o.csv'), orderSheet(lines, header));
    return (await world.run(['batch', 'plan', 'o.csv'])).stderr.split('\n');
  };
  const wrong = (await planned(rows, orderHeader)).filter((line) => line.startsWith('line '));
  expect(wrong).toEqual([
    expect.stringMatching(/^line 3, column external_id: "Cộng ngày 26" is on a row of sums, as it looks/),
    expect.stringMatching(/^line 4, column shipping.cod_amount: "10%" is a percentage, and no amount/),
    expect.stringMatching(/^line 5, column shipping_address.full_name: "Cộng Cầu Giấy \(2 đơn\)" is on a row of sums/),
  ]);
  const lacking = await planned(
    [1, 2].map((number) => orderCells(number).toSpliced(price, 1)),
    orderHeader.toSpliced(price, 1),
  );
  expect(lacking.filter((line) => line.includes('is required'))).toEqual([
    '2 of 2 rows, such as line 2: lines.retail_price is required, and no column has it: add one, or a constant of a mapping',
  ]);
});
