/* A retry prepares rows aside: whatever interrupts it, the batch is as it was, and nobody sends half of a row. */
import { expect, it, onTestFinished } from 'vitest';
import { resultLines, resultRecords } from '../../src/batch/result-table.ts';
import { retry, shownAs } from '../../src/batch/retry.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, resumeHeld } from '../../src/batch/runs.ts';
import { plannedRow } from '../support/planned-row.ts';
import { type BatchWorld, batchWorld, manyOrders, orderCells, orderHeader, orderSheet } from './batch-world.ts';

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

/** A batch of three orders of which the last two were refused, and its result after a retry with some corrected rows. */
async function partlyRefused(content: string, name: string) {
  const world = await batchWorld();
  world.between = (transport) => async (request) =>
    request.url.endsWith('CreateAndConfirmOrder') && /SO-[23]/.test(request.body) ? refusal : transport(request);
  const { summary } = await world.run(content, { name, ignored: ['my_ref'] });
  world.between = (transport) => transport;
  const context = await contextOf(world);
  const work = await findWork('ship', 'partner');
  const result = async (list: typeof resultLines | typeof resultRecords) => {
    const found: unknown[] = [];
    for await (const one of list(context.rows, await batchNamed(context, summary.batch), 'program')) found.push(one);
    return found;
  };
  return {
    result,
    async retry(text: string, corrected: string) {
      const file = { ...fileOf(text, corrected), ignored: ['my_ref'] };
      const after = await retry(context, await batchNamed(context, summary.batch), work, { file });
      expect(after.summary.counts).toMatchObject({ done: 2, failed: 1 });
    },
  };
}

const withRef = (rows: readonly number[]) =>
  orderSheet(
    rows.map((number) => [...orderCells(number), `ref ${number}`]),
    [...orderHeader, 'my_ref'],
  );

/** An order of a sheet as a record. */
const recordOfOrder = (number: number, changes: object) => {
  const [external_id, full_name, phone, province, district, ward, address1] = orderCells(number);
  const pickup = { province: 'Đà Nẵng', district: 'Liên Chiểu', ward: 'Hòa Khánh Nam', address1: 'Lô 7' };
  return {
    external_id,
    shipping_address: { full_name, phone, province, district, ward, address1 },
    shipping: {
      gross_weight: 500,
      cod_amount: 900_000,
      try_on: 'open',
      pickup_address: { full_name: 'Kho', phone: '0905123456', ...pickup },
    },
    ...changes,
  };
};

it('shows a row that was corrected in another form in the columns of the batch, a line for each of its lines', async () => {
  const { result, retry } = await partlyRefused(withRef([1, 2, 3]), 'orders.csv');
  const lines = [
    { product_name: 'Quần', quantity: 1, retail_price: 300_000 },
    { product_name: 'Mũ', quantity: 3, retail_price: 100_000 },
  ];
  await retry(JSON.stringify([recordOfOrder(2, { lines })]), 'corrected.json');
  const expected = lines.map(({ product_name, quantity, retail_price }, index) => [
    ...orderCells(2).map((cell, at) => [product_name, `${quantity}`, `${retail_price}`][at - 7] ?? cell),
    // No field of the order: the file of the batch alone says it.
    index === 0 ? 'ref 2' : '',
  ]);
  expect(await result(resultLines)).toMatchObject([
    { cells: [...orderCells(1), 'ref 1'] },
    { cells: expected[0] },
    { cells: expected[1] },
    { cells: [...orderCells(3), 'ref 3'] },
  ]);
});

it('shows a row from a table of other columns by their names, and no cell of a field that it no longer has', async () => {
  const { result, retry } = await partlyRefused(withRef([1, 2, 3]), 'orders.csv');
  const cod = orderHeader.indexOf('shipping.cod_amount');
  const turned = (cells: readonly string[]) => cells.filter((_, index) => index !== cod).reverse();
  const text = orderSheet(
    [[...turned(orderCells(2).with(1, 'Khách hai')), 'failed']],
    [...turned(orderHeader), 'result.state'],
  );
  await retry(text, 'corrected.csv');
  expect(await result(resultLines)).toMatchObject([
    { cells: [...orderCells(1), 'ref 1'] },
    { cells: [...orderCells(2).with(1, 'Khách hai').with(cod, ''), 'ref 2'] },
    { cells: [...orderCells(3), 'ref 3'] },
  ]);
});

it('shows a row from a table among records by the names of its columns', async () => {
  const orders = [1, 2, 3].map((number) =>
    recordOfOrder(number, { lines: [{ product_name: 'Áo', quantity: 2, retail_price: 450_000 }] }),
  );
  const { result, retry } = await partlyRefused(JSON.stringify(orders), 'orders.json');
  await retry(orderSheet([orderCells(2).with(1, 'Khách hai')]), 'corrected.csv');
  const shown = Object.fromEntries(orderCells(2).map((cell, index) => [orderHeader[index], cell]));
  expect(await result(resultRecords)).toMatchObject([
    { record: orders[0] },
    { record: { ...shown, 'shipping_address.full_name': 'Khách hai' } },
    { record: orders[2] },
  ]);
});

it('leaves the cells of a mapping blank that would have to be converted, or that decide how others are read', async () => {
  const { schema } = await findWork('ship', 'partner');
  const columns = ['Tên', 'Kg', 'COD', 'Thanh toán', 'Của tôi', 'Người nhận'];
  const mapping = {
    constants: {},
    columns: {
      Tên: { field: 'shipping_address.full_name' },
      Kg: { field: 'shipping.gross_weight', unit: 'kg' as const },
      COD: { field: 'shipping.cod_amount', when: { 'Thanh toán': ['COD'] } },
      'Thanh toán': null,
      'Của tôi': null,
    },
  };
  const record = recordOfOrder(2, { order_note: 'gọi trước' });
  const row = plannedRow(1, 1, { cells: JSON.stringify([['Lan', '1', '9', 'COD', 'mine', 'x']]) });
  const corrected = plannedRow(2, 1, {
    cell: 'record 1',
    content: 'another',
    cells: JSON.stringify([[JSON.stringify(record)]]),
  });
  const forms = {
    schema,
    batch: { do: 'ship', source: JSON.stringify({ columns, mapping }) },
    from: { source: JSON.stringify({ columns: [] }) },
  };
  expect(shownAs({ corrected, row }, forms)).toEqual({
    cell: 'record 1',
    cells: JSON.stringify([['Khách 2', '', '', '', 'mine', 'x']]),
  });
});
