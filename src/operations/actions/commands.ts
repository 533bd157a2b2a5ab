import * as z from 'zod';
import { action } from '../../action/action.ts';
import { briefRecord, commandRecord, READS_ONLY, treeRecord } from '../../action/declared.ts';
import { flag, list, oneOf } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';

const view: View = {
  columns: [
    { path: 'command' },
    { path: 'summary' },
    { path: 'effect' },
    { path: 'operations.id', header: 'operation' },
  ],
  name: 'command',
  fields: [
    'group',
    'description',
    'effects',
    'undo',
    'why_not',
    'confirm',
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

const briefView: View = { columns: ['command', 'summary', 'effect'].map((path) => ({ path })), name: 'command' };

const treeView: View = { columns: ['groups', 'commands', 'global_flags', 'exit_codes'].map((path) => ({ path })) };

const commands = action({
  id: 'commands',
  words: ['commands'],
  summary: 'List every command, what it does, and the operations it calls',
  description: `As JSON each command comes with its effects, how it is undone, its arguments, flags and examples. The effect is the gravest of read, store, write, spend, destroy, secret and program: a command whose effect is read ${READS_ONLY}.`,
  examples: [
    'shopctl commands',
    'shopctl commands --brief --json',
    'shopctl commands --query "[?effect==\'read\'].command"',
    'shopctl commands --tree > shopctl.json',
  ],
  effect: 'read',
  needs: [],
  input: z.object({
    brief: z.optional(flag('only the command, its summary and its effect')),
    tree: z.optional(flag('the groups, global flags and exit codes as well; JSON')),
  }),
  output: z
    .union([
      list(commandRecord, 'The commands'),
      list(briefRecord, 'With `brief`: a line each'),
      treeRecord.meta({ description: 'With `tree`: everything' }),
    ])
    .meta({ type: 'object', description: 'The commands' }),
  view: ({ brief, tree }) => (tree === true ? treeView : brief === true ? briefView : view),
  format: ({ tree }) => (tree === true ? 'json' : undefined),
  async run({ brief, tree }, { ui }) {
    if (tree === true) return ui.tree();
    const all = await ui.commands();
    return brief === true ? all.map(({ command, summary, effect }) => ({ command, summary, effect })) : all;
  },
});

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

const completion = action({
  id: 'completion',
  words: ['completion'],
  summary: 'Print the completion script of a shell',
  description: [
    'bash:        source <(shopctl completion bash), or save it as shopctl in ~/.local/share/bash-completion/completions',
    'zsh:         save it as _shopctl in a directory of $fpath, before compinit runs',
    'fish:        save it as ~/.config/fish/completions/shopctl.fish',
    'powershell:  shopctl completion powershell | Out-String | Invoke-Expression, in $PROFILE',
  ].join('\n'),
  examples: [
    'source <(shopctl completion bash)',
    'shopctl completion zsh > ~/.zfunc/_shopctl',
    'shopctl completion fish > ~/.config/fish/completions/shopctl.fish',
  ],
  effect: 'read',
  needs: [],
  input: z.object({ shell: oneOf(shells, shells.join(', ')) }),
  output: z.string().meta({ description: 'The script' }),
  view: { columns: [] },
  positional: ['shell'],
  hints: { shell: { values: shells } },
  run: ({ shell }, { ui }) => ui.completionScript(shell),
});

/** Lists the commands, for people as a table and for programs as data. */
export const actions = [commands];

/** The script that adds completion for shopctl to a shell. */
export const completionActions = [completion];
