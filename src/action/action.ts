import * as z from 'zod';
import type { Hints } from '../contract/schema/hint.ts';
import type { View } from '../contract/view.ts';
import type { Coming } from '../domain/coming-lists.ts';
import type { Fields } from '../domain/json/values.ts';
import type { Declared, Frozen, Need } from './declared.ts';
import type { Ports } from './ports.ts';

/** The default output format: JSON, or the format of the file given as `rows`. */
export type ActionFormat = 'json' | 'as-read';

/** How a page uses an action: as its shape says, or besides for the time line of any record. */
export type PageUse =
  | 'allowed'
  | {
      /** It lists what happened to the record whose id is given in this field. */
      readonly about?: string;
      /** What it is given besides for that, such as to leave out what only read the record. */
      readonly aboutWith?: Fields;
      readonly news?: News;
      /** Whether a page shows it as it shows what reads: it stores only what it found. */
      readonly isLook?: boolean;
      /** A group whose screen shows it besides its own. */
      readonly beside?: string;
      /** The page of a record of its group says what it answers: the field for that record, and what is given besides. */
      readonly tells?: { readonly of: string; readonly given: Fields };
      /** The ids of actions that would do nothing with the record that it shows, or refuse it: its page has no buttons for them. */
      without?(record: unknown): readonly string[];
      /** The call that a row stands for, to be copied as a command; undefined if it stands for none. */
      call?(row: unknown): Call | undefined;
    };

/** A call of the service. */
export interface Call {
  readonly operation: string;
  readonly body: unknown;
}

/** A list that goes on: each of its rows says that records may look different. */
export interface News {
  /** The input with which it goes on, from now. */
  readonly input: Fields;
  /** What actions need that show such records. */
  readonly of: readonly Need[];
}

/** The rows of a list, all at once or as a stream. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** What `run` returns: the value of the output, whose lists may still be coming, or, if the output is a list, its rows. */
export type Returned<Output extends z.ZodType> =
  z.output<Output> extends readonly (infer Row)[] ? Rows<Frozen<Row>> : Coming<Frozen<z.output<Output>>>;

/**
 * One thing that shopctl can do, as data and one function. It knows values and ports, and nothing about a command line:
 * interpreters derive flags, help, completion, tables and exit codes from it.
 */
export interface Action<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Declared<Input, Output> {
  /** One line, an imperative sentence without a full stop. */
  readonly summary: string;
  /** Details for the help beyond the summary. */
  readonly description?: string;
  /** Whole command lines, the best one first. */
  readonly examples: readonly string[];
  /**
   * How the output is displayed to a person, depending on the input if needed; derived from the output's fields when
   * absent.
   */
  readonly view?: View | ((input: Partial<z.output<Input>>) => View);
  /** The default output format; `as-read` is that of the `rows` it was given. */
  readonly format?: ActionFormat | ((input: Partial<z.output<Input>>) => ActionFormat | undefined);
  /** The fields that can be positional arguments, in order; the last one repeats if it is a list. */
  readonly positional?: readonly (keyof z.output<Input> & string)[];
  /**
   * Whether rows arrive as things happen: each is printed at once on its own line, without waiting for others to align
   * columns.
   */
  readonly live?: boolean | ((input: z.output<Input>) => boolean);
  /** Whether the input can be given as one document, and its skeleton requested. */
  readonly whole?: boolean;
  /** What a document means that is given as the whole input, where another kind of document is taken as well. */
  readDocument?(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  readonly hints?: Hints<Input>;
  /**
   * Says that it may be run from a page of the console; without it, it may not. Never for what shows a key, runs a
   * program, sends raw requests, reads or writes a path of this machine, or changes profiles, keys or settings.
   */
  readonly page?: PageUse;
  /** Whether it also runs with unusable settings, to report what is wrong with them (`Ports.problem`). */
  readonly diagnoses?: boolean;
  /** Whether its result shows settings as they were given: a key among them is concealed in it. */
  readonly showsSettings?: boolean;
  /**
   * The record that a text names which stands in the place of its id; throws a Refusal if that is none, or several. Absent
   * where a record has no other name than its id.
   */
  find?(text: string, ports: Ports): Promise<FoundRecord>;
  /** What can be given for a field that is missing, a sentence without a full stop; undefined if there is nothing. */
  suggests?(ports: Ports): Promise<string | undefined>;
  /** What it removes, for the question whether to; undefined if that has no name. Throws what refuses it. */
  subject?(input: z.output<Input>, ports: Ports): Promise<Subject | undefined>;
  /** Whether that is read in a dry run as well: it says what will become of more than what is removed. */
  readonly readsFirst?: boolean;
  /**
   * Adjusts the input when a person merely looks at the output: unless they say otherwise, they may want less than all.
   */
  atFirstSight?(input: z.output<Input>): z.output<Input>;
  /** Parses a given input; throws what is wrong with it. Without it the schema alone decides. */
  check?(given: Fields): z.output<Input>;
  /** Runs it. Throws a Refusal, or what the layers below throw. */
  run(input: z.output<Input>, ports: Ports): Returned<Output> | Promise<Returned<Output>>;
}

/** A record that was found by one of its names. */
export interface FoundRecord {
  readonly id: string;
  /** What the name is: its code, for example. */
  readonly by: string;
}

/** What an action removes, and what becomes of it. */
export interface Subject {
  readonly called?: string;
  /** A sentence without a full stop. */
  readonly effect?: string;
}

/** Declares an action; an identity function, for type inference. */
export function action<Input extends z.ZodObject, Output extends z.ZodType>(
  declaration: Action<Input, Output>,
): Action<Input, Output> {
  return declaration;
}

/** The output of an action that returns nothing. */
export const silence = z.undefined();
