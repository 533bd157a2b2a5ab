import type * as z from 'zod';

/**
 * What a front end can complete for a field: ids from the lists of a command group, names stored locally, fields of the
 * current records, or command words.
 */
export type Offer = 'profiles' | 'shops' | 'fields' | 'commands' | `ids ${string}`;

/**
 * How a page of the console gives a field, since it never names a file of this machine: as bytes that it sends, as the
 * format of a file that it receives, as one of fewer values, or not at all.
 */
export type PageField =
  | 'upload'
  | 'never'
  | { readonly download: readonly string[] }
  | { readonly values: readonly string[] };

/** What a front end needs to know about a field besides its schema. */
export interface Hint {
  /** Placeholder for the value in help, for example `FILE`. */
  readonly placeholder?: string;
  /** One-letter alias. */
  readonly short?: string;
  /**
   * How a front end that only has text obtains the value. `text` parses it by the schema, and accepts `@file` and `-`;
   * `path` keeps the text unchanged; `document` reads a file with one object, JSON or YAML, `value` one with anything;
   * `rows` reads a file of records: JSON, JSON lines, YAML or csv; `stdin` reads stdin on request, since a secret is
   * never passed as an argument.
   */
  readonly from?: 'text' | 'path' | 'document' | 'value' | 'rows' | 'stdin';
  /** The document is no request, so it may be as long as any file. */
  readonly isLong?: boolean;
  /** Matches texts that are taken literally where a document would be read otherwise. */
  readonly literal?: RegExp;
  /** Name of its flag, if different. */
  readonly flag?: string;
  /** Whether a positional can also be given as a flag. */
  readonly named?: boolean;
  /** Whether the fields of this object appear as fields of the action itself. */
  readonly inline?: boolean;
  /** Whether it has no flag: it can be given only in the whole input, or by its setting. */
  readonly hidden?: boolean;
  /** Whether its flag may be given without a value, which then is the empty text. */
  readonly optionalValue?: boolean;
  /**
   * Whether it shapes the output or the waiting: of several values the last counts. Two different values of anything
   * else are refused.
   */
  readonly isManner?: boolean;
  /** Whether an empty text is a value like any other: it names nothing. */
  readonly mayBeEmpty?: boolean;
  /** Whether it is given beside a whole input, and is not part of that document. */
  readonly beside?: boolean;
  /** Whether it replaces the whole input, of which nothing is given then. */
  readonly instead?: boolean;
  /** Known values, where the schema accepts any text. */
  readonly values?: readonly string[];
  readonly offers?: Offer;
  /** What a page gives for a field that names a file of this machine, or that only a terminal uses. */
  readonly page?: PageField;
  /** Whether this flag asks for something about the same input in place of its result, such as an explanation. */
  readonly aside?: true;
  /** The setting used if the field is not given. */
  readonly setting?: 'shop';
}

/** Hints for the fields of an input, by name. */
export type Hints<Input extends z.ZodObject> = { readonly [Name in keyof z.output<Input> & string]?: Hint };
