import { expect, test } from 'vitest';
import { guard, unguard } from '../../../src/domain/csv-guard.ts';
import { textInCell } from '../../../src/sheets/formats/records-as-lines.ts';
import { fc } from '../../support/fast-check.ts';
import { anything, orders, printedList, printedRecord } from './orders.ts';

/** RFC 4180, read strictly. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  let row: string[] = [];
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    const [, raw = '', separator] = match;
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (separator === ',') continue;
    rows.push(row);
    row = [];
    if (cell.lastIndex === text.length) return rows;
  }
  expect(text).toBe('');
  return rows;
}

test('a list is a header of paths and a row each, as the wire spells the values', async () => {
  expect(await printedList(orders, { format: 'csv' })).toBe(
    [
      'id,full_name,status,total_amount,created_at,deleted',
      `1234567890123456789,${orders[0]?.full_name},Z,1380000,2026-01-31T01:00:00Z,false`,
      `9007199254740993,${orders[1]?.full_name},NS,-5,,true`,
      '',
    ].join('\r\n'),
  );
});

test('a record is a header and one row; a list without rows its header', async () => {
  expect(await printedRecord({ id: '1' }, { format: 'csv', fields: ['id'] })).toBe('id\r\n1\r\n');
  expect(await printedList([], { format: 'csv', fields: ['id', 'shipping.cod_amount'] })).toBe(
    'id,shipping.cod_amount\r\n',
  );
  expect(await printedList([], { format: 'csv' }, anything)).toBe('');
});

test('nested values are compact JSON, quoted', async () => {
  expect(await printedList([{ a: { b: [1] } }], { format: 'csv' }, anything)).toBe('a\r\n"{""b"":[1]}"\r\n');
});

test('what a path finds in a list is one text, and a list of texts that can be told apart likewise', async () => {
  const rows = [
    { parcels: [{ code: 'GR1' }], tags: ['a', 'b'] },
    { parcels: [{ code: 'GR2' }, { code: 'GR3' }], tags: ['a|b', 'c'] },
    { parcels: [{ code: null }], tags: [] },
  ];
  expect(await printedList(rows, { format: 'csv', fields: ['parcels.code', 'tags'] }, anything)).toBe(
    'parcels.code,tags\r\nGR1,a | b\r\nGR2 | GR3,"[""a|b"",""c""]"\r\n,\r\n',
  );
});

test('a formula is guarded, a plain number and a guarded-looking word are not broken', async () => {
  const cells = ['=1+1', '+84912345678', '-5', '-5+2', '@x', "'tis", "'=x", '＝1', '\t=1', '-5.25', 'a=b'];
  expect(cells.map(guard)).toEqual([
    "'=1+1",
    "'+84912345678",
    '-5',
    "'-5+2",
    "'@x",
    "''tis",
    "''=x",
    "'＝1",
    "'\t=1",
    '-5.25',
    'a=b',
  ]);
  expect(cells.map(guard).map(unguard)).toEqual(cells);
  expect(await printedList([{ a: '=1' }, { a: -5 }], { format: 'csv' }, anything)).toBe("a\r\n'=1\r\n-5\r\n");
  expect(await printedList([{ a: '=1' }], { format: 'csv', csvGuard: false }, anything)).toBe('a\r\n=1\r\n');
});

const cellText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      "'",
      '"',
      ',',
      '\t',
      '\r',
      '\n',
      ' ',
      '1',
      'ễ',
      '\\',
      'x1b',
      'u202e',
      '\u001b',
      '\u202e',
      '\u2028',
    ),
  }),
);

test('what the guard did can be undone, and no guarded cell is a formula', () => {
  fc.assert(
    fc.property(cellText, (text) => {
      expect(unguard(guard(text))).toBe(text);
      expect(guard(text)).not.toMatch(/^(?!-\d)[=+\-@\t\r\n]/);
    }),
  );
});

test('every cell reads back through RFC 4180 and the guard', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cellText, cellText), { minLength: 1 }), async (pairs) => {
      const rows = pairs.map(([a, b]) => ({ a, b }));
      const [header, ...body] = parseCsv(await printedList(rows, { format: 'csv' }, anything));
      expect(header).toEqual(['a', 'b']);
      expect(body.map((cells) => cells.map(textInCell))).toEqual(rows.map(({ a, b }) => [a, b]));
      const [, ...lone] = parseCsv(await printedList(rows, { format: 'csv', fields: ['a'] }, anything));
      expect(lone.map(([cell = '']) => textInCell(cell))).toEqual(rows.map(({ a }) => a));
    }),
    { numRuns: 200 },
  );
});

test('for Excel it begins with a byte order mark, and ids and phones keep their digits', async () => {
  const rows = [{ id: '2793025821764000883', phone: '0901234567', note: '=1+1', total: 2447000, name: 'Lê Vân' }];
  const text = await printedList(rows, { format: 'csv', forExcel: true }, anything);
  const [header, cells] = parseCsv(text.slice(1));
  expect(text.charCodeAt(0)).toBe(0xfeff);
  expect(header).toEqual(['id', 'phone', 'note', 'total', 'name']);
  expect(cells).toEqual(['="2793025821764000883"', '="0901234567"', "'=1+1", '2447000', 'Lê Vân']);
  expect(cells?.map(unguard)).toEqual(['2793025821764000883', '0901234567', '=1+1', '2447000', 'Lê Vân']);
});
