import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { resultNames } from '../../src/batch/result-table.ts';
import { columnLetters } from '../../src/sheets/formats/sheet.ts';
import { readXlsx } from '../../src/sheets/xlsx/read-xlsx.ts';
import { python } from '../support/openpyxl.ts';
import { shopWorld } from '../support/shop-world.ts';
import { orderCells, orderHeader } from './batch-world.ts';

const xml = '<?xml version="1.0" encoding="UTF-8"?>\n';
const text = (at: string, value: string, style = '') =>
  `<c r="${at}" t="inlineStr"${style}><is><t xml:space="preserve">${value}</t></is></c>`;

/** Orders in the second sheet: A-1 with two lines, A-2 and A-3; a day, a formula and a styled blank cell beside them. */
function orderBook(): Uint8Array {
  const header = [...orderHeader, 'ngày', 'tổng'];
  const after = columnLetters(header.length);
  const row = (line: number, cells: readonly string[]) => {
    const own = cells.map((value, column) => text(`${columnLetters(column)}${line}`, value)).join('');
    const day = `<c r="${columnLetters(cells.length)}${line}" s="2"><v>46347.333333333336</v></c>`;
    const sum = `<c r="${columnLetters(cells.length + 1)}${line}"><f>1+${line}</f><v>${line + 1}</v></c>`;
    return `<row r="${line}" spans="1:${header.length}" ht="30" customHeight="1">${own}${day}${sum}<c r="${after}${line}" s="1"/></row>`;
  };
  const titles = header.map((name, column) => text(`${columnLetters(column)}3`, name, ' s="1"')).join('');
  const second = orderCells(1);
  second[orderHeader.indexOf('lines.product_name')] = 'Mũ &amp; nón';
  const rows = [
    `<row r="3">${titles}</row>`,
    row(4, orderCells(1)),
    row(5, second),
    row(7, orderCells(2)),
    row(8, orderCells(3)),
  ].join('');
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const sheet = (inside: string) => strToU8(`${xml}<worksheet ${main}>${inside}</worksheet>`);
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${types}.${type}+xml"/>`;
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${office}/${type}" Target="${target}"/>`;
  const relations = (inside: string) =>
    strToU8(
      `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`,
    );
  return zipSync({
    '[Content_Types].xml': strToU8(
      `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('workbook', 'sheet.main')}${part('worksheets/sheet1', 'worksheet')}${part('worksheets/sheet2', 'worksheet')}${part('styles', 'styles')}</Types>`,
    ),
    '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': strToU8(
      `${xml}<workbook ${main} xmlns:r="${office}"><sheets><sheet name="Hướng dẫn" sheetId="1" r:id="rId1"/><sheet name="Đơn hàng" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relations(
      relation(1, 'worksheet', 'worksheets/sheet1.xml') +
        relation(2, 'worksheet', 'worksheets/sheet2.xml') +
        relation(3, 'styles', 'styles.xml'),
    ),
    'xl/worksheets/sheet1.xml': sheet(`<sheetData><row r="1">${text('A1', 'Đọc trước')}</row></sheetData>`),
    'xl/worksheets/sheet2.xml': sheet(
      `<dimension ref="A3:${after}8"/><cols><col min="1" max="1" width="40" customWidth="1"/></cols><sheetData>${rows}</sheetData><autoFilter ref="A3:B8"/>`,
    ),
    'xl/styles.xml': strToU8(
      `${xml}<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/></font><font><b/><sz val="14"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ),
  });
}

/** What another program finds in a workbook: each sheet's cells with their formats. */
function seenElsewhere(path: string) {
  const script = `
import openpyxl, json, sys
wb = openpyxl.load_workbook(sys.argv[1])
print(json.dumps({ws.title: {c.coordinate: [str(c.value), c.number_format, c.font.b] for row in ws.iter_rows() for c in row if c.value is not None} for ws in wb}))`;
  const { stdout, stderr } = spawnSync(python ?? 'python3', ['-c', script, path], { encoding: 'utf8' });
  expect(stderr).not.toContain('Traceback');
  const sheets: Record<string, Record<string, [string, string, boolean | null]>> = JSON.parse(stdout);
  return sheets;
}

async function readBack(path: string) {
  const bytes = (async function* () {
    yield readFileSync(path);
  })();
  const sheet = await readXlsx({ name: path, bytes }, { sheet: 'Đơn hàng' });
  const first = orderHeader.length + 2;
  const lines = new Map<number, Record<string, unknown>>();
  for await (const { line, cells } of sheet.lines) {
    lines.set(line, Object.fromEntries(resultNames.map((name, at) => [name, cells[first + at]])));
  }
  return { columns: sheet.columns, lines };
}

async function world(bytes = orderBook()) {
  const { run, directory } = await shopWorld();
  const book = join(directory, 'orders.xlsx');
  writeFileSync(book, bytes);
  const ran = await run(['batch', 'run', book, '--sheet', 'Đơn hàng', '--ignore-columns', '--yes', '-o', 'json']);
  expect([ran.exit, ran.stderr]).toEqual([0, expect.any(String)]);
  const { batch } = JSON.parse(ran.stdout);
  const result = (to: string) => run(['batch', 'result', batch, '--to', join(directory, to), '-o', 'json']);
  return { run, directory, book, batch, result, at: (name: string) => join(directory, name) };
}

/** A sheet's text without the cells of results. */
const partOf = (path: string, part: string) => strFromU8(unzipSync(readFileSync(path))[part] ?? new Uint8Array());

describe('the result of a workbook', () => {
  it('stands in the same columns whichever language it is written in, and is never read as data', async () => {
    const { run, book, batch } = await world();
    const written = async (lang: string) => {
      const { exit } = await run(['batch', 'result', batch, '--to', book], { env: { SHOPCTL_LANG: lang } });
      expect(exit).toBe(0);
      const { columns, lines } = await readBack(book);
      return { titles: columns.slice(orderHeader.length + 2), state: lines.get(4)?.state };
    };
    const vietnamese = await written('vi');
    expect(vietnamese).toEqual({
      titles: ['trạng thái', 'id', 'mã đơn hàng', 'mã vận đơn', 'ĐVVC', 'phí giao hàng', 'mã đơn của shop', 'lỗi'].map(
        (name) => `Kết quả: ${name}`,
      ),
      state: 'xong',
    });
    expect(await written('en')).toEqual({ titles: resultNames.map((name) => `result.${name}`), state: 'done' });
    expect(await written('vi')).toEqual(vietnamese);
    const planned = ['batch', 'plan', book, '--sheet', 'Đơn hàng', '--ignore-columns', '-o', 'json'];
    expect(JSON.parse((await run(planned)).stdout).counts).toMatchObject({ rows: 3, done: 3 });
  });

  it('is that workbook: every part, row and cell as it was, the outcome beside each line', async () => {
    const { book, result, at } = await world();
    const { exit, stdout, stderr } = await result('result.xlsx');
    expect([exit, stderr, JSON.parse(stdout)]).toEqual([0, '', { file: at('result.xlsx'), lines: 4 }]);
    for (const part of Object.keys(unzipSync(readFileSync(book)))) {
      const [before, after] = [partOf(book, part), partOf(at('result.xlsx'), part)];
      if (part !== 'xl/worksheets/sheet2.xml') {
        expect(after).toBe(before);
        continue;
      }
      const first = orderHeader.length + 2;
      const added = new RegExp(
        resultNames.map((_, index) => `<c r="${columnLetters(first + index)}\\d+"[^>/]*(?:/>|>.*?</c>)`).join('|'),
        'g',
      );
      // A column of ours is as wide as what stands in it; those of the workbook stay as wide as they were.
      const widths = [...after.matchAll(/<col min="(\d+)" max="\1" width="(\d+)" customWidth="1"\/>/g)];
      expect(widths.map(([, column]) => Number(column))).toEqual([
        1,
        ...resultNames.map((_, index) => first + index + 1),
      ]);
      expect(widths[2]?.[2]).toBe('21');
      const own = widths.slice(1).reduce((sheet, [col]) => sheet.replace(col, ''), after);
      const bare = (sheet: string) => sheet.replaceAll(added, '').replaceAll(/ spans="[^"]*"|<dimension [^>]*\/>/g, '');
      expect(bare(own)).toBe(bare(before));
    }
    const { columns, lines } = await readBack(at('result.xlsx'));
    expect(columns.slice(-resultNames.length)).toEqual(resultNames.map((name) => `result.${name}`));
    expect([...lines.keys()]).toEqual([4, 5, 7, 8]);
    for (const line of [4, 5, 7, 8])
      expect(lines.get(line)).toMatchObject({ state: 'done', code: expect.stringMatching(/^DH/) });
    expect(lines.get(4)).toMatchObject({ external_id: 'SO-1', fee: expect.any(Number) });
    expect(lines.get(5)).toMatchObject({ external_id: 'SO-1', fee: '', shipping_code: lines.get(4)?.shipping_code });
    expect([lines.get(7), lines.get(8)]).toMatchObject([{ external_id: 'SO-2' }, { external_id: 'SO-3' }]);
  });

  it.skipIf(python === undefined)(
    'opens in another program, with its sheets, dates, formulas and formats',
    async () => {
      const { book, result, at } = await world();
      await result('result.xlsx');
      const [before, after] = [seenElsewhere(book), seenElsewhere(at('result.xlsx'))];
      expect(Object.keys(after)).toEqual(['Hướng dẫn', 'Đơn hàng']);
      for (const [sheet, cells] of Object.entries(before)) expect(after[sheet]).toMatchObject(cells);
      const first = columnLetters(orderHeader.length + 2);
      expect(after['Đơn hàng']?.[`${first}3`]).toEqual(['result.state', 'General', true]);
      expect(after['Đơn hàng']?.[`${first}4`]?.[0]).toBe('done');
    },
  );

  it('has columns as wide as what stands in them where the workbook gives no widths', async () => {
    const files = unzipSync(orderBook());
    const part = 'xl/worksheets/sheet2.xml';
    const without = strFromU8(files[part] ?? new Uint8Array()).replace(/<cols>.*<\/cols>/, '');
    const { result, at } = await world(zipSync({ ...files, [part]: strToU8(without) }));
    await result('result.xlsx');
    const cols = `<cols>(?:<col min="\\d+" max="\\d+" width="\\d+" customWidth="1"/>){${resultNames.length}}</cols>`;
    expect(partOf(at('result.xlsx'), part)).toMatch(new RegExp(`${cols}<sheetData>`));
  });

  it('goes into the same file, and again, without columns of its own for each time', async () => {
    const { result, at, book } = await world();
    expect((await result('orders.xlsx')).exit).toBe(0);
    const once = readFileSync(book);
    expect((await result('orders.xlsx')).exit).toBe(0);
    expect(partOf(book, 'xl/worksheets/sheet2.xml')).toBe(
      strFromU8(unzipSync(once)['xl/worksheets/sheet2.xml'] ?? new Uint8Array()),
    );
    expect((await readBack(at('orders.xlsx'))).columns.filter((name) => name === 'result.state')).toHaveLength(1);
  });

  it('marks as text what a spreadsheet would run, once, with a style of its own behind all others', async () => {
    const { run, directory } = await shopWorld();
    const at = (name: string) => join(directory, name);
    const parts = unzipSync(orderBook());
    const sheet = strFromU8(parts['xl/worksheets/sheet2.xml'] ?? new Uint8Array()).replaceAll('SO-2', '=1+1');
    writeFileSync(at('orders.xlsx'), zipSync({ ...parts, 'xl/worksheets/sheet2.xml': strToU8(sheet) }));
    const words = ['--sheet', 'Đơn hàng', '--ignore-columns', '--yes', '-o', 'json'];
    const ran = await run(['batch', 'run', at('orders.xlsx'), ...words]);
    for (const _ of ['once', 'again']) {
      const reported = await run(['batch', 'result', JSON.parse(ran.stdout).batch, '--to', at('orders.xlsx')]);
      expect([reported.exit, reported.stderr]).toEqual([0, '']);
    }
    const { lines } = await readBack(at('orders.xlsx'));
    expect(lines.get(7)).toMatchObject({ external_id: '=1+1' });
    const after = partOf(at('orders.xlsx'), 'xl/worksheets/sheet2.xml');
    const name = columnLetters(orderHeader.length + 2 + resultNames.indexOf('external_id'));
    expect(after).toContain(`<c r="${name}7" t="inlineStr" s="3">`);
    expect(after).not.toContain(`<c r="${name}4" t="inlineStr" s=`);
    const styles = partOf(at('orders.xlsx'), 'xl/styles.xml');
    expect(styles.match(/quotePrefix/g)).toHaveLength(1);
    expect(styles).toContain('applyNumberFormat="1"/><xf xfId="0" quotePrefix="1"/></cellXfs>');
    if (python !== undefined) expect(seenElsewhere(at('orders.xlsx'))['Đơn hàng']?.[`${name}7`]?.[0]).toBe('=1+1');
  });

  it('is a table alone, and says so, where the workbook no longer exists', async () => {
    const { result, at, book } = await world();
    rmSync(book);
    const { exit, stderr } = await result('result.xlsx');
    expect([exit, stderr]).toEqual([0, expect.stringContaining(`the workbook ${book} no longer exists`)]);
    expect(Object.keys(unzipSync(readFileSync(at('result.xlsx'))))).not.toContain('xl/worksheets/sheet2.xml');
  });

  it('is a table alone where the workbook can no longer be read', async () => {
    const { result, at, book } = await world();
    writeFileSync(book, 'Mã,Tên');
    const { exit, stderr } = await result('result.xlsx');
    expect([exit, stderr]).toEqual([0, expect.stringContaining(`the workbook ${book} can no longer be read`)]);
    expect(Object.keys(unzipSync(readFileSync(at('result.xlsx'))))).toContain('xl/worksheets/sheet1.xml');
  });

  it('is a table alone where the workbook has other lines now, and never replaces that workbook by it', async () => {
    const { result, book } = await world();
    const parts = unzipSync(readFileSync(book));
    const sheet = partOf(book, 'xl/worksheets/sheet2.xml').replace('Khách 2', 'Khách khác');
    writeFileSync(book, zipSync({ ...parts, 'xl/worksheets/sheet2.xml': strToU8(sheet) }));
    const changed = readFileSync(book);
    const apart = await result('result.xlsx');
    expect([apart.exit, apart.stderr]).toEqual([0, expect.stringContaining('has other lines now')]);
    const inPlace = await result('orders.xlsx');
    expect([inPlace.exit, inPlace.stderr]).toEqual([2, expect.stringContaining('do not fit in it')]);
    expect(readFileSync(book)).toEqual(changed);
  });
});
