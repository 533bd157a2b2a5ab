/* The undo of what a batch has created leaves a record under which somebody else has made something. */
import { expect, it } from 'vitest';
import { batchNamed, work } from '../../src/batch/runs.ts';
import { planUndo } from '../../src/batch/undo.ts';
import { batchWorld } from './batch-world.ts';

const place = { full_name: 'Chị Bích', phone: '0907654321', province: 'Hà Nội', district: 'Cầu Giấy' };
const address = { ...place, ward: 'Dịch Vọng', address1: '12 ngõ 5' };

type Call = (operation: string, body: object) => Promise<Readonly<Record<string, string>>>;

const cases: readonly (readonly [string, string, string, string, (id: string, call: Call) => Promise<unknown>])[] = [
  [
    'customers create',
    'Customer/GetCustomer',
    'full_name,phone\nLan,0901234567\nHoa,0901234568\n',
    'addresses',
    (customer_id, call) => call('CustomerAddress/CreateAddress', { customer_id, ...address }),
  ],
  [
    'products create',
    'Product/GetProduct',
    'name,code\nTrà,TRA\nMứt,MUT\n',
    'variants',
    (product_id, call) => call('Variant/CreateVariant', { product_id, name: 'Trà sen', code: 'TRA-SEN' }),
  ],
  [
    'groups create',
    'CustomerGroup/GetGroup',
    'name\nVIP\nSỉ\n',
    'members',
    async (group_id, call) => {
      const { id } = await call('Customer/CreateCustomer', { full_name: 'An', phone: '0901234569' });
      return call('CustomerGroupRelationship/CreateRelationship', { group_id, customer_id: id });
    },
  ],
  [
    'collections create',
    'ProductCollection/GetCollection',
    'name\nTết\nHè\n',
    'products',
    async (collection_id, call) => {
      const { id } = await call('Product/CreateProduct', { name: 'Trà' });
      return call('ProductCollectionRelationship/CreateRelationship', { collection_id, product_id: id });
    },
  ],
];

/** Makes a batch, has a colleague add to its first record before the undo is planned or after, and undoes it. */
async function undone(
  words: string,
  sheet: string,
  add: (id: string, call: Call) => Promise<unknown>,
  isAfter: boolean,
) {
  const world = await batchWorld('shop');
  const call: Call = async (operation, body) =>
    (await world.service.post(`shop.${operation}`, body, world.service.shop.apiKey)).body;
  const { summary } = await world.run(sheet, { do: words });
  const context = await world.context();
  try {
    const batch = await batchNamed(context, summary.batch);
    const rows = await context.rows.next({ batch: batch.number, after: 0, limit: 9 });
    const ids = rows.map(({ id }) => id ?? '');
    const colleague = () => add(ids[0] ?? '', call);
    if (!isAfter) await colleague();
    const planned = await planUndo(context, batch, undefined);
    if (isAfter) await colleague();
    const ran = await work(context, planned.batch, planned.work);
    planned.release();
    const [first] = await context.rows.next({ batch: planned.batch.number, after: 0, limit: 1 });
    return { call, ids, planned, ran, first };
  } finally {
    await context.close();
  }
}

it.each(cases.flatMap((one) => [false, true].map((isAfter) => [one[0], isAfter, one] as const)))(
  '%s: a record to which something was added stays (after the plan: %s)',
  async (words, isAfter, [, get, sheet, what, add]) => {
    const { ids, call, planned, ran, first } = await undone(words, sheet, add, isAfter);
    expect(ran.summary.counts).toMatchObject({ done: 1, failed: 1 });
    expect(first).toMatchObject({ state: 'failed', error_code: 'changed_since', error_message: expect.any(String) });
    expect(first?.error_message).toContain(`${what} were added since (1)`);
    expect(planned.left.map(({ message }) => message)).toEqual(isAfter ? [] : [first?.error_message]);
    const still = await Promise.all(ids.map((id) => call(get, { id })));
    expect(still.map(({ id }) => id)).toEqual([ids[0], undefined]);
  },
);

it('tells of a field that a record has got since', async () => {
  const world = await batchWorld('shop');
  const { summary } = await world.run('full_name,phone\nLan,0901234567\nHoa,0901234568\n', { do: 'customers create' });
  const context = await world.context();
  try {
    const batch = await batchNamed(context, summary.batch);
    const [first] = await context.rows.next({ batch: batch.number, after: 0, limit: 1 });
    world.service.clock.advance(60_000);
    const note = { id: first?.id, note: 'calls back' };
    await world.service.post('shop.Customer/UpdateCustomer', note, world.service.shop.apiKey);
    const planned = await planUndo(context, batch, undefined);
    planned.release();
    expect(planned.changed.map(({ name, fields }) => [name, fields])).toEqual([['KH000001', ['note']]]);
  } finally {
    await context.close();
  }
});
