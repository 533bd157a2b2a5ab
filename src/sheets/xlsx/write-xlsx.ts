import { strToU8, zipSync } from 'fflate';
import { guard } from '../../domain/csv-guard.ts';
import type { Cell } from '../formats/sheet.ts';
import { columnLetters } from '../formats/sheet.ts';
import { say } from '../texts.ts';
import { serialOf } from './serial-days.ts';

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
    throw new RangeError(say().workbook.longText({ most: mostCharacters }));
  }
  return `<c r="${at}" t="inlineStr"${style}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** Whether a spreadsheet would run the text of a cell as a formula, once somebody edits it. */
export const wouldRun = (cell: Cell): boolean => typeof cell === 'string' && guard(cell) !== cell;

/** The kinds of columns whose numbers are shown in a form of their own. */
export type ColumnKind = 'amount' | 'moment' | 'day';

/** The styles of a workbook by their places in `styles`. */
const styleIndex = { bold: 1, amount: 2, moment: 3, day: 4, quoted: 5 } as const;

/** A cell and its style: dates are the numbers by which spreadsheets know them. */
function styled(cell: Cell, kind: ColumnKind | undefined, timeZone: string): { cell: Cell; style: number } {
  if (typeof cell !== 'string') return { cell, style: kind === undefined || cell === null ? 0 : styleIndex[kind] };
  const serial = kind === undefined || kind === 'amount' ? undefined : serialOf(cell, timeZone);
  if (kind !== undefined && serial !== undefined) return { cell: serial, style: styleIndex[kind] };
  return { cell, style: wouldRun(cell) ? styleIndex.quoted : 0 };
}

function rowXml(cells: readonly Cell[], row: number, as: (cell: Cell, column: number) => ReturnType<typeof styled>) {
  const inside = cells.map((given, column) => {
    const { cell, style } = as(given, column);
    return cellXml(cell, `${columnLetters(column)}${row}`, style === 0 ? '' : ` s="${style}"`);
  });
  return `<row r="${row}">${inside.join('')}</row>`;
}

/** The width of each column in characters: that of its widest cell among the first lines, within bounds. */
export function widthsOf(columns: readonly string[], lines: readonly (readonly Cell[])[]): readonly number[] {
  const first = [columns, ...lines.slice(0, 200)];
  return columns.map((_, column) => {
    const lengths = first.map((cells) => String(cells[column] ?? '').length);
    return Math.min(60, Math.max(8, ...lengths) + 2);
  });
}

function widthsXml(columns: readonly string[], lines: readonly (readonly Cell[])[]): string {
  const widths = widthsOf(columns, lines).map((width, column) => {
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
  /**
   * What the columns hold, where that is more than texts and numbers: amounts have thousands separators; moments (ISO
   * 8601 with a zone) and days (YYYY-MM-DD) become dates. What is none stays as it is.
   */
  readonly kinds?: readonly (ColumnKind | undefined)[];
  /** The zone in which moments are shown: a spreadsheet's date has none. */
  readonly timeZone?: string;
  /** Whether it is printed in landscape, as wide as the paper. */
  readonly isWide?: boolean;
}

const part = (path: string, type: string) =>
  `<Override PartName="/xl/${path}" ContentType="${spreadsheet}.${type}+xml"/>`;

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${relationship}/${type}" Target="${target}"/>`;

/** The styles of a workbook, as `styleIndex` names them. */
const styles = `${head}<styleSheet ${main}><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="3" applyNumberFormat="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/><xf xfId="0" quotePrefix="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function tabXml({ columns, lines, kinds = [], timeZone = 'UTC', isWide = false }: Tab): string {
  if (lines.length >= mostLines) throw new RangeError(say().workbook.longSheet({ most: mostLines }));
  const rows = lines.map((cells, index) =>
    rowXml(cells, index + 2, (cell, column) => styled(cell, kinds[column], timeZone)),
  );
  const header = rowXml(columns, 1, (cell) => ({ cell, style: styleIndex.bold }));
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const views = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`;
  const data = `<sheetData>${header}${rows.join('')}</sheetData>`;
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
export function xlsxOf(
  columns: readonly string[],
  lines: readonly (readonly Cell[])[],
  name = 'Sheet1',
  dates: Pick<Tab, 'kinds' | 'timeZone'> = {},
): Uint8Array {
  return workbookOf([{ name, columns, lines, ...dates }]);
}
