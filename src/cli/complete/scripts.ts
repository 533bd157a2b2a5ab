import { loadTree } from '../tree/tree.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { powershellScript } from './powershell.ts';
import { completionSpec } from './spec.ts';
import { type ScriptTables, scriptTables } from './tables.ts';
import { zshScript } from './zsh.ts';

/** The supported shells, each with the file name under which the shell looks for a completion script. */
export const shells = {
  bash: 'shopctl.bash',
  zsh: '_shopctl',
  fish: 'shopctl.fish',
  powershell: 'shopctl.ps1',
} as const;

export type Shell = keyof typeof shells;

const writers: Readonly<Record<Shell, (tables: ScriptTables) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** The completion script of a shell, generated from the command tree. */
export async function completionScript(shell: Shell): Promise<string> {
  return writers[shell](scriptTables(completionSpec(await loadTree())));
}
