import { Readable } from 'node:stream';
import { fieldsIn } from '../../domain/json/values.ts';
import type { Account } from '../account/account.ts';
import { say } from '../texts.ts';
import { findHeader, type HeaderScore, LEAST_KNOWN, MOST_TITLES, type ReadOptions } from './find-header.ts';
import {
  type Cell,
  type Grid,
  NamedLines,
  SheetError,
  type SheetLine,
  type SheetSource,
  type TableSheet,
} from './sheet.ts';
import { textOf } from './text-of.ts';

const MOST_CHARACTERS_A_LINE = 1024 * 1024;

const marks = [',', ';', '\t'] as const;

/** The delimiter that occurs most often in a line, outside quotes. */
function delimiterIn(line: string): string {
  const bare = line.replaceAll(/"(?:[^"]|"")*"/g, '');
  const counted = marks.map((mark) => ({ mark, count: bare.split(mark).length - 1 }));
  return counted.reduce((most, next) => (next.count > most.count ? next : most)).mark;
}

/** The cells of a line, as far as they are the names of columns. */
const namesIn = (line: string, mark: string) => line.split(mark).map((cell) => cell.trim().replaceAll(/^"|"$/g, ''));

/** The delimiter by which one of the first lines names most columns; undefined if none names any. */
function delimiterByNames(lines: readonly string[], score: HeaderScore): string | undefined {
  const found = lines.flatMap((line) => marks.map((mark) => ({ mark, known: score(namesIn(line, mark)) })));
  const best = found.reduce((most, next) => (next.known > most.known ? next : most), { mark: '', known: 0 });
  return best.known < LEAST_KNOWN ? undefined : best.mark;
}

/** How many of the first lines have the same number of cells with a delimiter, at least two. */
function agreeing(lines: readonly string[], mark: string): number {
  const counts = new Map<number, number>();
  for (const line of lines) {
    const cells = line.replaceAll(/"(?:[^"]|"")*"/g, '').split(mark).length;
    if (cells > 1) counts.set(cells, (counts.get(cells) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** The delimiter by which most of the first lines are a table; that of the first one if none is better. */
const delimiterByTable = (lines: readonly string[], first: string): string =>
  marks.reduce((best, mark) => (agreeing(lines, mark) > agreeing(lines, best) ? mark : best), first);

const linesIn = (start: string) => start.trimStart().split(/\r\n|\r|\n/);

/** The beginning of the texts: so many lines, unless they are too long or there are fewer. */
async function startOf(chunks: AsyncIterator<string>, lines: number, begun = ''): Promise<string> {
  let start = begun;
  while (start.length < MOST_CHARACTERS_A_LINE && linesIn(start).length <= lines) {
    const { value, done } = await chunks.next();
    if (done) break;
    start += value;
  }
  return start;
}

/**
 * The delimiter of a file, and the beginning that was read to find it: the one of the first line, unless that is a title
 * and names no column: then one further down does, or the table tells.
 */
async function delimiterOf(chunks: AsyncIterator<string>, score: HeaderScore | undefined) {
  const start = await startOf(chunks, 1);
  const header = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(start.trimStart())?.[0] ?? '';
  const delimiter = delimiterIn(header);
  if (score === undefined || score(namesIn(header, delimiter)) >= LEAST_KNOWN) return { start, delimiter };
  const more = await startOf(chunks, MOST_TITLES, start);
  const lines = linesIn(more).slice(0, MOST_TITLES);
  return { start: more, delimiter: delimiterByNames(lines, score) ?? delimiterByTable(lines, delimiter) };
}

async function* again(start: string, rest: AsyncIterator<string>): AsyncGenerator<string, void, undefined> {
  yield start;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

/** What the codes of the parser say. */
const faultsOfCsv: Readonly<Partial<Record<string, 'quoteOpen' | 'behindQuote' | 'quoteInside' | 'longLine'>>> = {
  CSV_QUOTE_NOT_CLOSED: 'quoteOpen',
  CSV_INVALID_CLOSING_QUOTE: 'behindQuote',
  INVALID_OPENING_QUOTE: 'quoteInside',
  CSV_MAX_RECORD_SIZE: 'longLine',
};

function asSheetError(name: string, error: unknown, surplus: number): unknown {
  const { code, lines } = fieldsIn(error);
  if (typeof code !== 'string' || !/^CSV_|^INVALID_OPENING_QUOTE$/.test(code)) return error;
  const texts = say().file;
  const what = faultsOfCsv[code] ?? 'noCsv';
  const message =
    typeof lines !== 'number' ? texts[what]({ name }) : texts[`${what}At`]({ name, line: lines - surplus });
  return new SheetError(message, { cause: error });
}

/** What two cells of a column have in common, whatever the numbers in them. */
const shapeOf = (text: string) => text.trim().toLowerCase().replaceAll(/\d+/g, '9');

/**
 * The lines, from 0, between which a quote swallows rows of the table: one in its cell has as many cells as the table,
 * some of them like those of the first line. Undefined if none does: of prose, a blank follows each comma.
 */
function swallowedIn(
  cells: readonly string[],
  delimiter: string,
  width: number,
): readonly [number, number] | undefined {
  const rows: string[][] = [[]];
  const quotes: [number, number][] = [];
  for (const cell of cells) {
    const [first = '', ...rest] = cell.split(/\r\n|\r|\n/);
    const isDense = rest.length > 0 && cell.split(delimiter).some((part, at) => at > 0 && /^[^ \r\n]/.test(part));
    if (isDense) quotes.push([rows.length - 1, rows.length - 1 + rest.length]);
    rows.at(-1)?.push(...(rest.length === 0 ? [cell] : first.split(delimiter)));
    rows.push(...rest.map((line) => line.split(delimiter)));
  }
  const isRow = (row: readonly string[] | undefined) => row?.length === width && width > 1;
  const isLike = (row: readonly string[]) =>
    row.filter((cell, at) => cell.trim() !== '' && shapeOf(cell) === shapeOf(rows[0]?.[at] ?? '')).length >=
    Math.min(2, width - 1);
  if (!isRow(rows.at(-1))) return undefined;
  return quotes.find(([from, to]) => rows.slice(from + 1, to + 1).some((row) => isRow(row) && isLike(row)));
}

interface ParsedLine {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** Raw lines, each with the number of the file's line on which it begins. */
async function* linesOf(
  name: string,
  texts: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<SheetLine, void, undefined> {
  const { parse } = await import('csv-parse');
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    max_record_size: MOST_CHARACTERS_A_LINE,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const source = Readable.from(texts);
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let ended = 0;
  /** The parser takes a line end of two characters inside a cell for two. */
  let surplus = 0;
  let width = 0;
  try {
    const parsed: AsyncIterable<ParsedLine> = parser;
    for await (const { record, info } of parsed) {
      const line = ended + 1 - surplus;
      if (info.lines > ended + 1) {
        for (const cell of record) surplus += cell.split('\r\n').length - 1;
        const [from, to] = swallowedIn(record, delimiter, width) ?? [];
        if (from !== undefined && to !== undefined)
          throw new SheetError(say().file.rowsInQuote({ name, from: line + from, to: line + to }));
      }
      width = Math.max(width, record.length);
      ended = info.lines;
      if (record.some((cell) => cell.trim() !== '')) yield { line, cells: record };
    }
  } catch (error) {
    throw asSheetError(name, error, surplus);
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/** Two cells that an amount without quotes makes: 450 and 000, of which both look like numbers. */
const isDivided = (cells: readonly Cell[]) =>
  cells.some(
    (cell, index) => /^\d{1,3}$/.test(String(cell)) && /^(?:\d00|0\d\d)$/.test(String(cells[index + 1] ?? '')),
  );

/**
 * Compares the lines of a file with its header: more cells are blank ones that all lines have, or a comma without quotes
 * has moved what stands behind it.
 */
export class Widths {
  readonly #name: string;
  readonly #columns: number;
  readonly #surpluses = new Set<number>();
  readonly #short = new NamedLines();
  #lines = 0;
  /** The first line with more cells than the header, and the first of them in which an amount looks divided. */
  #wide: SheetLine | undefined;
  #divided: SheetLine | undefined;

  constructor(name: string, columns: number) {
    this.#name = name;
    this.#columns = columns;
  }

  /** Takes notice of a line. Throws a SheetError for one with a filled cell that no column is for. */
  add(line: SheetLine): void {
    const { cells } = line;
    if (cells.slice(this.#columns).some((cell) => String(cell).trim() !== '')) throw this.#refused(line);
    const surplus = Math.max(0, cells.length - this.#columns);
    this.#lines += 1;
    if (cells.length < this.#columns) this.#short.add(line.line);
    this.#surpluses.add(surplus);
    if (surplus === 0) return;
    this.#wide ??= line;
    if (isDivided(cells)) this.#divided ??= line;
  }

  /** Warns of lines with fewer cells. Throws a SheetError unless all others had the same blank surplus. */
  finish(account: Account | undefined): void {
    const { lines, more } = this.#short.all;
    if (lines.length > 0) account?.warn('cells_missing', say().file.cellsMissing({ lines, more }));
    const differs = this.#lines === 1 || this.#surpluses.size > 1;
    const wrong = differs ? this.#wide : this.#divided;
    if (wrong !== undefined) throw this.#refused(wrong);
  }

  #refused({ line, cells }: SheetLine): SheetError {
    const facts = { name: this.#name, line, cells: cells.length, columns: this.#columns };
    return new SheetError(say().file.moreCells(facts), { hint: say().file.moreCellsHint });
  }
}

/**
 * Each line with as many cells as the header; extra cells are an error unless all lines have the same blank ones, and
 * lines that lack some are told in the account.
 */
async function* fitted(
  name: string,
  lines: AsyncIterator<SheetLine>,
  columns: number,
  account: Account | undefined,
): AsyncGenerator<SheetLine, void, undefined> {
  const widths = new Widths(name, columns);
  for (;;) {
    const next = await lines.next();
    if (next.done === true) break;
    const { line, cells } = next.value;
    widths.add(next.value);
    if (cells.length === columns) {
      yield next.value;
      continue;
    }
    const missing = Array.from<Cell>({ length: Math.max(0, columns - cells.length) }).fill('');
    yield { line, cells: [...cells.slice(0, columns), ...missing] };
  }
  widths.finish(account);
}

/**
 * Reads csv and tsv, line by line; without a given delimiter the first line with one decides. Throws a SheetError.
 */
export async function readDelimited(
  source: SheetSource,
  search: ReadOptions = {},
  given?: string,
): Promise<TableSheet> {
  const text = textOf(source);
  const chunks = text.chunks[Symbol.asyncIterator]();
  const { start, delimiter } =
    given === undefined ? await delimiterOf(chunks, search.score) : { start: '', delimiter: given };
  const lines = linesOf(source.name, again(start, chunks), delimiter);
  const found = await findHeader(lines, search);
  if (found === undefined) {
    throw new SheetError(say().file.empty({ name: source.name === '-' ? 'stdin' : source.name }));
  }
  const cells = found.header.cells.map((cell) => String(cell).trim());
  const columns = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
  return {
    kind: 'table',
    columns,
    lines: fitted(source.name, found.lines, columns.length, search.account),
    headerLine: found.header.line,
    titles: found.titles,
    found: found.titles.length > 0 ? say().account.headerInLine({ line: found.header.line }) : undefined,
    cellName: (line, column) => `line ${line}, column ${columns[column] ?? column + 1}`,
    style: { delimiter, byteOrderMark: text.byteOrderMark() },
  };
}

/** Reads csv with a given delimiter as it stands: every line that is not blank, and no header. Throws a SheetError. */
export function readDelimitedGrid(source: SheetSource, delimiter: string): Grid {
  const lines = linesOf(source.name, textOf(source).chunks, delimiter);
  return { sheet: undefined, lines, spoilt: [], mayBeGuarded: true };
}
