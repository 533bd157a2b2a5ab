/* An update whose answer was lost is sent again only while nobody else has changed what it found. */
import { expect, it } from 'vitest';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, resume, work } from '../../src/batch/runs.ts';
import { planUndo } from '../../src/batch/undo.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { batchWorld } from './batch-world.ts';

const lost = () => new TransportError('closed', 'maybe', 'cut off');

/** Runs an update whose answer and look-ups are lost, lets a colleague write, and resumes. */
async function resumed({ isApplied, colleague }: { readonly isApplied: boolean; readonly colleague: object }) {
  const world = await batchWorld('shop');
  const call = async (operation: string, body: object) =>
    (await world.service.post(`shop.Customer/${operation}`, body, world.service.shop.apiKey)).body;
  const { id } = await call('CreateCustomer', { full_name: 'Lan', phone: '0901234567', note: 'old' });
  let isCut = false;
  world.between = (transport) => async (request) => {
    if (isCut && request.url.endsWith('/GetCustomer')) throw lost();
    if (!request.url.endsWith('/UpdateCustomer')) return transport(request);
    isCut = true;
    if (isApplied) await transport(request);
    throw lost();
  };
  const { summary: ran } = await world.run(`id,note\n${id},ours\n`, { do: 'customers update' });
  expect(ran.counts).toMatchObject({ done: 0, failed: 0 });
  await call('UpdateCustomer', { id, ...colleague });
  let updates = 0;
  world.between = (transport) => async (request) => {
    updates += request.url.endsWith('/UpdateCustomer') ? 1 : 0;
    return transport(request);
  };
  const context = await world.context();
  try {
    const batch = await batchNamed(context, ran.batch);
    const { summary } = await resume(context, batch, await findWork(batch.do, 'shop'));
    const [row] = await context.rows.next({ batch: batch.number, after: 0, limit: 1 });
    const { note } = await call('GetCustomer', { id });
    return { counts: summary.counts, state: row?.state, message: row?.error_message, updates, note };
  } finally {
    await context.close();
  }
}

it.each([true, false])(
  'is unclear where a colleague has changed the same field, whether it was applied (%s)',
  async (isApplied) => {
    const { message, ...reported } = await resumed({ isApplied, colleague: { note: "a colleague's" } });
    expect(reported).toMatchObject({ state: 'unclear', updates: 0, note: "a colleague's" });
    expect(message).toContain('changed since (note)');
  },
);

it('is done where it was applied, and sent where it was not, whatever else a colleague has changed', async () => {
  const colleague = { email: 'lan@example.com' };
  expect(await resumed({ isApplied: true, colleague })).toMatchObject({ state: 'done', updates: 0, note: 'ours' });
  expect(await resumed({ isApplied: false, colleague })).toMatchObject({ state: 'done', updates: 1, note: 'ours' });
});

it('gives back what it replaced, though that was changed after the plan and before a resume', async () => {
  const stop = new AbortController();
  const world = await batchWorld('shop');
  const call = async (operation: string, body: object) =>
    (await world.service.post(`shop.Customer/${operation}`, body, world.service.shop.apiKey)).body;
  const ids: string[] = [];
  for (const at of [1, 2, 3])
    ids.push((await call('CreateCustomer', { full_name: `Lan ${at}`, phone: `090123456${at}`, note: `old ${at}` })).id);
  const notes = () => Promise.all(ids.map(async (id) => (await call('GetCustomer', { id })).note));
  world.between = (transport) => async (request) => {
    const answer = await transport(request);
    if (request.url.endsWith('/UpdateCustomer')) stop.abort('SIGINT');
    return answer;
  };
  const stopped = await world.context({ signal: stop.signal, concurrency: 1 });
  const sheet = `id,note\n${ids.map((id, at) => `${id},new ${at + 1}\n`).join('')}`;
  const { summary: ran } = await world.run(sheet, { do: 'customers update', context: stopped });
  await stopped.close();
  expect([ran.counts, await notes()]).toMatchObject([{ done: 1, left: 2 }, ['new 1', 'old 2', 'old 3']]);
  world.between = (transport) => transport;
  await call('UpdateCustomer', { id: ids[1], note: "a colleague's" });
  // What has the new value already is left as it is, by the undo too.
  await call('UpdateCustomer', { id: ids[2], note: 'new 3' });
  const context = await world.context();
  try {
    const batch = await batchNamed(context, ran.batch);
    await resume(context, batch, await findWork(batch.do, 'shop'));
    expect(await notes()).toEqual(['new 1', 'new 2', 'new 3']);
    const planned = await planUndo(context, await batchNamed(context, ran.batch), undefined);
    await work(context, planned.batch, planned.work);
    planned.release();
  } finally {
    await context.close();
  }
  expect(await notes()).toEqual(['old 1', "a colleague's", 'new 3']);
});

it('writes what a record had only for rows that are planned still', async () => {
  const world = await batchWorld('shop');
  const lan = { full_name: 'Lan', phone: '0901234567', note: 'old' };
  const { id } = (await world.service.post('shop.Customer/CreateCustomer', lan, world.service.shop.apiKey)).body;
  const { summary } = await world.run(`id,note\n${id},new\n`, { do: 'customers update' });
  const context = await world.context();
  try {
    const { number } = await batchNamed(context, summary.batch);
    const [before] = await context.rows.next({ batch: number, after: 0, limit: 1 });
    // Another worker reads its record after it was sent, and tells what it saw too late.
    await context.rows.skip(number, [1]);
    await context.rows.remember(number, [{ row: 1, old_values: '{"note":"new"}' }]);
    expect(before).toMatchObject({ state: 'done', old_values: '{"note":"old"}' });
    expect(await context.rows.next({ batch: number, after: 0, limit: 1 })).toEqual([before]);
  } finally {
    await context.close();
  }
});
