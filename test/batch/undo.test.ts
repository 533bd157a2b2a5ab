import { describe, expect, it } from 'vitest';
import { retry } from '../../src/batch/retry.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, resume, work } from '../../src/batch/runs.ts';
import { planUndo } from '../../src/batch/undo.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { batchWorld, manyOrders, plainOptions } from './batch-world.ts';

type World = Awaited<ReturnType<typeof batchWorld>>;

/** Takes a batch back, and says what was seen before it. */
async function undo(world: World, id: string, reason?: string, rows: readonly string[] = []) {
  const context = await world.context();
  try {
    const planned = await planUndo(context, await batchNamed(context, id), reason, rows);
    try {
      const { summary, failure } = await work(context, planned.batch, planned.work);
      return { planned, summary, failure };
    } finally {
      planned.release();
    }
  } finally {
    await context.close();
  }
}

async function rowsOf(world: World, id: string) {
  const context = await world.context();
  try {
    const { number } = await batchNamed(context, id);
    return await context.rows.next({ batch: number, after: 0, limit: 1000 });
  } finally {
    await context.close();
  }
}

const statesOf = async (world: World, id: string) => (await rowsOf(world, id)).map(({ state }) => state);

/** Counts the calls of an operation that reach the service. */
function counting(world: World, operation: string) {
  let calls = 0;
  world.between = (transport) => async (request) => {
    if (request.url.endsWith(operation)) calls += 1;
    return transport(request);
  };
  return () => calls;
}

describe.each(['partner', 'shop'] as const)('an undo of shipped orders, as a %s', (family) => {
  it('cancels each once, and leaves the shop as it was', async () => {
    const world = await batchWorld(family);
    const { summary: made } = await world.run(manyOrders(8));
    const calls = counting(world, 'CancelOrder');
    const { summary } = await undo(world, made.batch, 'wrong file');
    expect(summary).toMatchObject({ do: 'undo ship', state: 'finished', counts: { rows: 8, done: 8, failed: 0 } });
    expect([calls(), await world.orders()]).toEqual([8, []]);
    expect(await statesOf(world, made.batch)).toEqual(new Array(8).fill('undone'));
    const [row] = await rowsOf(world, summary.batch);
    expect(JSON.parse(row?.payload ?? '')).toEqual({ id: row?.id, cancel_reason: 'wrong file' });
  });
});

it('gives the batch as the reason where none is given', async () => {
  const world = await batchWorld();
  const { summary: made } = await world.run(manyOrders(1));
  const { summary } = await undo(world, made.batch);
  const [row] = await rowsOf(world, summary.batch);
  expect(JSON.parse(row?.payload ?? '').cancel_reason).toBe(`undone: batch ${made.batch}`);
});

describe.each(['before', 'after'] as const)('an undo whose answers are lost %s it happened', (when) => {
  it('is settled by reading, and sends nothing twice that was done', async () => {
    const world = await batchWorld();
    const { summary: made } = await world.run(manyOrders(6));
    const seen = new Set<string>();
    let reached = 0;
    world.between = (transport) => async (request) => {
      if (!request.url.endsWith('CancelOrder')) return transport(request);
      const isFirst = !seen.has(request.body);
      seen.add(request.body);
      if (isFirst && when === 'before') throw new TransportError('closed', 'maybe', 'cut off');
      reached += 1;
      const answer = await transport(request);
      if (isFirst) throw new TransportError('closed', 'maybe', 'cut off');
      return answer;
    };
    const { summary } = await undo(world, made.batch);
    expect(summary.counts).toMatchObject({ done: 6, failed: 0, unclear: 0 });
    expect([reached, await world.orders()]).toEqual([6, []]);
  });
});

it('goes on where it was stopped, by its own name or by the batch’s', async () => {
  const world = await batchWorld();
  const { summary: made } = await world.run(manyOrders(6));
  const stop = new AbortController();
  let cancels = 0;
  world.between = (transport) => async (request) => {
    if (request.url.endsWith('CancelOrder')) {
      cancels += 1;
      if (cancels === 2) stop.abort('SIGINT');
    }
    return transport(request);
  };
  const stopped = await world.context({ concurrency: 1, signal: stop.signal });
  const first = await planUndo(stopped, await batchNamed(stopped, made.batch), undefined);
  const { summary: half } = await work(stopped, first.batch, first.work);
  expect(half).toMatchObject({ state: 'unfinished', counts: { done: 2, left: 4 } });
  first.release();
  await stopped.close();
  expect((await statesOf(world, made.batch)).filter((state) => state === 'undone')).toHaveLength(2);
  // A single row is not undone beside it: the open undo would go on with the others.
  await expect(undo(world, made.batch, undefined, ['6'])).rejects.toMatchObject({ code: 'batch_open' });
  expect(cancels).toBe(2);
  const context = await world.context();
  // Nor is more of its batch sent, of which the undo would know nothing.
  const { number } = await batchNamed(context, made.batch);
  const setLast = (state: 'done' | 'failed' | 'planned') =>
    context.workspace.write(async (database) => {
      const last = database.updateTable('batch_rows').where('batch', '=', number).where('row', '=', 6);
      await last.set({ state }).execute();
    });
  await setLast('failed');
  const again6 = retry(context, await batchNamed(context, made.batch), await findWork('ship', 'partner'));
  await expect(again6).rejects.toMatchObject({ code: 'batch_open', message: expect.stringContaining(first.batch.id) });
  await setLast('planned');
  const resumed = resume(context, await batchNamed(context, made.batch), await findWork('ship', 'partner'));
  await expect(resumed).rejects.toMatchObject({ code: 'batch_open', message: expect.stringContaining(first.batch.id) });
  await setLast('done');
  const again = await planUndo(context, await batchNamed(context, made.batch), undefined);
  expect([again.isBegun, again.batch.id]).toEqual([true, first.batch.id]);
  again.release();
  const undoing = await batchNamed(context, first.batch.id);
  const { summary } = await resume(context, undoing, await findWork(undoing.do, 'partner'));
  await context.close();
  expect(summary.counts).toMatchObject({ rows: 6, done: 6 });
  expect([cancels, await world.orders()]).toEqual([6, []]);
  expect(await statesOf(world, made.batch)).toEqual(new Array(6).fill('undone'));
});

it('leaves parcels that were picked up, before it is planned and after', async () => {
  const world = await batchWorld();
  const { summary: made } = await world.run(manyOrders(3));
  const rows = await rowsOf(world, made.batch);
  const shipmentOf = async (id: string | null | undefined) => {
    const { body } = await world.service.post('shop.Order/GetOrder', { id }, world.service.shop.apiKey);
    return body.fulfillments[0].id;
  };
  const pickUp = async (id: string | null | undefined) =>
    world.service.sandbox.control.advance(await shipmentOf(id), { to: 'holding' });
  await pickUp(rows[0]?.id);
  const calls = counting(world, 'CancelOrder');
  const context = await world.context();
  const planned = await planUndo(context, await batchNamed(context, made.batch), undefined);
  expect(planned.left).toEqual([{ cell: rows[0]?.cell, name: 'SO-1', message: expect.stringContaining('holding') }]);
  await pickUp(rows[1]?.id);
  const { summary } = await work(context, planned.batch, planned.work);
  planned.release();
  await context.close();
  expect([calls(), summary.counts]).toEqual([1, expect.objectContaining({ rows: 3, done: 1, failed: 2 })]);
  expect((await world.orders()).map(({ external_id }) => external_id).sort()).toEqual(['SO-1', 'SO-2']);
  expect(await statesOf(world, made.batch)).toEqual(['done', 'done', 'undone']);
});

it('says what was changed since, and takes what is gone for taken back', async () => {
  const world = await batchWorld('shop');
  const call = async (operation: string, body: object) =>
    (await world.service.post(operation, body, world.service.shop.apiKey)).body;
  const sheet = 'external_id,full_name,phone,note\nC-1,Lan,0901234561,a\nC-2,Mai,0901234562,b\nC-3,Cúc,0901234563,c\n';
  const { summary: made } = await world.run(sheet, { do: 'customers create' });
  const [one, two] = await rowsOf(world, made.batch);
  await call('shop.Customer/UpdateCustomer', { id: one?.id, note: 'a friend' });
  await call('shop.Customer/DeleteCustomer', { id: two?.id });
  const calls = counting(world, 'DeleteCustomer');
  const { planned, summary } = await undo(world, made.batch);
  expect(planned.changed).toEqual([{ cell: one?.cell, name: 'C-1', fields: ['note'] }]);
  // What is not found is ended all the same: the refusal says that it is gone.
  expect([calls(), summary.counts]).toEqual([3, expect.objectContaining({ done: 2, existed: 1, failed: 0 })]);
  for (const { id } of await rowsOf(world, made.batch)) {
    expect(await call('shop.Customer/GetCustomer', { id })).toMatchObject({ code: 'not_found' });
  }
  expect(await statesOf(world, made.batch)).toEqual(['undone', 'undone', 'undone']);
});

it.each([
  ['groups create', 'CustomerGroup', 'Group', 'name\nVIP\nMới\nCũ\n'],
  ['collections create', 'ProductCollection', 'Collection', 'name\nMùa hè\nTết\nCũ\n'],
])(
  'reads by its id what has no name of its own, and says what was changed since: %s',
  async (words, area, kind, sheet) => {
    const world = await batchWorld('shop');
    const call = async (operation: string, body: object) =>
      (await world.service.post(`shop.${area}/${operation}`, body, world.service.shop.apiKey)).body;
    const { summary: made } = await world.run(sheet, { do: words });
    const [one, two] = await rowsOf(world, made.batch);
    await call(`Update${kind}`, { id: one?.id, name: "A colleague's" });
    await call(`Delete${kind}`, { id: two?.id });
    const { planned, summary } = await undo(world, made.batch);
    expect(planned.changed).toMatchObject([{ cell: one?.cell, fields: ['name'] }]);
    expect(summary.counts).toMatchObject({ done: 2, existed: 1, failed: 0 });
  },
);

it('gives back what the orders cost, so that --max-total has room for a retry', async () => {
  const world = await batchWorld();
  const fees = await world.plan(manyOrders(4), { isLookupOnly: true });
  const context = await world.context();
  const shares = await context.batches.shares(fees.batch.number);
  const maxTotal = shares.reduce((sum, share) => sum + Number(share.fees ?? 0), 0);
  await context.batches.remove(fees.batch.number);
  fees.release();
  const isLast = (body: string) => body.includes('"SO-4"');
  world.between = (transport) => async (request) => {
    if (!request.url.endsWith('CreateAndConfirmOrder') || !isLast(request.body)) return transport(request);
    return { status: 412, headers: {}, body: '{"code":"failed_precondition","msg":"no credit"}' };
  };
  const { summary: made } = await world.run(manyOrders(4), { options: { ...plainOptions, maxTotal } });
  expect(made.counts).toMatchObject({ done: 3, failed: 1 });
  const reserved = async () => Number((await batchNamed(context, made.batch)).reserved);
  expect([await reserved(), made.fees?.total]).toEqual([(maxTotal / 4) * 3, (maxTotal / 4) * 3]);
  world.between = (transport) => transport;
  await undo(world, made.batch);
  expect(await reserved()).toBe(0);
  await undo(world, made.batch).catch(() => {});
  expect(await reserved()).toBe(0);
  const again = await retry(context, await batchNamed(context, made.batch), await findWork('ship', 'partner'));
  await context.close();
  expect(again.summary.counts).toMatchObject({ done: 1, undone: 3, failed: 0 });
});

it('undoes the named rows alone, by number, name, code or parcel code, and the others later', async () => {
  const world = await batchWorld();
  const { summary: made } = await world.run(manyOrders(6));
  const before = await rowsOf(world, made.batch);
  const calls = counting(world, 'CancelOrder');
  const words = ['2', 'SO-3', String(before[3]?.code), String(before[4]?.shipping_code)];
  // Each of them finds its row, wherever the rows are stored.
  const context = await world.context();
  const called = await Promise.all(words.slice(1).map((word) => context.rows.called(word)));
  expect(called.map((rows) => rows.map(({ row }) => row))).toEqual([[3], [4], [5]]);
  await context.close();
  const { summary } = await undo(world, made.batch, undefined, words);
  expect([summary.counts.rows, summary.counts.done, calls()]).toEqual([4, 4, 4]);
  expect(await statesOf(world, made.batch)).toEqual(['done', 'undone', 'undone', 'undone', 'undone', 'done']);
  expect((await world.orders()).map(({ external_id }) => external_id).sort()).toEqual(['SO-1', 'SO-6']);
  await expect(undo(world, made.batch, undefined, ['SO-3'])).rejects.toMatchObject({ code: 'nothing_made' });
  const { summary: rest } = await undo(world, made.batch);
  expect([rest.counts.done, calls(), await world.orders()]).toEqual([2, 6, []]);
});

it('refuses a word that names no row, or two, and sends nothing', async () => {
  const world = await batchWorld();
  // The second row is called 10, as the tenth one is by its place.
  const sheet = manyOrders(10).replace('"SO-2"', '"10"');
  const { summary: made } = await world.run(sheet);
  const calls = counting(world, 'CancelOrder');
  await expect(undo(world, made.batch, undefined, ['10'])).rejects.toMatchObject({
    code: 'nothing_made',
    message: expect.stringMatching(/10 names several rows: row 2 \(line 3, 10\), row 10 \(line 11, SO-10\)/),
  });
  await expect(undo(world, made.batch, undefined, ['SO-1', 'NONE'])).rejects.toMatchObject({ code: 'nothing_made' });
  expect([calls(), (await world.orders()).length]).toEqual([0, 10]);
});

it('removes the members that were added', async () => {
  const world = await batchWorld('shop');
  const call = async (operation: string, body: object) =>
    (await world.service.post(operation, body, world.service.shop.apiKey)).body;
  const { id: group } = await call('shop.CustomerGroup/CreateGroup', { name: 'Thân thiết' });
  const { id: customer } = await call('shop.Customer/CreateCustomer', { full_name: 'Lan', phone: '0901234561' });
  const sheet = `customer_id,group_id\n${customer},${group}\n`;
  const { summary: made } = await world.run(sheet, { do: 'groups members add' });
  expect(made.counts.done).toBe(1);
  const { summary } = await undo(world, made.batch);
  expect(summary).toMatchObject({ do: 'undo groups members add', counts: { done: 1 } });
  const list = await call('shop.CustomerGroupRelationship/ListRelationships', { filter: { customer_id: customer } });
  expect(list.relationship ?? []).toEqual([]);
});

describe.each([
  ['with names of their own', true],
  ['without names', false],
])('the same file, its rows %s,', (_, named) => {
  it('is left out once it was taken back, and made again as somebody says, and only then', async () => {
    const world = await batchWorld();
    const { summary: made } = await world.run(manyOrders(4, named));
    const before = await world.orders();
    await undo(world, made.batch);
    const { summary: left } = await world.run(manyOrders(4, named));
    expect([left.counts, await world.orders()]).toMatchObject([{ rows: 4, ended: 4, done: 0 }, []]);
    const answers = { resend_ended: { undone: 'send' } } as const;
    const { summary: again } = await world.run(manyOrders(4, named), { answers });
    expect(again.batch).not.toBe(made.batch);
    expect(again.counts).toMatchObject({ rows: 4, done: 4, existed: 0 });
    const orders = await world.orders();
    expect(orders).toHaveLength(4);
    const names = (list: typeof orders) => list.map(({ external_id }) => external_id).sort();
    if (named) expect(names(orders)).toEqual(names(before));
    else expect(names(orders).filter((name) => names(before).includes(name))).toEqual([]);
    const third = await world.plan(manyOrders(4, named));
    expect([third.kind, third.batch.id]).toEqual(['known', again.batch]);
    third.release();
  });
});

it('has no way back for a delete, and says so', async () => {
  const [words, sheet] = ['customers delete', 'id\n{id}\n'];
  const world = await batchWorld('shop');
  const { body } = await world.service.post(
    'shop.Customer/CreateCustomer',
    { full_name: 'Lan', phone: '0901234561' },
    world.service.shop.apiKey,
  );
  const { summary } = await world.run(sheet.replace('{id}', body.id), { do: words });
  await expect(undo(world, summary.batch)).rejects.toMatchObject({ code: 'no_way_back' });
});

it('does not begin while the batch is being sent', async () => {
  const world = await batchWorld();
  const context = await world.context();
  const planned = await world.plan(manyOrders(2), { context, options: plainOptions });
  await context.batches.move(planned.batch.number, 'open', null);
  await expect(undo(world, planned.batch.id)).rejects.toMatchObject({ code: 'batch_open' });
  planned.release();
  await expect(undo(world, planned.batch.id)).rejects.toMatchObject({ code: 'nothing_made' });
  await context.close();
});
