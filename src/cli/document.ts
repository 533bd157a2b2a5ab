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
  /** Path of what `-o name` prints, `id` when absent. */
  readonly name?: string;
  /** Paths that `--fields` knows beside the columns. */
  readonly fields?: readonly string[];
}

/** One record: machine formats print `value` whole, a table prints the view's columns as rows. */
export interface RecordDocument {
  readonly kind: 'record';
  readonly value: unknown;
  readonly view: View;
}

/** Records in the order they come; machine formats print them whole, a table prints the view's columns. */
export interface ListDocument {
  readonly kind: 'list';
  readonly rows: AsyncIterable<unknown> | Iterable<unknown>;
  readonly view: View;
}

/** Text of our own making that is printed as it is: completion scripts, a curl command. */
export interface TextDocument {
  readonly kind: 'text';
  readonly text: string;
}

/** Nothing to print on stdout. */
export interface SilentDocument {
  readonly kind: 'none';
}

/** What a command gives back; the runner prints it in the format in force. */
export type Document = RecordDocument | ListDocument | TextDocument | SilentDocument;

export const outputFormats = ['table', 'json', 'jsonl', 'csv', 'yaml', 'name'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** How the result is printed. */
export interface PrintOptions {
  readonly format: OutputFormat;
  /** `--fields a,b.c`: these paths only, in this order. */
  readonly fields?: readonly string[];
  /** `--query`: a JMESPath expression over the whole result. */
  readonly query?: string;
  readonly colour: boolean;
  /** Width of the terminal; absent without one, where a table is never cut. */
  readonly columns?: number;
  /** Whether stdout is a terminal. */
  readonly terminal: boolean;
  readonly quiet: boolean;
}
