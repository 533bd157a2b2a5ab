import type { Group, Invocation, Result } from '../command.ts';
import type { Shell } from '../complete/scripts.ts';
import { UsageError } from '../usage-error.ts';

const shells: readonly Shell[] = ['bash', 'zsh', 'fish', 'powershell'];

async function run({ given }: Invocation): Promise<Result> {
  const shell = shells.find((known) => known === given.arguments[0]);
  if (shell === undefined) {
    throw new UsageError(`there is no completion for ${JSON.stringify(given.arguments[0] ?? '')}`, {
      hint: `the shells are: ${shells.join(', ')}`,
    });
  }
  const { completionScript } = await import('../complete/scripts.ts');
  return { document: { kind: 'text', text: await completionScript(shell) } };
}

/** `shopctl completion`: the script that teaches a shell the words of shopctl. */
export const group: Group = {
  commands: [
    {
      words: [],
      summary: 'Print the completion script of a shell',
      description: [
        'bash:        source <(shopctl completion bash), or save it as shopctl in ~/.local/share/bash-completion/completions',
        'zsh:         save it as _shopctl in a directory of $fpath, before compinit runs',
        'fish:        save it as ~/.config/fish/completions/shopctl.fish',
        'powershell:  shopctl completion powershell | Out-String | Invoke-Expression, in $PROFILE',
      ].join('\n'),
      arguments: [{ name: 'shell', description: shells.join(', '), values: shells, required: true }],
      examples: [
        'source <(shopctl completion bash)',
        'shopctl completion zsh > ~/.zfunc/_shopctl',
        'shopctl completion fish > ~/.config/fish/completions/shopctl.fish',
      ],
      run,
    },
  ],
};
