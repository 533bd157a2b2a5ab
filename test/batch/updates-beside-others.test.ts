/* An update whose answer was lost is sent again only while nobody else has changed what it found. */
import { expect, it } from 'vitest';
import { findWork } from '../../src/flows/batch/row-work.ts';
import { batchNamed, resume } from '../../src/flows/batch/runs.ts';
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
    const { message, ...told } = await resumed({ isApplied, colleague: { note: "a colleague's" } });
    expect(told).toMatchObject({ state: 'unclear', updates: 0, note: "a colleague's" });
    expect(message).toContain('changed since (note)');
  },
);

it('is done where it was applied, and sent where it was not, whatever else a colleague has changed', async () => {
  const colleague = { email: 'lan@example.com' };
  expect(await resumed({ isApplied: true, colleague })).toMatchObject({ state: 'done', updates: 0, note: 'ours' });
  expect(await resumed({ isApplied: false, colleague })).toMatchObject({ state: 'done', updates: 1, note: 'ours' });
});
