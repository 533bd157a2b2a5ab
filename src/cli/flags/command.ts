import type { Action } from '../../action/action.ts';
import type { AgentStart, ConsoleStart, RunningConsole, UserInterface } from '../../action/ports.ts';
import type { OperationId } from '../../contract/operation-id.ts';
import type { Offer } from '../../contract/schema/hint.ts';
import type { Fields } from '../../domain/json/values.ts';
import type { Context } from '../context.ts';
import type { ExitName } from '../errors/exit.ts';
import type { Notice } from '../print/diagnostics.ts';
import type { Document } from '../print/document.ts';
import type { Session } from '../session/session.ts';

/**
 * The type of a flag's value. `ids` is a filter and repeats or takes commas; `list` repeats; `map` is key=value;
 * `object` and `objects` take JSON or key=value,key=value.
 */
export type FlagType =
  | 'string'
  | 'id'
  | 'ids'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'list'
  | 'map'
  | 'object'
  | 'objects';

/** One flag of a command. */
export interface Flag {
  /** In kebab-case, nested fields dotted: `shipping.cod-amount`. */
  readonly name: string;
  readonly short?: string;
  readonly type: FlagType;
  readonly description: string;
  /** Placeholder in the help; derived from the type when absent. */
  readonly placeholder?: string;
  /** Its allowed values. */
  readonly values?: readonly string[];
  /** Where its value goes in the request, if the flag is a request field. */
  readonly path?: readonly string[];
  /** The flags of an object's or list's entries, which say how each key's text is parsed. */
  readonly entries?: readonly Flag[];
  readonly required?: boolean;
  /** Whether it is an amount of money, which people write with thousands separators. */
  readonly amount?: boolean;
  /** Whether a list can be given as one comma-separated value; only if no value contains a comma. */
  readonly commas?: boolean;
  /** Whether its text is taken verbatim: no @file, no - for stdin, no JSON list. */
  readonly verbatim?: boolean;
  /** What can be completed for its value. */
  readonly offers?: Offer;
  /** Whether it may be given without a value; then it is `true`. */
  readonly optionalValue?: boolean;
  /** Whether it shapes the output or the waiting, so that of several values the last counts. */
  readonly isStyle?: boolean;
}

/** One positional argument. */
export interface Argument {
  readonly name: string;
  readonly description: string;
  /** Its allowed values, for completion. */
  readonly values?: readonly string[];
  /** What can be completed for its value. */
  readonly offers?: Offer;
  readonly required: boolean;
  /** Whether the command itself says what can be given where it is missing. */
  readonly isSuggested?: true;
  readonly variadic?: boolean;
}

/** What the user typed for one command, by flag and argument name. */
export interface Given {
  readonly arguments: readonly string[];
  /** Texts of each flag in the order given; a switch is true or false. */
  readonly flags: Readonly<Record<string, readonly string[] | boolean>>;
}

/** The input of a command's run. */
export interface Invocation {
  readonly context: Context;
  readonly session: Session;
  readonly given: Given;
  /** What the command line says about itself. */
  readonly ui: UserInterface;
  /** Serves the actions to a browser, for the account of an invocation. */
  readonly startConsole: (invocation: Invocation, start: ConsoleStart) => Promise<RunningConsole>;
  /** Serves the actions to an agent, for the account of an invocation. */
  readonly serveAgents: (invocation: Invocation, start: AgentStart) => Promise<void>;
  /** Plans a write that an agent types, or carries out what was planned and is allowed. Throws a Refusal otherwise. */
  readonly writeAsAgent: (invocation: Invocation, action: Action, input: Fields) => Promise<Fields>;
}

/** The output of a command: the result to print, and the exit code if it is not success. */
export interface Result {
  readonly document: Document;
  readonly exit?: ExitName;
  /** The exit code of a program that was run, used unchanged. */
  readonly exitCode?: number | undefined;
  /** Whether something was changed: then a failure to print it is reported, but the command does not fail. */
  readonly applied?: boolean;
  /** The rows of a list that was there before any of it was printed. */
  readonly rows?: readonly unknown[];
  /** Whether a write was sent to the service: then a signal that ended the run counts, also where the write was done. */
  readonly wrote?: boolean;
  /** Called when stdout has accepted everything, but not if its reader disconnected before. */
  readonly reported?: () => Promise<void>;
  /** The default format: a request or an order file is JSON, not a table. */
  readonly defaultFormat?: string;
  /**
   * Notices for stderr after the result, as a function if they are known only then; omitted with --quiet. The function
   * receives the paths of the columns that a table showed.
   */
  readonly notices?: readonly Notice[] | ((shown: readonly string[]) => readonly Notice[]);
  /** Notices that are printed with --quiet too: the output is incomplete. */
  readonly warnings?: () => readonly Notice[];
}

/** What the help and the completion show of a command. */
export interface ShownCommand {
  /** The words after the group's, for example `['members', 'add']`. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly examples: readonly string[];
  readonly arguments: readonly Argument[];
  /** Computed only for the command in use. */
  readonly flags: () => readonly Flag[];
}

/** One command of the tree: the actions that share its words, one per family that has it. */
export interface Command extends ShownCommand {
  readonly actions: readonly Action[];
  /** The operations that it can call. */
  readonly operations: readonly OperationId[];
  /** Whether it also runs with unusable settings, to report what is wrong with them (`Session.problem`). */
  readonly diagnoses: boolean;
  readonly run: (invocation: Invocation) => Promise<Result>;
}

/** A group of commands: one word on the command line, one module. */
export interface Group {
  readonly commands: readonly Command[];
}

const ofType: Readonly<Record<Flag['type'], string>> = {
  string: 'TEXT',
  id: 'ID',
  ids: 'ID,...',
  integer: 'N',
  number: 'NUMBER',
  boolean: '',
  list: 'VALUE',
  map: 'KEY=VALUE',
  object: 'JSON',
  objects: 'KEY=VALUE,...',
};

/** The placeholder of a flag's value in help and reference; empty for a switch. */
export function placeholderOf({ placeholder, type }: Pick<Flag, 'placeholder' | 'type'>): string {
  return placeholder ?? ofType[type];
}
