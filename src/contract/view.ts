import type { Chart } from '../domain/chart.ts';
import { type Fields, valueAt } from '../domain/json/values.ts';
import { labels } from './labels.ts';
import type { OperationId } from './operation-id.ts';

/**
 * How a column's values are displayed: numbers and money are right-aligned, a status letter is followed by its word, a
 * moment is a time to the second, a trend is a list of numbers drawn on one line, a place is that of a cell in a file. A
 * status or state that needs attention is marked; an inspection is what a buyer may do before paying, a sentence is one
 * that is declared or stored in English, a message may have moments in it, which are shown as clocks show them.
 */
export type ColumnKind =
  | 'text'
  | 'number'
  | 'status'
  | 'state'
  | 'time'
  | 'moment'
  | 'flag'
  | 'trend'
  | 'activity'
  | 'inspection'
  | 'place'
  | 'sentence'
  | 'message';

/** How urgent a status is; the word in the cell says the same. */
export type Tone = 'urgent' | 'unusual';

/** One value as people read it. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
  /** Of a time: the moment, in milliseconds since 1970. */
  readonly moment?: number;
}

/** One column of a table, or one row of a record's sheet. */
export interface Column {
  /** Path of the value in the record, for example `shipping.cod_amount`. */
  readonly path: string;
  /** Heading; the path when absent. */
  readonly header?: string;
  readonly kind?: ColumnKind;
  /** Omitted from a list on a terminal that is too narrow; the last such column goes first. */
  readonly optional?: boolean;
  /** Omitted before all others: people know the record by another name, which stays. */
  readonly goesFirst?: boolean;
  /** Shown on a narrow terminal too, if the records of the list differ in it. */
  readonly keptIfVaried?: boolean;
  /** Omitted from a list in which no record has a value there. */
  readonly unlessBlank?: boolean;
  /** What stands where a record has no value there, but has one at the path `beside`. */
  readonly blank?: { readonly text: string; readonly beside: string };
  /** Which end of a long value to cut: addresses differ at their end. By default the end is cut. */
  readonly cut?: 'start' | 'never';
  /**
   * Where a list on a terminal is too narrow for its rows, it stands below the row, wrapped instead of cut: on a line of
   * its own, or behind the column before it. The last such column goes first.
   */
  readonly below?: 'own-line' | 'same-line';
  /** The group whose page shows the record that the value names, and the path of its id if the value is not that. */
  readonly of?: { readonly group: string; readonly id?: string };
  /** For a list of records: the columns of each, on its own line, when one record is shown. */
  readonly each?: readonly Column[];
  /** Whether those entries stand below the names of their columns. */
  readonly heads?: boolean;
  /** An explanation of its values, printed below a table that shows one. */
  readonly meaning?: () => string;
}

/** What a person sees of a record that comes from another list of the service, or is derived from the record. */
export type Beside = Joined | Derived;

/** Records of another list that belong to a record. */
export interface Joined {
  /** Its name among the fields of the record. */
  readonly as: string;
  /** Path of the value in the record that both share. */
  readonly key: string;
  readonly list: OperationId;
  /** The filter of that list that takes such values, and the field of its records that holds them. */
  readonly filter: string;
  readonly on: string;
  /** Whether only one belongs to a record. */
  readonly isOne?: boolean;
  /** Path of a text in the record that makes the other one unnecessary. */
  readonly unless?: string;
  readonly beside?: readonly Beside[];
}

/** A field derived from the record itself. */
export interface Derived {
  readonly as: string;
  readonly of: (record: Fields) => unknown;
}

/** How a value is drawn with characters. */
export interface ChartView {
  readonly of: (value: unknown) => Chart;
  /** Its width in columns; that of the terminal when absent. */
  readonly width?: number | undefined;
  /** Whether it is drawn with the characters of ASCII alone. */
  readonly ascii?: boolean;
}

/** A value on the page of a record, and what it is called there; the column's heading when absent. */
export type Placed = string | { readonly path: string; readonly label: string };

/**
 * How a front end with pages shows one record, by the paths of its columns: what people look for first, then its parts.
 * What no part names is folded below them.
 */
export interface Layout {
  /** What people call it: the first that has a value. */
  readonly title: readonly string[];
  readonly states: readonly Placed[];
  readonly first: readonly Placed[];
  /** An address is the lines of an envelope, without the names of its fields. */
  readonly parts: readonly {
    readonly title: string;
    readonly shows: readonly Placed[];
    readonly isAddress?: boolean;
  }[];
}

/** How records of one kind are displayed, and which field identifies one. */
export interface View {
  readonly columns: readonly Column[];
  /** Path of the identifying field, `id` when absent. */
  readonly name?: string;
  /** Paths that can be requested besides the columns. */
  readonly fields?: readonly string[];
  /** Columns from other lists; looked up when one of them is shown. */
  readonly beside?: readonly Beside[];
  /** Name of the field whose records are displayed instead, as a list. */
  readonly list?: string | undefined;
  /** Path of a text that is displayed instead of the whole record. */
  readonly text?: string;
  /** Path of a record in each row whose fields a front end with wide tables shows as columns of their own. */
  readonly spread?: string;
  /** A drawing that people see instead of the columns. */
  readonly chart?: ChartView | undefined;
  /** A drawing that a front end with pictures shows above the columns. */
  readonly picture?: (value: unknown) => Chart;
  /** Paths of the numbers that tell how far work has come: how many things there are, and how many are left. */
  readonly progress?: { readonly of: string; readonly left: string };
  /** Whether results that come one after another are states of one page, drawn in the place of each other. */
  readonly screen?: boolean;
  /**
   * Whether rows come as things end: a table shows each at once, in columns that are at least so wide; elsewhere they stand in
   * the order of these names.
   */
  readonly comes?: { readonly inOrder: readonly string[]; readonly widths: readonly number[] };
  /** Path of the sums that people see as the last row below `list`, and what stands in its first column. */
  readonly total?: { readonly path: string; readonly label: string };
  /** The columns of a list on a page, where they are others than on a terminal: what people call it comes first. */
  readonly pageColumns?: readonly Column[] | undefined;
  /** The paths of the columns that a terminal shows of a record that was ended; the whole of it is known. */
  readonly brief?: readonly string[] | undefined;
  /** How a page shows one of them; its columns one below the other when absent. */
  readonly layout?: Layout | undefined;
  /** Whether csv has a column for each value, however deep, instead of columns that contain JSON. */
  readonly flat?: boolean;
}

/** What stands in place of a blank value of a column; undefined if it stays blank. */
export function inPlaceOfBlank(
  { blank }: { readonly blank?: Column['blank'] | undefined },
  record: unknown,
): string | undefined {
  if (blank === undefined) return undefined;
  return (valueAt(record, blank.beside) ?? null) === null ? undefined : labels().state(blank.text);
}
