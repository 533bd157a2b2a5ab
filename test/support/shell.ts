import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { BuiltProgram } from './built-program.ts';
import { type Masks, streamBlock } from './story.ts';

/** The exit code and output of a line of bash. */
export interface ShellEnd {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Real processes: lines of bash in which `shopctl` is the built program, recorded with their results. */
export interface Shell {
  run(line: string, env?: Readonly<Record<string, string>>): Promise<ShellEnd>;
  text(): string;
}

/** The environment of a process, with nothing from the environment of the test run. */
export function shellEnvironment({ bin, home }: BuiltProgram): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH: `${bin}:${PATH}`, HOME: home, SHOPCTL_CONFIG_DIR: home, LANG: 'C.UTF-8', TZ: 'UTC' };
}

/** A shell for a built program; `masks` hides what differs between runs. */
export function shell(program: BuiltProgram, { mask }: Masks): Shell {
  const pages: string[] = [];
  return {
    async run(line, env = {}) {
      const child = spawn('bash', ['-c', line], {
        cwd: program.home,
        env: { ...shellEnvironment(program), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, err, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      pages.push(mask(`$ ${line}\nexit ${exit}\n${streamBlock('out', out)}${streamBlock('err', err)}`));
      return { exit: exit ?? -1, out: out.trimEnd(), err };
    },
    text: () => pages.join('\n'),
  };
}
