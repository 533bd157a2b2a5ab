/* What sheets of one's own say beside their plain columns: how an order is paid, what was paid before, examples and scraps. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shopWorld } from '../support/shop-world.ts';
import { exportWithLines } from './exports.ts';
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
    const phone = `09312000${String(at).padStart(2, '0')}`;
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

it('cash that is blank beside others is asked about, unless the row says how it is paid', async () => {
  const cells = ['350000', '', '', '0', ''].map((COD, at) => ({
    COD,
    'Ghi chú': at === 2 ? 'đã ck' : at === 4 ? 'Momo' : '',
  }));
  const note = { 'Ghi chú': 'shipping.shipping_note' };
  const { exit, stderr } = await planned(cells, note, ['--yes']);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('in 1 row (line 3, column COD)')]);
  expect(stderr).toContain('--blank-cash total|zero');
  const nothing = await planned(cells, note, ['--blank-cash', 'zero']);
  expect([nothing.exit, nothing.cash]).toEqual([0, [350_000, null, null, null, null]]);
  const total = await planned(cells, note, ['--blank-cash', 'total']);
  expect([total.exit, total.cash]).toEqual([0, [350_000, 350_000, null, null, null]]);
  expect(total.read.readings).toContainEqual({
    cell: 'line 3, column COD',
    value: '',
    message: 'is blank: all of 350,000 is collected',
  });
  // Where none has any, none is due; nor is it known then whether the total is.
  const none = await planned([{ COD: '' }, { COD: '0' }]);
  expect([none.exit, none.read.warnings]).toEqual([0, []]);
  const unsure = await planned([{ COD: '' }, { COD: '0' }], {}, ['--blank-cash', 'total']);
  expect([unsure.exit, unsure.stderr]).toEqual([2, expect.stringContaining('has no cash in any row')]);
});

it('an amount to collect in a message is the cash that a blank column lacks', async () => {
  const Tin = 'Chị Hoa 0931200001 12 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM, thu 350k';
  const { exit, cash } = await planned([{ COD: '350000' }, { COD: '', 'Địa chỉ': Tin }]);
  expect([exit, cash]).toEqual([0, [350_000, 350_000]]);
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

it.each([
  ['Tên', 'L̶a̶n̶', 'Lan ~ Mai'],
  ['Tên', '~~Lan~~', 'Lan~~ Mai'],
  ['SP', 'Áo ~~đen~~ trắng', 'Áo ~~ đen ~~'],
  ['Địa chỉ', '~~12~~ 14 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM', '14 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM'],
])('%s "%s" is struck through by its characters, and "%s" is not', async (column, struck, plain) => {
  const rows = [struck, plain].map((text) => ({ COD: '350000', [column]: text }));
  const { exit, stderr } = await planned(rows);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`(line 2, column ${column}): read or skip?`)]);
  expect((await planned(rows, {}, ['--struck-rows', 'skip'])).cash).toEqual([350_000]);
  expect((await planned(rows, {}, ['--struck-rows', 'read'])).cash).toEqual([350_000, 350_000]);
});

it('pieces that goods name otherwise than their quantity are asked about, however they are written', async () => {
  const counted = ['x3 vớ', '2x Áo', 'x2 Áo', 'Áo *2', 'Áo thun 2 cái', 'vớ (x3)', 'Áo sl2', 'Áo x2', 'Áo (2 cái)'];
  counted.push('1 áo 2 quần', 'Áo x 2 + Quần x1', 'sl: 4 - ly sứ', 'Kem x 3 hộp', 'Ly sứ số lượng 4', 'Bút 3 cây');
  counted.push('Vớ: 5 đôi', 'Áo thun (2)', 'áo\nquần\nmũ');
  counted.push('Áo: 2 đen, 1 trắng', 'Áo M(2) L(1)', 'Áo (hai cái)', 'Áo đen 2, trắng 1', 'Áo đen 2 trắng 1 đỏ 3');
  counted.push('Áo 2 đen 1 trắng', 'Áo M:2, L:1', 'Áo hai chiếc', 'Ba cái áo', 'Áo thun(2)', 'Áo đỏ đô 1, xanh lá 2');
  const others = ['Set 2 cái', 'Áo size 2', '3CE son', 'Khăn 30x40', 'Combo 3 chiếc', 'Bút 2B', 'Set 1 áo 2 quần'];
  others.push(
    'Combo 2 áo',
    'iPhone 15',
    'iPhone 15 đen, 256GB',
    'Sữa 1,8L',
    'Quần 29, 30',
    'Nước 2 L, 1 L',
    'Áo ba lỗ',
  );
  others.push('Váy hồng 2-3 tuổi, đỏ 1-2 tuổi', 'Giày trắng 39, đen 40', 'Tủ 3 ngăn, 2 cánh', 'Set 2 đen, 1 trắng');
  others.push('Áo đen size 2, trắng size 1', 'Bộ hai cái', 'Áo đen 2 tuổi, trắng 1 tuổi', 'Áo 2 màu đen trắng');
  others.push('Khung 10 x 20 x 5 cm', 'Hộp 5 đôi', 'Áo thun\nMàu đỏ', 'Khăn giấy 10 gói');
  const rows = [...counted, ...others].map((SP) => ({ SP, COD: '350000' }));
  const { exit, stderr } = await planned(rows, {}, ['--yes']);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('--pieces quantity|ask')]);
  const sent = await planned(rows, {}, ['--pieces', 'quantity']);
  expect([sent.exit, sent.read.warnings]).toEqual([0, []]);
  const [{ id, answers }] = sent.read.questions;
  const names = answers.map(({ name }: { name: string }) => name);
  expect([id, [...names].sort()]).toEqual(['pieces', [...counted].sort()]);
  const invalid = await planned(rows, {}, ['--pieces', 'ask', '--skip-bad']);
  expect([invalid.exit, invalid.cash.length]).toEqual([9, others.length]);
});

it.each([
  ['SP', 'Áo - khách đã trả 200k', 'says "đã trả 200k"'],
  ['SP', 'khách đã chuyển 100k', 'says "đã chuyển 100k"'],
  ['Tên', 'Lan trả trước 50k', 'says "trả trước 50k"'],
  ['Ghi chú', 'khách đã chuyển 100k', 'says "đã chuyển 100k"'],
])('%s "%s" says that a part is paid, and the whole total is not collected', async (column, text, said) => {
  const { exit, stderr } = await planned([{ COD: '350000', [column]: text }], { 'Ghi chú': 'shipping.shipping_note' });
  expect([exit, stderr.replaceAll('\\', '')]).toEqual([2, expect.stringContaining(said)]);
});

it.each([
  ['SP', 'Áo 0đ'],
  ['SP', 'Áo giảm 20k'],
  ['SP', 'Áo (250k)'],
  ['SP', 'Áo 250.000đ'],
  ['Tên', 'Lan thu 300k'],
  ['Địa chỉ', '12 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM, thu 300k'],
])('%s "%s" speaks of an amount that the row does not have: it is asked about', async (column, text) => {
  const { exit, stderr } = await planned([{ COD: '350000', [column]: text }]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`--status '${text}=ship|skip'`)]);
  const sent = await planned([{ COD: '350000', [column]: text }], {}, ['--status', `${text}=ship`]);
  expect([sent.exit, sent.cash]).toEqual([0, [350_000]]);
});

it.each([
  [{ SP: 'Áo 350k' }],
  [{ SP: 'Quà tặng 0đ', Giá: '0', COD: '0' }],
  [{ SP: 'Áo giảm 20k', Giá: '330000', COD: '330000', 'Giá gốc': '350000' }],
  [{ SP: 'TV 4K' }],
  [{ SP: 'Thẻ cào 100k' }],
  [{ 'Địa chỉ': '15 Đồng Khởi, Bến Thành, Quận 1, TPHCM, thu 350k' }],
])('%o agrees with what is collected', async (cells: Readonly<Record<string, string>>) => {
  const { exit, stderr } = await planned([{ COD: '350000', ...cells }], { 'Giá gốc': null });
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
});

it.each([
  'mai đi',
  't6 đi',
  'để t2 gửi',
  'đơn này bỏ nha',
  'out of stock',
  'sáng mai gửi',
  'gửi 2 cái thôi',
  'giao t7 nhé shop',
  'off',
  'gửi kèm đơn N01',
  'hết vị dâu, hỏi lại khách',
  'Lấy màu đỏ thay màu đen',
  'Giao giúp mình tới cty 12 Nguyễn Huệ Q1 nhé',
  'do-not-ship',
  'đã lên đơn',
  'lên đơn rồi',
  'đi ghtk',
  'tuần sau',
  'đợi thêm áo',
  'hết',
  'ko có hàng',
  'khách ảo',
  'xin lại địa chỉ',
  'gom đơn',
  'gửi chung Lan',
  'cùng đơn chị Hoa',
])('the note "%s" is asked about', async (text) => {
  const note = { 'Ghi chú': 'shipping.shipping_note' };
  const { exit, stderr } = await planned([{ COD: '350000', 'Ghi chú': text }], note);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`--status '${text}=ship|skip'`)]);
});

it('a second phone number in an address goes into the note, and leaves no scrap in the street', async () => {
  const at = { 'Địa chỉ': '12 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM, sđt 2 0977111222', COD: '350000' };
  const { exit, rows, read } = await planned([at, { ...at, 'Ghi chú': 'gọi trước' }], {
    'Ghi chú': 'shipping.shipping_note',
  });
  expect([exit, read.warnings]).toEqual([0, []]);
  const sent = rows.map(({ payload }: { payload: Record<string, Record<string, string>> }) => payload);
  expect(sent).toMatchObject([
    {
      shipping_address: { address1: '12 Nguyễn Trãi', phone: '0931200000' },
      shipping: { shipping_note: 'SĐT 2: 0977111222' },
    },
    { shipping: { shipping_note: 'gọi trước; SĐT 2: 0977111222' } },
  ]);
});

it.each(['CK', 'Đã CK', 'Momo', 'Chuyển khoản qua ngân hàng', 'Trả góp Fundiin'])(
  'a payment "%s" in a column that nobody reads is asked about as money: paid, nothing is collected',
  async (word) => {
    const rows = [{ COD: '350000', 'Hình thức TT': word }];
    const { exit, stderr } = await planned(rows, { 'Hình thức TT': null });
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`--payment '${word}=cash|paid'`)]);
    expect(stderr).not.toContain('--status');
    const paid = await planned(rows, { 'Hình thức TT': null }, ['--payment', `${word}=paid`]);
    expect([paid.exit, paid.cash, paid.read.warnings]).toEqual([0, [null], []]);
    const cash = await planned(rows, { 'Hình thức TT': null }, ['--payment', `${word}=cash`]);
    expect([cash.exit, cash.cash]).toEqual([0, [350_000]]);
  },
);

it.each([
  ['Loại', 'CK'],
  ['Thu tiền', 'Đã CK'],
  ['Khách', 'đã chuyển khoản đủ'],
])('below "%s" a payment "%s" is asked about by itself, and nothing else is', async (header, word) => {
  const rows = [word, 'COD', 'sỉ', 'Online', 'Chuyển phát nhanh'].map((text) => ({ COD: '350000', [header]: text }));
  const { exit, stderr } = await planned(rows, { [header]: null });
  expect([exit, stderr.match(/--\w+ '[^']+'/g)]).toEqual([2, [`--payment '${word}=cash|paid'`]]);
  const paid = await planned(rows, { [header]: null }, ['--payment', `${word}=paid`]);
  expect([paid.exit, paid.cash]).toEqual([0, [null, 350_000, 350_000, 350_000, 350_000]]);
});

it('a column of the state of payments asks about money, and its plain words about nothing', async () => {
  const rows = ['Chưa thanh toán', 'pending', 'COD', 'Đã thanh toán'].map((word) => ({
    COD: '350000',
    'Trạng thái thanh toán': word,
  }));
  const { exit, stderr } = await planned(rows, { 'Trạng thái thanh toán': null });
  expect([exit, stderr.match(/--\w+ '[^']+'/g)]).toEqual([2, ["--payment 'Đã thanh toán=cash|paid'"]]);
});

it('the answers of a file hold for its mixed amounts as well', async () => {
  const rows = ['350', '350000'].map((COD) => ({ COD }));
  expect((await planned(rows, {}, ['--unit', 'thousand'])).cash).toEqual([350_000, 350_000]);
  // An amount with its unit says nothing of those without one.
  const counted = ['350', '1200', '350k', '85.5k'].map((COD) => ({ COD }));
  expect((await planned(counted, {}, ['--unit', 'thousand'])).cash).toEqual([350_000, 1_200_000, 350_000, 85_500]);
  const unsure = await planned([...rows, { COD: '1200' }], {}, ['--unit', 'thousand']);
  expect([unsure.exit, unsure.stderr]).toEqual([2, expect.stringContaining('line 4, column COD')]);
});

it.each([
  ['0931200000 (zalo)', '0931200000'],
  ['0931200000 chị Hoa', '0931200000'],
  ['0931200000,', '0931200000'],
  ['84931200000 (anh Huy)', '84931200000'],
  ['0084931200000', '+84931200000'],
  ['０９３１２０００００', '0931200000'],
])('the phone "%s" is the number alone', async (SĐT, phone) => {
  const { exit, rows } = await planned([{ COD: '350000', SĐT }]);
  expect([exit, rows?.[0].payload.shipping_address.phone]).toEqual([0, phone]);
  for (const other of ['0931200000 sai số', '0931200000 em báo hủy', '0931200000 gọi sau 17h'])
    expect((await planned([{ COD: '350000', SĐT: other }])).exit).toBe(2);
});

it.each([
  ['12 Lê Lợi, phường Bến Nghé (nay là phường Sài Gòn), Quận 1, TPHCM', '12 Lê Lợi, nay là phường Sài Gòn'],
  ['12 Lê Lợi, phường Sài Gòn (phường Bến Nghé, quận 1 cũ), TPHCM', '12 Lê Lợi, phường Sài Gòn'],
])('an address says the former ward beside that of today: "%s"', async (address, street) => {
  const { exit, rows, stderr } = await planned([{ COD: '350000', 'Địa chỉ': address }]);
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  expect(rows[0].payload.shipping_address).toMatchObject({
    address1: street,
    ward: 'Phường Bến Nghé',
    district: 'Quận 1',
  });
});

it.each([
  ['TT', 'CK'],
  ['TT', 'Nợ'],
  ['TT', '1/2'],
])('a column %s with "%s" is one of payments, and with numbers it counts the rows', async (header, word) => {
  const rows = [{ COD: '350000', [header]: word }];
  const { exit, stderr } = await planned(rows, { [header]: null });
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`--payment '${word}=cash|paid'`)]);
  const counted = ['1', '2', '3'].map((number) => ({ COD: '350000', [header]: number }));
  expect((await planned(counted, { [header]: null })).exit).toBe(0);
});

it.each([
  ['Chốt', ['x', '', 'x'], '=ship|skip'],
  ['Xác nhận', ['rồi', 'chưa', 'ok'], 'chưa=ship|skip'],
  ['Note Attributes', ['', '2026-12-20'], 'Note Attributes: a day to come=ship|skip'],
  ['Note Attributes', ['delivery_date: 2026-12-20'], 'Note Attributes: a day to come=ship|skip'],
  ['Lineitem requires shipping', ['true', 'false'], 'Lineitem requires shipping: false=ship|skip'],
  ['Tags', ['vip', 'exchange, do-not-ship'], 'exchange, do-not-ship=ship|skip'],
])('a column %s with %o is asked about', async (header, cells, question) => {
  const rows = cells.map((cell) => ({ COD: '350000', [header]: cell }));
  const { exit, stderr } = await planned(rows, { [header]: null });
  expect([exit, stderr.match(/--\w+ '[^']+'/g)]).toEqual([2, [`--status '${question}'`]]);
  const plain = await planned([{ COD: '350000', [header]: '' }], { [header]: null });
  expect([plain.exit, plain.exit === 0 || plain.stderr]).toEqual([0, true]);
});

it('each note that is not understood is named, however many there are', async () => {
  const notes = ['bù ship khách', 'hàng quà sinh nhật bé Na', 'cột nơ xinh'];
  const rows = notes.map((text) => ({ COD: '350000', 'Ghi chú': text }));
  const world = await shopWorld();
  const header = [...Object.keys(order), 'COD', 'Ghi chú'];
  const lines = rows.map((row, at) => {
    const cells: Readonly<Record<string, string>> = { ...order, Mã: `M${at}`, SĐT: `093120000${at}`, ...row };
    return header.map((name) => cells[name] ?? '');
  });
  const mapped = { ...columns, 'Ghi chú': 'shipping.shipping_note' };
  writeFileSync(join(world.directory, 'o.csv'), csvOf(header, ...lines));
  writeFileSync(join(world.directory, 'm.json'), JSON.stringify({ command: 'ship', columns: mapped, constants }));
  const { exit, stdout, stderr } = await world.run(['batch', 'plan', 'o.csv', '--map', 'm.json']);
  const told = notes.filter((text) => `${stdout}${stderr}`.includes(`${JSON.stringify(text)} is not understood`));
  expect([exit, told]).toEqual([0, notes]);
});

it.each([
  ['tiktok.csv', { 'Additional address information': 'Toà B, lầu 7' }, 'Toà B, lầu 7'],
  ['lazada.csv', { 'Shipping Address2': 'Tầng 12 chung cư Hoàng Huy' }, 'Tầng 12 chung cư Hoàng Huy'],
])('a second line of the street in %s stands behind the first', async (name, cells, line) => {
  const { orders } = await readSheet(name, exportWithLines(name, [cells]), { command: 'ship', isExport: true });
  const address1 = expect.stringMatching(new RegExp(`^\\S.*, ${line}$`));
  expect(orders).toMatchObject([{ shipping_address: { address1 } }]);
});

it('a foreign phone number in a street is asked about', async () => {
  const cells = { 'Additional address information': 'gặp cô Hạnh 0911222333' };
  const content = exportWithLines('tiktok.csv', [cells]);
  const { questions } = await readSheet('tiktok.csv', content, { command: 'ship', isExport: true });
  expect(questions.map(({ subjects }) => subjects.map(({ name }) => name))).toEqual([['gặp cô Hạnh 0911222333']]);
});

it('an export of Lazada with its newer names of columns is read', async () => {
  const content = exportWithLines('lazada.csv', [{ 'Payment Method': 'COD' }])
    .replace('Shipping Phone Number', 'shippingPhone')
    .replace('Payment Method', 'payMethod');
  const { orders, faults } = await readSheet('lazada.csv', content, { command: 'ship', isExport: true });
  expect([orders[0]?.shipping_address, orders[0]?.payment_method, faults]).toEqual([
    expect.objectContaining({ phone: expect.stringMatching(/^\+?\d+$/) }),
    'cod',
    [],
  ]);
});

it.each([
  ['kiotviet.csv', 'Giảm giá hóa đơn'],
  ['sapo.csv', 'CK đơn hàng(VNĐ)'],
])('the discount of an order in %s is that of the order', async (name, column) => {
  const content = exportWithLines(name, [{ [column]: '50000' }]);
  const { orders } = await readSheet(name, content, { command: 'ship', isExport: true });
  expect(orders).toMatchObject([{ order_discount: 50_000 }]);
});

it.each([
  ['COD 100k', 100_000],
  ['thu 100k', 100_000],
  ['100k (COD)', 100_000],
  ['đã ck', 0],
  ['0 (đã ck)', 0],
  ['không thu', 0],
  ['free', 0],
  ['-', 0],
])('cash is read in the words of a note: %s', async (words, amount) => {
  const { cash, stderr } = await planned([{ COD: words, Giá: '100000' }]);
  expect(cash).toEqual([amount || null]);
  expect(stderr).toMatch(new RegExp(`column COD: .* is read as ${amount.toLocaleString('en')}"`));
});

it.each(['100 (đã ck)', 'đã cọc', 'thu 100k + ship', '100k/đơn', 'thu 350', 'free ship', 'x'])(
  'cash that may be another amount is refused: %s',
  async (words) => {
    const { exit, stderr } = await planned([{ COD: words, Giá: '100000' }]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('line 2, column COD')]);
  },
);

it('headers, and the names in a mapping, are compared in composed form, whichever form they were written in', async () => {
  const header = ['Mã', 'Tên', 'SĐT', 'Địa chỉ', 'SP', 'SL', 'Giá', 'Trạng thái'];
  const lines = [
    ['M1', 'Hoa', '0931200001', '12 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM', 'Áo', '1', '350000', ''],
    ['M2', 'Lan', '0931200002', '12 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM', 'Áo', '1', '350000', 'Hủy'],
  ];
  const own = {
    ...Object.fromEntries(Object.entries(columns).filter(([name]) => name !== 'COD')),
    'Địa chỉ': 'shipping_address.address1',
    'Trạng thái': null,
  };
  const of = async (file: string, names: string) => {
    const mapping = JSON.parse(JSON.stringify({ columns: own, leave_out: { 'Trạng thái': ['Hủy'] } }).normalize(names));
    const content = csvOf(header, ...lines).normalize(file);
    const { orders } = await readSheet('o.csv', content, { mapping, command: 'ship' });
    return orders.map(({ external_id }) => external_id);
  };
  for (const [file, names] of [
    ['NFD', 'NFC'],
    ['NFC', 'NFD'],
  ] as const)
    expect(await of(file, names)).toEqual(['M1']);
});

it('cash that is null beside cash of others is asked about in a list of records, too', async () => {
  const world = await shopWorld();
  const record = (at: number, cod_amount: number | null) => ({
    external_id: `J${at}`,
    shipping_address: { full: `Lan, 093120000${at}, 12 Nguyễn Trãi, Bến Thành, Quận 1, TPHCM` },
    lines: [{ product_name: 'Áo', quantity: 1, retail_price: 100_000 }],
    shipping: { cod_amount },
  });
  writeFileSync(join(world.directory, 'o.json'), JSON.stringify([record(1, 100_000), record(2, null)]));
  writeFileSync(join(world.directory, 'm.json'), JSON.stringify({ command: 'ship', constants }));
  const plan = (...flags: string[]) => world.run(['batch', 'plan', 'o.json', '--map', 'm.json', '--json', ...flags]);
  const asked = await plan();
  expect([asked.exit, asked.stderr]).toEqual([2, expect.stringContaining('--blank-cash total|zero')]);
  const cashOf = async (answer: string) =>
    JSON.parse((await plan('--blank-cash', answer)).stdout).rows.map(({ cash }: { cash?: number }) => cash ?? null);
  expect(await cashOf('total')).toEqual([100_000, 100_000]);
  expect(await cashOf('zero')).toEqual([100_000, null]);
});

it('a word of a state in a column of notes is asked about alone, and makes no state of its blank cells', async () => {
  const lines = [
    { COD: '350000', 'Lưu ý': '' },
    { COD: '350000', 'Lưu ý': 'hết hàng' },
  ];
  const { exit, stderr } = await planned(lines, { 'Lưu ý': null });
  expect([exit, stderr.match(/--\w+ '[^']*'/g)]).toEqual([2, ["--status 'hết hàng=ship|skip'"]]);
});

it('of an export, too, an order of which a line is left out is invalid where its cash is collected, and goes without it where nothing is', async () => {
  const half = async (paid: string) => {
    const line = { 'Số lượng': '2', 'Phương thức thanh toán': paid, 'Tổng số tiền người mua thanh toán': '250000' };
    const back = { ...line, 'Tên sản phẩm': 'Quần', 'Số lượng sản phẩm được hoàn trả': '2' };
    return readSheet('o.csv', exportWithLines('shopee.csv', [line, back]), { command: 'ship', isExport: true });
  };
  const { faults } = await half('Thanh toán khi nhận hàng');
  expect(faults).toEqual([expect.stringMatching(/^line 3, .*: is 2 of 2 .*an order is sent whole, or not at all$/)]);
  const online = await half('Ví ShopeePay');
  expect([online.faults, online.orders.map(({ lines }) => lines)]).toEqual([[], [[expect.anything()]]]);
});

it('a line below an order with its phone and a blank address may be of it, and is asked about', async () => {
  const lines = [
    { Mã: '', SĐT: '0931200001', COD: '450000' },
    { Mã: '', SĐT: '0931200001', 'Địa chỉ': '', SP: 'Quần', Giá: '100000', COD: '' },
    { Mã: '', COD: '350000' },
  ];
  const { exit, stderr } = await planned(lines);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('--same-recipient one|each')]);
  const one = await planned(lines, {}, ['--same-recipient', 'one']);
  expect(one.cash).toEqual([450_000, 350_000]);
});

it('an answer that leaves out a line of an order, or leaves cells invalid, is no unused one', async () => {
  const lines = [
    { COD: '350000', 'Ghi chú': '' },
    { Mã: 'M1', SĐT: '0931200000', 'Ghi chú': 'khách hủy món này', SP: 'Quần', COD: '' },
    { COD: '350000', SĐT: '0931200009' },
  ];
  const skipped = ['--status', 'khách hủy món này=skip', '--skip-bad'];
  const parted = await planned(lines, { 'Ghi chú': null }, skipped);
  const place = { COD: '350000', 'Địa chỉ': '5 Lê Lai, Phường Bến Thành, TPHCM' };
  const ward = await planned([place, { COD: '350000' }], {}, ['--new-wards', 'ask', '--skip-bad']);
  for (const { read } of [parted, ward])
    expect(read.warnings.filter(({ code }: { code: string }) => code === 'answer_unused')).toEqual([]);
  expect(ward.cash).toEqual([350_000]);
});

it.each([
  ['SP', 'Áo (đổi size L)'],
  ['SP', 'Áo XL -> L'],
  ['SP', 'Áo (bỏ)'],
  ['SP', 'Áo (giảm còn 90k)'],
  ['SP', 'Áo (thiếu, gửi bù sau)'],
  ['Tên', 'Lan (bỏ)'],
  ['Tên', 'Lan - off'],
  ['Tên', 'Lan - lấy thêm 1 quần'],
  ['Tên', 'Lan (2 đơn)'],
  ['Tên', 'Lan (thiếu 50k)'],
  ['Mã', 'Q02-đổi'],
  ['Mã', 'Q03 (bỏ)'],
  ['Địa chỉ', 'Đừng gửi 45 Nguyễn Thị Minh Khai, Bến Nghé, Q1, HCM'],
  ['Địa chỉ', '45 Nguyễn Thị Minh Khai hoặc 12 Lê Lợi, Bến Nghé, Q1, HCM'],
])('%s "%s" says something else than a name, and is asked about', async (column, text) => {
  const { exit, stderr } = await planned([{ COD: '350000', [column]: text }]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`--status '${text}=ship|skip'`)]);
});

it('two whole addresses in one cell are invalid', async () => {
  const text = '45 Nguyễn Thị Minh Khai, Bến Nghé, Q1, HCM - 12 Lê Lợi, Hải Châu I, Hải Châu, Đà Nẵng';
  const { exit, stderr } = await planned([{ COD: '350000', 'Địa chỉ': text }]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('Bến Nghé')]);
  const deposit = await planned([{ COD: '350000', Mã: 'Q07.cọc50' }]);
  expect([deposit.exit, deposit.stderr]).toEqual([2, expect.stringContaining('cọc50')]);
});

it('half an order is not left out for a word on one of its lines', async () => {
  const lines = [
    { COD: '350000', 'Tình trạng': 'x' },
    { Mã: 'M1', SĐT: '0931200000', 'Tình trạng': 'hủy', SP: 'Quần', COD: '350000' },
  ];
  const answers = ['--status', 'x=ship', '--status', 'hủy=skip'];
  const { exit, stderr } = await planned(lines, { 'Tình trạng': null }, answers);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('an order is sent whole, or not at all')]);
});

it.each([
  ['Ghi chú', 'Ghi chú'.normalize('NFD')],
  ['Ghi chú'.normalize('NFD'), 'Ghi chú'],
])('a header is that of its mapping, however the accents of both are written', async (header, name) => {
  const mapping = { columns: { Mã: 'external_id', [name]: 'order_note' } };
  const content = csvOf(['Mã', header], ['M1', 'gọi trước']);
  const { orders } = await readSheet('o.csv', content, { mapping, command: 'ship' });
  expect(orders).toMatchObject([{ external_id: 'M1', order_note: 'gọi trước' }]);
});
