import { readFileSync } from 'node:fs';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readCell } from '../../src/sheets/values.ts';
import { bookOf } from './books.ts';
import { csvOf, readSheet } from './read-sheet.ts';

const columns = [
  'external_id',
  'shipping_address.full_name',
  'lines.product_name',
  'lines.retail_price',
  'shipping.cod_amount',
];
const header = (rest: readonly (readonly unknown[])[]) => csvOf(columns, ...rest);
const one = async (cells: readonly unknown[], answers = {}) => readSheet('o.csv', header([cells]), { answers });

it.each([
  ['450k', 450_000],
  ['1tr2', 1_200_000],
  ['1tr25', 1_250_000],
  ['350 nghìn', 350_000],
  ['1,2 triệu', 1_200_000],
])('%s is read, and told', async (text, amount) => {
  const { orders, notes } = await one(['A', 'An', 'Áo', text, '']);
  expect([orders, notes]).toMatchObject([
    [{ lines: [{ retail_price: amount }] }],
    [expect.stringContaining('is read as ')],
  ]);
});

it.each(['nt', '-nt-', 'NT', 'như trên', '(như trên)', 'Như dòng trên', '"', '〃', 'đt', 'ditto'])(
  '%s means the row above: it is no value, and in a note it is told',
  async (mark) => {
    for (const at of [1, 2, 3, 4]) {
      const cells = ['A', 'An', 'Áo', '200000', '0'].with(at, mark);
      const { faults } = await one(cells);
      expect([at, faults]).toEqual([at, [expect.stringContaining('means the same as the row above')]]);
    }
    for (const name of ['address1', 'phone', 'ward', 'quantity'])
      expect([name, readCell(mark, { type: name === 'quantity' ? 'integer' : 'string' }, name).kind]).toEqual([
        name,
        'wrong',
      ]);
    expect(readCell(mark, { type: 'string' }, 'shipping_note')).toMatchObject({ value: mark, code: 'ditto' });
    for (const text of [`Áo ${mark} 1`, `Ngõ ${mark}`])
      expect(readCell(text, { type: 'string' }, 'full_name')).toEqual({ kind: 'value', value: text });
  },
);

it('weights in two units or in lạng, fees that are none and phones with decimals are read, and told', async () => {
  const reading = (name: string, unit: string | undefined, text: string) =>
    readCell(text, unit === undefined ? { type: 'string' } : { type: 'integer', unit }, name);
  for (const [text, grams] of [
    ['1kg2', 1200],
    ['1 kg 2', 1200],
    ['1kg25', 1250],
    ['1kg200', 1200],
    ['1kg50g', 1050],
    ['1ký5', 1500],
    ['5 lạng', 500],
    ['2,5 lang', 250],
  ] as const)
    expect(reading('gross_weight', 'g', text)).toMatchObject({
      value: grams,
      note: expect.stringContaining('is read as'),
    });
  for (const text of ['nửa ký', '1kg2000', '1kg2kg', 'kg2', '1kg 2 lạng'])
    expect([text, reading('gross_weight', 'g', text).kind]).toEqual([text, 'wrong']);
  for (const text of [
    '0 (free)',
    '0đ (freeship)',
    '0đ freeship',
    'miễn phí',
    '(miễn ship)',
    '0 (miễn phí vận chuyển)',
  ]) {
    expect(reading('buyer_shipping_fee', 'currency units', text)).toMatchObject({ value: 0, note: 'is read as 0' });
    expect([text, reading('retail_price', 'currency units', text).kind]).toEqual([text, 'wrong']);
  }
  expect(reading('buyer_shipping_fee', 'currency units', '30 (free)').kind).toBe('wrong');
  for (const [text, phone] of [
    ['901234601.0', '0901234601'],
    ['901234601,0', '0901234601'],
    ['0901234601.0', '0901234601'],
    ['84901234601.0', '84901234601'],
  ] as const)
    expect(reading('phone', undefined, text)).toMatchObject({ value: phone, note: expect.any(String) });
  for (const text of ['901234601.5', '12345.0'])
    expect(reading('phone', undefined, text)).toEqual({ kind: 'value', value: text });
  expect(reading('external_id', undefined, '901234601.0')).toMatchObject({ kind: 'wrong' });
});

it('a weight with its own units is that, whatever its column is in', async () => {
  const weight = 'shipping.gross_weight';
  for (const to of [weight, { field: weight, unit: 'kg' }]) {
    const mapping = { columns: { Mã: 'external_id', Cân: to } };
    const { orders, notes } = await readSheet('o.csv', csvOf(['Mã', 'Cân'], ['A', '1kg2'], ['B', '5 lạng']), {
      mapping,
    });
    expect(orders.map(({ shipping }) => shipping)).toEqual([{ gross_weight: 1200 }, { gross_weight: 500 }]);
    expect(notes).toHaveLength(2);
  }
});

it.each(['1tr2k', '1tr200k', '450k-500k', '1 triệu rưỡi', '12.345', '0x1F', '0o17'])(
  'the amount %s is never guessed',
  async (text) => {
    // 12.345 as a text is 12,345; as the number of a formula it is doubtful.
    const book = bookOf([{ name: 'T', columns, lines: [['A', 'An', 'Áo', text === '12.345' ? 12.345 : text, '']] }]);
    expect((await readSheet('o.xlsx', book)).faults.length).toBe(1);
  },
);

it('a number whose decimals could be thousands is told with both, in cells and in records', async () => {
  const book = bookOf([{ name: 'T', columns, lines: [['A', 'An', 'Áo', 12.345, '']] }]);
  expect((await readSheet('o.xlsx', book)).faults).toEqual(['T!D2: may be 12,345 or 12.345: write the whole amount']);
  const record = (price: string) => `[{"external_id":"A","lines":[{"product_name":"Áo","retail_price":${price}}]}]`;
  for (const [price, both] of [
    ['350.000', '350,000 or 350'],
    ['12.345', '12,345 or 12.345'],
  ] as const) {
    const { faults } = await readSheet('o.json', record(price));
    expect(faults).toEqual([expect.stringContaining(`and may be ${both}: write it without`)]);
  }
  expect((await readSheet('o.json', record('"350.000"'))).orders).toMatchObject([
    { lines: [{ retail_price: 350_000 }] },
  ]);
});

it.each(['12-Mar', 'Mar-12', '12-Thg3', '3-thg 12-2026'])(
  '%s in a csv is sent with a warning, not guessed',
  async (day) => {
    const { orders, rows, faults } = await one([day, 'An', day, '200000', '']);
    expect([orders, faults]).toMatchObject([[{ external_id: day, lines: [{ product_name: day }] }], []]);
    expect(rows[0]?.notes.map(({ cell, code }) => [cell, code])).toEqual([
      ['line 2, column external_id', 'made_a_date'],
      ['line 2, column lines.product_name', 'made_a_date'],
    ]);
  },
);

it('what looks like a day within a text, or in a note, is as it is written', async () => {
  const { rows } = await readSheet(
    'o.csv',
    csvOf([...columns, 'order_note'], ['SEP-2100', 'An', 'Áo 12-Mar', '200000', '', '12-Mar']),
  );
  expect(rows[0]?.notes).toEqual([]);
});

it('amounts below 1,000 are thousands if that is said, also beside larger ones, and cash of them is invalid', async () => {
  const lines = [
    ['A', 'An', 'Áo', '250', '250'],
    ['B', 'Bình', 'Áo', '99', '0'],
  ];
  const asked = await readSheet('o.csv', header(lines));
  expect([asked.questions.map(({ id, subjects }) => [id, subjects.length]), asked.faults.length]).toEqual([
    [['unit', 2]],
    1,
  ]);
  const said = await readSheet('o.csv', header(lines), { answers: { unit: 'thousand' } });
  expect([said.orders, said.faults]).toMatchObject([
    [
      { lines: [{ retail_price: 250_000 }], shipping: { cod_amount: 250_000 } },
      { lines: [{ retail_price: 99_000 }], shipping: { cod_amount: 0 } },
    ],
    [],
  ]);
  const mixed = [...lines, ['C', 'Chi', 'Áo', '350000', '']];
  const found = await readSheet('o.csv', header(mixed.map((line) => [...line.slice(0, 4), '0'])));
  expect([found.questions.map(({ id }) => id), found.reported.join()]).toEqual([
    ['unit'],
    expect.stringContaining('small amounts of "lines.retail_price" beside larger ones: line 2'),
  ]);
  const answered = await readSheet('o.csv', header(mixed), { answers: { unit: 'thousand' } });
  const prices = answered.orders.map(({ lines: goods }) => goods);
  expect(prices).toMatchObject([250_000, 99_000, 350_000].map((retail_price) => [{ retail_price }]));
  // 1200 beside them may have all its digits.
  const unsure = [...mixed, ['D', 'Dung', 'Áo', '1200', '0']];
  await expect(readSheet('o.csv', header(unsure), { answers: { unit: 'thousand' } })).rejects.toThrow(
    'may be in ₫ or in thousands beside others in ₫: line 5',
  );
});

it('cash below 10,000 is asked about, and in thousands 1200 beside 250 is one, too', async () => {
  const lines = [
    ['A', 'An', 'Tủ', '1200', '1200'],
    ['B', 'Bình', 'Áo', '250', '250'],
  ];
  const cash = await readSheet('o.csv', header([['A', 'An', 'Tủ', '350000', '1250']]));
  expect(cash.questions.map(({ id, subjects }) => [id, subjects.map(({ name }) => name)])).toEqual([
    ['unit', ['shipping.cod_amount']],
  ]);
  expect((await readSheet('o.csv', header(lines))).questions.map(({ id }) => id)).toEqual(['unit']);
  const said = await readSheet('o.csv', header(lines), { answers: { unit: 'thousand' } });
  expect([said.orders, said.faults]).toMatchObject([
    [
      { lines: [{ retail_price: 1_200_000 }], shipping: { cod_amount: 1_200_000 } },
      { lines: [{ retail_price: 250_000 }], shipping: { cod_amount: 250_000 } },
    ],
    [],
  ]);
});

it.each([
  ['o.json', (records: readonly object[]) => JSON.stringify(records)],
  ['o.yaml', (records: readonly object[]) => stringify(records)],
  ['o.jsonl', (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')],
] as const)('amounts below 1,000 are asked about in a list as in a table: %s', async (file, written) => {
  const order = (price: number | string, name = 'A') => ({
    external_id: name,
    lines: [{ product_name: 'Áo', retail_price: price, quantity: 1 }],
  });
  const asked = await readSheet(file, written([order(250), order('99', 'B')]));
  expect(asked.questions.map(({ id, subjects }) => [id, subjects.map(({ name, count }) => [name, count])])).toEqual([
    ['unit', [['lines.retail_price', 2]]],
  ]);
  const prices = async (unit: 'one' | 'thousand') => {
    const { orders, questions } = await readSheet(file, written([order(250), order('99', 'B')]), { answers: { unit } });
    expect(questions).toEqual([]);
    return orders.flatMap(({ lines }) => (lines as { retail_price: number }[]).map((line) => line.retail_price));
  };
  expect([await prices('one'), await prices('thousand')]).toEqual([
    [250, 99],
    [250_000, 99_000],
  ]);
  const mixed = await readSheet(file, written([order(250), order(350_000, 'B')]));
  expect([mixed.questions.map(({ id }) => id), mixed.reported.join()]).toEqual([
    ['unit'],
    expect.stringContaining('small amounts of "lines.retail_price" beside larger ones'),
  ]);
});

it('a number of more than 15 digits is invalid in every field, and digits are exact as a text', () => {
  for (const field of ['external_id', 'full_name', 'product_name', 'order_note']) {
    expect(readCell(12_345_678_901_234_567_000, { type: 'string' }, field)).toMatchObject({ kind: 'wrong' });
    expect(readCell(123_456_789_012_345, { type: 'string' }, field)).toMatchObject({ value: '123456789012345' });
    expect(readCell('1234567890123456789', { type: 'string' }, field)).toMatchObject({ value: '1234567890123456789' });
  }
});

it.each(['="12 ngõ 5"', "'00124", '="nói ""có"""', "'SP-01", "'Hoa' cỡ 3"])(
  'what another program marks as text is unwrapped: %s',
  async (text) => {
    const { orders } = await one(['A', 'An', text, '1000', '']);
    const meant =
      { '="12 ngõ 5"': '12 ngõ 5', "'00124": '00124', '="nói ""có"""': 'nói "có"', "'SP-01": 'SP-01' }[text] ?? text;
    expect(orders).toMatchObject([{ lines: [{ product_name: meant }] }]);
  },
);

it('cash below 1,000 is invalid wherever it is written, and an amount that may be two is never guessed', async () => {
  const to = { field: 'shipping.cod_amount', unit: 'thousand' };
  const thousands = async (cell: string | number) => {
    const book = bookOf([{ name: 'T', columns: ['Mã', 'COD'], lines: [['A', cell]] }]);
    return readSheet('o.xlsx', book, { mapping: { columns: { Mã: 'external_id', COD: to } } });
  };
  expect((await thousands('0,5')).faults).toEqual(['T!B2: is cash below 1,000: nobody collects so little']);
  expect((await thousands(12.345)).faults.join()).toContain('can be read in more than one way');
  expect((await thousands(12.5)).orders).toMatchObject([{ shipping: { cod_amount: 12_500 } }]);
  const constant = { columns: { Mã: 'external_id' }, constants: { 'shipping.cod_amount': 400 } };
  await expect(readSheet('o.csv', csvOf(['Mã'], ['A']), { mapping: constant })).rejects.toThrow('cash below 1,000');
});

it('records are read as cells are: without unseen characters, small cash and numbers that lost digits', async () => {
  const entry = (price: string, cash: string, name = 'Áo') =>
    `{"external_id":"A","lines":[{"product_name":"${name}","retail_price":${price}}],"shipping":{"cod_amount":${cash}}}`;
  const unseen = await readSheet('o.json', entry('200000', '0', '\u200eÁ\u200bo'));
  expect([unseen.orders, unseen.notes.join()]).toMatchObject([
    [{ lines: [{ product_name: 'Áo' }] }],
    expect.stringContaining('characters that nobody sees'),
  ]);
  expect((await readSheet('o.jsonl', entry('200000', '400'))).faults.join()).toContain('cash below 1,000');
  expect((await readSheet('o.yaml', entry('1234567890123456', '0'))).faults.join()).toContain('has ruined');
});

it('joiners within an emoji of any skin stay, and are removed elsewhere', async () => {
  const { orders } = await one(['A', '👩🏽\u200d🚀', 'Á\u200do 🏳️\u200d🌈', '1000', '']);
  expect(orders).toMatchObject([
    { shipping_address: { full_name: '👩🏽\u200d🚀' }, lines: [{ product_name: 'Áo 🏳️\u200d🌈' }] },
  ]);
});

it('a birthday that is only the number of a day is invalid, and a year is none', () => {
  const read = (cell: string | number) => readCell(cell, { type: 'string' }, 'birthday').kind;
  expect([read(31_536), read('31536'), read('31536.5')]).toEqual(['wrong', 'wrong', 'wrong']);
  expect([read('1990'), read('1990-05-17')]).toEqual(['value', 'value']);
});

it.each([
  ['N******n', 'is hidden by the marketplace'],
  ['Nguyễn V* A*', 'is hidden by the marketplace'],
  ['Nguy\ufffdn', 'is damaged text'],
  ['Nguyá»…n Thá»‹ Lan', 'is damaged text'],
])('the name %s is invalid', async (name, message) => {
  expect((await one(['A', name, 'Áo', '1000', ''])).faults.join()).toContain(message);
});

it.each(['Nguyễn Văn Á', 'Â Ê Ô', 'Café “Đà Lạt” – số 5', 'Size M*'])(
  'the name %s is as it is written',
  async (name) => {
    expect((await one(['A', name, name, '1000', ''])).faults).toEqual([]);
  },
);

it.each([
  ['r01-sharedcase.xlsx', { external_id: 'R01-1' }],
  ['r06-zeros.xlsx', { external_id: '000042' }],
  ['r13c-float.xlsx', { lines: [{ retail_price: 165_000 }] }],
  ['r15b-title.csv', { external_id: 'R15B-1' }],
  ['r15m-nul.csv', { shipping_address: { full_name: 'Nguyễn Lan' } }],
  [
    'r17d-names.csv',
    { shipping_address: { full_name: 'Lan\u00a0Anh', address1: '12 ngõ 5' }, lines: [{ product_name: 'Áo khoác' }] },
  ],
  [
    'r25c-eqnames.csv',
    { shipping_address: { full_name: 'Nguyễn Thị Lan', address1: '12 ngõ 5' }, lines: [{ product_name: 'Áo khoác' }] },
  ],
  ['r32a-rowpercell.xlsx', { lines: [{ quantity: 1 }] }],
])('%s is read as it is meant', async (name, order) => {
  const { orders, faults } = await readSheet(name, readFileSync(new URL(`files/${name}`, import.meta.url)));
  expect([orders[0], faults]).toMatchObject([order, []]);
});

it('a number of pieces, and a fee that nobody pays, are read in their columns, told, and taken for nothing else', async () => {
  const schemas = {
    quantity: { type: 'integer', unit: 'items' },
    cod_amount: { type: 'integer', unit: 'currency units' },
    buyer_shipping_fee: { type: 'integer', unit: 'currency units' },
  } as const;
  const reading = (name: keyof typeof schemas, text: string) => readCell(text, schemas[name], name);
  for (const [text, number] of [
    ...[['1 cái', 1] as const, ['2 áo', 2] as const, ['2 hộp', 2] as const, ['12cái', 12] as const, ['x2', 2] as const],
    ...[
      ['3 cái áo', 3] as const,
      ['1 BỘ', 1] as const,
      ['2x', 2] as const,
      ['10 pcs', 10] as const,
      ['2 san pham', 2] as const,
    ],
  ])
    expect([text, reading('quantity', text)]).toEqual([
      text,
      { kind: 'value', value: number, note: `is read as ${number}` },
    ]);
  const never = [
    '1 tá',
    '2 chục',
    '2kg',
    '2k',
    '2c',
    '1 lít',
    '2 hủy',
    '1 đã gửi',
    '2 cái + 1 mũ',
    '2-3 cái',
    '1,5 cái',
    '2 x 3',
    '10%',
  ];
  for (const text of [...never, '1 bộ 2 cái', 'một cái'])
    expect([text, reading('quantity', text).kind]).toEqual([text, 'wrong']);
  for (const text of ['freeship', 'Free ship', 'free', 'miễn ship', 'miễn phí', 'mien phi ship'])
    expect([text, reading('buyer_shipping_fee', text)]).toMatchObject([text, { kind: 'value', value: 0 }]);
  for (const text of ['khách trả', '10%', 'free 30k']) expect(reading('buyer_shipping_fee', text).kind).toBe('wrong');
  for (const text of ['freeship', 'miễn phí', '2 cái', 'x2']) expect(reading('cod_amount', text).kind).toBe('wrong');
});

it('numbers of pieces are added up like others', async () => {
  const names = [...columns, 'lines.quantity'];
  const rows = (sum: number) => [
    ['A', 'An', 'Áo', '90000', '', '2 cái'],
    ['B', 'Bình', 'Áo', '90000', '', 'x3'],
    ['Tổng', '', '', '', '', sum],
  ];
  expect((await readSheet('o.csv', csvOf(names, ...rows(5)))).reported).toEqual([]);
  expect((await readSheet('o.csv', csvOf(names, ...rows(6)))).reported).toHaveLength(1);
});

/** A workbook whose texts of errors are the errors of formulas. */
function failing(book: Uint8Array): Uint8Array {
  const files = Object.entries(unzipSync(book)).map(([path, bytes]): [string, Uint8Array] => {
    const asError = (_: string, before: string, error: string) => `${before}t="e"><v>${error}</v></c>`;
    const xml = strFromU8(bytes).replaceAll(
      /(<c [^>]*)t="inlineStr"[^>]*><is><t[^>]*>(#[A-Z/0!?]+)<\/t><\/is><\/c>/g,
      asError,
    );
    return [path, path.includes('sheet1.xml') ? strToU8(xml) : bytes];
  });
  return zipSync(Object.fromEntries(files));
}

it.each(['#REF!', '#N/A', '#BUSY!'])(
  'the error %s of a formula makes its cell invalid where it is read, and no other row',
  async (error) => {
    const names = [...columns, 'Ghi thêm'];
    const lines = [
      ['A', 'An', 'Áo', 90_000, 90_000, error],
      ['B', 'Bình', 'Áo', 90_000, error, ''],
      ['C', 'Chi', 'Áo', 90_000, 90_000, ''],
      ['Tổng', '', '', 270_000, error, ''],
    ];
    const book = failing(bookOf([{ name: 'T', columns: names, lines }]));
    const mapping = { columns: { ...Object.fromEntries(columns.map((name) => [name, name])), 'Ghi thêm': null } };
    const { rows, faults, left } = await readSheet('o.xlsx', book, { mapping });
    expect(faults).toEqual(['T!E3: is the error of a formula: fix it in the spreadsheet']);
    expect(rows.map((row) => row.faults.length)).toEqual([0, 1, 0]);
    expect(left).toEqual([['a row of sums', 1]]);
  },
);

it('a cell that counts by the error of a formula, or has a meaning for any other word, is invalid', async () => {
  const mapping = {
    columns: {
      Mã: 'external_id',
      Tên: 'shipping_address.full_name',
      Thu: { field: 'shipping.cod_amount', when: { TT: ['COD'] }, otherwise: '0' },
      Xem: { field: 'shipping.try_on', words: { '*': 'none' } },
      TT: null,
    },
  };
  const lines = [
    ['A', 'An', '90000', 'x', 'COD'],
    ['B', 'Bình', '90000', 'x', '#N/A'],
    ['C', 'Chi', '90000', '#N/A', 'COD'],
  ];
  const { faults } = await readSheet('o.csv', csvOf(Object.keys(mapping.columns), ...lines), { mapping });
  expect(faults).toEqual([
    'line 3, column Thu: counts by the column "TT", which is the error of a formula: fix it in the spreadsheet',
    'line 4, column Xem: is the error of a formula: fix it in the spreadsheet',
  ]);
});
