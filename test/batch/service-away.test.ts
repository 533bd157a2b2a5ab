import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { errorAnswer } from '../support/scripted-transport.ts';
import { shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { manyOrders } from './batch-world.ts';

async function world() {
  let isAway = (_: string) => false;
  const made = await shopWorld((transport) => async (request) => {
    if (!isAway(request.url)) return transport(request);
    return {
      status: 503,
      headers: { 'content-type': 'application/json' },
      body: '{"code":"unavailable","msg":"away"}',
    };
  });
  const path = join(made.directory, 'orders.csv');
  writeFileSync(path, manyOrders(3));
  const run = async (verb: string, words: readonly string[] = []) => {
    const clock = steppedClock(0);
    const { exit, stderr } = await made.run(['batch', verb, path, ...words, '-o', 'json'], { clock });
    return { exit, last: stderr.trim().split('\n').at(-1) ?? '', seconds: clock.now() / 1000 };
  };
  const leave = (name: string) => {
    isAway = (url) => url.endsWith(name);
  };
  return { run, leave };
}

it.each([
  ['plan', []],
  ['run', ['--yes', '--max-outage', '2s']],
] as const)('ends batch %s with exit 7 where the service is unavailable while rows are quoted', async (verb, words) => {
  const { run, leave } = await world();
  leave('GetShippingServices');
  const { exit, last } = await run(verb, words);
  expect([exit, JSON.parse(last).error]).toMatchObject([
    7,
    { code: 'service_away', exit_code: 7, outcome: 'not_applied', message: expect.stringContaining('unreachable') },
  ]);
});

it('waits half a minute for the service while it plans, or as long as it is told', async () => {
  const { run, leave } = await world();
  leave('GetShippingServices');
  for (const [words, least, most] of [
    [[], 10, 30],
    [['--max-outage', '5m'], 150, 300],
    [['--max-outage', '2s'], 0, 2],
  ] as const) {
    const { exit, seconds } = await run('plan', words);
    expect([words, exit, seconds >= least, seconds <= most]).toEqual([words, 7, true, true]);
  }
});

it('ends with exit 7 where the service is unavailable when a batch that ran before is looked up', async () => {
  const { run, leave } = await world();
  expect((await run('run', ['--yes'])).exit).toBe(0);
  leave('GetOrder');
  const { exit, last } = await run('run', ['--yes']);
  expect([exit, JSON.parse(last).error.code]).toEqual([7, 'service_away']);
});

it('pauses no longer where the clock is set back while the service throttles', async () => {
  let creates = 0;
  const made = await shopWorld((transport) => async (request) => {
    if (!request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
    creates += 1;
    return creates > 1 ? transport(request) : errorAnswer(429, 'resource_exhausted');
  });
  const path = join(made.directory, 'orders.csv');
  writeFileSync(path, manyOrders(3));
  const stepped = steppedClock();
  let setBackMs = 0;
  const clock = {
    now: () => stepped.now() - setBackMs,
    elapsed: () => stepped.now(),
    async wait(milliseconds: number, signal?: AbortSignal) {
      await stepped.wait(milliseconds, signal);
      if (creates > 0) setBackMs = 86_400_000;
    },
  };
  const { exit } = await made.run(['batch', 'run', path, '--yes', '-o', 'json'], { clock });
  expect(exit).toBe(0);
  expect(creates).toBe(4);
  expect(Math.max(...stepped.waits)).toBeLessThan(60_000);
});

it.each([-1, 1])('waits as long as --max-outage says where the clock is set by a day (%i) meanwhile', async (days) => {
  const made = await shopWorld((transport) => async (request) => {
    if (request.url.endsWith('/GetShippingServices')) throw new TransportError('refused', 'no', 'no connection');
    return transport(request);
  });
  const path = join(made.directory, 'orders.csv');
  writeFileSync(path, manyOrders(1));
  const stepped = steppedClock();
  const clock = {
    now: () => stepped.now() + (stepped.waits.length > 1 ? days * 86_400_000 : 0),
    elapsed: () => stepped.now(),
    wait: stepped.wait,
  };
  const { exit } = await made.run(['batch', 'run', path, '--yes', '--max-outage', '5m', '-o', 'json'], { clock });
  const waitedMs = stepped.waits.reduce((sum, each) => sum + each, 0);
  expect([exit, waitedMs > 200_000, waitedMs < 400_000]).toEqual([7, true, true]);
});
