import * as z from 'zod';
import { flag, int, list, text } from '../contract/schema/scalars.ts';

/** What an action is called, what it takes and what it returns. */
export interface Declared<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /**
   * Unique; the id of a service operation (`shop.Order/GetOrder`), otherwise its words joined by dots (`totals.check`).
   */
  readonly id: string;
  /** Its command words, the group first. */
  readonly words: readonly [string, ...string[]];
  readonly input: Input;
  readonly output: Output;
}

/** A deeply read-only value. */
export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

const offers = z.optional(text('Completions for its value'));
const values = z.optional(list(text('A value'), 'Allowed values, if they are few'));

/** A command, as data. */
export const commandRecord = z.object({
  command: text('The whole command'),
  group: text('Its first word'),
  summary: text('Summary in one line'),
  description: z.optional(text('Description')),
  arguments: list(
    z.object({
      name: text('Name in the help'),
      description: text('What it is'),
      required: flag('Whether it is required'),
      variadic: z.optional(flag('Whether it repeats')),
      values,
      offers,
    }),
    'Positional arguments',
  ),
  flags: list(
    z.object({
      name: text('Without the dashes'),
      short: z.optional(text('Its short form')),
      type: text('Type of its value'),
      placeholder: text('Placeholder of its value; empty for a switch'),
      description: text('What it does'),
      required: flag('Whether it is required'),
      field: z.optional(text('Path of the field that it sets')),
      values,
      offers,
    }),
    'Its flags',
  ),
  operations: list(
    z.object({
      id: text('Id of the operation'),
      effect: text('Effect of a call'),
      credential: text('Kind of key that it needs'),
      positional: z.optional(text('The field that is a positional argument')),
      partial: flag('Whether a part of it can fail'),
    }),
    'The operations of the service that it calls',
  ),
  examples: list(text('A command line'), 'Usage'),
});

/** All commands with their groups, as data. */
export const treeRecord = z.object({
  groups: list(
    z.object({ name: text('Its word'), summary: text('Its commands'), section: text('Heading in the help') }),
    'The groups',
  ),
  commands: list(commandRecord, 'The commands'),
  global_flags: list(
    z.object({
      name: text('Without the dashes'),
      short: z.optional(text('Its short form')),
      value: z.optional(text('Placeholder of its value')),
      description: text('What it does'),
      env: z.optional(text('Environment variable for the same setting')),
      optionalValue: z.optional(flag('Whether its value is optional')),
      values,
      offers,
    }),
    'Flags of every command',
  ),
  exit_codes: list(
    z.object({ code: int('The exit code', 'exit code'), meaning: text('What it means') }),
    'The exit codes',
  ),
});

/** A command, as returned by `commands`. */
export type CommandRecord = Frozen<z.output<typeof commandRecord>>;

/** The result of `commands --tree`. */
export type TreeRecord = Frozen<z.output<typeof treeRecord>>;
