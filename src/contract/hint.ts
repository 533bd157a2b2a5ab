import type * as z from 'zod';

/**
 * What ids or names a field takes, where a front can offer those that it knows: the ids that the lists of a group showed,
 * names kept here, the fields of the records at hand, or the words of commands.
 */
export type Offer = 'profiles' | 'shops' | 'fields' | 'commands' | `ids ${string}`;

/** What a front has to know of a field beside its schema. */
export interface Hint {
  /** What stands for the value in a help, for example `FILE`. */
  readonly placeholder?: string;
  /** One letter that may stand for the name. */
  readonly short?: string;
  /**
   * How a front that has nothing but texts comes by the value. `text` reads it by the schema, and takes `@file` and `-`;
   * `path` leaves the text alone; `document` reads a file that holds one object, JSON or YAML, `value` one that holds anything; `rows` reads a file of
   * records: JSON, JSON lines, YAML or csv; `stdin` reads stdin when it is asked to, for a secret is never given itself.
   */
  readonly from?: 'text' | 'path' | 'document' | 'value' | 'rows' | 'stdin';
  /** Names that stand for themselves where a document is read otherwise. */
  readonly names?: readonly string[];
  /** The name of its flag, where that is not its own. */
  readonly flag?: string;
  /** Whether a positional can be given by its name as well. */
  readonly named?: boolean;
  /** Whether the fields of this object stand beside the others, as if they were the action's own. */
  readonly inline?: boolean;
  /** Whether it has no flag: it can be given with the whole input only, or by its setting. */
  readonly hidden?: boolean;
  /** Whether its flag may be given without its value; then it is the empty text. */
  readonly optionalValue?: boolean;
  /** Whether it stands beside a whole input, and is not part of the document. */
  readonly beside?: boolean;
  /** Whether it tells everything that the whole input would: then nothing of that is given. */
  readonly instead?: boolean;
  /** Names it takes, where the schema takes any text. */
  readonly values?: readonly string[];
  readonly offers?: Offer;
  /** The setting that stands for the field where it is not given. */
  readonly setting?: 'shop';
}

/** Hints on the fields of an input, by their names. */
export type Hints<Input extends z.ZodObject> = { readonly [Name in keyof z.output<Input> & string]?: Hint };
