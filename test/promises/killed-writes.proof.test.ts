import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { createShipnow } from '../support/shipnow.ts';
import { inParallel } from './in-parallel.ts';
import { type Machine, openStage, type Stage } from './stage.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

const signals: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'];

/** A write that is not an order of its own: its words, and whether it has come true at the service. */
interface Prepared {
  readonly words: readonly string[];
  readonly live: () => Promise<number>;
}

async function newOrder(stage: Stage, name: string): Promise<string> {
  const { shipping: _, ...order } = stage.plain(name) as Record<string, unknown>;
  const { body } = await stage.service.post('shop.Order/CreateOrder', order, stage.service.shop.apiKey);
  return String(body.id);
}

const ownShop = ['--yes', '--json', '--profile', 'shop'];

const writes: Readonly<Record<string, (stage: Stage, machine: Machine, name: string) => Promise<Prepared>>> = {
  'orders confirm': async (stage, _, name) => ({
    words: ['orders', 'confirm', await newOrder(stage, name), ...ownShop],
    live: async () => (await stage.liveOrders(name)).filter(({ confirm_status }) => confirm_status === 'P').length,
  }),
  'orders cancel': async (stage, _, name) => ({
    words: ['orders', 'cancel', await newOrder(stage, name), '--cancel-reason', 'changed', ...ownShop],
    live: async () => 1 - (await stage.liveOrders(name)).length,
  }),
  'shipping cancel': async (stage, _, name) => {
    const request = await stage.quoted(name);
    const { body } = await stage.service.post('partner.Shipping/CreateAndConfirmOrder', request, stage.service.shopKey);
    return {
      words: ['shipping', 'cancel', String(body.order.id), '--cancel-reason', 'changed', '--yes', '--json'],
      live: async () => 1 - (await stage.liveOrders(name)).length,
    };
  },
  'shipnow cancel': async (stage, _, name) => {
    const { body } = await createShipnow(stage.service, { shipping_note: name });
    return {
      words: ['shipnow', 'cancel', String(body.id), '--cancel-reason', 'changed', ...ownShop],
      live: async () => 1 - (await stage.liveDeliveries(name)).length,
    };
  },
};

it.each(Object.entries(writes))('%s comes true once, whoever kills it and runs it again', async (title, prepare) => {
  const stage = await openStage(program);
  const first = await stage.machine();
  const whole = await first.run((await prepare(stage, first, `${title} whole`)).words, { counting: true });
  expect([whole.code, whole.stderr]).toEqual([0, expect.any(String)]);
  const tries = whole.points.map((_, at) => at).filter((at) => at % 2 === 0);
  const outcomes = await inParallel(tries, 3, async (at) => {
    const machine = await stage.machine();
    const { words, live } = await prepare(stage, machine, `${title} ${at}`);
    const doomed = await machine.run(words, { at, signal: signals[(at / 2) % 4] ?? 'SIGKILL' });
    const before = await live();
    const again = doomed.code === 0 ? doomed : await machine.run(words);
    return { at, before: before <= 1, live: await live(), ends: [0, 5].includes(again.code ?? -1) };
  });
  expect(outcomes.filter(({ before, live, ends }) => !before || live !== 1 || !ends)).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(3);
});
