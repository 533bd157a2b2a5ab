import { describe, expect, it } from 'vitest';
import { customer, customerChanges } from '../../src/contract/records/customers/customer.ts';
import { orderRequest } from '../../src/contract/records/orders/order.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import type { SourceRow } from '../../src/sheets/source-row.ts';
import { type RowOptions, sourceRows } from '../../src/sheets/source-rows.ts';

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
    expect(rows[0]?.cellOf('shipping_address.ward')).toBe('line 2');
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
    ['o.csv', 'external_id,external_id\nA,b\n', 'is there twice'],
    ['o.json', '[{"external_id":"A"},{"external_id":]', 'entry 2'],
    ['o.json', '[{"external_id":"A"}', 'not closed'],
    ['o.jsonl', '{"external_id":"A"}\n{', 'line 2'],
    ['o.yaml', 'a: [', 'at line'],
    ['o.docx', 'a', 'does not tell the format'],
  ])('refuses %s with %j: %s', async (name, content, message) => {
    await expect(read(name, content)).rejects.toThrow(message);
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
    ['lines.product_id', '1234567890123456789', '1234567890123456789'],
    ['lines.0.quantity', '3', 3],
  ])('of %s reads %j', async (column, cell, expected) => {
    const { value, faults } = await one(column, cell);
    expect(faults).toEqual([]);
    expect(Object.values((value.lines as object[])[0] ?? {})).toEqual([expected]);
  });

  it.each([
    ['lines.retail_price', '1.35'],
    ['lines.retail_price', '450k'],
    ['lines.quantity', '1,5'],
    ['lines.product_id', '8.93603E+17'],
    ['shipping_address.phone', '9.12E+8'],
    ['external_code', '1,23457E+15'],
    ['shipping.try_on', 'maybe'],
    ['shipping.include_insurance', 'perhaps'],
  ])('of %s refuses %j, and names it', async (column, cell) => {
    const { faults } = await one(column, cell);
    expect(faults).toMatchObject([{ cell: `line 2, column ${column}`, value: cell }]);
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
