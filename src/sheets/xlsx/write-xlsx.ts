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

function rowXml(cells: readonly Cell[], row: number, styleOf: (column: number) => string = () => ''): string {
  const inside = cells.map((cell, column) => cellXml(cell, `${columnLetters(column)}${row}`, styleOf(column))).join('');
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

/** A sheet of a workbook. */
export interface Tab {
  readonly name: string;
  readonly columns: readonly string[];
  readonly lines: readonly (readonly Cell[])[];
  /** The columns, from 0, whose numbers are shown with thousands separators. */
  readonly amounts?: readonly number[];
  /** Whether it is printed in landscape, as wide as the paper. */
  readonly isWide?: boolean;
}

const part = (path: string, type: string) =>
  `<Override PartName="/xl/${path}" ContentType="${spreadsheet}.${type}+xml"/>`;

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${relationship}/${type}" Target="${target}"/>`;

/** The styles of a workbook: 1 is bold, 2 has thousands separators. */
const styles = `${head}<styleSheet ${main}><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="3" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function tabXml({ columns, lines, amounts = [], isWide = false }: Tab): string {
  if (lines.length >= mostLines) throw new RangeError(`a sheet holds at most ${mostLines} lines: write csv or jsonl`);
  const styleOf = (column: number) => (amounts.includes(column) ? ' s="2"' : '');
  const rows = lines.map((cells, index) => rowXml(cells, index + 2, styleOf));
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const views = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`;
  const data = `<sheetData>${rowXml(columns, 1, () => ' s="1"')}${rows.join('')}</sheetData>`;
  const fit = isWide ? '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' : '';
  const page = isWide ? '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>' : '';
  return `${head}<worksheet ${main}>${fit}${views}${widthsXml(columns, lines)}${data}${page}</worksheet>`;
}

/**
 * A workbook of several sheets, each with a frozen header of column names and the lines below. Text stays text even if
 * it looks like a number or a formula, and a number with more digits than a spreadsheet keeps becomes text. Throws a
 * RangeError for more lines than a sheet holds, or more text than a cell holds.
 */
export function workbookOf(tabs: readonly Tab[]): Uint8Array {
  const numbered = tabs.map((tab, index) => ({ tab, at: index + 1, path: `worksheets/sheet${index + 1}.xml` }));
  const kinds = numbered.map(({ path }) => part(path, 'worksheet')).join('');
  const links = numbered.map(({ at, path }) => relation(`rId${at}`, 'worksheet', path)).join('');
  const sheets = numbered.map(({ tab, at }) => `<sheet name="${escaped(tab.name)}" sheetId="${at}" r:id="rId${at}"/>`);
  const parts = {
    '[Content_Types].xml': `${head}<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('workbook.xml', 'sheet.main')}${kinds}${part('styles.xml', 'styles')}</Types>`,
    '_rels/.rels': `${head}<Relationships ${relationships}>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships ${relationships}>${links}${relation(`rId${tabs.length + 1}`, 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': styles,
    'xl/workbook.xml': `${head}<workbook ${main} xmlns:r="${relationship}"><sheets>${sheets.join('')}</sheets></workbook>`,
    ...Object.fromEntries(numbered.map(({ tab, path }) => [`xl/${path}`, tabXml(tab)])),
  };
  const files = Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)]);
  // The zip timestamp is fixed, so that the same lines give the same bytes.
  return zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 2) });
}

/** A workbook with one sheet, as `workbookOf` makes it. */
export function xlsxOf(columns: readonly string[], lines: readonly (readonly Cell[])[], name = 'Sheet1'): Uint8Array {
  return workbookOf([{ name, columns, lines }]);
}
