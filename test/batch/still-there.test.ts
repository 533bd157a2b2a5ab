import { expect, it } from 'vitest';
import { BatchError } from '../../src/batch/batch-error.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, resume } from '../../src/batch/runs.ts';
import { refusalWordings } from '../../src/cli/report/refusal-words.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { batchWorld } from './batch-world.ts';

type World = Awaited<ReturnType<typeof batchWorld>>;

const products = (count: number) =>
  ['name', ...Array.from({ length: count }, (_, index) => `Áo ${index + 1}`)].join('\n');

const post = async ({ service }: World, operation: string, body: object) =>
  (await service.post(operation, body, service.shop.apiKey)).body;

/** Resumes a batch of creates that is done. */
async function resumed(world: World, batch: string) {
  const context = await world.context();
  try {
    const found = await batchNamed(context, batch);
    const { summary } = await resume(context, found, await findWork(found.do, 'shop'));
    return summary.counts;
  } finally {
    await context.close();
  }
}

/** The service forgets what it had, and even that it had it. */
function reset(world: World, reads: RegExp) {
  world.between = (transport) => async (request) => {
    if (!reads.test(request.url)) return transport(request);
    const isList = /List\w+$/.test(request.url);
    const body = isList
      ? '{"products":[],"relationships":[],"relationship":[],"paging":{}}'
      : '{"code":"not_found","msg":"none"}';
    return { status: isList ? 200 : 404, headers: {}, body };
  };
}

const productIds = async (world: World): Promise<readonly string[]> =>
  (await post(world, 'shop.Product/ListProducts', {})).products.map(({ id }: { id: string }) => id);

it('goes on with a batch whose first record somebody has deleted', async () => {
  const world = await batchWorld('shop');
  const before = new Set(await productIds(world));
  const { summary } = await world.run(products(3), { do: 'products create' });
  const [first = ''] = (await productIds(world)).filter((id) => !before.has(id)).sort();
  await post(world, 'shop.Product/DeleteProduct', { id: first });
  expect(await resumed(world, summary.batch)).toMatchObject({ done: 3 });
});

it('goes on with a batch all of whose records somebody has deleted', async () => {
  const world = await batchWorld('shop');
  const before = new Set(await productIds(world));
  const { summary } = await world.run(products(2), { do: 'products create' });
  const made = (await productIds(world)).filter((id) => !before.has(id));
  for (const id of made) await post(world, 'shop.Product/DeleteProduct', { id });
  expect(made).toHaveLength(2);
  expect(await resumed(world, summary.batch)).toMatchObject({ done: 2 });
});

it('goes on with a batch whose memberships somebody has ended', async () => {
  const world = await batchWorld('shop');
  const { id: customer_id } = await post(world, 'shop.Customer/CreateCustomer', {
    full_name: 'Lan',
    phone: '0901234567',
  });
  const { id: group_id } = await post(world, 'shop.CustomerGroup/CreateGroup', { name: 'Quen' });
  const { summary } = await world.run(`group_id,customer_id\n${group_id},${customer_id}\n`, {
    do: 'groups members add',
  });
  expect(summary.counts).toMatchObject({ done: 1 });
  await post(world, 'shop.CustomerGroupRelationship/DeleteRelationship', { group_id, customer_id });
  expect(await resumed(world, summary.batch)).toMatchObject({ done: 1 });
  reset(world, /ListRelationships$/);
  await expect(resumed(world, summary.batch)).rejects.toMatchObject({ code: 'records_gone' });
});

it('refuses to go on where the service does not even know that there were such records', async () => {
  const world = await batchWorld('shop');
  const { summary } = await world.run(products(2), { do: 'products create' });
  reset(world, /Product\/(?:Get|List)\w+$/);
  await expect(resumed(world, summary.batch)).rejects.toMatchObject({
    code: 'records_gone',
    meta: { batch: summary.batch },
  });
});

it('does not say to forget a batch of which something may be on its way', async () => {
  const world = await batchWorld('shop');
  let creates = 0;
  world.between = (transport) => async (request) => {
    creates += /CreateProduct$/.test(request.url) ? 1 : 0;
    if (creates !== 2 || !/CreateProduct$/.test(request.url)) return transport(request);
    throw new TransportError('closed', 'maybe', 'cut off');
  };
  const { summary } = await world.run(products(2), { do: 'products create' });
  expect(summary.counts).toMatchObject({ done: 1, unclear: 1 });
  reset(world, /Product\/(?:Get|List)\w+$/);
  const refused = await resumed(world, summary.batch).catch((error: BatchError) => error);
  expect(refused).toMatchObject({ code: 'records_gone', meta: { open: 'yes' } });
  const { code, meta } = refused instanceof BatchError ? refused : { code: '', meta: {} };
  expect(refusalWordings[code]?.hint?.(meta, (path) => path)).toContain('--state sending');
});
