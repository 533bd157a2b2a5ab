import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manyOrders } from '../batch/batch-world.ts';
import type { TestMachine } from '../support/context.ts';
import { plainOrder } from '../support/plain-order.ts';
import { shopWorld } from '../support/shop-world.ts';
import { noticeText } from '../support/stderr-lines.ts';
import { steppedClock } from '../support/stepped-clock.ts';

/** What waiting ended with; `onWait` happens at each pause between two looks. */
async function waiting(machine: TestMachine, words: readonly string[], onWait = async (_: number) => {}) {
  const clock = steppedClock();
  const stepping = {
    ...clock,
    async wait(milliseconds: number, signal?: AbortSignal) {
      await clock.wait(milliseconds, signal);
      await onWait(clock.waits.length);
    },
  };
  const { exit, stdout, stderr } = await machine.run(['wait', ...words, '--json'], { clock: stepping });
  return { exit, waits: clock.waits, answer: stdout === '' ? undefined : JSON.parse(stdout), stderr };
}

async function shipped() {
  const world = await shopWorld();
  const words = ['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes', '--json'];
  const { order } = JSON.parse((await world.run(words)).stdout);
  return { world, id: String(order.id), code: String(order.code) };
}

describe('wait order', () => {
  it('ends with 0 once the parcel is there', async () => {
    const { world, id, code } = await shipped();
    const { exit, answer } = await waiting(
      world,
      ['order', id, '--until', 'delivered', '--within', '10m'],
      async (look) => {
        if (look === 3) await world.service.sandbox.control.advance(id, { to: 'delivered' });
      },
    );
    expect([exit, answer]).toEqual([
      0,
      { name: `order ${code}`, order: 'in progress', parcels: ['delivered'], waited_seconds: 3 },
    ]);
    const again = await waiting(world, ['order', code, '--until', 'returned', '--until', 'delivered']);
    expect([again.exit, again.waits]).toEqual([0, []]);
  });

  it('takes the other names of an order, and says which it is', async () => {
    const { world, id, code } = await shipped();
    await world.run(['profiles', 'use', 'shop']);
    const { order, fulfillments } = JSON.parse((await world.run(['shipping', 'get', id, '--json'])).stdout);
    for (const name of [order.external_id, fulfillments[0].shipping_code]) {
      const { exit, answer, stderr } = await waiting(world, ['order', name, '--until', 'created', '--within', '1s']);
      expect([exit, answer.name]).toEqual([answer.parcels.includes('created') ? 0 : 11, `order ${code}`]);
      expect(stderr).toContain(`of ${id}`);
    }
    const none = await waiting(world, ['order', 'NONE', '--until', 'created']);
    expect([none.exit, none.waits]).toEqual([3, []]);
  });

  it('ends with 11 when the time is up, having looked at its end too', async () => {
    const { world, id, code } = await shipped();
    const { exit, waits, answer, stderr } = await waiting(world, [
      'order',
      id,
      '--until',
      'delivered',
      '--within',
      '25s',
    ]);
    expect([exit, answer.waited_seconds]).toEqual([11, 25]);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(25_000);
    expect(noticeText(stderr)).toMatch(
      new RegExp(`^after 25 s order ${code} is still in progress \\(parcel: .*\\), not delivered\n$`),
    );
  });

  it('ends when the time is up, though somebody sets the clock back meanwhile', async () => {
    const { world, id } = await shipped();
    const clock = steppedClock();
    const setBack = {
      now: () => 2 * Date.parse('2026-01-31T08:00:00Z') - clock.now(),
      elapsed: clock.now,
      async wait(milliseconds: number, signal?: AbortSignal) {
        if (clock.waits.length > 100) throw new Error('it waits for ever');
        await clock.wait(milliseconds, signal);
      },
    };
    const { exit } = await world.run(['wait', 'order', id, '--until', 'delivered', '--within', '25s'], {
      clock: setBack,
    });
    expect([exit, clock.waits.reduce((sum, ms) => sum + ms, 0)]).toEqual([11, 25_000]);
  });

  it('ends with 11 at once when it will never come to that', async () => {
    const { world, id } = await shipped();
    await world.run(['shipping', 'cancel', id, '--cancel-reason', 'wrong', '--yes']);
    const { exit, waits, stderr } = await waiting(world, ['order', id, '--until', 'delivered']);
    expect([exit, waits]).toEqual([11, []]);
    expect(stderr).toContain('is cancelled (parcel: cancelled), and can no longer be delivered');
  });

  it.each([
    ['delivered', 'cancelled', 11],
    ['delivered', 'returned', 11],
    ['holding', 'cancelled', 11],
    ['returning', 'done', 11],
    ['created', 'new', 11],
    // What no step of ours leads to may come at another service.
    ['created', 'confirmed', 'waits'],
    ['picking', 'cancelled', 'waits'],
    ['delivered', 'done', 'waits'],
    ['delivering', 'returned', 'waits'],
  ] as const)('of an order whose parcel is %s, until %s: %s', async (state, until, expected) => {
    const { world, id } = await shipped();
    if (state !== 'created') await world.service.sandbox.control.advance(id, { to: state });
    const { exit, waits } = await waiting(world, ['order', id, '--until', until, '--within', '5s']);
    expect([exit, waits.length === 0 ? exit : 'waits']).toEqual([11, expected]);
  });

  it('refuses a state that there is not, and an order that there is not', async () => {
    const { world } = await shipped();
    expect((await waiting(world, ['order', '1', '--until', 'deliverd'])).exit).toBe(2);
    expect((await waiting(world, ['order', '1234567890123456789', '--until', 'delivered'])).exit).toBe(3);
  });
});

describe('wait batch', () => {
  it('ends with 0 once no row is left', async () => {
    const world = await shopWorld();
    writeFileSync(join(world.directory, 'orders.csv'), manyOrders(2));
    const { batch } = JSON.parse((await world.run(['batch', 'run', 'orders.csv', '--yes', '--json'])).stdout);
    const { exit, answer } = await waiting(world, ['batch', batch, '--until', 'settled']);
    expect([exit, answer]).toEqual([0, { name: `batch ${batch}`, state: 'settled', waited_seconds: 0 }]);
  });
});

describe('wait webhook', () => {
  it('ends with 0 if deliveries arrive, and with 11 if there is none', async () => {
    const world = await shopWorld();
    const created = await world.run([
      'webhooks',
      'create',
      '--url',
      'http://127.0.0.1:9/hook',
      '--entities',
      'order',
      '--json',
    ]);
    expect(created.stderr).toBe('');
    const { id } = JSON.parse(created.stdout);
    expect((await waiting(world, ['webhook', String(id)])).exit).toBe(0);
    const gone = await waiting(world, ['webhook', '1234567890123456789']);
    expect([gone.exit, gone.answer.state]).toEqual([11, 'deleted']);
  });
});
