import type { ErrorData } from '../contract/operation.ts';
import type { JsonSchema } from '../contract/schema/json-schema.ts';
import type { Cell, ColumnKind } from '../contract/view.ts';

export type { ErrorData } from '../contract/operation.ts';
export type { Cell } from '../contract/view.ts';

/** The parameter of an address, and the cookie, by which a browser chooses the language of the console. */
export const LANGUAGE = 'shopctl_language';

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
  /** Whether it makes something that was not there, from a form or a file. */
  readonly creates: boolean;
  readonly shape: Shape;
  /** The fields that identify what it is about, in order. */
  readonly positional: readonly string[];
  /** The required fields. */
  readonly required: readonly string[];
  /** The fields that take files. */
  readonly uploads: readonly string[];
  /** The field that takes the id of any record, if it lists what happened to that. */
  readonly about?: string;
  /** What it is given besides for that. */
  readonly aboutWith?: Readonly<Record<string, unknown>>;
  /** Another group whose screen shows it, too. */
  readonly beside?: string;
  /** What the page of a record of its group says: the field for that record, and what it is given besides. */
  readonly tells?: {
    readonly of: string;
    readonly given: Readonly<Record<string, unknown>>;
    /** What stands above it. */
    readonly title: string;
  };
  /** Fields that name the record of the positional in another way. */
  readonly aliases: readonly string[];
  /** The required field by which it shows one of a few things, each of which is shown by itself. */
  readonly choice?: { readonly field: string; readonly values: readonly string[] };
  /** Flags that ask for something else about the same input, such as an explanation. */
  readonly asides: readonly string[];
  /** The formats in which it can be received as a file. */
  readonly formats: readonly string[];
  /** Whether it gives nothing but a file. */
  readonly isFile: boolean;
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
  /** The zone of all times. */
  readonly timeZone: string;
  /** What the screen that is opened asks for first. */
  readonly first?: FirstRun;
}

/** A list that was run before the page asked for it, with its form. */
export interface FirstRun {
  readonly id: string;
  readonly request: RunRequest;
  readonly form: FormData;
  readonly ran: Ran;
}

/** The input of an action, for a form. */
export interface FormData {
  readonly schema: JsonSchema;
  /** The mark of a form that makes something, as the console gives it out: what is told from then on was made for it. */
  readonly opened?: string;
  /** The fields that take files. */
  readonly uploads: readonly string[];
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
  /** How many rows there are, if these may be fewer. */
  readonly of?: number;
  /** The last row, which sums up the others. */
  readonly total?: readonly Cell[];
}

/** One field of a record: a value, or a table of its parts. */
export interface FieldData {
  readonly name: string;
  readonly cell?: Cell;
  /** The record that it names, on the screen of its group. */
  readonly link?: { readonly group: string; readonly record: string };
  readonly table?: TableData;
}

/** A record as a page: what is looked for first, then its parts. */
export interface LayoutData {
  /** What people call it. */
  readonly title: string;
  readonly states: readonly FieldData[];
  readonly first: readonly FieldData[];
  readonly parts: readonly {
    readonly title: string;
    readonly fields: readonly FieldData[];
    /** Whether its values are the lines of an envelope. */
    readonly isAddress: boolean;
  }[];
}

/** Where the next page of a list begins. */
export interface More {
  /** What to add to the input. */
  readonly input: Readonly<Record<string, string>>;
  /** How many rows to pass over. */
  readonly from: number;
}

/** A drawing, to be fetched by the id of the one that fits. */
export interface PictureData {
  readonly wide: string;
  readonly narrow: string;
  readonly title: string;
}

/** A command that does what a request did. */
export interface CopyData {
  readonly label: string;
  readonly text: string;
}

/** What a run says besides its result. */
interface Said {
  /** The same on the command line. */
  readonly command: string;
  readonly notices: readonly string[];
  /** By what the page says that it has shown this, if the console wants to know: until then nobody was told. */
  readonly receipt?: string;
}

/** The result of a run. */
export type Ran = Said &
  (
    | {
        readonly kind: 'list';
        readonly table: TableData;
        /** The columns that can be shown, in their order. */
        readonly fields: readonly Pick<ColumnData, 'path' | 'header'>[];
        readonly picture?: PictureData;
        /** Where the next page begins; absent at the end. */
        readonly more?: More;
        /** Whether these are only the first rows, and the whole result follows. */
        readonly isComing?: boolean;
      }
    | {
        readonly kind: 'record';
        readonly name: string;
        /** Its fields; those that the layout does not show, if there is one. */
        readonly fields: readonly FieldData[];
        readonly layout?: LayoutData;
        /** How far work has come. */
        readonly progress?: { readonly of: number; readonly left: number };
        /** The ids of records within it, such as an order's parcels, and of those that its layout names. */
        readonly parts: readonly string[];
        /** The ids of actions that would do nothing with it, or refuse it. */
        readonly without?: readonly string[];
        /** What can be copied besides the command. */
        readonly copies: readonly CopyData[];
      }
    /** A file, to be fetched once by its id. */
    | { readonly kind: 'file'; readonly name: string; readonly id: string }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'nothing' }
    | {
        readonly kind: 'look';
        readonly fields: readonly FieldData[];
        readonly amounts: readonly FieldData[];
        /** What it will ask, as far as that is known: who confirms the dry run has answered it. */
        readonly questions: readonly string[];
      }
    | { readonly kind: 'asks'; readonly question: string }
    | { readonly kind: 'error'; readonly error: ErrorData }
  );

/** Where the catalogue for an address of the console is: the document asks for it before its script does. */
export const catalogueAddress = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>) =>
  `/api/actions?at=${encodeURIComponent(search === '' ? pathname : '')}`;

/** What the page asks for. */
export interface RunRequest {
  readonly input: Readonly<Record<string, unknown>>;
  /** How many rows of a list to pass over. */
  readonly from?: number;
  /** A dry run: the request is shown and nothing is sent. */
  readonly look?: boolean;
  /** The questions that were answered with yes, word for word. */
  readonly agreed?: readonly string[];
  /** The mark of its form, as the console has given it. */
  readonly opened?: string;
  /** The ids of sent files, by the fields that take them. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
  /** The result as a file of this format instead. */
  readonly format?: string;
  /** The columns to show; those of the action when absent. */
  readonly columns?: readonly string[];
  /** Whether the first rows may be shown before the others are found. */
  readonly early?: boolean;
  /** One row of the page, by its name, whole. */
  readonly row?: string;
}

/** A piece of a file that the page sends. */
export interface UploadPiece {
  /** The file that it belongs to; absent for the first piece. */
  readonly id?: string;
  readonly name: string;
  /** In base64. */
  readonly bytes: string;
}

/** A file that the page receives. */
export interface FileAnswer {
  readonly name: string;
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** What the console answers to a page that has shown a result: what its form sends from now on is something else. */
export interface Acknowledged {
  readonly opened: string;
}

/** A message of the stream: these groups may look different now. */
export interface Changed {
  readonly groups: readonly string[];
  /** Counts up; a page that missed one asks for everything. */
  readonly cursor: number;
}
