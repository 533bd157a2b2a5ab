import type { Consequences } from '../../action/declared.ts';
import { consequencesOf } from '../../action/effects.ts';
import { findOperation } from '../../contract/areas.ts';
import type { Credential, Effect, Operation } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/operation-id.ts';
import type { Offer } from '../../contract/schema/hint.ts';
import { exitCodes } from '../errors/exit.ts';
import type { Argument, Command, Flag, FlagType } from '../flags/command.ts';
import { placeholderOf } from '../flags/command.ts';
import { type GlobalFlag, globalFlags } from '../line/globals.ts';
import { type GroupEntry, groups } from './groups.ts';

/** One flag of a command, as data. */
export interface FlagData {
  readonly name: string;
  readonly short?: string;
  readonly type: FlagType;
  /** Placeholder of its value; empty for a switch. */
  readonly placeholder: string;
  readonly values?: readonly string[];
  /** What can be completed for its value. */
  readonly offers?: Offer;
  /** Includes the unit of a number in parentheses. */
  readonly description: string;
  readonly required: boolean;
  /** Path of the request field that it sets, if any. */
  readonly field?: string;
}

/** One operation that a command can call, as data. */
export interface OperationData {
  readonly id: OperationId;
  readonly effect: Effect;
  readonly credential: Credential;
  /** The request field that the command's positional argument sets. */
  readonly positional?: string;
  /** Whether its response can report partial failure. */
  readonly partial: boolean;
}

/** One command, as data. */
export interface CommandData extends Consequences {
  /** All its words, for example `groups members add`. */
  readonly command: string;
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  readonly arguments: readonly Argument[];
  readonly flags: readonly FlagData[];
  readonly operations: readonly OperationData[];
  readonly examples: readonly string[];
}

/** One group of commands, as data. */
export type GroupData = Pick<GroupEntry, 'name' | 'summary' | 'section'>;

/** One exit code and what it means. */
export interface ExitData {
  readonly code: number;
  readonly meaning: string;
}

/**
 * The whole command line as data, from which completion, reference and man pages are generated, and on which the
 * invariants are tested.
 */
export interface CommandTree {
  readonly groups: readonly GroupData[];
  readonly commands: readonly CommandData[];
  readonly global_flags: readonly GlobalFlag[];
  readonly exit_codes: readonly ExitData[];
}

function flagData(flag: Flag): FlagData {
  return {
    name: flag.name,
    ...(flag.short === undefined ? {} : { short: flag.short }),
    type: flag.type,
    placeholder: placeholderOf(flag),
    ...(flag.values === undefined ? {} : { values: flag.values }),
    ...(flag.offers === undefined ? {} : { offers: flag.offers }),
    description: flag.description,
    required: flag.required === true,
    ...(flag.path === undefined ? {} : { field: flag.path.join('.') }),
  };
}

function operationData({ id, effect, credential, positional, response }: Operation): OperationData {
  return {
    id,
    effect,
    credential,
    ...(positional === undefined ? {} : { positional }),
    partial: Object.hasOwn(response.shape, 'fulfillment_errors'),
  };
}

async function commandData(group: string, command: Command): Promise<CommandData> {
  const known = await Promise.all(command.operations.map(findOperation));
  const operations = known.filter((operation) => operation !== undefined);
  return {
    command: [group, ...command.words].join(' '),
    group,
    summary: command.summary,
    ...(command.description === undefined ? {} : { description: command.description }),
    ...consequencesOf(command.actions, operations),
    arguments: command.arguments.map(({ isSuggested: _, ...argument }) => argument),
    flags: command.flags().map(flagData),
    operations: operations.map(operationData),
    examples: command.examples,
  };
}

/** The commands of one group as data; loads the group's module. */
export async function commandsOf({ name, load }: GroupEntry): Promise<CommandData[]> {
  const { commands } = await load();
  return Promise.all(commands.map((command) => commandData(name, command)));
}

/** The whole tree. Loads every group and every operation. */
export async function loadTree(): Promise<CommandTree> {
  const commands = await Promise.all(groups.map(commandsOf));
  return {
    groups: groups.map(({ name, summary, section }) => ({ name, summary, section })),
    commands: commands.flat(),
    global_flags: globalFlags,
    exit_codes: Object.values(exitCodes).map(({ code, meaning }) => ({ code, meaning })),
  };
}
