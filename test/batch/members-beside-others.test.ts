/* A membership that somebody else has made is none of a batch's: it existed, and an undo leaves it. */
import { expect, it } from 'vitest';
import { batchNamed, work } from '../../src/batch/runs.ts';
import { planUndo } from '../../src/batch/undo.ts';
import { recordsIn } from '../../src/domain/json/values.ts';
import { batchWorld } from './batch-world.ts';

it.each([
  ['groups members add', 'CustomerGroupRelationship', 'group_id', 'customer_id'],
  ['collections members add', 'ProductCollectionRelationship', 'collection_id', 'product_id'],
])('%s leaves at its undo what was there before', async (words, area, of, member) => {
  const world = await batchWorld('shop');
  const call = async (operation: string, body: object) =>
    (await world.service.post(`shop.${operation}`, body, world.service.shop.apiKey)).body;
  const isGroup = of === 'group_id';
  const { id: whole } = await call(isGroup ? 'CustomerGroup/CreateGroup' : 'ProductCollection/CreateCollection', {
    name: 'VIP',
  });
  const made = async (name: string) =>
    isGroup
      ? (await call('Customer/CreateCustomer', { full_name: name, phone: '0901234567' })).id
      : (await call('Product/CreateProduct', { name })).id;
  const [one, two] = [await made('Anh'), await made('Bình')];
  await call(`${area}/CreateRelationship`, { [of]: whole, [member]: one });
  const members = async () => {
    const listed: object = await call(`${area}/ListRelationships`, { filter: { [of]: whole } });
    return recordsIn(Object.values(listed).find(Array.isArray))
      .map((each) => each[member])
      .sort();
  };
  const { summary } = await world.run(`${of},${member}\n${whole},${one}\n${whole},${two}\n`, { do: words });
  expect([summary.counts, await members()]).toMatchObject([{ done: 1, existed: 1 }, [one, two].sort()]);
  const context = await world.context();
  try {
    const planned = await planUndo(context, await batchNamed(context, summary.batch), undefined);
    await work(context, planned.batch, planned.work);
    planned.release();
  } finally {
    await context.close();
  }
  expect(await members()).toEqual([one]);
});
