import { describe, expect, it } from 'vitest';
import { customer, customerChanges } from '../../src/contract/records/customer.ts';
import { orderRequest } from '../../src/contract/records/order.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { Account } from '../../src/sheets/account/account.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import type { SourceRow } from '../../src/sheets/source-row.ts';
import { type RowOptions, sourceRows } from '../../src/sheets/source-rows.ts';
import { readCell } from '../../src/sheets/values.ts';

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const orders: RowOptions = {
  schema: jsonSchema(orderRequest),
  shown: [],
  ignored: [],
  nameFields: ['external_id', 'external_code'],
  blankClears: false,
  command: 'orders create',
  places: async () => locationTree,
  account: new Account(),
};

async function read(name: string, content: string | Uint8Array, options = orders, size = 7) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const format = sheetFormatOf(name);
  const sheet = await format.read({ name, bytes: inPieces(bytes, size) }, {});
  const { rows, leftOut, header } = sourceRows(sheet, options);
  const all: SourceRow[] = [];
  for await (const row of rows) all.push(row);
  return { rows: all, values: all.map(({ value }) => value), leftOut, header };
}

const table = 'external_id,shipping_address.phone,lines.product_name,lines.quantity\n';

describe('a table', () => {
  it('is one record a line, columns named by dotted fields', async () => {
    const { values, rows } = await read('o.csv', `${table}A,0901234567,Trà,2\nB,0901234568,Áo,1\n`);
    expect(values).toEqual([
      { external_id: 'A', shipping_address: { phone: '0901234567' }, lines: [{ product_name: 'Trà', quantity: 2 }] },
      { external_id: 'B', shipping_address: { phone: '0901234568' }, lines: [{ product_name: 'Áo', quantity: 1 }] },
    ]);
    expect(rows.map(({ place }) => place)).toEqual(['line 2', 'line 3']);
  });

  it('joins lines that follow each other with one external_id, and says which cells disagree', async () => {
    const { rows } = await read('o.csv', `${table}A,0901234567,Trà,2\nA,,Áo,1\nA,0909999999,Mũ,1\n`);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.value.lines).toHaveLength(3);
    expect(rows[0]?.faults).toEqual([
      {
        cell: 'line 4, column shipping_address.phone',
        value: '0909999999',
        message: 'differs from "0901234567" at line 2, column shipping_address.phone, though both belong to one order',
      },
    ]);
    expect(rows[0]?.cellOf('lines[1].quantity')).toBe('line 3, column lines.quantity');
    const composed = await read('o.csv', `${table}Đơn-1,0901234567,Trà,2\n${'Đơn-1'.normalize('NFD')},,Áo,1\n`);
    expect(composed.rows).toHaveLength(1);
    expect(rows[0]?.cellOf('shipping_address.ward')).toBe('line 2');
  });

  it('has no holes in a list whose entries have columns of their own, and names the cell of each entry', async () => {
    const columns = [
      'lines.0.product_name',
      'lines.0.quantity',
      'lines.1.product_name',
      'lines.3.product_name',
      'lines.3.quantity',
    ];
    const { rows } = await read('o.csv', `external_id,${columns.join(',')}\nA,Trà,2,,Áo,1\nB,,,Mũ,,\nC,Trà,,Mũ,Áo,1\n`);
    expect(rows.map(({ value }) => value.lines)).toEqual([
      [
        { product_name: 'Trà', quantity: 2 },
        { product_name: 'Áo', quantity: 1 },
      ],
      [{ product_name: 'Mũ' }],
      [{ product_name: 'Trà' }, { product_name: 'Mũ' }, { product_name: 'Áo', quantity: 1 }],
    ]);
    const cells = rows.map(({ cellOf, value }) =>
      (value.lines as object[]).map((_, place) =>
        [`lines[${place}].product_name`, `lines[${place}].quantity`].map(cellOf),
      ),
    );
    const named = (line: number, place: number) => [
      `line ${line}, column lines.${place}.product_name`,
      `line ${line}, column lines.${place}.quantity`,
    ];
    expect(cells).toEqual([
      [named(2, 0), named(2, 3)],
      [['line 3, column lines.1.product_name', 'line 3']],
      [named(4, 0), [named(4, 1)[0], 'line 4'], named(4, 3)],
    ]);
  });

  it.each([',', ';', '\t'])('has the delimiter of its header (%j) below titles without it', async (mark) => {
    const known = new Set(['external_id', 'order_note', 'external_code']);
    const score = (cells: readonly unknown[]) => cells.filter((cell) => known.has(String(cell))).length;
    const lines = ['Đơn hàng, tháng 11; kho A\tmới', '', ['external_id', '"order_note"', 'external_code'].join(mark)];
    const text = [...lines, ['A-1', '"a,b;c\td"', 'x'].join(mark), ''].join('\r\n');
    const bytes = () => inPieces(Buffer.from(text), 7);
    const sheet = await sheetFormatOf('o.csv').read({ name: 'o.csv', bytes: bytes() }, { score });
    if (sheet.kind !== 'table') throw new Error('csv is a table');
    const read: unknown[] = [];
    for await (const line of sheet.lines) read.push(line);
    expect([sheet.columns, sheet.found, read]).toEqual([
      [...known],
      'the header is in line 3',
      [{ line: 4, cells: ['A-1', 'a,b;c\td', 'x'] }],
    ]);
  });

  it('takes an order at the end for a row of sums only where nothing but numbers stands beside the word', async () => {
    const header = 'external_id,shipping_address.full_name,shipping_address.phone,lines.product_name,lines.quantity\n';
    const lines =
      'A,An,0901234567,Trà,2\n,Tống Thị Hoa,0901234568,Áo,1\n,Công ty Mai,0901234569,Mũ,1\nTổng cộng,,,,4\n';
    const { values } = await read('o.csv', header + lines);
    expect(values.map(({ shipping_address }) => Object(shipping_address).full_name)).toEqual([
      'An',
      'Tống Thị Hoa',
      'Công ty Mai',
    ]);
  });

  it('refuses an amount with a fraction: the point of a number is no mark between thousands', () => {
    const amount = { type: 'integer', unit: 'currency units' } as const;
    expect(readCell('12.345', amount, 'cod_amount')).toEqual({ kind: 'value', value: 12_345 });
    expect(readCell(12.345, amount, 'cod_amount')).toMatchObject({ kind: 'wrong' });
    expect(readCell(12_345, amount, 'cod_amount')).toEqual({ kind: 'value', value: 12_345 });
  });

  it('finds its delimiter and its encoding, however it comes in pieces', async () => {
    const rows = [
      ['external_id', 'order_note'],
      ['A', 'ghi chú; "một"\r\nhai'],
      ['B', ''],
    ];
    const quoted = (mark: string) =>
      rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(mark)).join('\r\n');
    const expected = [{ external_id: 'A', order_note: 'ghi chú; "một"\nhai' }, { external_id: 'B' }];
    for (const mark of [',', ';', '\t']) {
      const text = quoted(mark);
      for (const bytes of [
        Buffer.from(text),
        Buffer.from(`\uFEFF${text}`),
        Buffer.from(`\uFEFF${text}`, 'utf16le'),
        Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      ]) {
        for (const size of [1, 2, 3, 50]) expect((await read('o.csv', bytes, orders, size)).values).toEqual(expected);
      }
    }
  });

  it.each([
    ['\n', '\n'],
    ['\r\n', '\n'],
    ['\r\n', '\r\n'],
    ['\r', '\r'],
  ])('counts lines as an editor does, with ends %j and %j in cells, and blank lines', async (end, inner) => {
    const lines = ['external_id,order_note', `A,"x${inner}y${inner}${inner}z"`, '', ',', `"B","${inner}"`, 'C,z', ''];
    const { rows } = await read('o.csv', lines.join(end));
    expect(rows.map(({ place }) => place)).toEqual(['line 2', 'line 8', 'line 10']);
  });

  it.each([
    ['o.csv', Buffer.from([0x61, 0x2c, 0xc3, 0x28, 0x0a]), 'neither UTF-8 nor UTF-16'],
    ['o.csv', '', 'is empty'],
    ['o.csv', 'external_id,order_note\nA,"x\n', 'a quote is not closed'],
    ['o.csv', 'external_id,order_note\nA,b,c\n', 'line 2 has 3 cells, and the header has 2'],
    ['o.csv', 'external_id,order_nte\nA,b\n', 'column "order_nte" is not a field; did you mean order_note?'],
    ['o.csv', 'external_id,external_id\nA,b\n', 'appears twice'],
    ['o.json', '[{"external_id":"A"},{"external_id":]', 'entry 2'],
    ['o.json', '[{"external_id":"A"}', 'not closed'],
    ['o.jsonl', '{"external_id":"A"}\n{', 'line 2'],
    ['o.yaml', 'a: [', 'at line'],
    ['o.bin', 'a', 'does not tell the format'],
  ])('refuses %s with %j: %s', async (name, content, message) => {
    await expect(read(name, content)).rejects.toThrow(message);
  });

  const swallowed = [
    'A1,Lan,0931200001,"Áo,1',
    'A2,Mai,0931200002,Tivi",1',
    'A3,Hà,0931200003,Áo,1',
    'A4,Vy,0931200004,"Áo, 2\r\nQuần, 1",1',
  ];

  it.each([
    ['in the same column', 'a,b,c,d,e', swallowed, [2, 3]],
    [
      'in another column, over more rows',
      'a,b,c,d,e',
      swallowed.join('\n').replace('Tivi"', 'Tivi').replace('Hà', 'Hà"').split('\n'),
      [2, 4],
    ],
    ['below a cell of two lines', 'a,b,c,d,e', ['A0,"12, ngõ 5\r\nHà Nội",0931200000,Áo,1', ...swallowed], [4, 5]],
    ['of two columns', 'a,b', ['A1,"Áo', 'A2,Quần"', 'A3,Mũ'], [2, 3]],
    ['with tabs', 'a\tb\tc', ['A1\t0931200001\t"Áo', 'A2\t0931200002\tQuần"'], [2, 3]],
  ])('refuses a quote that swallows rows, %s', async (_, header, lines, [from, to]) => {
    const bytes = inPieces(Buffer.from([header, ...lines].join('\n')), 7);
    const reading = async () => {
      const sheet = await sheetFormatOf('o.csv').read({ name: 'o.csv', bytes }, {});
      if (sheet.kind !== 'table') throw new Error('it is a table');
      for await (const { cells } of sheet.lines) expect(cells).not.toHaveLength(0);
    };
    await expect(reading()).rejects.toThrow(`a quote that opens in line ${from} closes in line ${to}, and rows`);
  });

  it('reads cells of several lines with as many commas as the table', async () => {
    const rows = [
      ['A1', '12 Lê Lợi, Quận 1\nHà Nội', 'x'],
      ['A2', 'x', 'Gọi Lan, 0931200001, chiều\nHoặc Mai, 0931200002, sáng'],
      ['A3', '2 áo, M, đỏ\n2 quần, M, đỏ\n2 mũ, M, đỏ', 'A4, x\nA5, x'],
      ['1 áo, 2 mũ, x\n1 áo, 2 mũ, x\n1 áo', '5', 'a\nb, c'],
    ];
    for (const width of [2, 3]) {
      const lines = rows.map((row) => row.slice(0, width));
      const text = lines.map((row) => row.map((cell) => `"${cell}"`).join(','));
      const bytes = inPieces(Buffer.from([['a', 'b', 'c'].slice(0, width).join(','), ...text].join('\n')), 7);
      const sheet = await sheetFormatOf('o.csv').read({ name: 'o.csv', bytes }, {});
      if (sheet.kind !== 'table') throw new Error('it is a table');
      const read: unknown[] = [];
      for await (const { cells } of sheet.lines) read.push(cells);
      expect(read).toEqual(lines);
    }
  });

  it('names the lines that have fewer cells than the header, and no blank one', async () => {
    const reported = async (content: string) => {
      const account = new Account();
      const source = { name: 'o.csv', bytes: inPieces(Buffer.from(content), 7) };
      const sheet = await sheetFormatOf('o.csv').read(source, { account });
      if (sheet.kind !== 'table') throw new Error('it is a table');
      for await (const { cells } of sheet.lines) expect(cells).toHaveLength(3);
      return account.warnings.map(({ message }) => message);
    };
    const why = 'fewer cells than the header, and the last columns are read as blank: is a separator missing?';
    expect(await reported('a,b,c\n1,2,3\n\n,,\n4,,\n')).toEqual([]);
    expect(await reported('a,b,c\n1,2\n4,,\n')).toEqual([`line 2 has ${why}`]);
    expect(await reported(`a,b,c\n${'1,2\n'.repeat(7)}`)).toEqual([`lines 2, 3, 4, 5, 6 and 2 more have ${why}`]);
  });

  it('leaves out what the command cannot set, and its own results', async () => {
    const options = { ...orders, schema: jsonSchema(customerChanges), shown: [jsonSchema(customer)] };
    const { values, leftOut } = await read('c.csv', 'id,note,created_at,result.state\n1,a,2026,done\n', options);
    expect(values).toEqual([{ id: '1', note: 'a' }]);
    expect([...leftOut]).toEqual([['created_at', 'the command cannot set it']]);
  });

  it('takes a blank cell for not given, or for a field that is cleared', async () => {
    const options = { ...orders, schema: jsonSchema(customerChanges) };
    const text = 'id,note,full_name,gender\n1,,An,\n';
    expect((await read('c.csv', text, options)).values).toEqual([{ id: '1', full_name: 'An' }]);
    const clearing = await read('c.csv', text, { ...options, blankClears: true });
    expect(clearing.rows).toMatchObject([{ value: { id: '1', note: '', full_name: 'An' }, cleared: 1 }]);
  });
});

describe('a cell', () => {
  const one = async (column: string, cell: string) =>
    (await read('o.csv', `external_id,${column}\nA,"${cell}"\n`)).rows[0] as SourceRow;

  it.each([
    ['lines.retail_price', '1.350.000', 1350000],
    ['lines.retail_price', '1,350,000', 1350000],
    ['lines.retail_price', '1350000 ₫', 1350000],
    ['lines.quantity', ' 2 ', 2],
    ['lines.quantity', '2.0', 2],
    ['lines.quantity', '2,00', 2],
    ['lines.product_id', '1234567890123456789', '1234567890123456789'],
    ['lines.0.quantity', '3', 3],
  ])('of %s reads %j', async (column, cell, expected) => {
    const { value, faults } = await one(column, cell);
    expect(faults).toEqual([]);
    expect(Object.values((value.lines as object[])[0] ?? {})).toEqual([expected]);
  });

  it.each([
    ['lines.retail_price', '1.35'],
    ['lines.retail_price', '450k-500k'],
    ['lines.quantity', '1,5'],
    // Two of them, or two thousand.
    ['lines.quantity', '2.000'],
    ['lines.quantity', '2,000'],
    ['lines.product_id', '8.93603E+17'],
    ['shipping_address.phone', '9.12E+8'],
    ['external_code', '1,23457E+15'],
    ['shipping.try_on', 'maybe'],
    ['shipping.include_insurance', 'perhaps'],
  ])('of %s refuses %j, and names it', async (column, cell) => {
    const { faults } = await one(column, cell);
    expect(faults).toMatchObject([{ cell: `line 2, column ${column}`, value: cell }]);
  });

  it('is read without characters that nobody sees, which is noted, and keeps those that hold an emoji together', async () => {
    const message = 'has characters that nobody sees; they are removed';
    for (const hidden of ['\0', '\u200b', '\u202e', '\u00ad', '\ufeff', '\u2060', '\u2066', '\u200d']) {
      for (const field of ['external_code', 'order_note']) {
        const { value, notes } = await one(field, `DH-${hidden}1`);
        expect([value, notes]).toMatchObject([{ [field]: 'DH-1' }, [{ message }]]);
      }
    }
    const family = '\u{1f468}\u200d\u{1f469}';
    expect(await one('order_note', family)).toMatchObject({ value: { order_note: family }, notes: [] });
    expect((await one('external_code', 'DH-\u0007')).faults).toHaveLength(1);
    expect(await one('external_code', 'Đơn-Nguyễn 1')).toMatchObject({ value: { external_code: 'Đơn-Nguyễn 1' } });
  });

  it.each([
    ['o.json', '[{"external_id":"A"},{"external_id":"B","tags":[],"tags":["x"]}]'],
    ['o.jsonl', '{"external_id":"A"}\n{"external_id":"B","lines":[{"quantity":1,"quantity":100}]}'],
  ])('is no record of %s that has a key twice', async (name, content) => {
    await expect(read(name, content)).rejects.toThrow(/(?:entry|line) 2.*the key "\w+" appears twice/);
  });

  it('is not of a list that ends with the wrong bracket', async () => {
    await expect(read('o.json', '[{"external_id":"A"}}')).rejects.toThrow('the list is not closed');
    await expect(read('o.json', '[{"external_id":"A"}}]')).rejects.toThrow('the list is not closed');
  });

  it('gives a phone its leading 0 back, and tells it', async () => {
    const { value, notes } = await one('shipping_address.phone', '901234567');
    expect(value.shipping_address).toEqual({ phone: '0901234567' });
    expect(notes[0]?.message).toContain('0901234567 is sent');
  });
});

it('reads the same records from json, jsonl and yaml, and every digit of an id', async () => {
  const records = [{ external_id: 'A', lines: [{ quantity: 1 }] }, { external_id: 'B' }];
  for (const [name, text] of [
    ['o.json', JSON.stringify(records, null, 1)],
    ['o.json', `\uFEFF${JSON.stringify(records)}\n`],
    ['o.jsonl', records.map((record) => JSON.stringify(record)).join('\r\n')],
    ['o.yaml', '- external_id: A\n  lines:\n    - quantity: 1\n- external_id: B\n'],
    ['o.yaml', 'external_id: A\nlines: [{quantity: 1}]\n---\nexternal_id: B\n'],
  ] as const) {
    expect((await read(name, text)).values).toEqual(records);
  }
  expect((await read('o.json', '{"external_id":"[A]}{\\""}')).values).toEqual([{ external_id: '[A]}{"' }]);
  const big = await read('o.jsonl', '{"lines":[{"product_id":1234567890123456789}]}');
  expect(big.values).toEqual([{ lines: [{ product_id: '1234567890123456789' }] }]);
  expect((await read('o.json', '[]')).values).toEqual([]);
});
