import type { RowQuestion } from './account/account.ts';
import type { Cell, SheetLine } from './formats/sheet.ts';
import { shownDay } from './xlsx/serial-days.ts';

/** A fault or a note on a cell: where it is, its content, and what is expected. */
export interface CellFault {
  readonly cell: string;
  readonly value: string;
  readonly message: string;
  /** The path of its field, for example `lines[0].quantity`, where it is known. */
  readonly path?: string;
  /** The number of its row, where the faults of several are together. */
  readonly row?: number;
  /** Of a warning: its kind. A value that was read differently from how it is written has none. */
  readonly code?: string;
}

/** A kind of record that rows refer to by other names than its id, and the names. */
export type FoundKind = 'product' | 'variant' | 'customer';
export type FoundBy = 'code' | 'external_id' | 'phone';

/** A record that a row refers to by code, or by another name; its id has to be looked up. */
export interface CodeLookup {
  readonly cell: string;
  /** The path in the record at which its id belongs. */
  readonly path: readonly (string | number)[];
  readonly of: FoundKind;
  /** What the name is; a code when absent. */
  readonly by?: FoundBy;
  readonly code: string;
  /** Whether the row names the record otherwise as well: both must be the same one. */
  readonly isBeside?: true;
  /** Whether the code must not be in use: the record is to be made under it. */
  readonly isNew?: true;
}

/** One record of a file: one line, or several lines of one order. */
export interface SourceRow {
  /** Where it begins, for example `line 12`, or `Orders!A12` in a workbook. */
  readonly place: string;
  /** The original cells, one list per line; for a record without columns its JSON text. */
  readonly cells: readonly (readonly Cell[])[];
  /** What a spreadsheet shows in place of numbers and dates among them, by column, a map a line; absent without any. */
  readonly shown?: readonly (ReadonlyMap<number, string> | undefined)[];
  /** The values read from it. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly faults: readonly CellFault[];
  /** Values that were read differently from how they are written, and warnings. */
  readonly notes: readonly CellFault[];
  /** Codes that are in use already; a row that was sent before has made them itself. */
  readonly taken?: readonly CellFault[];
  /** How many fields are cleared by a blank cell. */
  readonly cleared: number;
  /** The values as they were read, where they named records that `value` has by their ids. */
  readonly asRead?: SourceRow['value'];
  /** Records referred to by other names; their ids must be looked up to complete the record. */
  readonly lookups?: readonly CodeLookup[];
  /** What its file says of it in no field: comments on cells, and texts in columns that are not read; absent without any. */
  readonly beside?: readonly { readonly cell: string; readonly text: string }[];
  /** What its columns in no field say was paid before, or taken off; absent for a record without columns. */
  readonly partsBeside?: () => readonly number[];
  /** Whether its blank cash was said to be its total. */
  readonly collectsTotal?: true;
  /** Whether its file says that not all of its total is collected: a deposit, or a note on what is paid. */
  readonly isPaidInPart?: true;
  /** Adds what every row has, where its value says nothing else: also to lines that are read from a text later. */
  readonly complete?: (value: SourceRow['value']) => SourceRow['value'];
  /** What a person has to say about it if it is sent. */
  readonly asks?: readonly RowQuestion[];
  /** Names the cell of a path such as `lines[1].quantity` for a person; the row if it has no cell. */
  readonly cellOf: (path: string) => string;
  /** The names of its cells in the file's order; empty for a record without columns. */
  readonly cellNames: () => readonly string[];
  /** Whether its sheet has a column for a field of the order itself; absent where its cells alone tell. */
  readonly hasColumn?: (path: string) => boolean;
}

function shownOf({ cells, days, shown }: SheetLine): ReadonlyMap<number, string> | undefined {
  if (days === undefined) return shown;
  return new Map([...days.map((column) => [column, shownDay(String(cells[column]))] as const), ...(shown ?? [])]);
}

/** What a spreadsheet shows of the lines of a row, where that is another text than that of their cells. */
export function shownIn(lines: readonly SheetLine[]): Pick<SourceRow, 'shown'> {
  const shown = lines.map(shownOf);
  return shown.some((one) => one !== undefined) ? { shown } : {};
}

/** The original cells of a row, one list per line, as a spreadsheet shows them. */
export function cellsAsShown({ cells, shown = [] }: Pick<SourceRow, 'cells' | 'shown'>): readonly (readonly Cell[])[] {
  return cells.map((line, at) => line.map((cell, column) => shown[at]?.get(column) ?? cell));
}

/** The rows of a sheet, and what was ignored in it. */
export interface SourceRows {
  /** The header; empty for a file without one. */
  readonly header: readonly string[];
  /** The name of the service's sheet that it was recognised as. */
  readonly recognised?: string;
  /** Columns and fields that are ignored, with the reason; for records it grows during reading. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Names the cell with the name of the record at a place, such as `line 12`; absent if no column names records. */
  readonly nameCellOf?: (place: string) => string;
  /** Which sheet was read, and how many lines were left out, one sentence each; grows during reading. */
  readonly reported?: readonly string[];
  readonly rows: AsyncIterable<SourceRow>;
}
