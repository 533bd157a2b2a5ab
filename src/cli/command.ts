import type { Action } from '../actions/action.ts';
import type { Front } from '../actions/ports.ts';
import type { Offer } from '../contract/hint.ts';
import type { OperationId } from '../contract/operation.ts';
import type { Context } from './context.ts';
import type { Document } from './document.ts';
import type { ExitName } from './exit.ts';
import type { Session } from './session.ts';

/**
 * What a flag takes. `ids` is a filter and repeats or takes commas; `list` repeats; `map` is key=value; `object` and
 * `objects` take JSON or key=value,key=value.
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
  /** Placeholder in the help; made from the type when absent. */
  readonly placeholder?: string;
  /** The names it takes. */
  readonly values?: readonly string[];
  /** Where its value goes in the request, for a flag that is a field of one. */
  readonly path?: readonly string[];
  /** Of an object's or list's entries: their own flags, which tell how each key's text is read. */
  readonly entries?: readonly Flag[];
  readonly required?: boolean;
  /** Whether it is an amount of money, which people write with marks between the thousands. */
  readonly amount?: boolean;
  /** Whether the values of a list may be given in one, with commas between: those that have none in them. */
  readonly commas?: boolean;
  /** Whether its text is left as it is: no @file, no - for stdin. */
  readonly verbatim?: boolean;
  /** What it takes, where that can be offered to somebody who types it. */
  readonly offers?: Offer;
  /** Whether it may be given without its value; then it is `true`. */
  readonly optionalValue?: boolean;
}

/** One positional argument. */
export interface Argument {
  readonly name: string;
  readonly description: string;
  /** The names it takes, for completion. */
  readonly values?: readonly string[];
  /** What it takes, where that can be offered to somebody who types it. */
  readonly offers?: Offer;
  readonly required: boolean;
  readonly variadic?: boolean;
}

/** What the person typed for one command, by flag and argument name. */
export interface Given {
  readonly arguments: readonly string[];
  /** Texts of each flag in the order they came; a switch is true or false. */
  readonly flags: Readonly<Record<string, readonly string[] | boolean>>;
}

/** What a command's run receives. */
export interface Invocation {
  readonly context: Context;
  readonly session: Session;
  readonly given: Given;
  /** What the command line says of itself. */
  readonly front: Front;
}

/** What a command gives back: the result to print, and the exit when it is not success. */
export interface Result {
  readonly document: Document;
  readonly exit?: ExitName;
  /** The exit of a program that was run; it goes on as it is. */
  readonly exitCode?: number | undefined;
  /** Whether something was changed: then a failure to print it is told, and is not a failure of the command. */
  readonly applied?: boolean;
  /** Called when stdout has taken all of it, and not where its reader went away before. */
  readonly told?: () => Promise<void>;
  /** The format where nobody asked for one: a request or an order file is JSON, not a table. */
  readonly defaultFormat?: string;
  /**
   * Lines for stderr after the result was printed, a function where only then they are known; not with --quiet. It is given
   * the paths of the columns that a table showed.
   */
  readonly notices?: readonly string[] | ((shown: readonly string[]) => readonly string[]);
  /** Lines for stderr that are told with --quiet too: what was printed is not all. */
  readonly warnings?: () => readonly string[];
}

/** What the help and the completion show of a command. */
export interface ShownCommand {
  /** The words after the group's, for example `['members', 'add']`. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly examples: readonly string[];
  readonly arguments: readonly Argument[];
  /** Made for the command at hand alone. */
  readonly flags: () => readonly Flag[];
}

/** One command of the tree: the actions that share its words, one for each family that has it. */
export interface Command extends ShownCommand {
  readonly actions: readonly Action[];
  /** The operations it can call. */
  readonly operations: readonly OperationId[];
  /** Whether it runs also where the settings cannot be used, to tell what is wrong with them (`Session.problem`). */
  readonly diagnoses: boolean;
  readonly run: (invocation: Invocation) => Promise<Result>;
}

/** A group of commands: one word on the command line, one module. */
export interface Group {
  readonly commands: readonly Command[];
}
