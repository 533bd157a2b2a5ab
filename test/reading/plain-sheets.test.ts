/* What sheets of one's own say beside their plain columns: how an order is paid, what was paid before, examples and scraps. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shopWorld } from '../support/shop-world.ts';
import { csvOf, readSheet } from './read-sheet.ts';

const order: Readonly<Record<string, string>> = {
  Mã: 'M1',
  Tên: 'Nguyễn Thị Hoa',
  SĐT: '0931200001',
  'Địa chỉ': '12 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM',
  SP: 'Áo',
  SL: '1',
  Giá: '350000',
};

const columns: Readonly<Record<string, string | null>> = {
  Mã: 'external_id',
  Tên: 'shipping_address.full_name',
  SĐT: 'shipping_address.phone',
  'Địa chỉ': 'shipping_address.full',
  SP: 'lines.product_name',
  SL: 'lines.quantity',
  Giá: 'lines.retail_price',
  COD: 'shipping.cod_amount',
};

const constants = {
  'shipping.try_on': 'open',
  'shipping.pickup_address.full_name': 'Kho',
  'shipping.pickup_address.phone': '0905123456',
  'shipping.pickup_address.province': 'Đà Nẵng',
  'shipping.pickup_address.district': 'Liên Chiểu',
  'shipping.pickup_address.ward': 'Hòa Khánh Nam',
  'shipping.pickup_address.address1': 'Lô 7',
};

/** The plan of a sheet of orders with these cells, of which more columns are mapped like this. */
async function planned(
  rows: readonly Readonly<Record<string, string>>[],
  more: Readonly<Record<string, string | null>> = {},
  flags: readonly string[] = [],
) {
  const world = await shopWorld();
  const header = [...new Set([...Object.keys(order), ...rows.flatMap((row) => Object.keys(row))])];
  const lines = rows.map((row, at) => {
    const phone = `093120000${at}`;
    const cells = { ...order, Mã: `M${at + 1}`, SĐT: phone, ...row };
    return header.map((name) => cells[name as keyof typeof cells] ?? '');
  });
  const mapped = Object.fromEntries(Object.entries({ ...columns, ...more }).filter(([name]) => header.includes(name)));
  writeFileSync(join(world.directory, 'o.csv'), csvOf(header, ...lines));
  writeFileSync(join(world.directory, 'm.json'), JSON.stringify({ command: 'ship', columns: mapped, constants }));
  const { exit, stdout, stderr } = await world.run(['batch', 'plan', 'o.csv', '--map', 'm.json', ...flags, '--json']);
  const plan = JSON.parse(stdout || 'null');
  const cash = plan?.rows.map((row: { readonly cash?: number }) => row.cash ?? null);
  return { exit, stderr, cash, rows: plan?.rows, read: plan?.read };
}

const paid = { 'Tổng tiền': 'shipping.cod_amount', 'Thanh toán': 'payment_method' };
const byWords = [
  { 'Tổng tiền': '350000', 'Thanh toán': 'Chuyển khoản qua ngân hàng' },
  { 'Tổng tiền': '350000', 'Thanh toán': 'Khi giao hàng' },
];

it('a word in a column of payments is asked, and collects nothing if it is answered with paid', async () => {
  const { exit, stderr } = await planned(byWords, paid);
  expect([exit, stderr]).toEqual([2, expect.stringContaining("--payment 'Chuyển khoản qua ngân hàng=cash|paid'")]);
  const answers = ['--payment', 'Chuyển khoản qua ngân hàng=paid', '--payment', 'Khi giao hàng=cash'];
  const answered = await planned(byWords, paid, answers);
  expect([answered.exit, answered.cash, answered.read.warnings]).toEqual([0, [null, 350_000], []]);
});

it('an answer about a word of payment that no row has changes nothing, and says so', async () => {
  const methods = [{ 'Tổng tiền': '350000', 'Thanh toán': 'cod' }];
  const { stderr, cash, read } = await planned(methods, paid, ['--payment', 'Lạ=paid']);
  expect([cash, read?.warnings, stderr]).toEqual([
    [350_000],
    [expect.objectContaining({ code: 'answer_unused' })],
    expect.stringContaining('Lạ=paid'),
  ]);
  const other = await planned([{ 'Tổng tiền': '350000', 'Thanh toán': 'Lúc nào đó' }], paid, ['--payment', 'Lạ=paid']);
  expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining("--payment 'Lúc nào đó=cash|paid'")]);
});

it('a deposit that is blank or 0 is none: the whole total is collected', async () => {
  const given = ['100000', '', '0'].map((deposit) => ({ 'Đã cọc': deposit }));
  const { exit, cash, read } = await planned(given, { 'Đã cọc': 'deposit' });
  expect([exit, cash]).toEqual([0, [250_000, 350_000, 350_000]]);
  expect(read.readings).toContainEqual({
    cell: 'line 3, column Đã cọc',
    value: '',
    message: 'is no deposit: all of 350,000 is collected',
  });
  // Nor is anything collected that is paid otherwise.
  const methods = ['bank', 'cod'].map((method) => ({ 'Đã cọc': '', TT: method }));
  const { cash: byMethod } = await planned(methods, { 'Đã cọc': 'deposit', TT: 'payment_method' });
  expect(byMethod).toEqual([null, 350_000]);
});

it.each([
  ['Tên', 'Nguyễn Văn A (ví dụ)'],
  ['Tên', 'Khách mẫu'],
  ['Tên', 'Test'],
  ['Tên', 'EXAMPLE'],
  ['Mã', 'SAMPLE-01'],
  ['Mã', 'Ví dụ 1'],
  ['SP', 'Ví dụ: Áo thun'],
  ['SP', 'Sản phẩm mẫu'],
  ['SP', 'sample'],
  ['Địa chỉ', '(Ví dụ) 12 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM'],
  ['Ghi chú', 'Ví dụ'],
])('the example row of a template, %s "%s", is asked about', async (column, text) => {
  const { exit, stderr } = await planned([{ COD: '350000', [column]: text }, { COD: '350000' }], {
    'Ghi chú': 'shipping.shipping_note',
  });
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`--status '${text}=ship|skip'`)]);
});

it.each([
  ['Tên', 'Nguyễn Mẫu Đơn'],
  ['Mã', 'VD001'],
  ['SP', 'Áo mẫu mới'],
  ['SP', 'Nước hoa sample 5ml'],
  ['SP', 'Ví du lịch'],
  ['SP', 'Que test nhanh'],
  ['Ghi chú', 'Gọi trước, ví dụ lúc 8h'],
])('%s "%s" is no example row', async (column, text) => {
  const { exit, stderr } = await planned([{ COD: '350000', [column]: text }], { 'Ghi chú': 'shipping.shipping_note' });
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
});

it('cash that is blank beside others is named, unless the row says how it is paid', async () => {
  const cells = ['350000', '', '', '0'].map((COD, at) => ({ COD, 'Ghi chú': at === 2 ? 'đã ck' : '' }));
  const { cash, read } = await planned(cells, { 'Ghi chú': 'shipping.shipping_note' });
  expect([cash, read.warnings.filter(({ code }: { code: string }) => code === 'cash_blank')]).toEqual([
    [350_000, null, null, null],
    [
      {
        code: 'cash_blank',
        cell: null,
        value: null,
        message: '"COD" is blank beside others, so that nothing is collected: line 3, column COD',
      },
    ],
  ]);
  // Where none has any, none is due.
  const none = await planned([{ COD: '' }, { COD: '' }]);
  expect([none.exit, none.read.warnings]).toEqual([0, []]);
});

it.each(['Tiền mặt', 'Tiền mặt khi nhận', 'Cash', 'COD'])(
  'an order that a column says is paid on delivery, "%s", is not sent without cash',
  async (word) => {
    const { exit, stderr } = await planned([{ 'Hình thức TT': word }], { 'Hình thức TT': null });
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('that it is paid on delivery, and no cash is collected'),
    ]);
  },
);

it('a code that a program wrote as a number with decimals is invalid', async () => {
  const { exit, stderr } = await planned([{ Mã: '20261100.0', COD: '350000' }]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('a code that a program wrote as a number with decimals')]);
  expect((await planned([{ Mã: 'V2.0', COD: '350000' }])).exit).toBe(0);
});

it('days to come in a column of days are asked about by their names, and are no mark that an order was sent', async () => {
  const lines = ['30/11/2026', '28/11', 'thứ 6', '05/12', 'sau Tết', 'Mai', 'tuần sau', 'CN'].map((day, at) => [
    `M${at}`,
    day,
  ]);
  const { questions } = await readSheet('o.csv', csvOf(['external_id', 'Ngày giao'], ...lines), {
    command: 'ship',
    today: '2026-12-01',
    mapping: { columns: { external_id: 'external_id', 'Ngày giao': null } },
  });
  expect(questions.map(({ id, subjects }) => [id, subjects.map(({ name, count }) => [name, count])])).toEqual([
    ['status', lines.slice(2).map(([, day]) => [`Ngày giao: ${day}`, 1])],
    ['tracked', [['', 2]]],
  ]);
});

it('an address of which a bracket is cut open is invalid, and no scraps of it are sent', async () => {
  const given = [{ COD: '350000', 'Địa chỉ': 'KP 3, phường Dĩ An (Bình Dương cũ), HCM' }];
  const { exit, stderr } = await planned(given, {}, ['--new-wards', 'same-name']);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('write it without brackets')]);
  const whole = [{ COD: '350000', 'Địa chỉ': '12 Nguyễn Trãi (gần chợ), Bến Thành, Quận 1, TPHCM' }];
  expect((await planned(whole)).exit).toBe(0);
});

it.each([
  ['Tên', 'Lan ck'],
  ['Tên', 'Lan (ck)'],
  ['Tên', 'Lan - giao t6'],
  ['Địa chỉ', '12 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM, giao thứ 6'],
])('%s "%s" is asked about', async (column, text) => {
  const { exit, stderr } = await planned([{ COD: '350000', [column]: text }]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`--status '${text}=ship|skip'`)]);
});

it('another phone number behind a name is asked about, and goods of a brand are goods', async () => {
  const { exit, stderr } = await planned([{ COD: '350000', Tên: 'Lan 0977111222' }]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining("--status 'Lan 0977111222=ship|skip'")]);
  expect((await planned([{ COD: '350000', Tên: 'Lan 0931200000', SP: 'Áo thun CK' }])).exit).toBe(0);
});

it('pieces that goods name otherwise than their quantity are warned of, however they are written', async () => {
  const counted = ['x3 vớ', '2x Áo', 'x2 Áo', 'Áo *2', 'Áo thun 2 cái', 'vớ (x3)', 'Áo sl2', 'Áo x2', 'Áo (2 cái)'];
  const others = ['Set 2 cái', 'Áo size 2', '3CE son', 'Khăn 30x40', 'Combo 3 chiếc', 'Bút 2B'];
  const { read } = await planned([...counted, ...others].map((SP) => ({ SP, COD: '350000' })));
  const warned = read.warnings.filter(({ code }: { code: string }) => code === 'pieces_in_name');
  expect(warned.map(({ value }: { value: string }) => value)).toEqual(counted);
});
