/* What ended is asked about at a terminal alone, read as far as the service answers, and resent once whatever happens. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWork } from '../../../src/batch/row-work.ts';
import { work } from '../../../src/batch/runs.ts';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { json } from '../../support/scripted-transport.ts';
import { batchWorld, manyOrders, orderCells, orderSheet } from '../batch-world.ts';
import { EndedWorld } from './ended-world.ts';

/** A sheet of so many orders, of which the second is cancelled. */
async function cancelledSecond(profile: 'test' | 'shop' = 'shop', count = 3) {
  const world = await EndedWorld.made(profile);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  await world.sheet(numbers);
  await world.cancel('SO-2');
  return { world, numbers };
}

describe('at a terminal', () => {
  it.each([
    ['skip', 0],
    ['send', 1],
  ] as const)('a person is asked once a kind: %s', async (answer, more) => {
    const { world } = await cancelledSecond();
    world.write([1, 2, 3, 4]);
    const ran = await world.run(['batch', 'run', 'rolling.csv'], [answer, true]);
    expect([ran.exit, await world.made()], ran.stderr).toEqual([
      0,
      { 'SO-1': 1, 'SO-2': 1 + more, 'SO-3': 1, 'SO-4': 1 },
    ]);
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain('cancelled in 1 row (line 3)');
  });

  it('a plan asks nothing, and says what sends them again', async () => {
    const { world } = await cancelledSecond();
    world.write([1, 2, 3, 4]);
    const plan = await world.run(['batch', 'plan', 'rolling.csv'], []);
    expect([plan.exit, plan.stderr]).toEqual([
      0,
      expect.stringContaining('`--resend-ended cancelled` sends them again'),
    ]);
  });

  it('the key of a mapping leaves them out, and sends none', async () => {
    const { world } = await cancelledSecond();
    world.write([1, 2, 3, 4]);
    const map = (text: string) => writeFileSync(join(world.shop.directory, 'map.yaml'), text);
    map('resend_ended:\n  cancelled: skip\n');
    const ran = await world.run(['batch', 'run', 'rolling.csv', '--map', 'map.yaml'], [true]);
    expect([ran.exit, ran.stderr]).toEqual([0, expect.stringContaining('1 ended')]);
    map('resend_ended:\n  cancelled: send\n');
    const refused = await world.run(['batch', 'run', 'rolling.csv', '--map', 'map.yaml']);
    expect([refused.exit, (await world.made())['SO-2']]).toEqual([2, 1]);
  });
});

describe('what cannot be read', () => {
  it.each([
    ['the service has an error', async () => json(500, { code: 'internal', msg: 'sorry' })],
    ['the key may not list', async () => json(403, { code: 'permission_denied', msg: 'no' })],
    [
      'the connection is cut',
      async () => {
        throw new TransportError('closed', 'no', 'cut off');
      },
    ],
  ] as const)('is not sent again, whatever was said: %s', async (_, answer) => {
    const { world } = await cancelledSecond();
    world.between = (transport) => async (request) => {
      const isRead = request.url.endsWith('/ListOrders') || request.url.endsWith('/GetOrder');
      return isRead ? answer() : transport(request);
    };
    const ran = await world.sheet([1, 2, 3, 4], '--resend-ended', 'cancelled');
    world.between = (transport) => transport;
    expect([ran.exit, ran.counts], ran.stderr).toMatchObject([0, { done: 1, existed: 3, ended: 0 }]);
    expect(ran.stderr).toContain('3 records not read again, and not sent again');
    const rows = JSON.parse((await world.run(['batch', 'rows', ran.batch])).stdout);
    expect(rows[1]).toMatchObject({ state: 'existed', error: { code: 'not_read_again' } });
    expect((await world.made())['SO-2']).toBe(1);
  });

  it('stays ended where batch undo took it back, and is not sent again', async () => {
    const world = await EndedWorld.made('shop');
    const { batch } = await world.sheet([1]);
    await world.run(['batch', 'undo', batch]);
    world.between = (transport) => async (request) =>
      request.url.endsWith('/ListOrders') ? json(500, { code: 'internal', msg: 'sorry' }) : transport(request);
    const ran = await world.sheet([1, 2], '--resend-ended', 'undone');
    expect([ran.counts, await world.made()], ran.stderr).toMatchObject([{ done: 1, ended: 1 }, { 'SO-1': 1 }]);
  });

  it('is no record that the service has under another name', async () => {
    const { world } = await cancelledSecond();
    world.between = (transport) => async (request) => {
      const answer = await transport(request);
      if (!request.url.endsWith('/ListOrders')) return answer;
      return { ...answer, body: answer.body.replaceAll('"SO-2"', '"OTHER"') };
    };
    const ran = await world.sheet([1, 2, 3, 4], '--resend-ended', 'cancelled');
    world.between = (transport) => transport;
    expect([ran.counts, (await world.made())['SO-2']]).toMatchObject([{ done: 1, existed: 3, ended: 0 }, 1]);
  });
});

it('reads records by a list, 100 a call', async () => {
  const { world, numbers } = await cancelledSecond('shop', 101);
  const asked: number[] = [];
  world.between = (transport) => async (request) => {
    if (request.url.endsWith('/ListOrders')) asked.push(JSON.parse(request.body).filter.id.split(',').length);
    return transport(request);
  };
  const plan = await world.plan([...numbers, 102]);
  expect([plan.counts, asked]).toMatchObject([{ left: 1, existed: 100, ended: 1 }, [100, 1]]);
});

it('reads the newest 300 one by one with the key of a partner, and says how many were not read', async () => {
  const { world, numbers } = await cancelledSecond('test', 303);
  await world.cancel('SO-303');
  let reads = 0;
  world.between = (transport) => async (request) => {
    if (request.url.endsWith('/GetOrder')) reads += 1;
    return transport(request);
  };
  const ran = await world.sheet([...numbers, 304], '--resend-ended', 'cancelled');
  // The newest one is read, and the second oldest is not.
  expect([ran.counts, reads]).toMatchObject([{ done: 2, existed: 302, ended: 0 }, 300]);
  expect(ran.stderr).toContain('3 records not read again');
  world.between = (transport) => transport;
  const made = await world.made();
  expect([made['SO-2'], made['SO-303']]).toEqual([1, 2]);
});

it.each(['before', 'after'] as const)(
  'a resend that ends %s its order is made goes on, and makes one',
  async (when) => {
    const { world } = await cancelledSecond();
    const stop = new AbortController();
    world.signal = stop.signal;
    world.between = (transport) => async (request) => {
      if (!request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
      stop.abort('SIGINT');
      if (when === 'after') await transport(request);
      throw new TransportError('closed', 'maybe', 'cut off');
    };
    await world.sheet([1, 2, 3, 4], '--resend-ended', 'cancelled');
    world.signal = undefined;
    world.between = (transport) => transport;
    for (let time = 0; time < 3; time += 1) await world.sheet([1, 2, 3, 4], '--resend-ended', 'cancelled');
    const last = await world.sheet([1, 2, 3, 4, 5], '--resend-ended', 'cancelled');
    expect([last.exit, last.counts], last.stderr).toMatchObject([0, { done: 1, existed: 4, ended: 0 }]);
    expect(await world.made()).toEqual({ 'SO-1': 1, 'SO-2': 2, 'SO-3': 1, 'SO-4': 1, 'SO-5': 1 });
  },
);

it('a plan that was saved sends again what it said, once', async () => {
  const { world } = await cancelledSecond();
  const saved = await world.plan([1, 2, 3, 4], '--resend-ended', 'cancelled', '--save', 'plan.json');
  expect(saved.counts).toMatchObject({ left: 2, existed: 2, ended: 0 });
  for (const counts of [
    { done: 2, existed: 2 },
    { existed: 4, done: 0 },
  ]) {
    const ran = await world.run(['batch', 'run', '--plan', 'plan.json']);
    if (ran.exit === 0) expect(ran.counts, ran.stderr).toMatchObject(counts);
    else expect([ran.exit, ran.stderr]).toEqual([12, expect.stringContaining('stale')]);
  }
  expect((await world.made())['SO-2']).toBe(2);
});

it.each(['cancelled', 'returned'] as const)('two sheets that send again what was %s make one order', async (kind) => {
  const world = await batchWorld('shop');
  await world.run(manyOrders(2));
  const [order] = (await world.orders()).filter(({ external_id }) => external_id === 'SO-1');
  const { control } = world.service.sandbox;
  const { post, shop } = world.service;
  if (kind === 'cancelled') await post('shop.Order/CancelOrder', { id: order?.id, cancel_reason: 'x' }, shop.apiKey);
  else for (const to of ['delivering', 'returned']) await control.advance(order?.id ?? '', { to });
  const answers = { resend_ended: { [kind]: 'send' } } as const;
  // Each holds locks of its own, as a process each does.
  const [context, beside] = [await world.context(), await world.context()];
  const one = await world.plan(manyOrders(3), { context, answers });
  const other = await world.plan(manyOrders(4), { context: beside, answers });
  const rowWork = await findWork('ship', 'shop');
  const ran = [await work(context, one.batch, rowWork), await work(beside, other.batch, rowWork)];
  one.release();
  other.release();
  await context.close();
  await beside.close();
  expect(ran.map(({ summary }) => summary.counts)).toMatchObject([
    { done: 2, existed: 1 },
    { done: 1, existed: 3 },
  ]);
  const live = (await world.orders()).filter(({ external_id, id }) => external_id === 'SO-1' && id !== order?.id);
  expect(live).toHaveLength(1);
});

it('two sheets that send again a customer who was deleted make one customer, though nothing keeps the name unique', async () => {
  const world = await batchWorld('shop');
  const sheetOf = (count: number) =>
    [
      'external_id,full_name,phone',
      ...Array.from({ length: count }, (_, at) => `C-${at},Lan ${at},090123456${at}`),
    ].join('\n');
  const request = { do: 'customers create' };
  await world.run(sheetOf(2), request);
  const { post, shop } = world.service;
  const named = async () => {
    const { body } = await post('shop.Customer/ListCustomers', {}, shop.apiKey);
    return body.customers.filter(
      (one: { full_name: string; deleted: boolean }) => one.full_name === 'Lan 0' && !one.deleted,
    );
  };
  const [lan] = await named();
  await post('shop.Customer/DeleteCustomer', { id: lan.id }, shop.apiKey);
  const answers = { resend_ended: { cancelled: 'send' } } as const;
  // Each holds locks of its own, as a process each does.
  const [context, beside] = [await world.context(), await world.context()];
  const one = await world.plan(sheetOf(3), { ...request, context, answers });
  const other = await world.plan(sheetOf(4), { ...request, context: beside, answers });
  const rowWork = await findWork('customers create', 'shop');
  await work(context, one.batch, rowWork);
  await work(beside, other.batch, rowWork);
  one.release();
  other.release();
  await context.close();
  await beside.close();
  expect(await named()).toHaveLength(1);
});

it('a dry run leaves everything as it was', async () => {
  const { world } = await cancelledSecond();
  world.write([1, 2, 3, 4]);
  const looked = await world.run(['batch', 'run', 'rolling.csv', '--resend-ended', 'cancelled', '--dry-run']);
  expect([looked.exit, await world.made()]).toEqual([0, { 'SO-1': 1, 'SO-2': 1, 'SO-3': 1 }]);
  const plan = await world.plan([1, 2, 3, 4]);
  expect(plan.counts).toMatchObject({ left: 1, ended: 1 });
});

it('a plan says in which row and field a record differs', async () => {
  const { world } = await cancelledSecond();
  const path = join(world.shop.directory, 'rolling.csv');
  const rows = [1, 3, 4].map((number) =>
    orderCells(number).map((cell, at) => (number === 3 && at === 2 ? '0987654321' : cell)),
  );
  writeFileSync(path, orderSheet(rows));
  const plan = await world.run(['batch', 'plan', 'rolling.csv']);
  expect(plan.counts).toMatchObject({ left: 1, existed: 1, failed: 1 });
  expect(plan.stderr).toMatch(/line 3 \(SO-3\) differs from its record in .*phone \(\d+ → 0987654321\)/);
});

it('what was sent otherwise and has been cancelled since is sent again as it is now', async () => {
  const { world } = await cancelledSecond();
  const rows = [1, 2].map((number) =>
    orderCells(number).map((cell, at) => (number === 2 && at === 2 ? '0987654321' : cell)),
  );
  writeFileSync(join(world.shop.directory, 'rolling.csv'), orderSheet(rows));
  const left = await world.run(['batch', 'run', 'rolling.csv']);
  expect(left.counts).toMatchObject({ existed: 1, ended: 1, failed: 0 });
  const ran = await world.run(['batch', 'run', 'rolling.csv', '--resend-ended', 'cancelled']);
  expect([ran.counts, (await world.made())['SO-2']]).toMatchObject([{ done: 1, existed: 1 }, 2]);
});

it('rows without names are left out that were sent as new ones and undone', async () => {
  const world = await EndedWorld.made('shop');
  world.write([1], false);
  const { batch } = await world.run(['batch', 'run', 'rolling.csv', '--again']);
  await world.run(['batch', 'undo', batch]);
  world.write([1, 2], false);
  const ran = await world.run(['batch', 'run', 'rolling.csv']);
  expect([ran.counts, await world.orders()], ran.stderr).toMatchObject([{ done: 1, ended: 1 }, { length: 2 }]);
  const resend = ['batch', 'run', 'rolling.csv', '--resend-ended', 'undone'];
  for (const done of [1, 0]) {
    world.write([1, 2, ...(done === 1 ? [] : [3])], false);
    const again = await world.run([...resend, '--continue', ran.batch]);
    expect(again.counts, again.stderr).toMatchObject({ done: 1, ended: 0 });
  }
  expect(await world.orders()).toHaveLength(4);
});

it('a new row without a name is sent that equals one that was undone and sent again, once', async () => {
  const world = await EndedWorld.made('shop');
  world.write([1], false);
  const { batch } = await world.run(['batch', 'run', 'rolling.csv']);
  await world.run(['batch', 'undo', batch]);
  const resent = await world.run(['batch', 'run', 'rolling.csv', '--resend-ended', 'undone']);
  world.write([1, 1], false);
  for (const counts of [
    { done: 1, existed: 1, ended: 0 },
    { done: 1, existed: 1, ended: 0 },
  ]) {
    const ran = await world.run(['batch', 'run', 'rolling.csv', '--continue', resent.batch]);
    expect([ran.exit, ran.counts], ran.stderr).toMatchObject([0, counts]);
  }
  expect((await world.orders()).map(({ status }) => status).sort()).toEqual(['N', 'S', 'S']);
  // What was sent again and undone once more is left out, and nothing else is.
  await world.run(['batch', 'undo', resent.batch]);
  world.write([1, 1, 2], false);
  const last = await world.run(['batch', 'run', 'rolling.csv', '--continue', resent.batch]);
  expect([last.exit, last.counts], last.stderr).toMatchObject([0, { done: 1, existed: 1, ended: 1 }]);
});
