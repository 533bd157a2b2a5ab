/* What is said of the cells of a file: how they were read, and what is unusual, each in a list of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Remarks } from '../../src/batch/plan/remarks.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import { orderCells, orderHeader, orderSheet } from '../batch/batch-world.ts';
import { shippedOrder } from '../support/order-request.ts';
import { shopWorld } from '../support/shop-world.ts';

/** Orders with these cells in place of their own, by the names of columns. */
const sheetWith = (changes: readonly Readonly<Record<string, string>>[]) =>
  orderSheet(changes.map((own, index) => orderCells(index + 1).map((cell, at) => own[orderHeader[at] ?? ''] ?? cell)));

const name = 'shipping_address.full_name';
const cash = 'shipping.cod_amount';
const weight = 'shipping.gross_weight';
const phone = 'shipping_address.phone';

async function planned(content: string, ...words: readonly string[]) {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'o.csv'), content);
  const json = await world.run(['batch', 'plan', 'o.csv', '-o', 'json', ...words]);
  const table = await world.run(['batch', 'plan', 'o.csv', '-o', 'table']);
  const rows = [...table.stdout.matchAll(/^ *(\d+) {2}/gm)].map(([, row]) => Number(row));
  return {
    world,
    exit: json.exit,
    read: JSON.parse(json.stdout || 'null')?.read,
    lines: table.stderr.split('\n'),
    rows,
  };
}

it('lists a warning by its kind, and how cells were read beside it', async () => {
  const { exit, read, lines } = await planned(
    sheetWith([{ [name]: 'Nguy?n V?n An' }, { [cash]: '950000' }, { [cash]: '900k' }, {}, {}]),
  );
  const reported = { cell: `line 2, column ${name}`, value: 'Nguy?n V?n An' };
  const above = 'is 50,000 more than the total of the order, 900,000';
  expect([exit, read.warnings]).toEqual([
    0,
    [
      { code: 'lost_letter', ...reported, message: 'has a "?" between letters: was a letter lost on its way?' },
      { code: 'cash_above_total', cell: `line 3, column ${cash}`, value: '950000', message: above },
    ],
  ]);
  expect(read.readings).toEqual([{ cell: `line 4, column ${cash}`, value: '900k', message: 'is read as 900,000' }]);
  const warnings = lines.filter((line) => line.startsWith('warning: '));
  expect(warnings).toEqual([
    `warning: line 2, column ${name}: "Nguy?n V?n An" has a "?" between letters: was a letter lost on its way?`,
    `warning: line 3, column ${cash}: "950000" ${above}`,
  ]);
  expect(lines).toContain(`line 4, column ${cash}: "900k" is read as 900,000`);
});

it.each([
  ['4 áo', 'names 4 pieces'],
  ['Áo thun x3', 'names 3 pieces'],
  ['Áo (4 cái)', 'names 4 pieces'],
  ['4 áo'.normalize('NFD'), 'names 4 pieces'],
  ['3CE son', ''],
  ['Set 2 món', ''],
  ['1 áo', ''],
  ['Áo size 2XL', ''],
])('a name "%s" that counts other pieces than its line is told', async (goods, said) => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'o.csv'), sheetWith([{ 'lines.product_name': goods }, {}, {}]));
  const { exit, stderr } = await world.run(['batch', 'plan', 'o.csv', '--json']);
  expect([exit, stderr.includes('--pieces quantity|ask')]).toEqual(said === '' ? [0, false] : [2, true]);
  const invalid = await world.run(['batch', 'plan', 'o.csv', '--pieces', 'ask', '--json']);
  expect([invalid.exit, invalid.stderr.includes(said)]).toEqual([said === '' ? 0 : 2, true]);
});

it('tells cash that is a tenth of the total, or less than it', async () => {
  const { read } = await planned(sheetWith([{ [cash]: '90000' }, { [cash]: '90001' }, { [cash]: '0' }, {}, {}]));
  expect(read.warnings.map(({ code, message }: { code: string; message: string }) => [code, message])).toEqual([
    ['cash_a_tenth', 'is a tenth of the total of the order, 900,000'],
    ['cash_below_total', 'is 809,999 less than the total of the order, 900,000: is the rest paid?'],
  ]);
});

it('tells cash below the total unless a cell says why', async () => {
  const below: Readonly<Record<string, string>> = { [cash]: '450000' };
  const said = async (columns: readonly string[], ...lines: readonly (readonly string[])[]) => {
    const own = lines.map((more, at) => [
      ...orderCells(at + 1).map((cell, index) => below[orderHeader[index] ?? ''] ?? cell),
      ...more,
    ]);
    const { exit, read } = await planned(orderSheet(own, [...orderHeader, ...columns]), '--ignore-columns');
    expect(exit).toBe(0);
    return read.warnings.flatMap(({ code, cell }: { code: string; cell: string }) =>
      code === 'cash_below_total' ? [cell.split(',')[0]] : [],
    );
  };
  // Half of it is the cash of one of the two pieces.
  expect(await said([], [], [])).toEqual(['line 2', 'line 3']);
  expect(await said(['deposit'], ['450000'], [''])).toEqual(['line 3']);
  expect(await said(['order_discount'], ['450000'], ['400000'])).toEqual(['line 3']);
  expect(await said(['shipping.shipping_note'], ['đã ck 450k'], ['gọi trước khi giao'])).toEqual(['line 3']);
  expect(await said(['shipping.shipping_note'], ['thu 450k'], ['cho xem hàng'])).toEqual(['line 3']);
  expect(await said(['Khách đưa trước'], ['450000'], ['400000'])).toEqual(['line 3']);
  expect(await said(['Voucher sàn', 'Xu'], ['400000', '50.000'], ['400000', ''])).toEqual(['line 3']);
  // Another price says nothing of it.
  expect(await said(['Giá gốc'], ['450000'])).toEqual(['line 2']);
});

it('tells cash below the total of a single record, and not of one without cash', async () => {
  const world = await shopWorld();
  const notes = async (own: object) => {
    const path = join(world.directory, 'one.json');
    writeFileSync(path, JSON.stringify(own));
    return (await world.run(['ship', '--input', path, '--dry-run', '--pick', 'cheapest'])).stderr;
  };
  const { total_items, basket_value, total_discount, total_amount, ...order } = shippedOrder;
  const total = (total_amount / total_items) * 1_000;
  const lines = [{ product_name: 'Áo', quantity: 1, retail_price: total }];
  const withCash = (cod_amount: number) => ({ ...order, lines, shipping: { ...order.shipping, cod_amount } });
  expect(await notes(withCash(total - 30_000))).toContain('30,000 less than the total of the order');
  for (const cash of [0, total]) expect(await notes(withCash(cash))).not.toContain('less than the total');
});

it('tells weights that may be in another unit', async () => {
  const weight = 'shipping.gross_weight';
  const { read } = await planned(sheetWith([{ [weight]: '100000' }, { [weight]: '99999' }, { [weight]: '2' }, {}, {}]));
  expect(read.warnings.map(({ code, message }: { code: string; message: string }) => [code, message])).toEqual([
    ['heavy', 'is 100,000 g, or 100 kg: is that meant?'],
    ['light', 'is 2 g: were 2 kg meant?'],
  ]);
});

it('shows what more than half of the rows have as one line, and every other warning, however many there are', async () => {
  const light = Array.from({ length: 26 }, (_, at) => ({
    [weight]: at < 14 ? '0' : '500',
    [cash]: at < 12 ? '950000' : '900000',
  }));
  const { read, lines } = await planned(sheetWith(light));
  const warnings = lines.filter((line) => line.startsWith('warning: '));
  expect(read.warnings).toHaveLength(26);
  expect(warnings.filter((line) => line.includes('is 0 g'))).toEqual([
    expect.stringMatching(/^warning: 14 of 26 rows, such as line 2, column shipping.gross_weight: "0" is 0 g/),
  ]);
  expect(warnings.filter((line) => line.includes('more than the total'))).toHaveLength(12);
});

it('shows fifty warnings of a kind, and how many more there are, and each kind for itself', async () => {
  const phones = Array.from({ length: 130 }, (_, at) => ({
    ...(at < 60 ? { [phone]: `0912 345 ${String(at).padStart(2, '0')}` } : {}),
    ...(at === 129 ? { [phone]: '19001234' } : {}),
  }));
  const { read, lines, rows } = await planned(sheetWith(phones));
  const warnings = lines.filter((line) => line.startsWith('warning: '));
  expect(warnings).toHaveLength(52);
  expect(warnings.slice(49)).toEqual([
    expect.stringContaining('line 51, column shipping_address.phone: "0912 345 49" is unusual: 9 digits'),
    'warning: … and 10 cells more like this; -o json and --to plan.xlsx of `batch plan` have them',
    expect.stringContaining('line 131, column shipping_address.phone: "19001234" is the number of a call centre'),
  ]);
  expect(read.warnings).toHaveLength(61);
  // The first rows, and all with a warning.
  expect(rows).toEqual([...Array.from({ length: 60 }, (_, at) => at + 1), 130]);
});

it('keeps a warning behind ten thousand of another kind', () => {
  const remarks = new Remarks();
  const note = { cell: 'A1', value: '', message: 'is unusual' };
  for (let row = 1; row <= 10_001; row += 1) remarks.add(row, [{ ...note, code: 'usual' }]);
  remarks.add(10_002, [{ ...note, code: 'rare' }]);
  expect(remarks.kinds.map(({ code, count, cells, rows }) => [code, count, cells.length, rows.at(-1)])).toEqual([
    ['usual', 10_001, 10_000, 100],
    ['rare', 1, 1, 10_002],
  ]);
});

it('counts with thousands marks, and shows no row for what most of them have', async () => {
  const { lines, rows } = await planned(sheetWith(Array.from({ length: 1_001 }, () => ({ [weight]: '0' }))));
  expect(lines).toContainEqual(expect.stringMatching(/^warning: 1,001 of 1,001 rows, such as line 2, /));
  expect(rows).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});

it('says once of a column that it is hidden or damaged', async () => {
  const hidden = Array.from({ length: 42 }, (_, at) => ({
    [name]: at < 40 ? 'N***n' : 'Lan',
    [phone]: '09******61',
    ...(at === 41 ? { [cash]: 'x' } : {}),
  }));
  const { lines } = await planned(sheetWith(hidden));
  const masked = 'is hidden by the marketplace: write it in full';
  expect(lines.filter((line) => line.includes('"'))).toEqual([
    `40 of 42 rows, such as line 2, column ${name}: "N***n" ${masked}`,
    `42 of 42 rows, such as line 2, column ${phone}: "09******61" ${masked}`,
    expect.stringMatching(/^line 43, column shipping.cod_amount: "x"/),
  ]);
});

it('writes all of them into a workbook, and into pages', async () => {
  const { world, read } = await planned(
    sheetWith([{ [name]: 'Nguy?n An' }, ...Array.from({ length: 12 }, () => ({ [cash]: '900k' }))]),
    '--to',
    'plan.xlsx',
  );
  const source = { name: 'plan.xlsx', path: join(world.directory, 'plan.xlsx') };
  const { readFileSync } = await import('node:fs');
  const bytes = (async function* () {
    yield readFileSync(source.path);
  })();
  const sheet = await sheetFormatOf('plan.xlsx').read({ ...source, bytes }, { sheet: 'Remarks' });
  if (sheet.kind !== 'table') throw new Error('it is a table');
  const kinds: string[] = [];
  for await (const { cells } of sheet.lines) kinds.push(String(cells[0]));
  expect(kinds).toEqual(['lost_letter', ...Array.from({ length: 12 }, () => 'reading')]);
  expect(read.readings).toHaveLength(12);

  for (const page of ['plan.md', 'plan.html']) {
    expect((await world.run(['batch', 'plan', 'o.csv', '--to', page])).exit).toBe(0);
    const text = readFileSync(join(world.directory, page), 'utf8').replaceAll('&quot;', '"');
    expect(text).toMatch(/Warnings[\s\S]*line 2, column [\w.]+: "Nguy\?n An" has a "\?" between letters/);
    expect(text).toMatch(/Readings[\s\S]*line 14, column [\w.]+: "900k" is read as 900,000/);
  }
});
