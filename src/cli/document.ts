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
