import { expect, it } from 'vitest';
import { orderCells, orderHeader } from '../batch/batch-world.ts';
import { bookOf, type LivedIn } from './books.ts';
import { csvOf, readSheet } from './read-sheet.ts';

const header = [
  'external_id',
  'shipping_address.full_name',
  'shipping_address.phone',
  'shipping_address.address1',
  'lines.product_name',
  'lines.quantity',
  'lines.retail_price',
  'shipping.cod_amount',
  'order_note',
];
const order = (id: string, quantity = 1, price = 100_000, cash = price) =>
  [id, `Khách ${id}`, '0901234567', '12 ngõ 5', 'Áo', quantity, price, cash, ''] as const;
const two = [order('A', 1, 100_000), order('B', 2, 250_000)];
const sums = ['', '', '', '', '', 3, 350_000, 350_000, ''];

const read = (...lines: readonly (readonly unknown[])[]) => readSheet('o.csv', csvOf(header, ...lines));

const idsOf = ({ orders }: Awaited<ReturnType<typeof read>>) => orders.map(({ external_id }) => external_id);

it.each([
  'tổng',
  'Tổng cộng:',
  'TỔNG SỐ',
  'Tổng tiền',
  'tổng thu',
  'Tổng thu hộ',
  'Tổng COD',
  'Tổng đơn',
  'Tổng: 42 đơn',
  'Cộng',
  'Total',
  'Grand total',
  'Subtotal',
  'SUM',
])('a row with the word %s in any column is a row of sums', async (word) => {
  for (const at of [0, 1, 4, 8]) {
    const line = sums.map((cell, index) => (index === at ? word : cell));
    const found = await read(...two, line);
    expect([idsOf(found), found.leftOut, found.faults, found.reported]).toEqual([
      ['A', 'B'],
      ['line 4, column external_id: a row of sums'],
      [],
      [],
    ]);
  }
});

it('boxes below the last order that nobody has ticked are no lines of it', async () => {
  const columns = [...header, 'Đã gửi', 'In'];
  const mapping = { columns: { ...Object.fromEntries(header.map((name) => [name, name])), 'Đã gửi': null, In: null } };
  const boxes = [...header.map(() => ''), 'FALSE', 'FALSE'];
  const lines = [...two.map((line) => [...line, 'FALSE', 'TRUE']), boxes, boxes, boxes];
  const { orders, questions, leftOut, faults, rows } = await readSheet('o.csv', csvOf(columns, ...lines), {
    command: 'ship',
    mapping,
  });
  const boxed = [4, 5, 6].map((at) => `line ${at}, column external_id: nothing but boxes that nobody has ticked`);
  expect([orders.map(({ external_id }) => external_id), questions, leftOut, faults]).toEqual([
    ['A', 'B'],
    [],
    boxed,
    [],
  ]);
  expect(rows.map(({ cells }) => cells.length)).toEqual([1, 1]);
});

it('a row of sums without a word is known by its numbers, of all rows or since the last one, also by a single column', async () => {
  const more = [order('C', 4, 10_000), order('D', 1, 20_000)];
  const part = ['', '', '', '', '', 5, 30_000, 30_000, ''];
  const all = ['', '', '', '', '', 8, 380_000, 380_000, ''];
  const found = await read(...two, sums, ...more, part, all);
  expect([idsOf(found), found.leftOut.length, found.faults]).toEqual([['A', 'B', 'C', 'D'], 3, []]);
  const columns = ['external_id', 'shipping_address.full_name', 'lines.product_name', 'shipping.cod_amount'];
  const lines = [
    ['A', 'An', 'Áo', 100],
    ['B', 'Bình', 'Áo', 200],
    ['', '', '', 300],
  ];
  const single = await readSheet('o.csv', csvOf(columns, ...lines));
  expect(single.leftOut).toEqual(['line 4, column external_id: a row of sums']);
});

it('a sum that differs from what is read is told with both numbers', async () => {
  const found = await read(...two, ['Tổng', '', '', '', '', 4, 350_000, 350_000, '']);
  expect(found.reported).toEqual([
    'line 4, column lines.quantity: the row of sums has 4, and the rows above add up to 3',
  ]);
});

it('a row below one row alone is no row of sums by its numbers, and one that has the sums and goods is invalid', async () => {
  const one = await read(order('A', 1, 100_000), ['', '', '', '', 'Mũ', 1, 100_000, '', '']);
  expect([idsOf(one), one.leftOut, one.faults]).toEqual([['A'], [], []]);
  const single = await read(...two, ['', '', '', '', '', 3, 10_000, '', '']);
  expect(single.leftOut).toEqual([]);
  const goods = sums.map((cell, index) => (index === 4 ? '3 món' : cell));
  const found = await read(...two, goods);
  expect(found.faults.join()).toContain('is it a row of sums, or a line of the order above?');
});

it.each([
  [['', 'Tống Văn Hải', '0901234999', '1 ngõ 2', 'Áo', 3, 350_000, 350_000, '']],
  [['', 'Tống Văn Hải', '', '', '', 3, 350_000, 350_000, '']],
  [['SUM-0001', 'Lan', '0901234999', '1 ngõ 2', 'Áo', 3, 350_000, 350_000, '']],
  [['TONG-KHO-02', 'Lan', '0901234999', '1 ngõ 2', 'Áo', 3, 350_000, 350_000, '']],
  [['TOTAL 2', 'Cộng', '0901234999', '', 'Áo', 3, 350_000, 350_000, '']],
])('an order with a phone, a code or a name is one, whatever its words are: %s', async (line) => {
  const found = await read(...two, line);
  expect([found.orders.length, found.leftOut]).toEqual([3, []]);
});

it('a repeated header and a sentence are left out by what they are, and a row of numbers alone is invalid', async () => {
  const note = ['', '', '', '', '', '', '', '', 'giao buổi sáng nhé'];
  const found = await read(two[0] ?? [], header, note, two[1] ?? []);
  expect([idsOf(found), found.leftOut]).toEqual([
    ['A', 'B'],
    ['line 3, column external_id: the header again', 'line 4, column external_id: a note: "giao buổi sáng nhé"'],
  ]);
  const mapping = {
    columns: { Mã: 'external_id', Tên: 'shipping_address.full_name', SL: 'lines.quantity', Giá: 'lines.retail_price' },
    constants: { 'lines.product_name': 'Áo' },
  };
  const lines = [
    ['A', 'An', 1, 100_000],
    ['B', 'Bình', 2, 200_000],
    ['', '', 3, 310_000],
  ];
  const numbers = await readSheet('o.csv', csvOf(Object.keys(mapping.columns), ...lines), { mapping });
  expect(numbers.faults.join()).toContain('is neither an order nor a line of one');
});

it('a row without code, recipient, phone and address belongs to the order above: it fills its blanks, and nothing is added', async () => {
  const line = (cash: unknown, note = '') => ['', '', '', '', 'Mũ', 1, 50_000, cash, note];
  const filled = await read([...order('A').slice(0, 7), '', ''], line(150_000, 'gọi trước'));
  expect(filled.orders).toMatchObject([
    { shipping: { cod_amount: 150_000 }, order_note: 'gọi trước', lines: [{ quantity: 1 }, { quantity: 1 }] },
  ]);
  const equal = await read(order('A'), line(100_000));
  expect([equal.orders, equal.faults]).toMatchObject([[{ shipping: { cod_amount: 100_000 } }], []]);
  const other = await read(order('A'), line(50_000));
  expect(other.faults).toEqual([
    'line 3, column shipping.cod_amount: differs from "100000" at line 2, column shipping.cod_amount, though both belong to one order',
  ]);
  const own = await read(order('A'), ['', '', '', '9 ngõ 1', 'Mũ', 1, 50_000, '', '']);
  expect(own.orders.length).toBe(2);
});

it.each([
  ['a cell more than the header, though it is blank', 'a,b,c\n1,450,000,\n'],
  ['a blank cell more in its only row', 'a,b,c\n1,x,y,\n'],
  ['a cell more in one row of several', 'a,b,c\n1,2,3\n1,450,000,\n'],
  ['a cell more in all rows, where amounts look divided', 'a,b,c\n1,450,000,\n2,350,000,\n'],
  ['a filled cell more', 'a,b,c\n1,2,3,4\n'],
])('a csv with %s is refused', async (_, text) => {
  const named = text.replace('a,b,c', 'external_id,lines.retail_price,order_note');
  await expect(readSheet('o.csv', named)).rejects.toThrow(/line \d has 4 cells, and the header has 3/);
});

it('a csv whose rows all have the same blank cells at the end is read, and cells that lack are told', async () => {
  const same = await readSheet('o.csv', 'external_id,order_note\nA,x,,\nB,y,,\n');
  expect(idsOf(same)).toEqual(['A', 'B']);
  const short = await readSheet('o.csv', 'external_id,order_note\nA,x\nB\n');
  expect([idsOf(short), short.reported.join()]).toEqual([
    ['A', 'B'],
    expect.stringContaining('line 3 has fewer cells'),
  ]);
});

it('text beside the table of a workbook is told, and not read', async () => {
  const lines = [
    ['A', 'x', '', 'nhớ gọi'],
    ['B', 'y'],
  ];
  const found = await readSheet('o.xlsx', bookOf([{ name: 'T', columns: ['external_id', 'order_note'], lines }]));
  expect([idsOf(found), found.reported]).toEqual([
    ['A', 'B'],
    ['T!D2 stands beside the table, and is not read: "nhớ gọi"'],
  ]);
});

const oneOrder = (more: Partial<LivedIn>) =>
  bookOf([{ name: 'T', columns: orderHeader, lines: [orderCells(1)], ...more }]);

it.each(['A2', 'B2', 'C2', 'G2', 'H2', 'I2', 'J2', 'L2'])(
  'a row whose cell %s is struck through is asked about, whatever is in it',
  async (cell) => {
    const { questions } = await readSheet('o.xlsx', oneOrder({ struck: [cell] }));
    expect(questions.map(({ id, subjects }) => [id, subjects[0]?.rows])).toEqual([['struck_rows', [`T!${cell}`]]]);
    const skipped = await readSheet('o.xlsx', oneOrder({ struck: [cell] }), { answers: { struck_rows: 'skip' } });
    expect([skipped.orders, skipped.left]).toEqual([[], [['struck through', 1]]]);
  },
);

it('a colour in a cell that others of its column do not have is asked about by its name, and no other', async () => {
  const [yellow, theme, white] = ['rgb="FFFFFF00"', 'theme="9" tint="0.39997"', 'rgb="FFFFFFFF"'];
  const lines = [1, 2, 3, 4].map((number) => orderCells(number));
  const below = (column: string, colour: string) => [2, 3, 4, 5].map((row) => [`${column}${row}`, colour] as const);
  const tab = {
    name: 'T',
    columns: orderHeader,
    lines,
    // A whole column, the header, and white say nothing of a row.
    fills: {
      A1: yellow,
      ...Object.fromEntries([...below('C', yellow), ...below('D', white)]),
      A3: yellow,
      B3: yellow,
      L4: theme,
    },
    red: ['A5', 'B5'],
  };
  const { questions } = await readSheet('o.xlsx', bookOf([tab]));
  expect(questions.map(({ id, subjects }) => [id, subjects.map(({ name, rows }) => [name, rows])])).toEqual([
    [
      'status',
      [
        ['fill FFFF00', ['T!A3']],
        ['fill theme 9 lighter 40%', ['T!L4']],
        ['text FF0000', ['T!A5']],
      ],
    ],
  ]);
  const status = { 'fill FFFF00': 'skip', 'fill theme 9 lighter 40%': 'ship', 'text FF0000': 'ship' } as const;
  const answered = await readSheet('o.xlsx', bookOf([tab]), { answers: { status } });
  expect([answered.questions, answered.left]).toEqual([[], [['fill FFFF00', 1]]]);
  expect(answered.orders.map(({ external_id }) => external_id)).toEqual(['SO-1', 'SO-3', 'SO-4']);
});

it('a hatching without a colour, a gradient and a cell that is crossed out are asked about as colours are', async () => {
  const gradient =
    '<gradientFill><stop position="0"><color rgb="FFFF0000"/></stop><stop position="1"><color rgb="FFFFFFFF"/></stop></gradientFill>';
  const tab = {
    name: 'T',
    columns: orderHeader,
    lines: [1, 2, 3, 4, 5].map((number) => orderCells(number)),
    fills: {
      A2: '<patternFill patternType="lightGray"/>',
      A3: '<patternFill patternType="darkUp"><fgColor indexed="64"/></patternFill>',
      A4: gradient,
      A6: '<patternFill patternType="none"/>',
    },
    crossed: ['A5'],
    conditional: ['A2:L9', 'C2:C9'],
  };
  const { questions, warnings } = await readSheet('o.xlsx', bookOf([tab]));
  expect(questions.flatMap(({ subjects }) => subjects.map(({ name, rows }) => [name, rows]))).toEqual([
    ['fill lightGray', ['T!A2']],
    ['fill darkUp', ['T!A3']],
    ['fill gradient', ['T!A4']],
    ['crossed out', ['T!A5']],
  ]);
  expect(warnings).toEqual([
    {
      code: 'conditional_format',
      message: expect.stringContaining('the look of T!A2:L9, T!C2:C9 depends on conditions'),
    },
  ]);
  const status = {
    'fill lightGray': 'skip',
    'fill darkUp': 'skip',
    'fill gradient': 'skip',
    'crossed out': 'skip',
  } as const;
  const answered = await readSheet('o.xlsx', bookOf([tab]), { answers: { status } });
  expect(answered.orders.map(({ external_id }) => external_id)).toEqual(['SO-5']);
});

it('a cell that is merged over two orders is that of both, or is invalid where a field takes it', async () => {
  const header = [...orderHeader, 'Đã gửi', 'Kho'];
  const cash = orderHeader.indexOf('shipping.cod_amount');
  const lines = [1, 2, 3, 4].map((number) => [...orderCells(number), '', '']);
  lines[0] = orderCells(1).with(cash, '').concat('x', 'A');
  lines[2] = orderCells(3).with(cash, '700000').concat('', '');
  lines[3] = orderCells(4).with(cash, '').concat('', '');
  const own = Object.fromEntries(orderHeader.map((name) => [name, name]));
  const mapping = { columns: { ...own, 'Đã gửi': null, Kho: null } };
  const at = (letter: string, from: number) => `${letter}${from}:${letter}${from + 1}`;
  const [sent, letter] = [String.fromCharCode(65 + orderHeader.length), String.fromCharCode(65 + cash)];
  const merged = [at(letter, 4), at(sent, 2), `A1:${sent}1`];
  const read = await readSheet('o.xlsx', bookOf([{ name: 'T', columns: header, lines, merged }]), { mapping });
  // The cash of both is collected by neither.
  expect(read.faults).toEqual([
    `T!${letter}4: is merged with T!${letter}5, a row of another order: write on each row what is meant for it`,
    `T!${letter}5: is blank, and merged with T!${letter}4, "700000": write it on each row that it is meant for`,
  ]);
  expect(read.questions.map(({ id, subjects }) => [id, subjects[0]?.rows])).toEqual([
    ['blank_cash', [`T!${letter}2`]],
    ['tracked', [`T!${sent}2`, `T!${sent}3`]],
  ]);
  // Within an order they are as they should be.
  const goods = orderHeader.map((name, index) => (name.startsWith('lines.') ? (orderCells(1)[index] ?? '') : ''));
  const whole = { name: 'T', columns: orderHeader, lines: [orderCells(1), goods], merged: ['A2:A3', 'B2:B3'] };
  expect((await readSheet('o.xlsx', bookOf([whole]), { mapping })).faults).toEqual([]);
});

it('a text of which a part is struck through, and a row of no height, are asked about', async () => {
  const { questions } = await readSheet('o.xlsx', oneOrder({ struckRuns: { H2: '2 áo' } }));
  expect(questions.map(({ id, subjects }) => [id, subjects[0]?.rows])).toEqual([['struck_rows', ['T!H2']]]);
  const flat = await readSheet('o.xlsx', oneOrder({ flatRows: [2] }));
  expect(flat.questions.map(({ id }) => id)).toEqual(['hidden_rows']);
});

it('comments are told, and one that says not to ship is asked about', async () => {
  const kind = await readSheet('o.xlsx', oneOrder({ comments: { H2: 'Hương:\nmàu đỏ nhé' } }), { command: 'ship' });
  expect(kind.warnings).toEqual([
    { code: 'comment', message: 'T!H2 has a comment, which is in no order: "Hương:\\nmàu đỏ nhé"' },
  ]);
  expect(kind.questions).toEqual([]);
  for (const text of ['khách hủy', 'KHOAN GỬI', 'đã gửi', 'gọi 0987654321', 'giao về 12 Lê Lợi']) {
    const { questions, warnings } = await readSheet('o.xlsx', oneOrder({ comments: { C2: text } }), {
      command: 'ship',
    });
    expect(questions.map(({ id, subjects }) => [id, subjects[0]?.name])).toEqual([['status', text]]);
    expect(warnings.map(({ code }) => code)).toEqual(['comment']);
  }
  const thread = await readSheet('o.xlsx', oneOrder({ threads: { B2: 'khách quen' } }), { command: 'ship' });
  expect([thread.questions, thread.reported]).toEqual([[], [expect.stringContaining('"khách quen"')]]);
});

it('a text beside the table that says not to ship is asked about', async () => {
  const lines = [[...orderCells(1), '', 'KHOAN GỬI'], orderCells(2)];
  const { questions } = await readSheet('o.xlsx', oneOrder({ lines }), { command: 'ship' });
  expect(questions.map(({ subjects }) => subjects.map(({ name, rows }) => [name, rows]))).toEqual([
    [['KHOAN GỬI', ['T!U2']]],
  ]);
});

/** An order of two lines at 100,000 each, of which each has this cash. */
async function twoLines(
  cash: number,
  { price = 100_000, isBare = false, total = '' as unknown, answers = {}, name = 'Thu' } = {},
) {
  const line = (goods: string, head: boolean, sum: unknown) => [
    ...(head ? ['A', 'Lan', '0901234567', '12 ngõ 5'] : ['A', '', '', '']),
    ...[goods, 1, price, cash, ''],
    sum,
  ];
  const names = header.map((one) => (one === 'shipping.cod_amount' ? name : one));
  const columns = Object.fromEntries(names.map((one, at) => [one, header[at] ?? one]));
  const lines = [line('Áo', true, total), line('Quần', !isBare, '')];
  const mapping = { columns: { ...columns, 'Tổng tiền': null } };
  const read = await readSheet('o.csv', csvOf([...names, 'Tổng tiền'], ...lines), { mapping, answers });
  const [order] = read.orders;
  return { asked: read.questions.map(({ id }) => id), cash: Object(order?.shipping).cod_amount };
}

it('equal cash on two lines counts once where the order says so, and is asked about where a total says twice', async () => {
  expect(await twoLines(200_000)).toEqual({ asked: [], cash: 200_000 });
  expect(await twoLines(200_000, { isBare: true })).toEqual({ asked: [], cash: 200_000 });
  expect(await twoLines(350_000)).toEqual({ asked: [], cash: 350_000 });
  for (const how of [{ isBare: true, price: 70_000 }, { price: 100_000 }, { price: 70_000, total: 200_000 }])
    expect(await twoLines(100_000, how)).toEqual({ asked: ['line_cash'], cash: 100_000 });
  // A column that names the field is the order's, as the page on sheets says.
  expect(await twoLines(100_000, { name: 'shipping.cod_amount' })).toEqual({ asked: [], cash: 100_000 });
  expect(await twoLines(100_000, { answers: { line_cash: 'each' } })).toEqual({ asked: [], cash: 200_000 });
  expect(await twoLines(100_000, { answers: { line_cash: 'once' } })).toEqual({ asked: [], cash: 100_000 });
});

it('a table with other columns below the first one is refused as a whole, and the same header is left out', async () => {
  const moved = header.with(5, header[6] ?? '').with(6, header[5] ?? '');
  const below = (...lines: readonly (readonly unknown[])[]) => readSheet('o.csv', csvOf(header, order('A'), ...lines));
  await expect(below(moved, order('B', 90_000, 2))).rejects.toThrow('line 3, column external_id begins another table');
  await expect(below(['Mã đơn', 'Người nhận', 'SĐT', 'Địa chỉ', 'Hàng', 'Giá', 'SL', 'COD', ''])).rejects.toThrow(
    'begins another table',
  );
  expect((await below(header, order('B'))).left).toEqual([['the header again', 1]]);
  expect((await below(['B', 'Khách', '0901234567', 'Hàng', 'SP', 1, 100_000, 0, 'ghi chú'])).orders).toHaveLength(2);
});

it('cash that stands in a row of sums alone is refused: it would be collected from nobody', async () => {
  const bare = (id: string) => order(id).with(7, '');
  const sum = ['', 'Tổng', '', '', '', '', '', 350_000, ''];
  await expect(readSheet('o.csv', csvOf(header, bare('A'), sum, bare('B'), sum))).rejects.toThrow(
    '"350000" stands in a row of sums, and no row above has anything in that column',
  );
  const zero = ['', 'Tổng', '', '', '', '', '', 0, ''];
  expect((await readSheet('o.csv', csvOf(header, bare('A'), zero))).orders).toHaveLength(1);
});

it('a small amount beside larger ones is asked about', async () => {
  const read = (answers = {}) =>
    readSheet('o.csv', csvOf(header, order('A', 1, 90_000), order('B', 1, 150, 0)), { answers });
  expect((await read()).questions.map(({ id, text }) => [id, text.split(';')[0]])).toEqual([
    ['unit', 'amounts are small: "lines.retail_price" in line 3, column lines.retail_price'],
  ]);
  expect((await read({ unit: 'one' })).questions).toEqual([]);
});

it('rows without a code that repeat a recipient are asked about, unless the cash of each is what its goods cost', async () => {
  const columns = Object.fromEntries(header.map((name) => [name, name]));
  const row = (goods: string, price: unknown, cash: unknown, { id = '', name = 'Lan', phone = '0901234567' } = {}) =>
    [id, name, phone, '12 ngõ 5', goods, 1, price, cash, ''] as const;
  const of = (lines: readonly (readonly unknown[])[], answers = {}) =>
    readSheet('o.csv', csvOf(header, ...lines), { mapping: { columns }, answers, command: 'ship' });
  const askedOf = async (...lines: readonly (readonly unknown[])[]) =>
    (await of(lines)).questions.map(({ id, subjects }) => [id, subjects[0]?.count]);
  const divided = [row('Áo', 100_000, 350_000), row('Quần', 250_000, ''), row('Mũ', 50_000, '', { name: 'Hoa' })];
  expect(await askedOf(...divided)).toEqual([
    ['same_recipient', 1],
    ['blank_cash', 1],
  ]);
  expect(await askedOf(row('Áo', 100_000, 350_000, { id: 'A' }), row('Quần', 250_000, ''))).toHaveLength(1);
  expect(await askedOf(row('Áo', 1, ''), row('Quần', 1, '', { phone: '0901 234 567' }))).toContainEqual([
    'same_recipient',
    1,
  ]);
  const one = await of(divided, { same_recipient: 'one' });
  expect(one.orders).toMatchObject([{ shipping: { cod_amount: 350_000 }, lines: [{}, {}] }, { lines: [{}] }]);
  expect((await of(divided, { same_recipient: 'each' })).orders).toHaveLength(3);
  const differing = await of([row('Áo', 100_000, 100_000), row('Quần', 250_000, 200_000)], { same_recipient: 'one' });
  expect(differing.faults).toEqual([expect.stringContaining('differs from "100000"')]);
  // What tells orders apart.
  expect(await askedOf(row('Áo', 100_000, 100_000), row('Quần', 250_000, 250_000))).toEqual([]);
  expect(await askedOf(row('Áo', 100_000, '', { id: 'A' }), row('Áo', 100_000, '', { id: 'B' }))).toEqual([]);
  expect(await askedOf(row('Áo', 100_000, ''), row('Áo', 100_000, '', { phone: '0901234568' }))).toEqual([]);
  const own = await readSheet('o.csv', csvOf(header, ...divided), { command: 'ship' });
  expect(own.questions.map(({ id }) => id)).toEqual(['blank_cash']);
});
