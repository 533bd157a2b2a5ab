import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Transport, TransportError } from '../../../src/platform/http/transport.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { errorAnswer } from '../../support/scripted-transport.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { standingClock } from '../../support/standing-clock.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const hour = 3_600_000;
const isCreate = ({ url }: Parameters<Transport>[0]) => url.endsWith('/CreateOrder');

/**
 * A machine that has made an order by a command and told of it; and a command, or the retry of a batch whose row failed
 * before, that asks for an equal one.
 */
async function sentBefore(by: 'a command' | 'a batch') {
  const befalls: { now: (transport: Transport) => Transport } = { now: (transport) => transport };
  const world = await shopWorld((transport) => (request) => befalls.now(transport)(request));
  const { shipping: _, ...order } = await quotedOrder(world.service);
  const file = (name: string, content: unknown) => {
    writeFileSync(join(world.directory, name), JSON.stringify(content));
    return join(world.directory, name);
  };
  const run = (words: readonly string[], aheadMs: number) =>
    world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], {
      clock: steppedClock(world.service.clock.now() + aheadMs),
    });
  const command = ['orders', 'create', '--input', file('order.json', order)];
  // The same order, of which shopctl counts the goods: its content as it was written is another one.
  const row = { ...order, total_items: undefined };
  const batch = ['batch', 'run', file('rows.json', [row]), '--do', 'orders create'];
  let again = command;
  if (by === 'a batch') {
    befalls.now = (transport) => (request) =>
      isCreate(request) ? Promise.resolve(errorAnswer(412, 'failed_precondition')) : transport(request);
    const failed = await run(batch, 0);
    expect(failed.exit).toBe(9);
    again = ['batch', 'retry', JSON.parse(failed.stdout).batch, '--yes'];
    befalls.now = (transport) => transport;
  }
  expect((await run(command, 0)).exit).toBe(0);
  return {
    befalls,
    later: (milliseconds: number) => world.service.clock.advance(milliseconds),
    again: (aheadMs: number) => run(again, aheadMs),
    /** How many live orders the service has. */
    async live(): Promise<number> {
      const { body } = await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey);
      return body.orders.filter(({ status }: { status: string }) => status !== 'N').length;
    },
  };
}

describe('on a machine whose clock was set forward by 34 hours', () => {
  it('an equal order of the same day is refused to a command', async () => {
    const { again, live } = await sentBefore('a command');
    const ended = await again(34 * hour);
    expect([ended.exit, await live()]).toEqual([5, 1]);
    expect(errorOf(ended.stderr)).toMatchObject({ code: 'sent_before', outcome: 'not_applied' });
  });

  it('an equal order of the same day is refused to a row', async () => {
    const { again, live } = await sentBefore('a batch');
    const ended = await again(34 * hour);
    expect([ended.exit, await live()]).toEqual([9, 1]);
    expect(ended.stderr).toContain('an equal order was sent within a day');
  });

  it.each(['a command', 'a batch'] as const)('%s sends an order that equals one of two days ago', async (by) => {
    const { later, again, live } = await sentBefore(by);
    later(48 * hour);
    expect([(await again(34 * hour)).exit, await live()]).toEqual([0, 2]);
  });

  it.each(['a command', 'a batch'] as const)('%s sends nothing while the service cannot be asked', async (by) => {
    const { befalls, again, live } = await sentBefore(by);
    befalls.now = (transport) => async (request) => {
      if (isCreate(request)) return transport(request);
      throw new TransportError('tls', 'no', 'the certificate is not trusted');
    };
    expect([(await again(34 * hour)).exit, await live()]).toEqual([7, 1]);
  });

  it.each(['a command', 'a batch'] as const)('%s sends nothing where no answer tells the time', async (by) => {
    const { befalls, again, live } = await sentBefore(by);
    befalls.now = (transport) => async (request) => {
      const { headers, ...answer } = await transport(request);
      const { date: _, ...others } = headers;
      return { ...answer, headers: others };
    };
    expect([(await again(34 * hour)).exit, await live()]).toEqual([by === 'a command' ? 5 : 9, 1]);
  });
});

it('a record is made again on a machine whose clock was set back since an equal one was made and told', async () => {
  const world = await shopWorld();
  const words = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop', '--json'];
  const create = (aheadMs: number) => world.run(words, { clock: standingClock(world.service.clock.now() + aheadMs) });
  const [first, second] = [await create(7 * hour), await create(0)];
  expect([first.exit, second.exit]).toEqual([0, 0]);
  expect(JSON.parse(second.stdout).id).not.toBe(JSON.parse(first.stdout).id);
});
