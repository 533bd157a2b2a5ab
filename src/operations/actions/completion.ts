import * as z from 'zod';
import { action } from '../../action/action.ts';
import { oneOf } from '../../contract/schema/scalars.ts';

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

/** The script that adds completion for shopctl to a shell. */
export const actions = [completion];
