import { unzipSync } from 'fflate';
import { type CellValue, readSheet } from 'read-excel-file/universal';
import { type Cell, SheetError, type SheetLine, type SheetSource, type TableSheet } from './sheet.ts';

const mebibyte = 1024 * 1024;
const mostBytes = 50 * mebibyte;
/** The most bytes that all parts of a workbook may unpack to: a workbook of 50 MiB stays below, a zip bomb does not. */
const mostUnpackedBytes = 512 * mebibyte;
const mostErrorsTold = 20;

/** The letters of a column in a spreadsheet, by index from 0: A, B, … Z, AA. */
export function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter;
}

async function wholeBytes({ name, bytes }: SheetSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > mostBytes) {
      throw new SheetError(`${name} is larger than 50 MB`, { hint: 'save it as csv, or as several files' });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const compoundFile = [0xd0, 0xcf, 0x11, 0xe0];

/** Refuses a file that is not a workbook, or would exhaust memory, before unpacking any of it. */
function checkContainer(name: string, bytes: Uint8Array): void {
  if (compoundFile.every((byte, index) => bytes[index] === byte)) {
    const hint = 'open it in your spreadsheet program and save it as .xlsx without a password, or as csv';
    throw new SheetError(`${name} has a password, or is an .xls of the old kind`, { hint });
  }
  let unpacked = 0;
  try {
    unzipSync(bytes, {
      filter: ({ originalSize }) => {
        unpacked += originalSize;
        return false;
      },
    });
  } catch (cause) {
    throw new SheetError(`${name} is not an .xlsx file, or is damaged`, { cause, hint: 'save it again, or as csv' });
  }
  if (unpacked > mostUnpackedBytes) {
    throw new SheetError(`${name} would take ${Math.round(unpacked / mebibyte)} MiB when unpacked: at most 512 MiB`, {
      hint: 'delete what is not needed, or save it as csv',
    });
  }
}

/** The text of one part of a workbook; empty if it is missing. */
function partOf(bytes: Uint8Array, path: string): string {
  return new TextDecoder().decode(unzipSync(bytes, { filter: ({ name }) => name === path })[path] ?? new Uint8Array());
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hexadecimal, decimal, word) =>
    word === undefined
      ? String.fromCodePoint(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16))
      : ((Object.hasOwn(entities, word) ? entities[word] : undefined) ?? whole),
  );
}

interface Tab {
  readonly name: string;
  /** Its part in the workbook. */
  readonly path: string;
}

/** The sheets of a workbook, in tab order. */
function tabsOf(bytes: Uint8Array): Tab[] {
  const attribute = (tag: string, name: string) => new RegExp(`\\s(?:\\w+:)?${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  const relations = [...partOf(bytes, 'xl/_rels/workbook.xml.rels').matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g)];
  const targets = new Map(relations.map(([tag]) => [attribute(tag, 'Id'), attribute(tag, 'Target')]));
  const tags = [...partOf(bytes, 'xl/workbook.xml').matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)];
  return tags.map(([tag]) => {
    const target = targets.get(/\s\w+:id="([^"]*)"/.exec(tag)?.[1] ?? '') ?? '';
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    return { name: unescaped(attribute(tag, 'name')), path };
  });
}

/**
 * Cells that read as blank although they are not: formulas that failed (`#N/A`, `#REF!`, …), and formulas without a
 * cached result, as written by a program that does not calculate.
 */
function spoiltCells(xml: string): { readonly cell: string; readonly what: string }[] {
  return [...xml.matchAll(/<c\s([^>]*[^>/])>(.*?)<\/c>/gs)].flatMap(([, attributes = '', inside = '']) => {
    const attribute = (name: string) => new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    const cell = attribute('r');
    const value = /<v(?:\s[^>]*)?>([^<]+)<\/v>/.exec(inside)?.[1] ?? '';
    if (attribute('t') === 'e') return [{ cell, what: `is ${value || 'an error'}` }];
    if (inside.includes('<f') && value === '' && !['str', 'inlineStr'].includes(attribute('t')))
      return [{ cell, what: 'has a formula without its result' }];
    return [];
  });
}

/** A date as 2026-11-21; with a time as 2026-11-21T08:30:00. A spreadsheet has no time zone. */
function dateText(date: Date): string {
  // The time is stored as a fraction of a day, and a whole second is not exact in binary.
  const text = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}

/** The cell type that the library really returns; its own type gives the Date constructor in place of a Date. */
type Answered = Exclude<CellValue, typeof Date> | Date | null | undefined;

function cellOf(value: Answered): Cell {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return dateText(value);
  return value;
}

interface OpenedTab {
  readonly name: string;
  readonly rows: readonly (readonly Answered[])[];
  readonly spoilt: ReturnType<typeof spoiltCells>;
}

async function openTab(name: string, bytes: Uint8Array, sheet: string | undefined): Promise<OpenedTab> {
  const tabs = tabsOf(bytes);
  const index = sheet === undefined ? 0 : tabs.findIndex((tab) => tab.name === sheet);
  const tab = tabs[index];
  if (tab === undefined) {
    throw new SheetError(`${name} has no sheet ${sheet ?? 1}: there are ${tabs.map((one) => one.name).join(', ')}`);
  }
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const rows = (await readSheet(copy, index + 1, { trim: false })) as readonly (readonly Answered[])[];
  return { name: tab.name, rows, spoilt: spoiltCells(partOf(bytes, tab.path)) };
}

const isBlank = (cell: Cell) => cell === null || (typeof cell === 'string' && cell.trim() === '');

/**
 * Reads a workbook's first sheet, or the one of that name; the first non-blank line is the header. Numbers are returned
 * as numbers, dates as text, and formulas as their cached result. Hidden rows and columns are read like any other.
 * Throws a SheetError if the file is not a workbook, is too large, has a password, or has spoilt cells.
 */
export async function readXlsx(
  source: SheetSource,
  { sheet }: { readonly sheet?: string | undefined } = {},
): Promise<TableSheet> {
  const { name } = source;
  const bytes = await wholeBytes(source);
  checkContainer(name, bytes);
  const tab = await openTab(name, bytes, sheet).catch((cause: unknown) => {
    if (cause instanceof SheetError) throw cause;
    throw new SheetError(`${name} is not an .xlsx file, or is damaged`, { cause, hint: 'save it again, or as csv' });
  });
  refuse(
    name,
    tab.spoilt.map(({ cell, what }) => `${tab.name}!${cell} ${what}`),
  );
  const lines = tab.rows.map((row, index): SheetLine => ({ line: index + 1, cells: row.map(cellOf) }));
  const cellName = (line: number, column: number) => `${tab.name}!${columnLetters(column)}${line}`;
  const [header, ...body] = lines.filter(({ cells }) => !cells.every(isBlank));
  if (header === undefined) throw new SheetError(`${name} is empty: the first line names the columns`);
  const titles = header.cells.map((cell) => String(cell ?? '').trim());
  const columns = titles.slice(0, titles.findLastIndex((title) => title !== '') + 1);
  return { kind: 'table', columns, lines: fitted(body, columns.length, cellName), cellName, manner: {} };
}

function refuse(name: string, spoilt: readonly string[]): void {
  if (spoilt.length === 0) return;
  const more = spoilt.length > mostErrorsTold ? `, and ${spoilt.length - mostErrorsTold} more` : '';
  const told = spoilt.slice(0, mostErrorsTold).join(', ');
  const hint = 'fix the formulas, or open the file in your spreadsheet program and save it again';
  throw new SheetError(`${name}: ${told}${more}`, { code: 'cells_wrong', hint });
}

async function* fitted(lines: readonly SheetLine[], columns: number, cellName: TableSheet['cellName']) {
  for (const { line, cells } of lines) {
    const beyond = cells.findIndex((cell, column) => column >= columns && !isBlank(cell));
    if (beyond >= 0) throw new SheetError(`${cellName(line, beyond)} stands in a column that has no name`);
    const missing = Array.from<Cell>({ length: Math.max(0, columns - cells.length) }).fill('');
    yield { line, cells: [...cells.slice(0, columns), ...missing] };
  }
}
