import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Transport } from '../../../src/platform/http/transport.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** What the Date of the answers of a run is: that of the service where absent, or so far from it, or a text. */
type Dates = number | string | ((answer: number) => number);

/** A machine, its shop, and an order that it sends by a command or by a sheet. */
async function stage(by: 'a command' | 'a sheet') {
  let dates: Dates = 0;
  let answers = 0;
  const dated =
    (transport: Transport): Transport =>
    async (request) => {
      const answer = await transport(request);
      const off = typeof dates === 'function' ? dates(answers) : dates;
      answers += 1;
      const date = typeof off === 'string' ? off : new Date(world.service.clock.now() + off).toUTCString();
      return { ...answer, headers: { ...answer.headers, date } };
    };
  const world = await shopWorld(dated);
  const { shipping: _, ...order } = await quotedOrder(world.service);
  const other = { ...order, shipping_address: { ...Object(order).shipping_address, full_name: 'Another one' } };
  const file = (name: string, content: unknown) => {
    writeFileSync(join(world.directory, name), JSON.stringify(content));
    return join(world.directory, name);
  };
  const sheets = [file('rows.json', [order]), file('others.json', [{ ...order, total_items: undefined }])];
  const command = () => ['orders', 'create', '--input', file('order.json', order)];
  const sheet = () => ['batch', 'run', sheets.shift() ?? '', '--do', 'orders create'];
  return {
    later: (milliseconds: number) => world.service.clock.advance(milliseconds),
    /** Sends it on a machine whose clock is so far ahead, with answers of these dates; the exit code. */
    async send(machineMs = 0, with_: Dates = 0) {
      [dates, answers] = [with_, 0];
      const words = by === 'a command' ? command() : sheet();
      const clock = steppedClock(world.service.clock.now() + machineMs);
      return (await world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], { clock })).exit;
    },
    /** Makes another order first: the ledger has learned then how far the clocks are apart. */
    async conflictOf(): Promise<void> {
      const words = ['orders', 'create', '--input', file('other.json', other), '--profile', 'shop', '--yes'];
      expect((await world.run(words, { clock: steppedClock(world.service.clock.now()) })).exit).toBe(0);
    },
    async live(): Promise<number> {
      const { body } = await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey);
      const isOne = (one: { status: string; shipping_address: { full_name: string } }) =>
        one.status !== 'N' && one.shipping_address.full_name !== 'Another one';
      return body.orders.filter(isOne).length;
    },
  };
}

/** Each of them by one door where the ledger knows how far the clocks are apart, and by the other where it does not. */
const known = <Value>(by: string, rows: readonly (readonly [string, Value])[]) =>
  rows.map(([name, value], at) => [name, value, at % 2 === (by === 'a command' ? 0 : 1)] as const);

describe.each([
  ['a command', 5],
  ['a sheet', 9],
] as const)('%s that sends an order within a day of an equal one', (by, refused) => {
  it.each(
    known<Dates>(by, [
      ['two days old', -2 * day],
      ['in 1970', 'Thu, 01 Jan 1970 00:00:00 GMT'],
      ['two days ahead', 2 * day],
    ]),
  )('is refused where the answers were dated %s when it was sent', async (_, dates, isKnown) => {
    const { conflictOf, send, later, live } = await stage(by);
    if (isKnown) await conflictOf();
    expect(await send(0, dates)).toBe(0);
    later(minute);
    expect([await send(), await live()]).toEqual([refused, 1]);
  });

  it.each([
    ['set back by three days', -3 * day],
    ['set ahead by three days', 3 * day],
  ])('is refused on a machine whose clock was %s since', async (_, off) => {
    const { send, later, live } = await stage(by);
    expect(await send()).toBe(0);
    later(minute);
    expect([await send(off), await live()]).toEqual([refused, 1]);
  });

  it.each(
    known(by, [
      ['behind', -3 * day],
      ['ahead', 3 * day],
    ]),
  )(
    'is refused on a machine whose clock was three days %s when it was sent, and is right now',
    async (_, off, isKnown) => {
      const { conflictOf, send, later, live } = await stage(by);
      if (isKnown) await conflictOf();
      expect(await send(off)).toBe(0);
      later(minute);
      expect([await send(), await live()]).toEqual([refused, 1]);
    },
  );

  it('is refused where the clock of the machine was set ahead, and one answer is dated ahead as well', async () => {
    const { send, later, live } = await stage(by);
    expect(await send()).toBe(0);
    later(minute);
    expect([await send(3 * day, (answer) => (answer === 0 ? 2 * day : 0)), await live()]).toEqual([refused, 1]);
  });

  it('is refused where only the service says that a day has passed', async () => {
    const { send, later, live } = await stage(by);
    expect(await send()).toBe(0);
    later(2 * day);
    expect([await send(-3 * day), await live()]).toEqual([refused, 1]);
  });
});

describe.each(['a command', 'a sheet'] as const)('%s sends an equal order once more', (by) => {
  it('a day later by the dates of the service and by the clock of the machine', async () => {
    const { send, later, live } = await stage(by);
    expect(await send()).toBe(0);
    later(day + minute);
    expect([await send(), await live()]).toEqual([0, 2]);
  });

  it('a day later, on a machine that is always three days ahead', async () => {
    const { send, later, live } = await stage(by);
    expect(await send(3 * day)).toBe(0);
    later(day + minute);
    expect([await send(3 * day), await live()]).toEqual([0, 2]);
  });

  it('a day later, where the first answers were dated 1970', async () => {
    const { send, later, live } = await stage(by);
    expect(await send(0, 'Thu, 01 Jan 1970 00:00:00 GMT')).toBe(0);
    later(day + minute);
    expect([await send(), await live()]).toEqual([0, 2]);
  });

  it('two days later, where the clock of the machine was set ahead: the second answer that agrees counts', async () => {
    const { send, later, live } = await stage(by);
    expect(await send()).toBe(0);
    later(2 * day);
    expect([await send(34 * hour), await live()]).toEqual([0, 2]);
  });
});
