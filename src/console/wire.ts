import type { JsonSchema } from '../contract/schema/json-schema.ts';
import type { ColumnKind } from '../contract/view.ts';

/** What an action returns, as far as a page needs to know before it runs. */
export type Shape = 'list' | 'record' | 'nothing';

/** One action that may be run from a page. */
export interface ActionData {
  readonly id: string;
  /** Its first word, by which screens are named. */
  readonly group: string;
  /** Its other words. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** Whether it changes nothing. */
  readonly reads: boolean;
  /** Whether it deletes something. */
  readonly destructive: boolean;
  readonly shape: Shape;
  /** The fields that identify what it is about, in order. */
  readonly positional: readonly string[];
  /** The required fields. */
  readonly required: readonly string[];
  /** The field that takes the id of any record, if it lists what happened to that. */
  readonly about?: string;
}

/** A screen: the actions of a group. */
export interface ScreenData {
  readonly group: string;
  readonly title: string;
  /** Whether it is in the navigation by itself, or among the others. */
  readonly isMain: boolean;
}

/** Everything the page knows when it opens. */
export interface Catalogue {
  readonly screens: readonly ScreenData[];
  readonly actions: readonly ActionData[];
  /** The profile's name, if there is one. */
  readonly profile?: string;
  /** The service's address, if there is one. */
  readonly service?: string;
  readonly readOnly: boolean;
  readonly version: string;
}

/** The input of an action, for a form. */
export interface FormData {
  readonly schema: JsonSchema;
}

/** How urgent a status is; the word in the cell says the same. */
export type Tone = 'urgent' | 'unusual';

/** One value as people read it. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
}

/** A column of a table. */
export interface ColumnData {
  readonly path: string;
  readonly header: string;
  readonly kind?: ColumnKind;
  /** Whether a narrow table leaves it out. */
  readonly optional: boolean;
  readonly meaning?: string;
}

/** One row of a table: its cells, and what identifies its record. */
export interface RowData {
  readonly name: string;
  readonly cells: readonly Cell[];
}

/** A table. */
export interface TableData {
  /** Path of the field that identifies a row. */
  readonly key: string;
  readonly columns: readonly ColumnData[];
  readonly rows: readonly RowData[];
}

/** One field of a record: a value, or a table of its parts. */
export interface FieldData {
  readonly name: string;
  readonly cell?: Cell;
  readonly table?: TableData;
}

/** An error in the words of the command line. */
export interface ErrorData {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly operation?: string;
  readonly outcome: 'not_applied' | 'applied' | 'unknown' | 'partial';
  readonly exitCode: number;
  readonly fields: readonly { readonly path: string; readonly message: string }[];
}

/** Where the next page of a list begins. */
export interface More {
  /** What to add to the input. */
  readonly input: Readonly<Record<string, string>>;
  /** How many rows to pass over. */
  readonly from: number;
}

/** What a run says besides its result. */
interface Said {
  /** The same on the command line. */
  readonly command: string;
  readonly notices: readonly string[];
}

/** The result of a run. */
export type Ran = Said &
  (
    | {
        readonly kind: 'list';
        readonly table: TableData;
        /** Where the next page begins; absent at the end. */
        readonly more?: More;
      }
    | { readonly kind: 'record'; readonly name: string; readonly fields: readonly FieldData[] }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'nothing' }
    | { readonly kind: 'look'; readonly fields: readonly FieldData[]; readonly amounts: readonly FieldData[] }
    | { readonly kind: 'asks'; readonly question: string }
    | { readonly kind: 'error'; readonly error: ErrorData }
  );

/** What the page asks for. */
export interface RunRequest {
  readonly input: Readonly<Record<string, unknown>>;
  /** How many rows of a list to pass over. */
  readonly from?: number;
  /** A dry run: the request is shown and nothing is sent. */
  readonly look?: boolean;
  /** The questions that were answered with yes, word for word. */
  readonly agreed?: readonly string[];
}

/** A message of the stream: these groups may look different now. */
export interface Changed {
  readonly groups: readonly string[];
  /** Counts up; a page that missed one asks for everything. */
  readonly cursor: number;
}
