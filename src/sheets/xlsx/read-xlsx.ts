import type { Account } from '../account/account.ts';
import { chosenSheets, type NamedSheet, type SheetLook } from '../account/choose-sheet.ts';
import { type FoundHeader, findHeader, type ReadOptions } from '../formats/find-header.ts';
import {
  type Aside,
  type Cell,
  columnLetters,
  factsOfSheets,
  type Grid,
  SheetError,
  type SheetLine,
  type SheetSource,
  type SpoiltCell,
  type TableSheet,
} from '../formats/sheet.ts';
import { say } from '../texts.ts';
import { lookThrough, type Merged, sheetLines } from './cells.ts';
import { damaged, openParts, type Parts } from './package.ts';
import { readComments, readSharedStrings, readStyles, readWorkbook, type Tab } from './workbook.ts';

const mostErrorsReported = 20;

const isBlank = (cell: Cell) => cell === null || (typeof cell === 'string' && cell.trim() === '');

/** The sheet of that name, or the first one that is shown. Throws a SheetError that lists the sheets there are. */
export function tabNamed(name: string, tabs: readonly Tab[], sheet: string | undefined): Tab {
  const shown = tabs.find(({ hidden }) => hidden === undefined) ?? tabs[0];
  const tab = sheet === undefined ? shown : tabs.find((one) => one.name.normalize('NFC') === sheet.normalize('NFC'));
  if (tab !== undefined) return tab;
  const names = tabs.map((one) => one.name);
  throw new SheetError(say().workbook.noSheet({ name, sheet: sheet ?? '1', names }));
}

/** A workbook, of whose sheets the lines can be read. */
async function opened(name: string, parts: Parts) {
  const { tabs, from1904 } = await readWorkbook(name, parts);
  if (tabs.length === 0) throw new RangeError('there are no sheets');
  const shared = await readSharedStrings(name, parts);
  const styles = await readStyles(name, parts);
  const linesOf = ({ path }: Tab, comments?: ReadonlyMap<string, string>) =>
    sheetLines(parts.read(path), { name, shared, styles, from1904, ...(comments && { comments }) });
  return { tabs, linesOf, hasFills: styles.some(({ fill }) => fill !== undefined) };
}

/** The columns that have one colour behind all lines below the header: it says nothing of any of them. */
async function columnsOfOneFill(lines: AsyncIterable<SheetLine>, header: number): Promise<ReadonlySet<number>> {
  let common: ReadonlyMap<number, string> | undefined;
  for await (const { line, cells, fills = new Map() } of lines) {
    if (line <= header || cells.every(isBlank)) continue;
    common = new Map([...(common ?? fills)].filter(([column, fill]) => fills.get(column) === fill));
  }
  return new Set(common?.keys());
}

type Book = Awaited<ReturnType<typeof opened>>;

/** How far a sheet has rows below a header that is known. */
async function lookAt({ linesOf }: Book, tab: Tab, { score, headerRow }: ReadOptions): Promise<SheetLook> {
  if (score === undefined) return 'no header that is known';
  const { lines } = linesOf(tab);
  try {
    const header = await findHeader(lines, { score, headerRow });
    if (header?.isKnown !== true) return 'no header that is known';
    for await (const { cells } of header.lines) if (!cells.every(isBlank)) return 'fits';
    return 'no rows below its header';
  } catch {
    return 'it cannot be read';
  } finally {
    await lines.return(undefined);
  }
}

/** Tells which colours are of conditions: what they say is in no cell. */
function tellConditional(ranges: readonly string[], { name }: Tab, account: Account | undefined): void {
  if (ranges.length === 0) return;
  const shown = ranges.slice(0, MOST_BESIDE).map((range) => `${name}!${range}`);
  const isMore = ranges.length > shown.length;
  account?.warn('conditional_format', say().workbook.conditional({ ranges: shown, isMore }));
}

/** The sheet that is read, with its lines. */
async function openedSheet(name: string, parts: Parts, options: ReadOptions) {
  const book = await opened(name, parts);
  const { tabs, linesOf, hasFills } = book;
  const { sheet, account } = options;
  const asked = sheet === undefined ? undefined : tabNamed(name, tabs, sheet);
  const [tab, ...also] = await chosenSheets(tabs, asked, (one) => lookAt(book, one, options), account);
  if (!parts.has(tab.path)) throw new RangeError(`there is no part ${tab.path}`);
  const { merged, conditional } = await lookThrough(name, parts.read(tab.path));
  tellConditional(conditional, tab, account);
  const others = tabs.filter((one) => one !== tab).map((one) => one.name);
  return {
    tab,
    others,
    also: also.map((one) => one.name),
    shown: tabs.flatMap((one) => (one.hidden === undefined ? [one.name] : [])),
    merged,
    isFirst: tab === (asked ?? tabNamed(name, tabs, undefined)),
    ofOneFill: async (header: number) => (hasFills ? columnsOfOneFill(linesOf(tab).lines, header) : undefined),
    ...linesOf(tab, await readComments(name, parts, tab.path)),
  };
}

/** How the header was found, for a person; undefined if it is the first line of the first sheet. */
function foundText({ titles, header }: FoundHeader, tab: Tab, isFirst: boolean): string | undefined {
  const { name } = tab;
  if (titles.length === 0) return isFirst ? undefined : say().account.sheetRead({ name });
  const row = header.line;
  return isFirst ? say().account.headerInRow({ row }) : say().account.sheetReadFrom({ name, row });
}

/**
 * Reads a workbook's first sheet, or the one of that name, line by line, below its header. Numbers
 * are returned as numbers, dates as text, and formulas as their cached result. Hidden rows and columns are read like any
 * other. Throws a SheetError if the file is not a workbook, is too large or has a password, and after its last line if it
 * has formulas without results.
 */
export async function readXlsx(source: SheetSource, options: ReadOptions = {}): Promise<TableSheet> {
  const { name } = source;
  const parts = await openParts(source);
  try {
    const {
      tab,
      others,
      also,
      shown,
      isFirst,
      merged,
      ofOneFill,
      spoilt,
      lines: all,
    } = await openedSheet(name, parts, options);
    const found = await findHeader(all, options);
    const cellName = (line: number, column: number) => `${tab.name}!${columnLetters(column)}${line}`;
    if (found === undefined) {
      refuse(name, tab, spoilt);
      throw new SheetError(say().file.empty({ name }), { facts: factsOfSheets(others) });
    }
    const { header, lines } = found;
    const titles = header.cells.map((cell) => String(cell ?? '').trim());
    const columns = titles.slice(0, titles.findLastIndex((title) => title !== '') + 1);
    const asides: Aside[] = [];
    const ofOne = await ofOneFill(header.line);
    const body = fitted(lines, { columns: columns.length, cellName, account: options.account, asides, ofOne, merged });
    const whole = checked(source, body, () => refuse(name, tab, spoilt));
    return {
      kind: 'table',
      columns,
      lines: whole,
      cellName,
      tab: tab.name,
      others,
      also,
      shown,
      headerLine: header.line,
      titles: found.titles,
      asides,
      found: foundText(found, tab, isFirst),
      style: {},
    };
  } catch (error) {
    source.signal?.throwIfAborted();
    throw damaged(name, error);
  }
}

function refuse(name: string, tab: Tab, all: readonly SpoiltCell[]): void {
  // The error of a formula is that of its row.
  const spoilt = all.filter(({ isError }) => isError !== true);
  if (spoilt.length === 0) return;
  const cells = spoilt
    .slice(0, mostErrorsReported)
    .map(({ cell, what }) => say().workbook.spoiltCell({ cell: `${tab.name}!${cell}`, what }));
  const message = say().workbook.spoilt({ name, cells, more: spoilt.length - cells.length });
  throw new SheetError(message, { code: 'cells_wrong', hint: say().workbook.spoiltHint });
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

/** How many texts beside a table are told. */
const MOST_BESIDE = 5;
const BESIDE = 'beside_the_table';

/** Tells what comments say. */
function tellComments(
  comments: ReadonlyMap<number, string>,
  nameOf: (column: number) => string,
  account: Account | undefined,
): void {
  for (const [column, text] of comments)
    account?.warn('comment', say().workbook.comment({ cell: nameOf(column), text }));
}

/** Says of each line, from the first on, what cells above it say that blank ones of its own are merged with. */
function mergedAbove(merged: readonly Merged[], cellName: TableSheet['cellName']) {
  let next = 0;
  let open: readonly (Merged & { readonly text: string })[] = [];
  return (line: number, cells: readonly Cell[]): Pick<SheetLine, 'merged'> => {
    open = open.filter(({ to }) => to >= line);
    const texts = open.flatMap(({ column, from, text }) =>
      isBlank(cells[column] ?? '') ? [[column, { cell: cellName(from, column), text }] as const] : [],
    );
    for (let one = merged[next]; one !== undefined && one.from <= line; one = merged[++next]) {
      const text = String(cells[one.column] ?? '').trim();
      if (one.from === line && text !== '') open = [...open, { ...one, text }];
    }
    return texts.length === 0 ? {} : { merged: new Map(texts) };
  };
}

/** The lines with as many cells as the header; what stands beside the table is told, and not read. */
async function* fitted(
  lines: AsyncIterable<SheetLine>,
  {
    columns,
    cellName,
    account,
    asides,
    ofOne,
    merged,
  }: Pick<TableSheet, 'cellName'> & {
    columns: number;
    account: Account | undefined;
    asides: Aside[];
    ofOne: ReadonlySet<number> | undefined;
    merged: readonly Merged[];
  },
) {
  let beside = 0;
  const above = mergedAbove(merged, cellName);
  for await (const { cells, fills: all = [], ...rest } of lines) {
    const { line } = rest;
    const said = new Map(rest.beside);
    tellComments(said, (column) => cellName(line, column), account);
    for (const [column, cell] of cells.entries()) {
      if (column < columns || isBlank(cell)) continue;
      said.set(column, String(cell));
      beside += 1;
      if (beside <= MOST_BESIDE)
        account?.warn(BESIDE, say().workbook.beside({ cell: cellName(line, column), text: cell }));
      else if (beside === MOST_BESIDE + 1) account?.warn(BESIDE, say().workbook.moreBeside);
    }
    const own = cells.slice(0, columns);
    if (own.every(isBlank)) {
      for (const [column, text] of said) asides.push({ cell: cellName(line, column), text });
      continue;
    }
    const missing = Array.from<Cell>({ length: Math.max(0, columns - own.length) }).fill('');
    const fills = new Map([...all].filter(([column]) => column < columns && ofOne?.has(column) === false));
    yield {
      ...rest,
      cells: [...own, ...missing],
      ...(said.size > 0 && { beside: said }),
      ...(fills.size > 0 && { fills }),
      ...above(line, own),
    };
  }
}

/** The sheets of a workbook, in tab order. Throws a SheetError. */
export async function sheetsOf(source: SheetSource): Promise<readonly NamedSheet[]> {
  const parts = await openParts(source);
  try {
    return (await readWorkbook(source.name, parts)).tabs;
  } catch (error) {
    throw damaged(source.name, error);
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
    const { tab, lines, spoilt } = await openedSheet(name, parts, { sheet });
    return { sheet: tab.name, lines: checked(source, filled(lines), () => {}), spoilt, mayBeGuarded: false };
  } catch (error) {
    source.signal?.throwIfAborted();
    throw damaged(name, error);
  }
}

async function* filled(lines: AsyncIterable<SheetLine>) {
  for await (const line of lines) if (!line.cells.every(isBlank)) yield line;
}
