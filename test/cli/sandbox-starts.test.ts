import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform/process/clock.ts';
import { type Ended, testMachine } from '../support/context.ts';
import { fetchTransport } from '../support/fetch-transport.ts';
import { errorOf } from '../support/stderr-lines.ts';

/** A machine on which sandboxes start without data; all that run are ended with the test. */
function starter() {
  const machine = testMachine(fetchTransport);
  const ending = new AbortController();
  const runs: Promise<Ended>[] = [];
  onTestFinished(async () => {
    ending.abort();
    await Promise.all(runs);
  });
  /** Resolves once it is ready, or has ended without. */
  const start = async (...words: string[]) => {
    let isReady = (_text: string) => {};
    const ready = new Promise<string>((resolve) => {
      isReady = resolve;
    });
    const fixed = ['sandbox', 'start', '--ephemeral', '--port', '0', '--seed', 'none', '--no-console', '-o', 'json'];
    const run = machine.run([...fixed, ...words], {
      clock: systemClock,
      signal: ending.signal,
      onStdout: (text) => isReady(text),
    });
    runs.push(run);
    return Promise.race([ready.then((text) => ({ ready: JSON.parse(text), ended: undefined })), ended(run)]);
  };
  const ended = async (run: Promise<Ended>) => ({ ready: undefined, ended: await run });
  return { machine, start };
}

it('leaves one server of a name that is started three times at once', async () => {
  const { machine, start } = starter();
  const all = await Promise.all([start(), start(), start()]);
  expect(all.filter(({ ready }) => ready !== undefined)).toHaveLength(1);
  for (const { ended } of all) {
    if (ended === undefined) continue;
    expect([ended.exit, errorOf(ended).message]).toEqual([
      5,
      expect.stringMatching(/^the sandbox "default" is already running, at/),
    ]);
  }
  expect(readdirSync(join(machine.directory, 'state', 'sandboxes'))).toEqual(['default.json']);
  // Its refusals name flags, and not the fields of its requests.
  const log = await machine.run(['sandbox', 'log', '--limit', '2000', '-o', 'json'], { clock: systemClock });
  expect([log.exit, errorOf(log).message]).toEqual([2, expect.stringMatching(/^--limit must be a whole number/)]);
});

it('takes the one that runs where one is only needed, and starts one where none runs', async () => {
  const { start } = starter();
  const [first, second] = [await start('--if-needed'), await start('--if-needed')];
  expect(first.ready).toMatchObject({ event: 'ready', profiles: ['sandbox', 'sandbox-shop'] });
  const { base_url, control_url, profiles } = first.ready;
  expect(second.ready).toEqual({
    ...{ event: 'ready', base_url, control_url, profiles },
    ...{ pid: process.pid, already_running: true },
  });
  // One of another name that has its profiles is not the one that is needed.
  const other = await start('--if-needed', '--name', 'sandbox');
  expect([other.ended?.exit, other.ready]).toEqual([5, undefined]);
});

it.runIf(process.platform !== 'win32')(
  'says where its record cannot be written, and which variable names another place',
  async () => {
    const machine = testMachine(fetchTransport);
    const words = ['sandbox', 'start', '--ephemeral', '--port', '0', '--seed', 'none', '--no-console', '-o', 'json'];
    for (const more of [[], ['--detach']]) {
      const ended = await machine.run([...words, ...more], { env: { SHOPCTL_STATE_DIR: '/dev/null' } });
      expect([ended.exit, errorOf(ended).hint]).toEqual([14, expect.stringContaining('SHOPCTL_STATE_DIR')]);
    }
  },
);
