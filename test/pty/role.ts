import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { BuiltProgram } from '../support/built-program.ts';
import { type ShellEnd, shell } from '../support/shell.ts';
import { masks } from '../support/story.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** What a person does at a question: waits until the screen shows a text, then types and presses keys, or Enter. */
export type Step = readonly [shows: string | RegExp, types: string, ...keys: readonly string[]];

/** A role that is lived at a terminal of 80 columns, in a home of its own, with a sandbox that runs elsewhere. */
export interface Role {
  readonly terminal: Terminal;
  /** Types a line, answers what it asks, and records the screen when the prompt is back, with the exit code. */
  run(line: string, ...steps: readonly Step[]): Promise<string>;
  /** The same, and does not record what differs from day to day. */
  look(line: string, ...steps: readonly Step[]): Promise<string>;
  /** What happens elsewhere meanwhile: a line of bash that the story does not show. */
  elsewhere(line: string): Promise<ShellEnd>;
  file(name: string, text: string): void;
  /** Everything so far, without what differs between runs. */
  text(): string;
}

const EXIT = /\[(\d+)\] \$$/;

/** The sandbox of a role, which ends with the test. */
async function runSandbox(words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const [program = '', ...rest] = words;
  const child: ChildProcess = spawn(program, rest, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  if (child.stdout !== null) await once(createInterface(child.stdout), 'line');
}

/** Opens a role; `own` is its environment besides. */
export async function role(program: BuiltProgram, own: Readonly<Record<string, string>> = {}): Promise<Role> {
  const home = mkdtempSync(join(tmpdir(), 'shopctl-role-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  cpSync('examples', join(home, 'examples'), { recursive: true });
  const env = {
    PATH: `${program.bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'tmux-256color',
    PS1: '[$?] $ ',
  };
  const start = ['sandbox', 'start', '--ephemeral', '--port', '0', '--no-console', '--json'];
  await runSandbox(program.line(...start).flat(), env);
  const terminal = await openTerminal({ columns: 80, rows: 100 }, { ...env, ...own });
  await terminal.until(EXIT);
  await terminal.type(`cd ${home}`);
  await terminal.press('Enter');
  // A terminal that has not echoed yet looks like one that has been cleared.
  await terminal.until(/\n\[0\] \$$/);
  const { mask } = masks([
    [new RegExp(home, 'g'), 'HOME'],
    [/(127\.0\.0\.1:)\d{4,5}(\/[\w-]{22}\b)?/g, '$1PORT'],
    [/request(:|%3A)[\w-]{43}/g, 'request$1TOKEN'],
    [/\b\d{8}-[a-z\d]{5}\b/g, 'YYYYMMDD-batch'],
    [/(?<=draft |drafts\/|bản nháp )[\da-f]{10}\b/g, 'draft-hex0'],
    [/(?<=--pick |service |service_code +|mã dịch vụ +)[\dA-F]{10}\b/g, 'SERVICE-HX'],
    [/\b\d\d:\d\d left\b|\bCòn \d\d:\d\d\b/g, 'mm:ss left'],
    [/\b\d+ ms\b|(?<=milliseconds +)\d+$/gm, 'N ms'],
    [/\b[A-Z]{2}\d{6}\b/g, 'XX000000'],
    [/cập nhật (?:vừa xong|\d+ phút trước)/g, 'cập nhật vừa xong'],
    // Days and times as they are written in Vietnamese.
    [/\b\d\d\/\d\d\/\d{4}\b/g, 'DD/MM/YYYY'],
    [/\b\d\d?\/\d\d?(?= \d\d:\d\d\b)|(?<=ngày |giao )\d\d?\/\d\d?(?:\/\d{4})?\b/g, 'DD/MM'],
    [/(?<=DD\/MM(?:\/YYYY)? )\d\d:\d\d(:\d\d)?/g, 'hh:mm'],
  ]);
  const beside = shell({ ...program, home }, masks());
  const pages: string[] = [];
  const screenOf = async (line: string, steps: readonly Step[]) => {
    await terminal.type('clear');
    await terminal.press('Enter');
    await terminal.until(/^\[\d+\] \$$/);
    await terminal.type(line);
    await terminal.press('Enter');
    for (const [shows, types, ...keys] of steps) {
      await terminal.until(shows);
      if (types !== '') await terminal.type(types);
      await terminal.press(...(keys.length === 0 ? ['Enter'] : keys));
    }
    await terminal.until(/\n\[\d+\] \$$/);
    const [, ...lines] = (await terminal.unbroken()).split('\n');
    const [, exit = ''] = EXIT.exec(lines.pop() ?? '') ?? [];
    return { text: lines.map((shown) => `${shown}\n`).join(''), exit };
  };
  return {
    terminal,
    async run(line, ...steps) {
      const { text, exit } = await screenOf(line, steps);
      pages.push(mask(`$ ${line}\n${text}exit ${exit}\n`));
      return text;
    },
    look: async (line, ...steps) => (await screenOf(line, steps)).text,
    elsewhere: (line) => beside.run(`unset SHOPCTL_CONFIG_DIR; ${line}`, own),
    file: (name, text) => writeFileSync(join(home, name), text),
    text: () => pages.join('\n'),
  };
}
