import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Account } from '../../src/sheets/account/account.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import type { Cell, SheetLine } from '../../src/sheets/formats/sheet.ts';
import { columnLetters } from '../../src/sheets/formats/sheet.ts';
import { readXlsx } from '../../src/sheets/xlsx/read-xlsx.ts';
import { workbookOf, xlsxOf } from '../../src/sheets/xlsx/write-xlsx.ts';
import { fc } from '../support/fast-check.ts';
import { python } from '../support/openpyxl.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'shopctl-xlsx-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function* bytesOf(content: Uint8Array) {
  yield content;
}

async function read(content: Uint8Array, sheet?: string) {
  const table = await readXlsx({ name: 'orders.xlsx', bytes: bytesOf(content) }, { sheet });
  const lines: SheetLine[] = [];
  for await (const line of table.lines) lines.push(line);
  return { columns: table.columns, lines, cellName: table.cellName, tab: table.tab };
}

/** Runs a script with `wb`, a new workbook, and `ws`, its sheet; answers the file. */
function madeElsewhere(script: string): Uint8Array {
  const path = join(directory, 'made.xlsx');
  const program = `import openpyxl, datetime\nwb = openpyxl.Workbook(); ws = wb.active\n${script}\nwb.save(${JSON.stringify(path)})`;
  execFileSync(python ?? 'python3', ['-c', program]);
  return readFileSync(path);
}

it('has another program to compare with where the tests of the whole project run', () => {
  expect(python !== undefined || process.env.CI === undefined).toBe(true);
});

describe.skipIf(python === undefined)('a workbook that another program made', () => {
  it('is read with its texts, numbers, days and truth values', async () => {
    const file = madeElsewhere(`
ws.title = 'Đơn & hàng'
ws.append(['external_id', 'phone', 'amount', 'share', 'day', 'when', 'flag', 'text'])
ws.append(['A-1', '0901234567', 1350000, 0.35, datetime.date(2026, 11, 21), datetime.datetime(2026, 11, 21, 8, 30), True, '007'])
ws['D2'].number_format = '0%'`);
    const { columns, lines, cellName } = await read(file);
    expect(columns).toEqual(['external_id', 'phone', 'amount', 'share', 'day', 'when', 'flag', 'text']);
    expect(lines).toEqual([
      {
        line: 2,
        cells: ['A-1', '0901234567', 1350000, 0.35, '2026-11-21', '2026-11-21T08:30:00', true, '007'],
        days: [4, 5],
        shown: new Map([[3, '35%']]),
      },
    ]);
    expect(cellName(2, 7)).toBe('Đơn & hàng!H2');
  });

  it('keeps the numbers of its lines over blank ones, hidden columns and merged cells', async () => {
    const file = madeElsewhere(`
ws.append(['external_id', 'phone'])
ws.append([])
ws.append(['M-1', '1'])
ws.append([None, '2'])
ws.merge_cells('A3:A4')
ws.column_dimensions['B'].hidden = True`);
    const { lines } = await read(file);
    expect(lines).toEqual([
      { line: 3, cells: ['M-1', '1'] },
      { line: 4, cells: ['', '2'], merged: new Map([[0, { cell: 'Sheet!A3', text: 'M-1' }]]) },
    ]);
  });

  it('has the sheet that is named, the first one otherwise, and tells which there are', async () => {
    const file = madeElsewhere(`
ws.title = 'first'
ws.append(['a'])
wb.create_sheet('second').append(['b'])`);
    expect((await read(file)).columns).toEqual(['a']);
    expect((await read(file, 'second')).columns).toEqual(['b']);
    await expect(read(file, 'third')).rejects.toThrow('has no sheet third: there are first, second');
  });

  it('asks which sheet is meant where several have rows under a header that is known, unless one was asked for', async () => {
    const orders = { columns: ['external_id', 'note'], lines: [['A', 'x']] };
    const tabs = [
      { name: 'T1', ...orders },
      { name: 'Hướng dẫn', columns: ['Cách dùng'], lines: [['x']] },
      { name: 'T2', ...orders },
      { name: 'Mẫu', ...orders, lines: [] },
      { name: 'T3', ...orders },
    ];
    const score = (cells: readonly Cell[]) => cells.filter((cell) => cell === 'external_id' || cell === 'note').length;
    const reported = async (some: typeof tabs, sheet?: string) => {
      const source = { name: 'orders.xlsx', bytes: bytesOf(workbookOf(some)) };
      const account = new Account();
      await readXlsx(source, { score, sheet, account });
      return [account.questions.flatMap(({ subjects }) => subjects.map(({ name }) => name)), account.sheetsInWords];
    };
    const guide = '"Hướng dẫn" (no header that is known)';
    const empty = '"Mẫu" (no rows below its header)';
    const other = 'another sheet is read';
    expect(await reported(tabs)).toEqual([
      ['T1', 'T2', 'T3'],
      [`sheet "T1" is read, and not ${guide}, "T2" (${other}), ${empty}, "T3" (${other})`],
    ]);
    expect((await reported(tabs.slice(1)))[0]).toEqual(['T2', 'T3']);
    expect(await reported(tabs.slice(0, 2))).toEqual([[], [`sheet "T1" is read, and not ${guide}`]]);
    expect(await reported(tabs.slice(3, 4))).toEqual([[], ['sheet "Mẫu" is read']]);
    expect((await reported(tabs, 'T2'))[0]).toEqual([]);
  });

  it('is refused where a formula has no result, by the names of the cells; an error stands in its cell', async () => {
    const formula = madeElsewhere(`
ws.append(['a', 'b'])
ws.append([1, '=1+1'])
ws.append([2, '=SUM(A2:A3)'])`);
    await expect(read(formula)).rejects.toThrow(
      'Sheet!B2 has a formula without its result, Sheet!B3 has a formula without its result',
    );
    const spoilt = madeElsewhere(`
ws.append(['a', 'b'])
ws.append([1, '#N/A'])
ws['B2'].data_type = 'e'`);
    expect((await read(spoilt)).lines.map(({ cells }) => cells)).toEqual([[1, '#N/A']]);
  });

  it('counts the results that its formulas kept: numbers, texts and days', async () => {
    const file = unzipSync(
      madeElsewhere(`
ws.append(['a', 'b', 'c'])
ws.append(['=1+1', '=UPPER("x")', '=DATE(2026,11,21)'])
ws['C2'].number_format = 'yyyy-mm-dd'`),
    );
    const sheet = 'xl/worksheets/sheet1.xml';
    const kept: Readonly<Record<string, string>> = { A2: '2', B2: 'X', C2: '46347' };
    const xml = new TextDecoder()
      .decode(file[sheet])
      .replaceAll(/(<c r="(\w+)")([^>]*>)(<f>[^<]*<\/f>)<v\s*\/?>(?:<\/v>)?/g, (_, start, cell, rest, formula) => {
        return `${start}${cell === 'B2' ? ' t="str"' : ''}${rest}${formula}<v>${kept[cell]}</v>`;
      });
    const { lines } = await read(zipSync({ ...file, [sheet]: strToU8(xml) }));
    expect(lines).toEqual([{ line: 2, cells: [2, 'X', '2026-11-21'], days: [2] }]);
  });

  it('gives the whole text of a cell that is written in several fonts, and of a hidden line and sheet', async () => {
    const file = unzipSync(
      madeElsewhere(`
ws.append(['name', 'note'])
ws.append(['two fonts', 'x'])
ws.append(['hidden', 'y'])
ws.row_dimensions[3].hidden = True
wb.create_sheet('other').append(['z'])
wb['other'].sheet_state = 'hidden'`),
    );
    const runs = '<r><t xml:space="preserve">Áo </t></r><r><rPr><b/></rPr><t>đỏ</t></r>';
    // Some versions write texts into the cells, others into a part of their own.
    const inFonts = Object.entries(file).map(([path, bytes]): [string, Uint8Array] => {
      const text = new TextDecoder().decode(bytes);
      return [path, text.includes('<t>two fonts</t>') ? strToU8(text.replace('<t>two fonts</t>', runs)) : bytes];
    });
    expect(inFonts.filter(([path, bytes]) => bytes !== file[path])).toHaveLength(1);
    const { columns, lines } = await read(zipSync(Object.fromEntries(inFonts)));
    expect(lines.map(({ isHidden }) => isHidden)).toEqual([undefined, true]);
    expect([columns, lines.map(({ cells }) => cells)]).toEqual([
      ['name', 'note'],
      [
        ['Áo đỏ', 'x'],
        ['hidden', 'y'],
      ],
    ]);
  });

  it('is read from the first sheet that is shown, and marks the lines that a filter hides', async () => {
    const file = madeElsewhere(`
ws.title = 'last year'
ws.append(['name'])
ws.append(['old'])
ws.sheet_state = 'veryHidden'
shown = wb.create_sheet('today')
for name in ['name', 'a', 'b', 'c', 'd', 'e', 'f', 'g']: shown.append([name])
for row in range(2, 9): shown.row_dimensions[row].hidden = True
shown.row_dimensions[9].hidden = True
wb.active = 1`);
    const { tab, lines } = await read(file);
    expect([tab, lines.map(({ isHidden }) => isHidden)]).toEqual(['today', Array.from({ length: 7 }, () => true)]);
    expect(await read(file, 'last year')).toMatchObject({ tab: 'last year', lines: [{ cells: ['old'] }] });
  });

  it('shows a number of 16 digits or more as a number, so that it can be refused', async () => {
    const { lines } = await read(madeElsewhere("ws.append(['id'])\nws.append([8936030000000000123])"));
    expect(typeof lines[0]?.cells[0]).toBe('number');
    expect(Number.isSafeInteger(lines[0]?.cells[0])).toBe(false);
  });

  it('is what we write: texts stay texts, with all their digits', async () => {
    const path = join(directory, 'ours.xlsx');
    const cells = ['0901234567', '9123456789012345678', '=1+1', 'Ưỡng “x”\nline', 12.5];
    writeFileSync(path, xlsxOf(['phone', 'id', 'formula', 'name', 'fee'], [cells], 'Đơn'));
    const program = `import openpyxl, json, sys; ws = openpyxl.load_workbook(sys.argv[1])['Đơn']; print(json.dumps([[c.value for c in r] for r in ws.rows]))`;
    const seen = JSON.parse(execFileSync(python ?? 'python3', ['-c', program, path], { encoding: 'utf8' }));
    expect(seen).toEqual([['phone', 'id', 'formula', 'name', 'fee'], cells]);
  });
});

describe.skipIf(python === undefined)('a text that a spreadsheet saved', () => {
  it.each([
    ['"Unicode text" (UTF-16 with a mark, tabs)', 'orders.txt', 'utf-16', '\\t', '\\r\\n'],
    ['"CSV UTF-8"', 'orders.csv', 'utf-8-sig', ',', '\\r\\n'],
    ['csv of a country whose list mark is ;', 'orders.csv', 'utf-8-sig', ';', '\\r\\n'],
  ])('as %s is read', async (_, name, encoding, delimiter, end) => {
    const path = join(directory, name);
    const program = `
import csv
with open(${JSON.stringify(path)}, 'w', encoding='${encoding}', newline='') as file:
    out = csv.writer(file, delimiter='${delimiter}', lineterminator='${end}')
    out.writerow(['external_id', 'phone', 'note'])
    out.writerow(['A-1', '0901234567', 'Nguyễn "Lan"; 12, ngõ 5\\nHà Nội'])
    out.writerow(['9123456789012345678', '', 'ư'])`;
    execFileSync(python ?? 'python3', ['-c', program]);
    const table = await sheetFormatOf(name).read({ name, bytes: bytesOf(readFileSync(path)) }, {});
    if (table.kind !== 'table') throw new Error('no table');
    const lines: (readonly Cell[])[] = [];
    for await (const { cells } of table.lines) lines.push(cells);
    expect([table.columns, lines]).toEqual([
      ['external_id', 'phone', 'note'],
      [
        ['A-1', '0901234567', 'Nguyễn "Lan"; 12, ngõ 5\nHà Nội'],
        ['9123456789012345678', '', 'ư'],
      ],
    ]);
  });
});

describe('a workbook that is none, or a trap,', () => {
  const sheetXml = (body: string) => `<?xml version="1.0"?><worksheet><sheetData>${body}</sheetData></worksheet>`;

  it('is refused in words: a password, an old kind, another file, nothing', async () => {
    const compound = Buffer.from('d0cf11e0a1b11ae1'.padEnd(1024, '0'), 'hex');
    await expect(read(compound)).rejects.toThrow('has a password, or is an .xls of the old kind');
    for (const content of [strToU8('external_id,phone\n'), new Uint8Array(), strToU8('PK\u0003\u0004 and nothing')]) {
      await expect(read(content)).rejects.toThrow('is not an .xlsx file, or is damaged');
    }
  });

  it('is refused where a part is missing or cut off', async () => {
    const whole = xlsxOf(['a'], [['1']]);
    await expect(read(whole.slice(0, -40))).rejects.toThrow('damaged');
    const { 'xl/worksheets/sheet1.xml': _, ...rest } = unzipSync(whole);
    await expect(read(zipSync(rest))).rejects.toThrow('damaged');
  });

  /** A workbook whose sheet is that long, and is said to be `told` bytes long. */
  function saying(reported: number, length: number): Uint8Array {
    const xml = strToU8(sheetXml(' '.repeat(length)));
    const zip = Buffer.from(zipSync({ ...unzipSync(xlsxOf(['a'], [['1']])), 'xl/worksheets/sheet1.xml': xml }));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(xml.length);
    for (let at = zip.indexOf(size); at >= 0; at = zip.indexOf(size, at + 4)) zip.writeUInt32LE(reported, at);
    return zip;
  }

  it('is refused before it is unpacked where it would fill the memory', async () => {
    await expect(read(saying(600 * 1024 * 1024, 1_000_000))).rejects.toThrow(/would take 600 MiB when unpacked/);
  });

  it('is refused where it lies about its size', async () => {
    await expect(read(saying(100, 3_000_000))).rejects.toThrow('damaged');
  });

  it('never crashes the reader, whatever its bytes are', async () => {
    const whole = xlsxOf(['a', 'b'], [['1', 'x']]);
    const bytes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(bytes, async (changes) => {
        const content = Uint8Array.from(whole);
        for (const [at, byte] of changes) content[at] = byte;
        const kind = await read(content).then(
          () => 'read',
          (error) => (error as { kind?: string }).kind,
        );
        expect(['read', 'usage']).toContain(kind);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what is written', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  const trap = fc.constantFrom('valueOf', '__proto__', '_x000D_', 'a\r\nb', '\u0007', '=1+1', '&lt;', '\ud800x');
  const cell = fc.oneof(text, trap, fc.integer(), fc.boolean());
  const header = fc.uniqueArray(fc.stringMatching(/^[a-z_.]{1,12}$/), { minLength: 1, maxLength: 6 });
  const table = header.chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      lines: fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), { maxLength: 20 }),
    }),
  );

  it('is read back the same', async () => {
    await fc.assert(
      fc.asyncProperty(table, async ({ columns, lines }) => {
        const back = await read(xlsxOf(columns, lines));
        const kept = lines.filter((cells) => !cells.every((one) => typeof one === 'string' && one.trim() === ''));
        expect(back.columns).toEqual(columns);
        expect(back.lines.map(({ cells }) => cells)).toEqual(kept);
      }),
      { numRuns: 60 },
    );
  });

  it('is text where a spreadsheet would lose digits of a number', async () => {
    const { lines } = await read(xlsxOf(['a'], [[1_234_567_890_123_456], [123_456_789_012_345]]));
    expect(lines.map(({ cells }) => cells[0])).toEqual(['1234567890123456', 123_456_789_012_345]);
  });

  const moments = [
    ['2026-11-22T01:05:03Z', 'Asia/Ho_Chi_Minh', '2026-11-22T08:05:03'],
    ['2026-11-21T20:00:00+02:00', 'UTC', '2026-11-21T18:00:00'],
    ['2026-11-21T17:00:00Z', 'Asia/Ho_Chi_Minh', '2026-11-22'],
    ['2024-02-29T23:59:59Z', 'America/St_Johns', '2024-02-29T20:29:59'],
  ] as const;

  it.each(moments)('shows the moment %s in %s as the date %s', async (moment, timeZone, shown) => {
    const { lines } = await read(
      workbookOf([{ name: 'S', columns: ['at'], lines: [[moment]], kinds: ['moment'], timeZone }]),
    );
    expect(lines.map(({ cells }) => cells)).toEqual([[shown]]);
  });

  it('has dates as numbers, in columns that are declared so and where the text is one', () => {
    const tab = {
      name: 'S',
      columns: ['at', 'day', 'fee', 'text'],
      lines: [
        ['2026-11-22T01:00:00Z', '2026-11-22', 1_350_000, '2026-11-22T01:00:00Z'],
        ['1899-12-30T01:00:00Z', 'Total', 'none', '=1+1'],
      ],
      kinds: ['moment', 'day', 'amount', undefined],
      timeZone: 'Asia/Ho_Chi_Minh',
    } as const;
    const sheet = strFromU8(unzipSync(workbookOf([tab]))['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    // Days since 30 December 1899: 46,348 to 22 November 2026, and 8 of its 24 hours.
    expect(sheet).toContain('<c r="A2" s="3"><v>46348.3333333333</v></c><c r="B2" s="4"><v>46348</v></c>');
    expect(sheet).toContain('<c r="C2" s="2"><v>1350000</v></c><c r="D2" t="inlineStr"><is>');
    expect(sheet.match(/<c r="[ABC]3" t="inlineStr">/g)).toHaveLength(3);
  });

  it('marks a text as text where a spreadsheet would run it once it is edited', () => {
    const cells = ['=1+1', '-2+3', '@SUM(1)', '\t=cmd', '\uff1d1+1', '-5', 'Trà', "'tis"];
    const parts = unzipSync(xlsxOf(['a', ...cells.slice(1).map((_, at) => `c${at}`)], [cells]));
    const text = (path: string) => strFromU8(parts[path] ?? new Uint8Array());
    const styles = [...text('xl/worksheets/sheet1.xml').matchAll(/<c r="[A-Z]2" t="inlineStr"( s="5")?>/g)];
    expect(styles.map(([, style]) => style !== undefined)).toEqual([true, true, true, true, true, false, false, true]);
    const xfs = [...(/<cellXfs.*<\/cellXfs>/.exec(text('xl/styles.xml'))?.[0] ?? '').matchAll(/<xf [^>]*>/g)];
    expect(xfs[5]?.[0]).toContain('quotePrefix="1"');
  });

  it.skipIf(python === undefined)('shows its dates and marked texts to another program', () => {
    const path = join(directory, 'dates.xlsx');
    const tab = {
      name: 'S',
      columns: ['at', 'day', 'text'],
      lines: [['2026-11-22T01:05:03Z', '2026-11-22', '=1+1']],
      kinds: ['moment', 'day'],
      timeZone: 'Asia/Ho_Chi_Minh',
    } as const;
    writeFileSync(path, workbookOf([tab]));
    const program = `import openpyxl, json, sys; r = list(openpyxl.load_workbook(sys.argv[1])['S'].rows)[1]; print(json.dumps([[c.is_date, str(c.value), c.data_type, c.quotePrefix] for c in r]))`;
    const seen = JSON.parse(execFileSync(python ?? 'python3', ['-c', program, path], { encoding: 'utf8' }));
    expect(seen).toEqual([
      [true, '2026-11-22 08:05:03', 'd', false],
      [true, '2026-11-22 00:00:00', 'd', false],
      [false, '=1+1', expect.any(String), true],
    ]);
  });

  it('is refused where a cell cannot hold it', () => {
    expect(() => xlsxOf(['a'], [['x'.repeat(32_768)]])).toThrow('32767 characters');
  });
});

it('names columns as a spreadsheet does', () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
});
