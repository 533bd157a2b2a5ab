import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { completionScript, type Shell, shells } from '../../../src/cli/complete/scripts.ts';

const run = promisify(execFile);

/** What a shell offers for a line whose end is to be completed. */
export type Complete = (line: string, variables?: Record<string, string>) => Promise<string[]>;

/** The scripts in a directory of their own, with some files to complete, and a way to ask each shell. */
export interface ShellContext {
  readonly directory: string;
  readonly bash: Complete;
  readonly fish: Complete;
  readonly zsh: Complete;
  close(): Promise<void>;
}

/** Stands for shopctl and answers what completion asks it for. */
const standIn = `#!/bin/sh
case "$2 $3" in
  profiles*) printf 'sandbox\\tpartner\\nsandbox-shop\\tshop\\n' ;;
  shops*) printf '11\\tTea\\n12\\tCoffee\\n' ;;
  'ids orders') printf '1234567890123456789\\torders\\n1234567890123456790\\torders\\n' ;;
  'ids customers') printf '42\\tcustomers\\n' ;;
  fields*) printf 'id\\nshipping.cod_amount\\nshipping.carrier\\n' ;;
esac
`;

/** Calls the function as readline does: the line split at spaces and at readline's own break characters. */
const bashProgram = `source "$SCRIPT"
complete -p shopctl >/dev/null
COMP_LINE=$LINE COMP_POINT=\${#LINE} COMP_WORDS=() rest=$LINE
while [[ -n $rest ]]; do
  if [[ $rest =~ ^[[:space:]]+(.*)$ ]]; then
    rest=\${BASH_REMATCH[1]}
    [[ -z $rest ]] && COMP_WORDS+=('')
  elif [[ $rest =~ ^([=@:]+)(.*)$ || $rest =~ ^([^[:space:]=@:]+)(.*)$ ]]; then
    COMP_WORDS+=("\${BASH_REMATCH[1]}") rest=\${BASH_REMATCH[2]}
  fi
done
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_shopctl
printf '%s\\n' "\${COMPREPLY[@]}"`;

/**
 * Types each line into the line editor of a zsh in a terminal of its own and tells what its completion was given: one
 * line `=` ends each answer.
 */
const zshProgram = `zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
zpty -w shell "PS1=; KEYTIMEOUT=1; unsetopt zle_bracketed_paste beep; autoload -Uz compinit && compinit -u -D; source $SCRIPT"
zpty -w shell 'compadd() { local -a found; builtin compadd -O found "$@"; print -rl -- $found >> $FOUND; builtin compadd "$@" }'
zpty -w shell 'answered() { : > $FOUND.done; zle kill-buffer }; zle -N answered; bindkey "^X" answered; print rea""dy'
zpty -r shell output '*ready*'
while IFS= read -r line; do
  zpty -wn shell "$line"$'\\t\\x18'
  repeat 30000; do [[ -e $FOUND.done ]] && break; sleep 0.01; done
  [[ -e $FOUND ]] && sort -u $FOUND
  rm -f $FOUND $FOUND.done
  print -r -- =
done
zpty -d shell`;

/** One zsh answers all lines, since starting its completion takes half a second. */
function zshSession(start: () => ChildProcessWithoutNullStreams) {
  let child: ChildProcessWithoutNullStreams | undefined;
  let lines: AsyncIterator<string> | undefined;
  return {
    async complete(line: string): Promise<string[]> {
      child ??= start();
      lines ??= createInterface(child.stdout)[Symbol.asyncIterator]();
      child.stdin.write(`${line}\n`);
      const found: string[] = [];
      for (;;) {
        const { value, done } = await lines.next();
        if (done || value === '=') return found.filter((text) => text !== '');
        found.push(value);
      }
    },
    close: () => child?.stdin.end(),
  };
}

/** Prepares the directory; `close` removes it. */
export async function shellContext(): Promise<ShellContext> {
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-completion-'));
  await mkdir(join(directory, 'bin'));
  await writeFile(join(directory, 'bin', 'shopctl'), standIn);
  await chmod(join(directory, 'bin', 'shopctl'), 0o755);
  await mkdir(join(directory, 'work', 'orders-of-today'), { recursive: true });
  await writeFile(join(directory, 'work', 'order.json'), '{}');
  for (const shell of Object.keys(shells) as Shell[])
    await writeFile(join(directory, shell), await completionScript(shell));

  const settingsOf = (shell: Shell, variables: Record<string, string> = {}) => ({
    cwd: join(directory, 'work'),
    env: {
      ...process.env,
      PATH: `${join(directory, 'bin')}${delimiter}${process.env.PATH}`,
      SCRIPT: join(directory, shell),
      FOUND: join(directory, 'found'),
      HOME: directory,
      LC_ALL: 'C.UTF-8',
      ...variables,
    },
  });
  const ask = async (shell: Shell, words: readonly string[], variables: Record<string, string>) => {
    const { stdout, stderr } = await run(shell, words, settingsOf(shell, variables));
    if (stderr !== '') throw new Error(`${shell} wrote to stderr: ${stderr}`);
    return stdout.split('\n').filter((line) => line !== '');
  };
  const zsh = zshSession(() => spawn('zsh', ['-f', '-c', zshProgram], settingsOf('zsh')));
  return {
    directory,
    bash: (line, variables) => ask('bash', ['--norc', '-c', bashProgram], { LINE: line, ...variables }),
    fish: async (line) => {
      const found = await ask('fish', ['--no-config', '-c', 'source $SCRIPT; complete -C $LINE'], { LINE: line });
      return found.map((text) => text.split('\t')[0] ?? '');
    },
    zsh: zsh.complete,
    close: async () => {
      zsh.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
