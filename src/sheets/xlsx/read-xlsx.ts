import { type FoundHeader, findHeader, type ReadOptions } from '../formats/find-header.ts';
import {
  type Cell,
  factsOfSheets,
  type Grid,
  NamedLines,
  SheetError,
  type SheetLine,
  type SheetSource,
  type SpoiltCell,
  type TableSheet,
} from '../formats/sheet.ts';
import { requireFewLines, sheetLines } from './cells.ts';
import { columnLetters } from './column-letters.ts';
import { damaged, openParts, type Parts } from './package.ts';
import { readDayStyles, readSharedStrings, readWorkbook, type Tab } from './workbook.ts';

const mostErrorsTold = 20;

const isBlank = (cell: Cell) => cell === null || (typeof cell === 'string' && cell.trim() === '');

/** The sheet of that name, or the first one that is shown. Throws a SheetError that lists the sheets there are. */
export function tabNamed(name: string, tabs: readonly Tab[], sheet: string | undefined): Tab {
  const shown = tabs.find(({ isHidden }) => !isHidden) ?? tabs[0];
  const tab = sheet === undefined ? shown : tabs.find((one) => one.name === sheet);
  if (tab !== undefined) return tab;
  throw new SheetError(`${name} has no sheet ${sheet ?? 1}: there are ${tabs.map((one) => one.name).join(', ')}`);
}

async function opened(name: string, parts: Parts, sheet: string | undefined) {
  const { tabs, from1904 } = await readWorkbook(name, parts);
  if (tabs.length === 0) throw new RangeError('there are no sheets');
  const tab = tabNamed(name, tabs, sheet);
  if (!parts.paths.includes(tab.path)) throw new RangeError(`there is no part ${tab.path}`);
  await requireFewLines(name, parts.read(tab.path));
  const texts = await readSharedStrings(name, parts);
  const dayStyles = await readDayStyles(name, parts);
  const others = tabs.filter((one) => one !== tab);
  const linesOf = (one: Tab) => sheetLines(parts.read(one.path), { name, texts, dayStyles, from1904 });
  return {
    tab,
    others: others.map((one) => one.name),
    shown: others.flatMap((one) => (one.isHidden ? [] : [one])),
    isFirst: tab === tabNamed(name, tabs, undefined),
    linesOf,
    ...linesOf(tab),
  };
}

/** So many of a workbook's other sheets are looked at. */
const MOST_SHEETS = 10;

/** That other sheets have a header that is known and lines below it, which are not read; none if there are none. */
async function unreadSheets(
  { shown, linesOf }: Awaited<ReturnType<typeof opened>>,
  { sheet, score }: ReadOptions,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const tab of sheet === undefined && score !== undefined ? shown.slice(0, MOST_SHEETS) : []) {
    const { lines } = linesOf(tab);
    try {
      const header = await findHeader(lines, { score });
      if (header?.isKnown === true && (await header.lines.next()).done !== true) names.push(JSON.stringify(tab.name));
    } catch {
      // Nobody asked for this sheet: whatever is wrong with it is none of the file's faults.
    }
    await lines.return(undefined);
  }
  if (names.length === 0) return [];
  return [names.length === 1 ? `sheet ${names[0]} is not read` : `sheets ${names.join(', ')} are not read`];
}

/**
 * The sheet of that name; else the first one, unless it has no header that is known and another one has: notes may stand
 * before the orders.
 */
async function openedWithHeader(name: string, parts: Parts, options: ReadOptions) {
  const { sheet, score } = options;
  const first = await opened(name, parts, sheet);
  const header = await findHeader(first.lines, options);
  if (sheet !== undefined || score === undefined || header?.isKnown === true) return { ...first, header };
  for (const { name: tab } of first.shown) {
    const other = await opened(name, parts, tab);
    const found = await findHeader(other.lines, options).catch(() => undefined);
    if (found?.isKnown === true) return { ...other, header: found };
    await other.lines.return(undefined);
  }
  return { ...first, header };
}

/** How the header was found, for a person; undefined if it is the first line of the first sheet. */
function foundText({ above, header }: FoundHeader, tab: Tab, isFirst: boolean): string | undefined {
  if (isFirst && above === 0) return undefined;
  const where = isFirst ? '' : `sheet ${JSON.stringify(tab.name)} is read`;
  const line = above === 0 ? '' : `the header is in row ${header.line}`;
  return [where, line].filter((part) => part !== '').join(', ');
}

/**
 * Reads a workbook's first sheet, or the one of that name, line by line, below its header. Numbers
 * are returned as numbers, dates as text, and formulas as their cached result. Hidden rows and columns are read like any
 * other. Throws a SheetError if the file is not a workbook, is too large or has a password, and after its last line if it
 * has spoilt cells.
 */
export async function readXlsx(source: SheetSource, options: ReadOptions = {}): Promise<TableSheet> {
  const { name } = source;
  const parts = await openParts(source);
  try {
    const book = await openedWithHeader(name, parts, options);
    const { tab, others, isFirst, spoilt, header: found } = book;
    const cellName = (line: number, column: number) => `${tab.name}!${columnLetters(column)}${line}`;
    if (found === undefined) {
      refuse(name, tab, spoilt);
      throw new SheetError(`${name} is empty: the first line names the columns`, { facts: factsOfSheets(others) });
    }
    const { header, lines } = found;
    const titles = header.cells.map((cell) => String(cell ?? '').trim());
    const columns = titles.slice(0, titles.findLastIndex((title) => title !== '') + 1);
    const unread = await unreadSheets(book, options);
    const hidden = new NamedLines();
    const body = fitted(lines, columns.length, cellName, hidden);
    const whole = checked(source, body, () => refuse(name, tab, spoilt));
    return {
      kind: 'table',
      columns,
      lines: whole,
      get told() {
        return [...unread, ...hidden.told('row', `is ${HIDDEN}`, `are ${HIDDEN}`)];
      },
      cellName,
      tab: tab.name,
      others,
      headerLine: header.line,
      found: foundText(found, tab, options.sheet !== undefined || isFirst),
      manner: {},
    };
  } catch (error) {
    source.signal?.throwIfAborted();
    throw damaged(name, error);
  }
}

function refuse(name: string, tab: Tab, spoilt: readonly SpoiltCell[]): void {
  if (spoilt.length === 0) return;
  const more = spoilt.length > mostErrorsTold ? `, and ${spoilt.length - mostErrorsTold} more` : '';
  const told = spoilt.slice(0, mostErrorsTold).map(({ cell, what }) => `${tab.name}!${cell} ${what}`);
  const hint = 'fix the formulas, or open the file in your spreadsheet program and save it again';
  throw new SheetError(`${name}: ${told.join(', ')}${more}`, { code: 'cells_wrong', hint });
}

/** The lines, and a check of the whole sheet after the last one. */
async function* checked({ name, signal }: SheetSource, lines: AsyncIterable<SheetLine>, check: () => void) {
  try {
    yield* lines;
  } catch (error) {
    signal?.throwIfAborted();
    throw damaged(name, error);
  }
  check();
}

const HIDDEN = 'hidden, as by a filter, and read like all others';

async function* fitted(
  lines: AsyncIterable<SheetLine>,
  columns: number,
  cellName: TableSheet['cellName'],
  hidden: NamedLines,
) {
  for await (const { line, cells, isHidden, days } of lines) {
    if (cells.every(isBlank)) continue;
    if (isHidden === true) hidden.add(line);
    const beyond = cells.findIndex((cell, column) => column >= columns && !isBlank(cell));
    if (beyond >= 0) throw new SheetError(`${cellName(line, beyond)} is in a column without a name`);
    const missing = Array.from<Cell>({ length: Math.max(0, columns - cells.length) }).fill('');
    yield { line, cells: [...cells.slice(0, columns), ...missing], ...(days && { days }) };
  }
}

/**
 * Reads a workbook's first sheet, or the one of that name, as it stands: every line that is not blank, and no header.
 * Throws a SheetError as `readXlsx` does, but not for spoilt cells.
 */
export async function readXlsxGrid(
  source: SheetSource,
  { sheet }: { readonly sheet?: string | undefined } = {},
): Promise<Grid> {
  const { name } = source;
  const parts = await openParts(source);
  try {
    const { tab, lines, spoilt } = await opened(name, parts, sheet);
    return { sheet: tab.name, lines: checked(source, filled(lines), () => {}), spoilt, mayBeGuarded: false };
  } catch (error) {
    source.signal?.throwIfAborted();
    throw damaged(name, error);
  }
}

async function* filled(lines: AsyncIterable<SheetLine>) {
  for await (const line of lines) if (!line.cells.every(isBlank)) yield line;
}
