import * as z from 'zod';
import type { Hints } from '../contract/hint.ts';
import type { Effect, OperationId } from '../contract/operation.ts';
import type { View } from '../contract/view.ts';
import type { Ports } from './ports.ts';

/**
 * What an action changes: the service's records, in the operation's own words; `local`, what shopctl keeps on this
 * machine and nothing else; `read`, nothing at all;
 * `by-call`, whatever the calls change that it is asked to make.
 */
export type ActionEffect = Effect | 'local' | 'by-call';

/** How an output is written where nobody asks: as JSON, or as the file of `rows` was written. */
export type ActionFormat = 'json' | 'as-read';

/** What must be there before an action can do anything; an action that needs nothing works everywhere. */
export type Need = 'service' | 'key' | 'workspace' | 'sandbox' | 'person';

/** The rows of a list, all at once or as they come. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** A value that is only read, at any depth. */
export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

/** What `run` gives back: the value of the output, or where the output is a list, its rows. */
export type Returned<Output extends z.ZodType> =
  z.output<Output> extends readonly (infer Row)[] ? Rows<Frozen<Row>> : Frozen<z.output<Output>>;

/**
 * One thing that shopctl can do, as data and one function. It knows values and ports, and nothing of a command line:
 * flags, help, completion, tables and exit codes are what interpreters make of it.
 */
export interface Action<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** Unique; of a service operation its id (`shop.Order/GetOrder`), else its words with dots (`totals.check`). */
  readonly id: string;
  /** Its home on the command line, the group first. */
  readonly words: readonly [string, ...string[]];
  /** One line, an imperative sentence without a full stop. */
  readonly summary: string;
  /** What a reader of the help needs beyond the summary. */
  readonly description?: string;
  /** Whole command lines, the best one first. */
  readonly examples: readonly string[];
  readonly input: Input;
  readonly output: Output;
  readonly effect: ActionEffect;
  readonly needs: readonly Need[];
  /** Whether it takes something away; a person is asked before it runs. */
  readonly destructive?: boolean;
  /** How the output is shown to a person, by the input where that decides; by the fields of the output where it is absent. */
  readonly view?: View | ((input: Partial<z.output<Input>>) => View);
  /** The format that the output is written in where nobody asks for one; `as-read` is that of the `rows` it was given. */
  readonly format?: ActionFormat | ((input: Partial<z.output<Input>>) => ActionFormat | undefined);
  /** The fields that can be given by their place, in order; the last one repeats where it is a list. */
  readonly positional?: readonly (keyof z.output<Input> & string)[];
  /** Whether its rows come as things happen: each is shown at once, a line each, and none is waited for to lay others out. */
  readonly live?: boolean | ((input: z.output<Input>) => boolean);
  /** Whether the input may come whole, as one document, and its form be asked for. */
  readonly whole?: boolean;
  readonly hints?: Hints<Input>;
  /** The operations of the service that it can call. */
  readonly operations?: readonly OperationId[];
  /** Whether it runs also where the settings cannot be used, to tell what is wrong with them (`Ports.problem`). */
  readonly diagnoses?: boolean;
  /** What to think of before it is done, where a person is asked whether to do it; undefined where there is nothing. */
  caution?(input: z.output<Input>, ports: Ports): Promise<string | undefined>;
  /** The input as it is meant where a person only looks at the output: what they did not say may be less than all. */
  atFirstSight?(input: z.output<Input>): z.output<Input>;
  /** Reads a given input; throws what is wrong with it. The schema alone judges where it is absent. */
  check?(given: Readonly<Record<string, unknown>>): z.output<Input>;
  /** Does it. Throws a Refusal, or what the calls below it throw. */
  run(input: z.output<Input>, ports: Ports): Returned<Output> | Promise<Returned<Output>>;
}

/** Declares an action; an identity function, there for inference. */
export function action<Input extends z.ZodObject, Output extends z.ZodType>(
  declaration: Action<Input, Output>,
): Action<Input, Output> {
  return declaration;
}

/** The output of an action that has nothing to show. */
export const silence = z.undefined();
