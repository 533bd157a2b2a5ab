import type { WrittenAt } from '../../domain/json/written-numbers.ts';
import { say } from '../texts.ts';

/** The letters of a column in a spreadsheet, by index from 0: A, B, … Z, AA. */
export function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter;
}

/** One cell: text as in a text file; formats with types may also hold numbers and booleans. */
export type Cell = string | number | boolean | null;

/** One line of a table; blank lines are skipped. */
export interface SheetLine {
  /** Its line number in the file, from 1; the header counts. */
  readonly line: number;
  /** As many as the header has columns. */
  readonly cells: readonly Cell[];
  /** Whether a spreadsheet does not show it, for example because of a filter. */
  readonly isHidden?: true;
  /** The columns whose cells are dates to a spreadsheet, from 0; absent without any. */
  readonly days?: readonly number[];
  /** The columns whose cells are struck through, from 0; absent without any. */
  readonly struck?: readonly number[];
  /** The colours of its cells, such as `fill FFFF00`, by column; without those that all lines have. Absent without any. */
  readonly fills?: ReadonlyMap<number, string>;
  /** What cells of earlier lines say with which blank ones of this line are merged, by column; absent without any. */
  readonly merged?: ReadonlyMap<number, { readonly cell: string; readonly text: string }>;
  /** What a spreadsheet shows of numbers, where that is more than their digits, by column; absent without any. */
  readonly shown?: ReadonlyMap<number, string>;
  /** What is said beside its cells, by column: comments on them, and texts beside the table; absent without any. */
  readonly beside?: ReadonlyMap<number, string>;
}

/** A text that stands in no line of a table. */
export interface Aside {
  readonly cell: string;
  readonly text: string;
}

/** Why one of several columns with one header is not read, and whether all its lines say the same as the one that is. */
export interface RepeatedColumn {
  readonly message: string;
  readonly isAlike: boolean;
}

/** A file that is a table: a header with lines below it. */
export interface TableSheet {
  readonly kind: 'table';
  /** The header's cells, trimmed. */
  readonly columns: readonly string[];
  /** The header's cells as they are written, where some that stand over several columns were told apart. */
  readonly written?: readonly string[];
  /** The columns that are not read since another one of their header is, by the names that they were given, and why. */
  readonly repeated?: ReadonlyMap<string, RepeatedColumn>;
  /** The name of the sheet of a workbook that was read. */
  readonly tab?: string;
  /** The other sheets of a workbook. */
  readonly others?: readonly string[];
  /** Those of them that are to be read as well. */
  readonly also?: readonly string[];
  /** All sheets that a spreadsheet shows. */
  readonly shown?: readonly string[];
  /** The line of the header. */
  readonly headerLine?: number;
  /** The lines with something in them above the header. */
  readonly titles?: readonly SheetLine[];
  /** The texts beside the table on rows without any cell of it, of the lines that were read so far. */
  readonly asides?: readonly Aside[];
  /** How the sheet or its header was found, if it is not the first one, as a sentence for a person. */
  readonly found?: string | undefined;
  /** Can be iterated once; throws a SheetError. */
  readonly lines: AsyncIterable<SheetLine>;
  /** Names a cell for a person, for example `line 12, column phone`, or `Orders!F12`. */
  cellName(line: number, column: number): string;
  /** How it is written, so that a result can be written the same way. */
  readonly style: TableStyle;
}

/** The other sheets of a workbook, as a fact of an error that may be about the wrong one. */
export function factsOfSheets(others: readonly string[] = []): Readonly<Record<string, string>> {
  return others.length === 0 ? {} : { sheets: others.join(', ') };
}

/** Where the columns of a header stand in another one, the first of a name for the first; undefined where it lacks one. */
function placesIn(other: readonly string[], columns: readonly string[]): readonly number[] | undefined {
  const left = new Map<string, number[]>();
  for (const [at, name] of other.entries()) left.set(name, [...(left.get(name) ?? []), at]);
  const places = columns.map((name) => left.get(name)?.shift() ?? -1);
  return places.includes(-1) || other.length !== columns.length ? undefined : places;
}

/** The same lines with their columns in the order of another header; undefined if that has other columns. */
export function inOrderOf(columns: readonly string[], sheet: TableSheet): TableSheet | undefined {
  const places = placesIn(sheet.columns, columns);
  if (places === undefined || places.every((place, at) => place === at)) return places && sheet;
  const moved = (place: number) => (place < places.length ? places.indexOf(place) : place);
  const allMoved = (own?: readonly number[]) => own?.map(moved);
  const byColumn = <Said>(own?: ReadonlyMap<number, Said>) =>
    own && new Map([...own].map(([place, said]) => [moved(place), said]));
  const movedLine = (line: SheetLine): SheetLine => {
    const { cells, days, struck, fills, merged, shown, beside } = line;
    const kept = { days: allMoved(days), struck: allMoved(struck), fills: byColumn(fills), merged: byColumn(merged) };
    const rest = { ...kept, shown: byColumn(shown), beside: byColumn(beside) };
    const there = Object.entries(rest).filter(([, own]) => own !== undefined);
    const own = [...places.map((place) => cells[place] ?? ''), ...cells.slice(places.length)];
    return { ...line, cells: own, ...Object.fromEntries(there) };
  };
  async function* lines() {
    for await (const line of sheet.lines) yield movedLine(line);
  }
  return {
    ...sheet,
    columns,
    lines: lines(),
    ...(sheet.titles && { titles: sheet.titles.map(movedLine) }),
    cellName: (line, column) => sheet.cellName(line, places[column] ?? column),
  };
}

/** A message about the columns of a table, with its sheet if it is one of several. */
export function inSheet({ tab, others = [] }: TableSheet, message: string): string {
  return tab === undefined || others.length === 0 ? message : say().column.inSheet({ sheet: tab, message });
}

/** A place such as `line 12, column phone`, as what is stored and programs have it, in the language of the run. */
export function placeText(place: string): string {
  const [, kind, digits, rest] = /^(line|row|entry) (\d+)(?:, (.+))?$/s.exec(place) ?? [];
  if (kind === undefined) return place;
  const number = Number(digits);
  const column = kind === 'line' ? /^column (.+)$/s.exec(rest ?? '')?.[1] : undefined;
  const texts = say().place;
  if (column !== undefined) return texts.column({ line: number, column });
  const own =
    kind === 'line'
      ? texts.line({ line: number })
      : kind === 'row'
        ? texts.row({ row: number })
        : texts.entry({ entry: number });
  return rest === undefined ? own : texts.within({ place: own, field: rest });
}

/** A cell that cannot be read: the error of a formula, or one without its result, which reads as blank. */
export interface SpoiltCell {
  /** Its name, such as F12. */
  readonly cell: string;
  readonly what: string;
  /** Whether it is the error of a formula, which stands in the cell. */
  readonly isError?: true;
}

/** A file as lines of cells, before anything in it is taken for a header. */
export interface Grid {
  /** The name of the sheet; undefined for a text file. */
  readonly sheet: string | undefined;
  /** Each with as many cells as it has; can be iterated once; throws a SheetError. */
  readonly lines: AsyncIterable<SheetLine>;
  /** The spoilt cells of the lines that were read so far. */
  readonly spoilt: readonly SpoiltCell[];
  /** Whether our own csv may have escaped cells that a spreadsheet would execute. */
  readonly mayBeGuarded: boolean;
}

/** The names of all cells of some lines, line by line. */
export function cellNamesOf({ columns, cellName }: TableSheet, lines: readonly SheetLine[]): string[] {
  return lines.flatMap(({ line }) => columns.map((_, column) => cellName(line, column)));
}

/** Whether the lines of a table have cells with names of their own, such as F12, as in a workbook. */
const hasCellNames = ({ style }: TableSheet) => style.delimiter === undefined;

/** What a line is called where no cell of it is meant: by its number, as a spreadsheet or an editor counts. */
export function lineName(sheet: TableSheet, line: number): string {
  return hasCellNames(sheet) ? `row ${line}` : `line ${line}`;
}

/** What a column without a name is called: its letters in a workbook, its place in a text file. */
export function placeOfColumn(sheet: TableSheet, column: number): string {
  return hasCellNames(sheet) ? columnLetters(column) : String(column + 1);
}

const MOST_LINES_REPORTED = 5;

/** Lines of a table to be told of, the first few by their numbers. */
export class NamedLines {
  readonly #first: number[] = [];
  #count = 0;

  add(line: number): void {
    this.#count += 1;
    if (this.#first.length < MOST_LINES_REPORTED) this.#first.push(line);
  }

  /** The first of them, and how many more there are. */
  get all(): { readonly lines: readonly number[]; readonly more: number } {
    return { lines: this.#first, more: this.#count - this.#first.length };
  }
}

/** Where a record begins: its line in a text file, its cell in that column in a workbook. */
export function placeOf(sheet: TableSheet, line: number, column: number): string {
  return hasCellNames(sheet) ? sheet.cellName(line, column) : `line ${line}`;
}

/** Names the cell in a column of the record at a place; in a workbook places are in that column already. */
export function nameCellIn(sheet: TableSheet, column: number): (place: string) => string {
  return (place) => (hasCellNames(sheet) ? place : `${place}, column ${sheet.columns[column] ?? column + 1}`);
}

/** How a table is written. */
export interface TableStyle {
  readonly delimiter?: string;
  readonly byteOrderMark?: boolean;
}

/** A record of a file without columns. */
export interface SheetRecord {
  /** For example `line 3` or `entry 3`. */
  readonly place: string;
  readonly value: unknown;
  readonly written: WrittenAt;
  /** Whether its text has characters that nobody sees, otherwise than as escapes. */
  readonly hasUnseen?: boolean;
}

/** A file of records without columns: json, jsonl, yaml. */
export interface RecordSheet {
  readonly kind: 'records';
  /** Can be iterated once; throws a SheetError. */
  readonly records: AsyncIterable<SheetRecord>;
}

export type Sheet = TableSheet | RecordSheet;

/** What a reader gets of a file. */
export interface SheetSource {
  /** Its name, for messages. */
  readonly name: string;
  /** The absolute path of a file. */
  readonly path?: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Aborted when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Thrown if a file cannot be read as a sheet; `cells` lists the faulty cells, if those are the reason. */
export class SheetError extends Error {
  readonly kind = 'usage';
  readonly code: 'sheet_unreadable' | 'cells_wrong';
  readonly hint?: string;
  /**
   * Facts for a user interface to word its advice with: the formats there are, or the columns that could be ignored.
   */
  readonly facts?: Readonly<Record<string, string>>;

  constructor(
    message: string,
    options: {
      hint?: string | undefined;
      code?: SheetError['code'];
      cause?: unknown;
      facts?: SheetError['facts'];
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SheetError';
    this.code = options.code ?? 'sheet_unreadable';
    if (options.hint !== undefined) this.hint = options.hint;
    if (options.facts !== undefined) this.facts = options.facts;
  }
}
