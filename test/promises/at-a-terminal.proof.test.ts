import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTmux, openTerminal } from '../pty/terminal.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import type { Deed } from './proxy.ts';
import { openStage } from './stage.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

/** When the program is killed: while the service has not heard of the order yet, or has made it and not answered. */
const moments = ['before the service has the request', 'after the service has done it'] as const;

describe.skipIf(!hasTmux() && !process.env.CI)('ship at a terminal, answered by keys and killed under way', () => {
  it.each(moments)('sends one order, killed %s', async (moment) => {
    const stage = await openStage(program);
    const machine = await stage.machine();
    const recipient = `Nguyễn Thị ${moment.split(' ')[0]}`;
    const input = machine.file('order.json', stage.plain(recipient));
    const pidFile = join(machine.directory, 'pid');
    // Each run tells its process id before it becomes the program: nobody else's process is ever killed.
    const command = join(machine.directory, 'again');
    const shopctl = `"${join(program.bin, 'shopctl')}"`;
    writeFileSync(command, `echo $$ > "${pidFile}"\nexec ${shopctl} ship --input "${input}"\n`, { mode: 0o700 });
    let deaths = 0;
    const die: Deed = async (way) => {
      if (moment.startsWith('after')) await way.deliver();
      process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
      deaths += 1;
      await way.gone;
    };
    machine.proxy.plans = [{ operation: '/CreateAndConfirmOrder', deed: die, times: 1 }];

    const terminal = await openTerminal(
      { columns: 100, rows: 40 },
      {
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: machine.directory,
        SHOPCTL_CONFIG_DIR: machine.directory,
        TERM: 'tmux-256color',
        LANG: 'C.UTF-8',
        PS1: '$ ',
      },
    );
    const { press, type, until } = terminal;
    const answer = async () => {
      await until('? Service: which one?');
      await press('Down', 'Enter');
      await until('? Send it with ');
      await press('Enter');
    };
    const run = async () => {
      await type(`clear; sh "${command}"; echo "it ended: $?."`);
      await press('Enter');
    };

    await until('$');
    await run();
    await answer();
    await until('it ended: 137.');
    expect(deaths).toBe(1);
    expect(await stage.liveOrders(recipient)).toHaveLength(moment.startsWith('after') ? 1 : 0);

    await run();
    const screen = await until(/it ended: \d+\.|\? Service: which one\?|\? Send it with /);
    if (!screen.includes('it ended')) await answer();
    await until('it ended: 0.');
    // The referee counts at the service, and not by what the program says.
    expect(await stage.liveOrders(recipient)).toHaveLength(1);
    const [{ id } = { id: '' }] = await stage.liveOrders(recipient);
    expect(await terminal.history()).toContain(id);
    expect(machine.proxy.seen.filter((seen) => seen.endsWith('/CreateAndConfirmOrder'))).toHaveLength(
      moment.startsWith('after') ? 1 : 2,
    );
  });
});
