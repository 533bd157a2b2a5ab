import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform/process/clock.ts';
import { type Ended, testMachine } from '../support/context.ts';
import { fetchTransport } from '../support/fetch-transport.ts';
import { inVietnamese, leftBy, leftWords } from '../support/left-words.ts';
import { pseudoLanguage } from '../support/pseudo.ts';
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

/** Data and what is typed: profiles and ports, states, columns of the log, and usage, which is help. */
const given = [
  'http default two shop sandbox profile order fulfillment customer delivered delivering path record unauthenticated',
  'default created confirmed processing picking holding returning returned cancelled undeliverable reconciled',
  'once every status code unavailable GMT directory credential webhook redirect_url event to auto id by time console pid',
  'duration timeout base url HTTP mode real partner api_key kind sandbox customers name seed version top of its',
  'ID Order demo first PID CONSOLE the has no shops are Demo Shop Second partner',
  /\/\S+/g,
  /\d+:[\w-]{20,}/g,
];

it('says what runs, what was done and what is refused in a catalogue, and in Vietnamese', async () => {
  const machine = testMachine(fetchTransport);
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const words = ['sandbox', 'start', '--port', '0', '--seed', 'demo', '--no-console'];
  const options = { terminal: true, columns: 500, env: { TERM: 'xterm' }, clock: systemClock } as const;
  const more = { ...options, spoken: pseudoLanguage, signal: ending.signal };
  let isReady = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const running = machine.run(words, { ...more, onStdout: isReady });
  await Promise.race([ready, running]);
  const [{ base_url }] = JSON.parse((await machine.run(['sandbox', 'status', '-o', 'json'])).stdout);
  const { port } = new URL(base_url);
  const own = { clock: systemClock };
  const left = await leftBy(
    machine,
    [
      [['sandbox', 'start'], own],
      [['sandbox', 'start', '--port', '70000'], own],
      [['sandbox', 'start', '--name', 'a b'], own],
      [['sandbox', 'start', '--ephemeral', '--name', 'two', '--port', port], own],
      [['sandbox', 'exec', '--profile', 'two', '--', 'true'], own],
      [['sandbox', 'exec', '--base-url', 'http://127.0.0.1', '--', 'true'], own],
      [['sandbox', 'stop', '--name', 'two'], own],
      [['sandbox', 'status'], own],
      [['sandbox', 'faults', 'add', 'shop.Order/*', '--once', '--do', 'status=503'], own],
      [['sandbox', 'faults', 'list'], own],
      [['sandbox', 'faults', 'clear'], own],
      [['sandbox', 'clock', 'show'], own],
      [['sandbox', 'snapshot', 'save', 'first'], own],
      [['sandbox', 'snapshot', 'list'], own],
      [['sandbox', 'snapshot', 'restore', 'first', '--yes'], own],
      [['sandbox', 'snapshot', 'remove', 'first', '--yes'], own],
      [['sandbox', 'reset', '--yes'], own],
      [['sandbox', 'trigger', 'nothing.delivered'], own],
      [['sandbox', 'trigger', 'order.nowhere'], own],
      [['sandbox', 'trigger', 'customer.delivered'], own],
      [['sandbox', 'trigger', 'order.delivering'], own],
      [['sandbox', 'advance', '--to', 'delivered'], own],
      [['sandbox', 'unlink', '--shop-id', 'nobody'], own],
      [['console', '--port', '70000'], own],
      [['console', '--port', port], own],
    ],
    given,
  );
  expect(left).toEqual({});
  const refused = await inVietnamese(machine, ['sandbox', 'start', '--name', 'two', '--port', port], own);
  expect([refused.exit, refused.lines]).toEqual([
    5,
    [
      `shopctl: lỗi: cổng ${port} đã có chương trình khác dùng`,
      'gợi ý: chọn cổng khác bằng --port, hoặc 0 để lấy một cổng còn trống',
    ],
  ]);
  ending.abort();
  const { stdout } = await running;
  expect(leftWords(stdout, given)).toEqual([]);
  expect((await inVietnamese(machine, ['sandbox', 'stop'], own)).lines).toEqual(['không có sandbox nào đang chạy']);
});

it('says at its start which one command makes its shop the one in use, unless another profile is', async () => {
  const { machine } = starter();
  const words = ['sandbox', 'start', '--ephemeral', '--port', '0', '--seed', 'none', '--no-console'];
  const started = async () => {
    const ending = new AbortController();
    const onStdout = (text: string) => {
      if (text.includes('Ctrl-C')) ending.abort();
    };
    const { stdout } = await machine.run(words, { clock: systemClock, signal: ending.signal, onStdout });
    return stdout;
  };
  const first = await started();
  expect(first).toContain('  shopctl profiles use sandbox-shop\n  shopctl orders list --profile sandbox-shop\n');
  await machine.run(['profiles', 'use', 'sandbox-shop']);
  expect(await started()).not.toContain('profiles use');
  const live = { kind: 'shop', base_url: 'https://live.example', api_key: 'shop1:live' } as const;
  await machine.save({ version: 1, current_profile: 'live', profiles: { live } });
  const kept = await started();
  expect(kept).toContain('  shopctl ship --profile sandbox\n');
  expect(kept).not.toContain('profiles use');
});
