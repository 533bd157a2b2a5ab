/* A write that somebody said was done, and whose record has ended since: its maker made nothing, and it is made again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderFields } from '../../support/sandbox-order.ts';
import { errorAnswer, json } from '../../support/scripted-transport.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const kinds = {
  orders: ['Order', orderFields, { order_note: 'two' }, ['orders', 'cancel', '--cancel-reason', 'wrong']],
  products: ['Product', { name: 'Mũ' }, { name: 'Nón' }, ['products', 'delete']],
} as const;

/** A world whose service loses the answer to the first create of a kind, and tells nothing of it until a word is given. */
async function lostWorld(kind: keyof typeof kinds) {
  const [area, fields, second] = kinds[kind];
  const state = { isSilent: true };
  const world = await shopWorld((transport) => async (wire) => {
    const operation = wire.url.split('/').at(-1) ?? '';
    const answer = await transport(wire);
    if (!state.isSilent) return answer;
    if (operation === `Create${area}`) return errorAnswer(500, 'internal');
    return operation === `Get${area}` ? json(200, { id: '5', external_id: 'SOMEBODY-1' }) : answer;
  });
  const run = (...words: readonly string[]) =>
    world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], {
      clock: steppedClock(world.service.clock.now()),
    });
  const create = (opener: 'command' | 'row', given: object, ...more: readonly object[]) => {
    const path = join(world.directory, 'records.json');
    const record = { ...fields, ...given };
    const other = { ...record, ...second, ...('external_id' in given ? { external_id: 'N-2' } : {}) };
    writeFileSync(path, JSON.stringify(opener === 'row' ? [record, other, ...more] : record));
    const words =
      opener === 'row'
        ? ['batch', 'run', path, '--do', `${kind} create`, '--resend-ended', 'cancelled']
        : [kind, 'create', '--input', path];
    return run(...words);
  };
  return { world, state, run, create, live: () => liveOf(world, area) };
}

async function liveOf(
  { service: { post, shop } }: ShopWorld,
  area: string,
): Promise<readonly { readonly id: string }[]> {
  const { body } = await post(`shop.${area}/List${area}s`, {}, shop.apiKey);
  const records: readonly { id: string; status?: string; deleted?: boolean }[] = body[`${area.toLowerCase()}s`];
  return records.filter(({ status, deleted }) => status !== 'N' && deleted !== true);
}

describe.each(['orders', 'products'] as const)('%s that a person said were made', (kind) => {
  const ending = kinds[kind][3];

  it.each([{}, { external_id: 'N-1' }])('are made again by a command once they have ended: %j', async (given) => {
    const { state, run, create, live } = await lostWorld(kind);
    const before = (await live()).length;
    expect((await create('command', given)).exit).toBe(10);
    const [{ id: intent }] = JSON.parse((await run('ledger', 'list')).stdout);
    expect((await run('ledger', 'settle', intent, '--done')).exit).toBe(0);
    state.isSilent = false;
    const made = (await live()).at(-1)?.id ?? '';
    const ended = await run(ending[0], ending[1], made, ...ending.slice(2));
    expect([ended.exit, (await live()).length - before], ended.stderr).toEqual([0, 0]);
    const again = await create('command', given);
    expect([again.exit, (await live()).length - before], again.stderr).toEqual([0, 1]);
  });

  it.each([
    ['command', { external_id: 'N-1' }],
    // A product that was deleted by a row may be another one of its name.
    ['row', kind === 'orders' ? { external_id: 'N-1' } : {}],
  ] as const)('are made again by a sheet once a %s has ended them: %j', async (opener, given) => {
    const { world, state, run, create, live } = await lostWorld(kind);
    const before = (await live()).length;
    const { batch } = JSON.parse((await create('row', given)).stdout);
    for (const row of ['1', '2']) expect((await run('batch', 'settle', batch, row, '--done')).exit).toBe(0);
    state.isSilent = false;
    const [one, two] = (await live()).slice(before).map(({ id }) => id);
    expect([one, two].every((id) => id !== undefined)).toBe(true);
    const path = join(world.directory, 'ends.json');
    writeFileSync(path, JSON.stringify([{ id: one, ...(kind === 'orders' ? { cancel_reason: 'wrong' } : {}) }]));
    const ended = await (opener === 'command'
      ? run(ending[0], ending[1], one ?? '', ...ending.slice(2))
      : run('batch', 'run', path, '--do', ending.slice(0, 2).join(' ')));
    expect([ended.exit, (await live()).length - before], ended.stderr).toEqual([0, 1]);
    const again = await create('row', given);
    const counts = again.exit === 0 ? JSON.parse(again.stdout).counts : again.stderr;
    // Of rows with names of their own; the others are asked about, or are new.
    if ('external_id' in given) expect(counts, again.stderr).toMatchObject({ done: 1, existed: 1 });
    const rows = JSON.parse((await run('batch', 'rows', batch)).stdout);
    expect(rows.map((row: { state: string }) => row.state)).toEqual(['undone', 'done']);
  });
});

it('a row that a person said was made gets the id of its record, where the service tells it', async () => {
  const { state, run, create } = await lostWorld('orders');
  const { batch } = JSON.parse((await create('row', {})).stdout);
  state.isSilent = false;
  expect((await run('batch', 'settle', batch, '1', '--done')).exit).toBe(0);
  const [row] = JSON.parse((await run('batch', 'rows', batch)).stdout);
  expect(row).toMatchObject({ state: 'done', id: expect.stringMatching(/^\d+$/) });
});

it.each([{}, { external_id: 'N-1' }])(
  'an order that a colleague has ended is seen by the mirror: %j',
  async (given) => {
    const { world, state, run, create, live } = await lostWorld('orders');
    const { post, shop } = world.service;
    const { batch } = JSON.parse((await create('row', given)).stdout);
    for (const row of ['1', '2']) await run('batch', 'settle', batch, row, '--done');
    state.isSilent = false;
    const ids = (await live()).slice(-2).map(({ id }) => id);
    for (const id of ids) await post('shop.Order/CancelOrder', { id, cancel_reason: 'a colleague' }, shop.apiKey);
    expect((await run('mirror', 'sync')).exit).toBe(0);
    const rows = JSON.parse((await run('batch', 'rows', batch)).stdout);
    // A given name may be that of another order by now: whoever runs the sheet looks.
    const expected = 'external_id' in given ? ['done', 'done'] : ['undone', 'undone'];
    expect(rows.map((row: { state: string }) => row.state)).toEqual(expected);
    if (!('external_id' in given)) return;
    const again = await create('row', given, { ...orderFields, external_id: 'N-3', order_note: 'three' });
    expect([again.exit, JSON.parse(again.stdout).counts], again.stderr).toMatchObject([0, { done: 3 }]);
  },
);

it("a product stays made whose name another's has that was deleted", async () => {
  const { world, state, run, create, live } = await lostWorld('products');
  const { post, shop } = world.service;
  const { body } = await post('shop.Product/CreateProduct', { name: 'Áo', external_id: 'N-1' }, shop.apiKey);
  const before = (await live()).length;
  await create('command', { external_id: 'N-1' });
  const [{ id: intent }] = JSON.parse((await run('ledger', 'list')).stdout);
  await run('ledger', 'settle', intent, '--done');
  state.isSilent = false;
  expect((await run('products', 'delete', body.id)).exit).toBe(0);
  await create('command', { external_id: 'N-1' });
  expect((await live()).length).toBe(before);
});

it("another's order that has the given name by now is not told as what a person said was made", async () => {
  const { world, state, run, create, live } = await lostWorld('orders');
  const { post, shop } = world.service;
  const given = { external_id: 'N-1', order_note: 'ours' };
  await create('command', given);
  const [{ id: intent }] = JSON.parse((await run('ledger', 'list')).stdout);
  await run('ledger', 'settle', intent, '--done');
  state.isSilent = false;
  const id = (await live()).at(-1)?.id;
  await post('shop.Order/CancelOrder', { id, cancel_reason: 'a colleague' }, shop.apiKey);
  await post('shop.Order/CreateOrder', { ...orderFields, external_id: 'N-1', order_note: 'theirs' }, shop.apiKey);
  const again = await create('command', given);
  expect([again.exit, again.stdout], again.stderr).toEqual([5, '']);
});

it("an undo leaves another's order alone that has the given name of a row which a person said was made", async () => {
  const world = await shopWorld(
    (transport) => async (wire) => (wire.url.endsWith('/CreateOrder') ? errorAnswer(500, 'internal') : transport(wire)),
  );
  const { post, shop, clock } = world.service;
  const named = { external_id: 'N-1' };
  await post('shop.Order/CreateOrder', { ...orderFields, ...named, order_note: 'theirs' }, shop.apiKey);
  const before = (await liveOf(world, 'Order')).length;
  const run = (...words: readonly string[]) =>
    world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], { clock: steppedClock(clock.now()) });
  const path = join(world.directory, 'rows.json');
  writeFileSync(path, JSON.stringify([{ ...orderFields, ...named, order_note: 'ours' }]));
  const { batch } = JSON.parse((await run('batch', 'run', path, '--do', 'orders create')).stdout);
  expect((await run('batch', 'settle', batch, '1', '--done')).exit).toBe(0);
  const undone = await run('batch', 'undo', batch);
  expect([undone.exit, (await liveOf(world, 'Order')).length], undone.stderr).toEqual([9, before]);
});
