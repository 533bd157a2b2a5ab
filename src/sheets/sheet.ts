/** One cell: text as it stands in a text file; a program's file may also hold numbers and truth values. */
export type Cell = string | number | boolean | null;

/** One line of a table, blank ones left out. */
export interface SheetLine {
  /** Its place in the file, from 1; the header has one too. */
  readonly line: number;
  /** As many as the header has columns. */
  readonly cells: readonly Cell[];
}

/** A file that is a table: a header, and lines below it. */
export interface TableSheet {
  readonly kind: 'table';
  /** The header's cells, trimmed. */
  readonly columns: readonly string[];
  /** To be gone through once; throws a SheetError. */
  readonly lines: AsyncIterable<SheetLine>;
  /** How a person finds a cell, for example `line 12, column phone`, or `Orders!F12`. */
  cellName(line: number, column: number): string;
  /** How it is written, so that a result can be written alike. */
  readonly manner: TableManner;
}

/** How a table is written. */
export interface TableManner {
  readonly delimiter?: string;
  readonly byteOrderMark?: boolean;
}

/** A file of records that need no columns: json, jsonl, yaml. */
export interface RecordSheet {
  readonly kind: 'records';
  /** To be gone through once; throws a SheetError. `place` is for example `line 3` or `entry 3`. */
  readonly records: AsyncIterable<{ readonly place: string; readonly value: unknown }>;
}

export type Sheet = TableSheet | RecordSheet;

/** What a reader gets of a file. */
export interface SheetSource {
  /** Its name for messages. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Thrown where a file cannot be read as a sheet; `cells` are the errors of single cells, when those are the reason. */
export class SheetError extends Error {
  readonly kind = 'usage';
  readonly code: 'sheet_unreadable' | 'cells_wrong';
  readonly hint?: string;
  /** What a front words its advice by: the formats that there are, or the columns that it could leave out. */
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
