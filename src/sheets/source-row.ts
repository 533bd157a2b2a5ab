import type { Cell } from './sheet.ts';

/** Something wrong with a cell, or worth telling: where, what stands there, and what is expected. */
export interface CellFault {
  readonly cell: string;
  readonly value: string;
  readonly message: string;
}

/** A product or variant that a row names by its code; its id has to be asked for. */
export interface CodeLookup {
  readonly cell: string;
  /** Where its id goes in the record. */
  readonly path: readonly (string | number)[];
  readonly of: 'product' | 'variant';
  readonly code: string;
}

/** One record of a file: a line, or several lines of one order. */
export interface SourceRow {
  /** Where it begins, for example `line 12`. */
  readonly place: string;
  /** The original cells, a list for each line; of a record without columns its JSON text. */
  readonly cells: readonly (readonly Cell[])[];
  /** What was read of it. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly faults: readonly CellFault[];
  /** What was read as something else than it is written. */
  readonly notes: readonly CellFault[];
  /** How many fields a blank cell clears. */
  readonly cleared: number;
  /** Goods that it names by their codes; their ids have to be asked for before it is whole. */
  readonly lookups?: readonly CodeLookup[];
  /** How a person finds the field of a path such as `lines[1].quantity`: its cell, else the row. */
  readonly cellOf: (path: string) => string;
}

/** The rows of a sheet, and what was left out of it. */
export interface SourceRows {
  /** The header, empty for a file without one. */
  readonly header: readonly string[];
  /** The sheet of the service that it was recognised as, as a person calls it. */
  readonly recognised?: string;
  /** Columns and fields that are not read, with the reason; for records it grows while they are read. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly rows: AsyncIterable<SourceRow>;
}
