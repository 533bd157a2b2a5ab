import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { action } from '../../src/action/action.ts';
import type { Means } from '../../src/action/means.ts';
import { watching } from '../../src/console/run/served.ts';
import type { Changed } from '../../src/console/wire.ts';
import type { Clock } from '../../src/platform/process/clock.ts';
import { actionsContext } from '../support/actions-context.ts';
import { scripted } from '../support/scripted-transport.ts';

/** A clock of the machine that the fake timers move. */
const clock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    new Promise((over, aborted) => {
      if (signal?.aborted) return aborted(signal.reason);
      const giveUp = () => {
        clearTimeout(timer);
        aborted(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', giveUp);
        over();
      }, milliseconds);
      signal?.addEventListener('abort', giveUp, { once: true });
    }),
};

/** A console that watches a service whose calls each give a row, and how many of them were read. */
async function watchedService() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isBusy = false;
  let read = 0;
  const calls = action({
    id: 'calls.list',
    words: ['calls', 'list'],
    summary: 'List calls',
    examples: ['shopctl calls list'],
    effect: 'read',
    needs: ['sandbox'],
    page: { news: { input: {}, of: ['key'] } },
    input: z.object({}),
    output: z.array(z.object({})),
    async *run(_, { clock: { wait }, signal }) {
      while (!signal.aborted) {
        await wait(10, signal);
        if (!isBusy) continue;
        read += 1;
        yield {};
      }
    },
  });
  const orders = action({ ...calls, id: 'orders.list', words: ['orders', 'list'], needs: ['key'], page: 'allowed' });
  const { transport } = scripted();
  const { ports } = await actionsContext({
    transport,
    profile: { kind: 'shop', base_url: 'http://127.0.0.1:1', api_key: 'x' },
  });
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const opened: AbortSignal[] = [];
  const means = {
    open: async ({ signal }: { readonly signal: AbortSignal }) => {
      opened.push(signal);
      return {
        ports: Object.create(ports, { clock: { value: clock }, signal: { value: signal } }),
        check: () => ({}),
        end: async () => {},
      };
    },
  };
  const sources = {
    means: Object.assign(Object.create(null), means) satisfies Pick<Means, 'open'>,
    allowed: async () => [calls, orders],
    ended: ended.signal,
  };
  const heard: Changed[] = [];
  const leave = watching(sources).add((change) => heard.push(change));
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
  return { heard, leave, pass, opened, busy: (is: boolean) => (isBusy = is), read: () => read };
}

it('a service that is called a hundred times a second is read about once a second', async () => {
  const { heard, pass, busy, read } = await watchedService();
  await pass(1000);
  busy(true);
  await pass(10_000);
  expect(read()).toBeGreaterThan(5);
  expect(read()).toBeLessThan(15);
  expect(heard.length).toBeLessThan(25);
  expect(heard[0]?.groups).toEqual(['orders']);
});

it('what was called while nobody read is told a little later', async () => {
  const { heard, pass, busy } = await watchedService();
  busy(true);
  await pass(600);
  busy(false);
  const before = heard.length;
  expect(before).toBeGreaterThan(0);
  await pass(5000);
  expect(heard.length).toBeGreaterThan(before);
  const after = heard.length;
  await pass(5000);
  expect(heard.length).toBe(after);
});

it('goes on for a while when its page has left, and then ends', async () => {
  const { leave, pass, opened } = await watchedService();
  await pass(1000);
  leave();
  await pass(5000);
  expect(opened.some(({ aborted }) => aborted)).toBe(false);
  await pass(10_000);
  expect(opened.every(({ aborted }) => aborted)).toBe(true);
});
