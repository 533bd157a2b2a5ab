import type { OperationId } from './operation.ts';

/**
 * How a column's values read: numbers and money are right-aligned, a status letter stands beside its word. A status and a
 * state are marked where they need a person.
 */
export type ColumnKind = 'text' | 'number' | 'status' | 'state' | 'time' | 'flag';

/** One column of a table, or one row of a record's sheet. */
export interface Column {
  /** Path of the value in the record, for example `shipping.cod_amount`. */
  readonly path: string;
  /** Heading; the path when absent. */
  readonly header?: string;
  readonly kind?: ColumnKind;
  /** Left out of a list on a terminal that is too narrow for it; the last one goes first. */
  readonly optional?: boolean;
  /** Where a long value is cut: what tells addresses apart stands at their end. Absent, the end of a text goes. */
  readonly cut?: 'start' | 'never';
  /** Of a list of records: what is shown of each, on a line of its own, where one record is shown. */
  readonly each?: readonly Column[];
  /** What its values say that a person may not know; told below a table that shows one. */
  readonly meaning?: string;
}

/** What a person sees of a record that another list of the service holds, or that follows from the record. */
export type Beside = Joined | Derived;

/** Records of another list that belong to a record. */
export interface Joined {
  /** The name that it has among the fields of the record. */
  readonly as: string;
  /** Path of the value in the record that they have in common. */
  readonly key: string;
  readonly list: OperationId;
  /** The filter of that list that takes such values, and the field of its records that has them. */
  readonly filter: string;
  readonly on: string;
  /** Whether one belongs to a record, instead of several. */
  readonly isOne?: boolean;
  readonly beside?: readonly Beside[];
}

/** A field that follows from the record itself. */
export interface Derived {
  readonly as: string;
  readonly of: (record: Readonly<Record<string, unknown>>) => unknown;
}

/** How records of one kind are shown to a person, and which field names one. */
export interface View {
  readonly columns: readonly Column[];
  /** Path of the field that names a record, `id` when absent. */
  readonly name?: string;
  /** Paths that can be asked for beside the columns. */
  readonly fields?: readonly string[];
  /** What the columns show of other lists; looked up where one of them is shown. */
  readonly beside?: readonly Beside[];
  /** Name of the field whose records a person sees instead, as a list. */
  readonly list?: string | undefined;
  /** Path of a text that stands for the whole record where a person reads it. */
  readonly text?: string;
  /** Whether csv has a column for each value, however deep, instead of columns with JSON in them. */
  readonly flat?: boolean;
}
