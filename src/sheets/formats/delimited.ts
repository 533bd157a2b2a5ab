import { Readable } from 'node:stream';
import { fieldsIn } from '../../domain/json/value-at.ts';
import { findHeader, type HeaderSearch } from './find-header.ts';
import { type Cell, type Grid, SheetError, type SheetLine, type SheetSource, type TableSheet } from './sheet.ts';
import { textOf } from './text-of.ts';

const MOST_CHARACTERS_A_LINE = 1024 * 1024;

/** The delimiter that occurs most often in the header, outside quotes. */
function delimiterOf(start: string): string {
  const header = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(start)?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? '';
  const counted = [',', ';', '\t'].map((mark) => ({ mark, count: header.split(mark).length - 1 }));
  return counted.reduce((most, next) => (next.count > most.count ? next : most)).mark;
}

/** Replays the texts from the start, once enough of them have arrived to contain the whole header. */
async function startOf(chunks: AsyncIterator<string>): Promise<string> {
  let start = '';
  while (start.length < MOST_CHARACTERS_A_LINE) {
    const { value, done } = await chunks.next();
    if (done) break;
    start += value;
    if (/[\r\n]/.test(start.trimStart())) break;
  }
  return start;
}

async function* again(start: string, rest: AsyncIterator<string>): AsyncGenerator<string, void, undefined> {
  yield start;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

function asSheetError(name: string, error: unknown, surplus: number): unknown {
  const { code, lines } = fieldsIn(error);
  if (typeof code !== 'string' || !/^CSV_|^INVALID_OPENING_QUOTE$/.test(code)) return error;
  const at = typeof lines !== 'number' ? '' : ` near line ${lines - surplus}`;
  const what: Partial<Record<string, string>> = {
    CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
    CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote',
    INVALID_OPENING_QUOTE: 'a quote stands in the middle of a cell that does not begin with one',
    CSV_MAX_RECORD_SIZE: 'a line is longer than 1,048,576 characters; is a quote not closed?',
  };
  return new SheetError(`${name}: ${what[code] ?? 'it is not csv'}${at}`, { cause: error });
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
  try {
    const parsed: AsyncIterable<ParsedLine> = parser;
    for await (const { record, info } of parsed) {
      const line = ended + 1 - surplus;
      if (info.lines > ended + 1) for (const cell of record) surplus += cell.split('\r\n').length - 1;
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

/** Each line with as many cells as the header; extra cells are an error unless they are blank. */
async function* fitted(
  name: string,
  lines: AsyncIterator<SheetLine>,
  columns: number,
): AsyncGenerator<SheetLine, void, undefined> {
  for (;;) {
    const next = await lines.next();
    if (next.done === true) return;
    const { line, cells } = next.value;
    if (cells.slice(columns).some((cell) => String(cell).trim() !== '')) {
      const hint = 'a comma inside a cell needs quotes around the cell';
      throw new SheetError(`${name}: line ${line} has ${cells.length} cells, and the header has ${columns}`, { hint });
    }
    const missing = Array.from<Cell>({ length: Math.max(0, columns - cells.length) }).fill('');
    yield { line, cells: [...cells.slice(0, columns), ...missing] };
  }
}

/**
 * Reads csv and tsv, line by line; without a given delimiter the first line with one decides. Throws a SheetError.
 */
export async function readDelimited(
  source: SheetSource,
  search: HeaderSearch = {},
  given?: string,
): Promise<TableSheet> {
  const text = textOf(source);
  const chunks = text.chunks[Symbol.asyncIterator]();
  const start = await startOf(chunks);
  const delimiter = given ?? delimiterOf(start.trimStart());
  const lines = linesOf(source.name, again(start, chunks), delimiter);
  const found = await findHeader(lines, search);
  if (found === undefined) throw new SheetError(`${source.name} is empty: the first line names the columns`);
  const cells = found.header.cells.map((cell) => String(cell).trim());
  const columns = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
  return {
    kind: 'table',
    columns,
    lines: fitted(source.name, found.lines, columns.length),
    headerLine: found.header.line,
    found: found.above > 0 ? `the header is in line ${found.header.line}` : undefined,
    cellName: (line, column) => `line ${line}, column ${columns[column] ?? column + 1}`,
    manner: { delimiter, byteOrderMark: text.byteOrderMark() },
  };
}

/** Reads csv with a given delimiter as it stands: every line that is not blank, and no header. Throws a SheetError. */
export function readDelimitedGrid(source: SheetSource, delimiter: string): Grid {
  const lines = linesOf(source.name, textOf(source).chunks, delimiter);
  return { sheet: undefined, lines, spoilt: [], mayBeGuarded: true };
}

/** Cells as one line of csv (RFC 4180). */
export function delimitedLine(cells: readonly string[], delimiter = ','): string {
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  const needsQuotes = (cell: string) => cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell);
  return `${cells.map((cell) => (needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\r\n`;
}
