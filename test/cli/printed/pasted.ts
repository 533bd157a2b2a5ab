import { execFileSync } from 'node:child_process';

/** The words that a shell hands to shopctl, for each of these command lines. */
export function wordsIn(shell: 'bash' | 'zsh', commands: readonly string[]): string[][] {
  const stand = `shopctl() { printf '%s\\0' "$@"; printf '\\n\\0'; }`;
  const options = shell === 'zsh' ? ['-f', '-c'] : ['--norc', '-c'];
  const script = [stand, ...commands.map((command) => command.replace(/ < \w+$/, ''))].join('\n');
  const said = execFileSync(shell, [...options, script], { encoding: 'utf8', env: { PATH: process.env.PATH } });
  return said
    .split('\n\0')
    .slice(0, -1)
    .map((one) => one.split('\0').slice(0, -1));
}

/**
 * The words as PowerShell reads them (about_Parsing, about_Quoting_Rules): '' within single quotes is an apostrophe,
 * and double quotes hold anything but a variable and its escape. Throws for what it would read as more than text.
 */
export function wordsInPowerShell(command: string): string[] {
  const pieces = command.replace(/ < \w+$/, '').match(/'(?:''|[^'])*'|"[^"]*"|\S+/g) ?? [];
  const words = pieces.map((piece) => {
    if (piece.startsWith("'")) return piece.slice(1, -1).replaceAll("''", "'");
    if (piece.startsWith('"')) {
      if (/[$`]/.test(piece)) throw new Error(`PowerShell expands ${piece}`);
      return piece.slice(1, -1);
    }
    if (/^[@#~]|[;&|(){}$`'",<>]/.test(piece)) throw new Error(`PowerShell does not take ${piece} as text`);
    return piece;
  });
  return words.slice(1);
}
