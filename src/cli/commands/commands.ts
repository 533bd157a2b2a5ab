import type { Group, Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { beforeSending } from '../printing.ts';

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

async function run(invocation: Invocation): Promise<Result> {
  const whole = invocation.given.flags.tree === true;
  const listed = await beforeSending(invocation.context, invocation.session, whole ? treeView : view);
  if (listed !== undefined) return listed;
  const { loadTree } = await import('../tree.ts');
  const tree = await loadTree();
  if (whole) return { document: { kind: 'record', value: tree, view: treeView }, defaultFormat: 'json' };
  return { document: { kind: 'list', rows: tree.commands, view } };
}

/** `shopctl commands`: what there is, for people as a table and for programs as data. */
export const group: Group = {
  commands: [
    {
      words: [],
      summary: 'List every command and the operations it calls',
      description: 'As JSON each command comes with its arguments, flags and examples.',
      flags: () => [
        { name: 'tree', type: 'boolean', description: 'the groups, global flags and exit codes as well; JSON' },
      ],
      examples: [
        'shopctl commands',
        'shopctl commands --query "[?operations[0].effect==\'read\'].command"',
        'shopctl commands --tree > shopctl.json',
      ],
      run,
    },
  ],
};
