import { actionsOfAreas } from '../actions/operations/derive.ts';
import type { Group } from './command.ts';
import { examplesOf } from './examples.ts';
import { commandsOf } from './interpret/command.ts';

/** The commands of a group, made from the operations of some areas that have their home there. */
export async function groupOfAreas(group: string, areas: readonly string[]): Promise<Group> {
  const commands = commandsOf(await actionsOfAreas(group, areas));
  return {
    commands: commands.map((command) => ({ ...command, examples: examplesOf([group, ...command.words].join(' ')) })),
  };
}
