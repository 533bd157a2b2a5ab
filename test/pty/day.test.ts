import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildProgram } from '../support/built-program.ts';
import { signedInTerminal } from './signed-in-terminal.ts';
import { hasTmux } from './terminal.ts';

/** Has the program throw where nothing catches it, when it is told to. */
const crash = 'data:text/javascript,process.on(%22SIGUSR2%22,()=>{throw%20new%20Error(%22crash%22)})';

describe.skipIf(!hasTmux() && !process.env.CI)('shopctl day --watch in a terminal', () => {
  it('leaves the terminal as it was after Ctrl-C, TERM and a crash', async () => {
    const program = await buildProgram();
    onTestFinished(() => program.remove());
    const { terminal, directory, key, baseUrl } = await signedInTerminal();
    const { type, press, until, screen } = terminal;
    const enter = async (line: string) => {
      await type(line);
      await press('Enter');
    };
    const account = `SHOPCTL_AS=shop SHOPCTL_API_KEY=${key} SHOPCTL_BASE_URL=${baseUrl}`;
    await until('$');
    await enter(`cd ${directory}; export PATH=${program.bin}:$PATH ${account}; clear; echo before`);
    await until(/^before/m);
    await enter('shopctl mirror sync -q > /dev/null; echo synced');
    await until(/^synced/m);
    const watch = "sh -c 'echo $$ > pid; exec shopctl day --watch'";
    const send = (signal: NodeJS.Signals) => process.kill(Number(readFileSync(join(directory, 'pid'), 'utf8')), signal);
    const ways: readonly (readonly [string, () => Promise<void>])[] = [
      [watch, async () => press('C-c')],
      [watch, async () => void send('SIGTERM')],
      [`NODE_OPTIONS='--import ${crash}' ${watch} 2> crash.txt`, async () => void send('SIGUSR2')],
    ];
    for (const [index, [command, end]] of ways.entries()) {
      await enter(`${command}; echo over $? ${index}`);
      expect(await until('cash outstanding')).not.toContain('before');
      expect(await terminal.cursorIsShown()).toBe(false);
      await end();
      await until(new RegExp(`^over \\d+ ${index}`, 'm'));
      // What was there is there again, and what is typed is seen below it.
      expect(await screen()).toMatch(/^before/m);
      expect(await screen()).not.toContain('cash outstanding');
      expect(await terminal.cursorIsShown()).toBe(true);
    }
    expect(readFileSync(join(directory, 'crash.txt'), 'utf8')).toContain('error: crash');
  });
});
