import * as z from 'zod';
import type { Effect } from '../contract/operation.ts';
import type { OperationId } from '../contract/operation-id.ts';
import { flag, int, list, oneOf, text } from '../contract/schema/scalars.ts';

/** A deeply read-only value. */
export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

/** What a command does, the gravest last. */
export const commandEffects = ['read', 'store', 'write', 'spend', 'destroy', 'secret', 'program'] as const;

/**
 * One thing that a command does: nothing but looking; stores something here; writes at the service; spends money; deletes
 * or cancels; shows a key; runs a program of the user's, or hands data to one.
 */
export type CommandEffect = (typeof commandEffects)[number];

/**
 * What an action changes: the service's records, in the operation's own terms; `store`, what shopctl keeps on this
 * machine, and `remove`, removes some of that; `settings`, the settings, profiles, keys, or this machine's set-up; `secret`,
 * nothing, but it shows a key; `program`, whatever the program does that it runs; `read`, nothing at all; `by-call`,
 * whatever the calls that it makes change.
 */
export type ActionEffect = Effect | 'store' | 'remove' | 'settings' | 'secret' | 'program' | 'by-call';

/** What an action requires; an action without needs works everywhere. */
export type Need = 'service' | 'key' | 'workspace' | 'sandbox' | 'person';

/**
 * How an agent may use an action: look with it; look where personal data are shown, because what it answers cannot be
 * masked; plan rows of it, which it carries out within what a person allowed; or not at all.
 */
export type AgentUse = 'read' | 'read-personal' | 'plan' | 'none';

/** What an action is called, what it takes and returns, and what it does. */
export interface Declared<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /**
   * Unique; the id of a service operation (`shop.Order/GetOrder`), otherwise its words joined by dots (`totals.check`).
   */
  readonly id: string;
  /** Its command words, the group first. */
  readonly words: readonly [string, ...string[]];
  readonly input: Input;
  readonly output: Output;
  readonly effect: ActionEffect;
  /** What else it may do, depending on its input; the operations that it names count by themselves. */
  readonly mayAlso?: readonly CommandEffect[];
  /** What it does besides where one of these fields of its input is given. */
  readonly adds?: Readonly<Record<string, ActionEffect>>;
  /** The command that undoes it, or why there is none; not for what only reads. */
  readonly undo?: string | { readonly whyNot: string };
  /** Whether it asks before it does it, and takes --yes elsewhere. */
  readonly confirm?: 'yes';
  /** Refuses by itself in read-only mode, because that depends on its input. */
  readonly refusesItself?: boolean;
  /** Whether what else it may do is done by plans alone, which a person allows. */
  readonly byPlans?: boolean;
  /** Whether it takes a person's word for what nothing here can find out: not from an agent, nor in read-only mode. */
  readonly takesWord?: boolean;
  readonly needs: readonly Need[];
  /** Whether it deletes something; a person is asked before it runs. */
  readonly destructive?: boolean;
  /** The operations of the service that it can call. */
  readonly operations?: readonly OperationId[];
  /** How agents may use it; not at all when absent. */
  readonly agents?: AgentUse;
}

/** What the effect `read` promises; docs/scripts.md says the same. */
export const READS_ONLY =
  'writes nothing at the service, shows no key, and changes nothing here but caches, logs, and an empty workspace where there was none';

const effect = oneOf(
  commandEffects,
  'The gravest of its effects: read < store < write < spend < destroy < secret < program',
);

/** The fields that say what a command does. */
export const consequences = {
  effect,
  effects: list(oneOf(commandEffects, 'An effect'), 'Everything that it can do, the gravest last'),
  undo: z.nullable(text('The command that undoes it; null if there is none')),
  why_not: z.nullable(text('Why nothing undoes it; null where a command does')),
  confirm: oneOf(
    ['never', 'terminal', 'yes'],
    'never: it asks nothing; yes: it asks, and takes --yes elsewhere; terminal: it can be run at a terminal only',
  ),
};

/** What a command does, how it is undone, and how it asks before. */
export type Consequences = Frozen<z.output<z.ZodObject<typeof consequences>>>;

/** A command in one short object, as returned by `commands --brief`. */
export const briefRecord = z.object({
  command: text('The whole command'),
  summary: text('Summary in one line'),
  effect,
});

const offers = z.optional(text('Completions for its value'));
const values = z.optional(list(text('A value'), 'Allowed values, if they are few'));

/** A command, as data. */
export const commandRecord = z.object({
  command: text('The whole command'),
  group: text('Its first word'),
  summary: text('Summary in one line'),
  description: z.optional(text('Description')),
  ...consequences,
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
