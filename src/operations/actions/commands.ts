import * as z from 'zod';
import { action } from '../../action/action.ts';
import { commandRecord, treeRecord } from '../../action/declared.ts';
import { flag, list } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';

const view: View = {
  columns: [{ path: 'command' }, { path: 'summary' }, { path: 'operations.id', header: 'operation' }],
  name: 'command',
  fields: [
    'group',
    'description',
    'arguments',
    'arguments.name',
    'flags',
    'flags.name',
    'flags.type',
    'flags.description',
    'flags.required',
    'operations',
    'operations.effect',
    'operations.credential',
    'examples',
  ],
};

const treeView: View = { columns: ['groups', 'commands', 'global_flags', 'exit_codes'].map((path) => ({ path })) };

const commands = action({
  id: 'commands',
  words: ['commands'],
  summary: 'List every command and the operations it calls',
  description: 'As JSON each command comes with its arguments, flags and examples.',
  examples: [
    'shopctl commands',
    'shopctl commands --query "[?operations[0].effect==\'read\'].command"',
    'shopctl commands --tree > shopctl.json',
  ],
  effect: 'read',
  needs: [],
  input: z.object({
    tree: z.optional(flag('the groups, global flags and exit codes as well; JSON')),
  }),
  output: z
    .union([list(commandRecord, 'The commands'), treeRecord.meta({ description: 'With `tree`: everything' })])
    .meta({ type: 'object', description: 'The commands' }),
  view: ({ tree }) => (tree === true ? treeView : view),
  format: ({ tree }) => (tree === true ? 'json' : undefined),
  run: async ({ tree }, { ui }) => (tree === true ? ui.tree() : ui.commands()),
});

/** Lists the commands, for people as a table and for programs as data. */
export const actions = [commands];
