import type { View } from '../contract/view.ts';

export type { Column, ColumnKind, View } from '../contract/view.ts';

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
  /** Whether each row is to be seen at once: json has one a line then, and a table has no columns. */
  readonly live?: boolean;
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

/** How the result is printed. */
export interface PrintOptions {
  /** The name of the format. */
  readonly format: string;
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
