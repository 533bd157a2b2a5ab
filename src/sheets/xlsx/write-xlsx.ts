import { strToU8, zipSync } from 'fflate';
import type { Cell } from '../formats/sheet.ts';
import { columnLetters } from './column-letters.ts';

/** The most characters in a spreadsheet cell. */
const mostCharacters = 32_767;

/** The most lines in a sheet, including its header. */
const mostLines = 1_048_576;

/**
 * Text in a workbook's XML: a character that XML cannot represent is written as `_x0007_`, and so is the start of a
 * text that already looks like that (ECMA-376, ST_Xstring).
 */
function escaped(text: string): string {
  return text
    .replaceAll(/_(?=x[\dA-F]{4}_)/gi, '_x005F_')
    .replaceAll(
      /[\x00-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** One cell: numbers that a spreadsheet keeps exactly stay numbers, and texts stay texts, whatever they look like. */
export function cellXml(cell: Cell, at: string, style: string): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"${style}><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'number' && Number(cell.toPrecision(15)) === cell)
    return `<c r="${at}"${style}><v>${cell}</v></c>`;
  const text = String(cell);
  if (text.length > mostCharacters) {
    throw new RangeError(`a cell of a spreadsheet holds at most ${mostCharacters} characters: write csv or jsonl`);
  }
  return `<c r="${at}" t="inlineStr"${style}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

function rowXml(cells: readonly Cell[], row: number, style = ''): string {
  const inside = cells.map((cell, column) => cellXml(cell, `${columnLetters(column)}${row}`, style)).join('');
  return `<row r="${row}">${inside}</row>`;
}

/** The width of each column in characters: that of its widest cell among the first lines, within bounds. */
function widthsXml(columns: readonly string[], lines: readonly (readonly Cell[])[]): string {
  const first = [columns, ...lines.slice(0, 200)];
  const widths = columns.map((_, column) => {
    const lengths = first.map((cells) => String(cells[column] ?? '').length);
    const width = Math.min(60, Math.max(8, ...lengths) + 2);
    return `<col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`;
  });
  return widths.length === 0 ? '' : `<cols>${widths.join('')}</cols>`;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = 'http://schemas.openxmlformats.org';
const main = `xmlns="${office}/spreadsheetml/2006/main"`;
const relationships = `xmlns="${office}/package/2006/relationships"`;
const relationship = `${office}/officeDocument/2006/relationships`;
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts that are the same in every workbook; style 1 is bold. */
const fixedParts = {
  '[Content_Types].xml': `${head}<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`,
  '_rels/.rels': `${head}<Relationships ${relationships}><Relationship Id="rId1" Type="${relationship}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `${head}<Relationships ${relationships}><Relationship Id="rId1" Type="${relationship}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationship}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${head}<styleSheet ${main}><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
};

/**
 * A workbook with one sheet: a frozen header of column names, and the lines below. Text stays text even if it looks
 * like a number or a formula, and a number with more digits than a spreadsheet keeps becomes text. Throws a RangeError
 * for more lines than a sheet holds, or more text than a cell holds.
 */
export function xlsxOf(columns: readonly string[], lines: readonly (readonly Cell[])[], name = 'Sheet1'): Uint8Array {
  if (lines.length >= mostLines) throw new RangeError(`a sheet holds at most ${mostLines} lines: write csv or jsonl`);
  const rows = lines.map((cells, index) => rowXml(cells, index + 2));
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const views = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`;
  const data = `<sheetData>${rowXml(columns, 1, ' s="1"')}${rows.join('')}</sheetData>`;
  const parts = {
    ...fixedParts,
    'xl/workbook.xml': `${head}<workbook ${main} xmlns:r="${relationship}"><sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet ${main}>${views}${widthsXml(columns, lines)}${data}</worksheet>`,
  };
  const files = Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)]);
  // The zip timestamp is fixed, so that the same lines give the same bytes.
  return zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 2) });
}
