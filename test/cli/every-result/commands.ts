import type { Action } from '../../../src/action/action.ts';
import { groups } from '../../../src/cli/tree/groups.ts';
import { commandsOf } from '../../../src/cli/tree/tree.ts';
import { findOperation } from '../../../src/contract/areas.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import type { View } from '../../../src/contract/view.ts';
import { viewOfOutput } from '../../../src/operations/actions/views.ts';
import { runnableWords } from '../../support/example-words.ts';

/** A command with what is behind it. */
export interface Tried {
  readonly name: string;
  readonly group: string;
  readonly words: readonly string[];
  readonly actions: readonly Action[];
  readonly operations: readonly (Operation | undefined)[];
}

/** Every command there is. */
export const tried: readonly Tried[] = (
  await Promise.all(
    groups.map(async (group) => {
      const [{ commands }, data] = await Promise.all([group.load(), commandsOf(group)]);
      return Promise.all(
        commands.map(async ({ actions = [] }, index) => {
          const command = data[index];
          if (command === undefined) throw new TypeError(`a command of ${group.name} without data`);
          const operations = await Promise.all(actions.map(({ id }) => findOperation(id)));
          return { name: command.command, group: group.name, words: runnableWords(command), actions, operations };
        }),
      );
    }),
  )
).flat();

/** How a person sees the output of an action. */
export const viewOf = ({ view, output }: Action): View =>
  view === undefined ? viewOfOutput(output) : typeof view === 'function' ? view({}) : view;

/** Those that are no operation of the service. */
export const own = tried.filter(({ operations }) => operations.every((operation) => operation === undefined));

/** The command of ours that some words call. */
export function commandIn(words: readonly string[]): Tried {
  const named = own.filter(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);
  const [longest] = named.sort((one, other) => other.name.length - one.name.length);
  if (longest === undefined) throw new TypeError(`no command of ours: ${words.join(' ')}`);
  return longest;
}
