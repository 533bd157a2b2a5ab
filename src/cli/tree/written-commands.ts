import { findOperation } from '../../contract/areas.ts';
import type { Command, Flag, ShownCommand } from '../flags/command.ts';
import { placeholderOf } from '../flags/command.ts';
import { type GroupEntry, groups } from './groups.ts';

export { rootHelp } from '../help/root-help.ts';
export { globalFlags } from '../line/globals.ts';

/** One command as stored by the build: what its help and its completion show, and nothing that needs a schema. */
export interface WrittenCommand extends Omit<ShownCommand, 'flags'> {
  readonly flags: readonly Omit<Flag, 'path' | 'entries'>[];
  /** The paths of the record fields that it prints; empty if it calls no operation. */
  readonly fields: readonly string[];
}

/** The record fields of a command, from the response of its first operation. */
async function fieldsOf({ operations: [id] = [] }: Command): Promise<readonly string[]> {
  const operation = id && (await findOperation(id));
  if (!operation) return [];
  const { viewOf } = await import('../../operations/actions/views.ts');
  const { fields, columns } = viewOf(operation);
  return fields ?? columns.map(({ path }) => path);
}

async function written(command: Command): Promise<WrittenCommand> {
  return {
    words: command.words,
    summary: command.summary,
    ...(command.description === undefined ? {} : { description: command.description }),
    examples: command.examples,
    arguments: command.arguments,
    flags: command.flags().map(({ name, short, type, description, values, required, optionalValue, ...flag }) => ({
      name,
      type,
      description,
      placeholder: placeholderOf({ type, ...flag }),
      ...(short === undefined ? {} : { short }),
      ...(values === undefined ? {} : { values }),
      ...(required === undefined ? {} : { required }),
      ...(optionalValue === undefined ? {} : { optionalValue }),
    })),
    fields: await fieldsOf(command),
  };
}

/** The commands of one group, from the group itself: loads its module and its operations. */
export async function commandsToWrite({ load }: GroupEntry): Promise<readonly WrittenCommand[]> {
  const { commands } = await load();
  return Promise.all(commands.map(written));
}

/** Every group's commands, by name. */
export async function groupsToWrite(): Promise<Readonly<Record<string, readonly WrittenCommand[]>>> {
  const entries = groups.map(async (entry) => [entry.name, await commandsToWrite(entry)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
