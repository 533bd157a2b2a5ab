/* A retry prepares rows aside: whatever interrupts it, the batch is as it was, and nobody sends half of a row. */
import { expect, it, onTestFinished } from 'vitest';
import { retry } from '../../src/flows/batch/retry/retry.ts';
import { findWork } from '../../src/flows/batch/row-work.ts';
import { batchNamed, resumeHeld } from '../../src/flows/batch/runs.ts';
import { type BatchWorld, batchWorld, manyOrders, orderCells, orderHeader } from './batch-world.ts';

async function contextOf(world: BatchWorld) {
  const context = await world.context();
  onTestFinished(() => context.close());
  return context;
}

const refusal = { status: 412, headers: {}, body: '{"code":"failed_precondition","msg":"no"}' };

/** A batch whose rows were all refused. */
async function refused(count: number) {
  const world = await batchWorld();
  world.between = (transport) => async (request) =>
    request.url.endsWith('CreateAndConfirmOrder') ? refusal : transport(request);
  const { summary } = await world.run(manyOrders(count));
  expect(summary.counts).toMatchObject({ failed: count });
  world.between = (transport) => transport;
  return { world, id: summary.batch, work: await findWork('ship', 'partner') };
}

function fileOf(text: string, name = 'corrected.csv') {
  async function* bytes() {
    yield Buffer.from(text);
  }
  return { source: { name, bytes: bytes() }, ignored: [], skipBad: false };
}

it('leaves the batch as it was while its rows are quoted, for whoever resumes it', async () => {
  const { world, id, work } = await refused(4);
  let asked = () => {};
  const quoting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  world.between = (transport) => async (request) => {
    if (request.url.endsWith('GetShippingServices')) {
      asked();
      await held;
    }
    return transport(request);
  };
  const context = await contextOf(world);
  const retried = retry(context, await batchNamed(context, id), work, { file: fileOf(manyOrders(4)) });
  await quoting;
  const other = await contextOf(world);
  const { summary } = await resumeHeld(other, await batchNamed(other, id), work);
  expect([summary.state, summary.counts]).toMatchObject(['finished', { failed: 4, left: 0 }]);
  goOn();
  expect((await retried).summary.counts).toMatchObject({ done: 4, failed: 0 });
  expect(await world.orders()).toHaveLength(4);
});

it('is not in the way of a later one, whatever a killed one left behind', async () => {
  const { world, id, work } = await refused(2);
  const context = await contextOf(world);
  const {
    number: _,
    state: __,
    content: ___,
    source: ____,
    reserved: _____,
    finished_at: ______,
    ...same
  } = await batchNamed(context, id);
  const left = await context.batches.create({ ...same, id: `${id}-mended` });
  expect(left.state).toBe('planning');
  const { summary } = await retry(context, await batchNamed(context, id), work, { file: fileOf(manyOrders(2)) });
  expect(summary.counts).toMatchObject({ done: 2, failed: 0 });
});

it('and a run of its corrected file work on the batch one after the other', async () => {
  const { world, id, work } = await refused(3);
  const corrected = manyOrders(3).replaceAll('Khách 2', 'Khách hai');
  let begun = () => {};
  const sending = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  world.between = (transport) => async (request) => {
    if (request.url.endsWith('CreateAndConfirmOrder')) {
      begun();
      await held;
    }
    return transport(request);
  };
  const context = await contextOf(world);
  const retried = retry(context, await batchNamed(context, id), work, { file: fileOf(corrected) });
  await sending;
  const before = world.events.length;
  let isPlanned = false;
  const planning = world.plan(corrected).then((planned) => {
    isPlanned = true;
    return planned;
  });
  await expect.poll(() => world.events.slice(before).some(({ event }) => event === 'waiting')).toBe(true);
  expect(isPlanned).toBe(false);
  goOn();
  const { summary } = await retried;
  const planned = await planning;
  planned.release();
  expect([summary.counts, planned.kind, planned.batch.id]).toMatchObject([{ done: 3, left: 0 }, 'known', id]);
  expect(await world.orders()).toHaveLength(3);
});

it('keeps the result of a batch whole, also where the corrected file has other columns', async () => {
  const world = await batchWorld();
  world.between = (transport) => async (request) =>
    request.url.endsWith('CreateAndConfirmOrder') && request.body.includes('SO-2') ? refusal : transport(request);
  const { summary } = await world.run(manyOrders(2));
  world.between = (transport) => transport;
  const context = await contextOf(world);
  const reversed = [orderHeader, ...[1, 2].map((number) => orderCells(number))].map((cells) => [...cells].reverse());
  const text = reversed.map((cells) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`).join('');
  const { summary: after } = await retry(
    context,
    await batchNamed(context, summary.batch),
    await findWork('ship', 'partner'),
    { file: fileOf(text) },
  );
  expect(after.counts).toMatchObject({ done: 2 });
  const batch = await batchNamed(context, summary.batch);
  const rows = await context.rows.next({ batch: batch.number, after: 0, limit: 10 });
  expect(JSON.parse(batch.source).columns).toEqual(reversed[0]);
  expect(rows.map(({ cells }) => JSON.parse(cells)[0])).toEqual(reversed.slice(1));
});
