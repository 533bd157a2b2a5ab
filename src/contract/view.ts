/** How a column's values read: numbers and money are right-aligned, a status letter stands beside its word. */
export type ColumnKind = 'text' | 'number' | 'status' | 'time' | 'flag';

/** One column of a table, or one row of a record's sheet. */
export interface Column {
  /** Path of the value in the record, for example `shipping.cod_amount`. */
  readonly path: string;
  /** Heading; the path when absent. */
  readonly header?: string;
  readonly kind?: ColumnKind;
  /** Left out of a list on a terminal that is too narrow for it; the last one goes first. */
  readonly optional?: boolean;
}

/** How records of one kind are shown to a person, and which field names one. */
export interface View {
  readonly columns: readonly Column[];
  /** Path of the field that names a record, `id` when absent. */
  readonly name?: string;
  /** Paths that can be asked for beside the columns. */
  readonly fields?: readonly string[];
  /** Path of a text that stands for the whole record where a person reads it. */
  readonly text?: string;
  /** Whether csv has a column for each value, however deep, instead of columns with JSON in them. */
  readonly flat?: boolean;
}
