import { expect, it } from 'vitest';
import { orderRequest } from '../../src/contract/records/order.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { valueAt } from '../../src/domain/json/values.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import type { Cell } from '../../src/sheets/formats/sheet.ts';
import type { SourceRow } from '../../src/sheets/source-row.ts';
import { sourceRows } from '../../src/sheets/source-rows.ts';
import { xlsxOf } from '../../src/sheets/xlsx/write-xlsx.ts';
import { fc } from '../support/fast-check.ts';

/** `SHOPCTL_TEST_SHEETS=10000 npx vitest run test/sheets/random-sheets.test.ts` for a long run. */
const sheets = Number(process.env.SHOPCTL_TEST_SHEETS ?? 400);

/** A text as it is typed: outer blanks, the kind of line ends and the form of accents do not count. */
const typed = (cell: Cell) =>
  String(cell ?? '')
    .replaceAll(/\r\n?/g, '\n')
    // Nobody sees it.
    .replaceAll('\u200b', '')
    .trim()
    .normalize('NFC');
const digits = (text: string) => text.replaceAll(/\D/g, '').replace(/^0+(?=.)/, '');

/** Whether what was read is what the cell says, judged without the reader's own code. */
type Judge = (read: unknown, text: string, noted: boolean) => boolean;
const sameText: Judge = (read, text) => read === text;
const sameNumber: Judge = (read, text) => {
  if (!Number.isSafeInteger(read)) return false;
  if (/^\d+k$/.test(text)) return read === Number(text.slice(0, -1)) * 1000;
  const forms = [text, text.replace(/[.,]0{1,2}(?=\D*$)/, '')].map(digits);
  return forms.includes(digits(String(read))) && Number(read) < 0 === (text.includes('-') && Number(read) !== 0);
};

/** Columns of every kind that there is. */
const judges: Readonly<Record<string, Judge>> = {
  order_note: sameText,
  external_code: sameText,
  'shipping_address.full_name': sameText,
  'shipping_address.address1': sameText,
  'lines.product_name': sameText,
  total_items: sameNumber,
  basket_value: sameNumber,
  'shipping.cod_amount': sameNumber,
  'shipping.gross_weight': sameNumber,
  'shipping_address.phone': (read, text, noted) =>
    read === text || (noted && digits(text).endsWith(digits(String(read)))),
  'shipping.include_insurance': (read, text) =>
    (read === true ? /^(?:true|yes|có|co|x|1)$/i : /^(?:false|no|không|khong|0)$/i).test(text),
  'shipping.try_on': (read, text) => typeof read === 'string' && read.toLowerCase() === text.toLowerCase(),
};

const cell = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 25 }) },
  { weight: 2, arbitrary: fc.nat(2_000_000_000).map(String) },
  fc.constantFrom('', ' ', '-', '1.350.000', '1,350,000 ₫', '450k', '1.35', '2.00', '-5', '1e5', '8.93603E+17', '0x1F'),
  fc.constantFrom('0901234567', '+84 901 234 567', '901234567', '84901234567', 'call me', '0901234567/0907654321'),
  fc.constantFrom(
    'Nguyễn Thị Ánh Tuyết',
    'có',
    'x',
    'false',
    'OPEN',
    'none',
    '=1+1',
    "'=1",
    '"',
    'a;b,c\td',
    'dòng\r\nhai',
  ),
  fc.constantFrom(
    '9123456789012345678',
    '007',
    '1234567890123456',
    '__proto__',
    'constructor',
    'null',
    '\u00a0',
    '\u200b',
  ),
);
const table = fc.subarray(Object.keys(judges), { minLength: 2 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    lines: fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), { maxLength: 12 }),
  }),
);
const style = fc.record({
  format: fc.constantFrom('csv', 'csv', 'tsv', 'xlsx', 'jsonl', 'json'),
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  encoding: fc.constantFrom('utf8', 'marked', 'utf16le', 'utf16be'),
  quotesAll: fc.boolean(),
  lastLineEnd: fc.boolean(),
  pieces: fc.integer({ min: 1, max: 400 }),
});
type Table = { columns: readonly string[]; lines: readonly (readonly string[])[] };
type Manner = typeof style extends fc.Arbitrary<infer Of> ? Of : never;

function nested(columns: readonly string[], line: readonly string[]): object {
  const record: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    const [head = '', rest] = column.split('.');
    if (rest === undefined) record[head] = line[index];
    else if (head === 'lines') record[head] = [{ [rest]: line[index] }];
    else record[head] = { ...(record[head] as object), [rest]: line[index] };
  });
  return record;
}

/** The file as another program writes it. */
function written(
  { columns, lines }: Table,
  { format, lineEnd, quotesAll, lastLineEnd, encoding, ...rest }: Manner,
): Uint8Array {
  if (format === 'xlsx') return xlsxOf(columns, lines);
  const records = lines.map((line) => nested(columns, line));
  if (format === 'json') return Buffer.from(JSON.stringify(records));
  const delimiter = format === 'tsv' ? '\t' : rest.delimiter;
  const quoted = (text: string) =>
    quotesAll || /["\r\n,;\t]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
  const rows =
    format === 'jsonl'
      ? records.map((record) => JSON.stringify(record))
      : [columns, ...lines].map((line) => line.map(quoted).join(delimiter));
  const text = rows.join(lineEnd) + (lastLineEnd ? lineEnd : '');
  if (encoding === 'utf16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (encoding === 'utf16be') return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  return Buffer.from(encoding === 'marked' ? `\uFEFF${text}` : text);
}

async function read(format: string, bytes: Uint8Array, pieces: number): Promise<SourceRow[]> {
  async function* inPieces() {
    for (let at = 0; at < bytes.length; at += pieces) yield bytes.subarray(at, at + pieces);
  }
  const sheet = await sheetFormatOf(`o.${format}`).read({ name: `o.${format}`, bytes: inPieces() }, {});
  const { rows } = sourceRows(sheet, {
    schema: jsonSchema(orderRequest),
    shown: [],
    ignored: [],
    nameFields: [],
    blankClears: false,
    command: 'orders create',
    places: async () => locationTree,
  });
  const all: SourceRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** Every cell is read as what it says, or named; none is left out, and none appears. */
function judge({ columns, lines }: Table, format: string, rows: readonly SourceRow[]): void {
  const isTable = !format.startsWith('json');
  // Nobody misses a line of blanks; a sentence that stands alone is a note.
  const isNote = (line: readonly string[]) => {
    const [text = '', ...others] = line.map((one) => one.trim()).filter((one) => one !== '');
    return others.length === 0 && columns.length > 2 && /^\D*\p{L}{2}\D*$/u.test(text);
  };
  const isKept = (line: readonly string[]) => line.some((text) => text.trim() !== '') && !isNote(line);
  const kept = isTable ? lines.filter(isKept) : lines;
  expect(rows).toHaveLength(kept.length);
  rows.forEach((row, index) => {
    columns.forEach((column, place) => {
      const own = typed(kept[index]?.[place] ?? '');
      // A mark before what a spreadsheet would run is ours, and is taken away again.
      const text =
        format === 'csv' || format === 'tsv'
          ? typed((kept[index]?.[place] ?? '').replace(/^'(?=\s*[=+\-@'])/, ''))
          : own;
      const [found] = [valueAt(row.value, column)].flat();
      const at = [column, column.replace(/^lines\./, 'lines[0].')].map((path) => row.cellOf(path));
      const isNamed = (faults: SourceRow['faults']) =>
        faults.some(({ cell }) => at.includes(cell) || cell.includes(column));
      if (isNamed(row.faults)) return;
      if (text === '' && (found === undefined || found === '' || typed(String(found)) === '')) return;
      const isSame = judges[column]?.(found, text, isNamed(row.notes)) === true;
      expect({ format, column, own, found, isSame }).toEqual({ format, column, own, found, isSame: true });
    });
  });
}

const isRefusal = (error: unknown) => (error as { kind?: unknown }).kind === 'usage';

it(
  'never crash the reader, nor is a value of them changed silently',
  async () => {
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(table, style, async (content, how) => {
        const rows = await read(how.format, written(content, how), how.pieces).catch((error) => {
          if (isRefusal(error)) return undefined;
          throw error;
        });
        if (rows === undefined) return;
        whole += 1;
        judge(content, how.format, rows);
      }),
      { numRuns: sheets },
    );
    // Most are read: a reader that refuses everything would change nothing either.
    expect(whole).toBeGreaterThan(sheets * 0.8);
  },
  Math.max(60_000, sheets * 60),
);

it(
  'are read or refused in words where their bytes are damaged',
  async () => {
    const damage = fc.record({
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
      bytes: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(255)), {
        maxLength: 5,
      }),
    });
    await fc.assert(
      fc.asyncProperty(table, style, damage, async (content, how, { cut, bytes }) => {
        const file = Uint8Array.from(written(content, how));
        for (const [at, byte] of bytes) file[Math.floor(at * file.length)] = byte;
        const damaged = cut > 0.7 ? file.subarray(0, Math.floor(cut * file.length)) : file;
        await read(how.format, damaged, how.pieces).catch((error) => {
          if (!isRefusal(error)) throw error;
        });
      }),
      { numRuns: Math.ceil(sheets / 4) },
    );
  },
  Math.max(60_000, sheets * 60),
);
