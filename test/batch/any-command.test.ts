import { describe, expect, it, onTestFinished } from 'vitest';
import { retry } from '../../src/batch/retry.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { settleByHand } from '../../src/batch/runs.ts';
import { reopenUnclear } from '../../src/batch/store/unclear.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { batchWorld, manyOrders, orderCells, orderSheet, plainOptions } from './batch-world.ts';

type World = Awaited<ReturnType<typeof batchWorld>>;

/** Every answer of an operation is lost after it did its work, or before it got there, but for the repetitions. */
function losing(world: World, operation: string, when: 'before' | 'after') {
  const seen = new Set<string>();
  world.between = (transport) => async (request) => {
    if (!request.url.endsWith(operation) || seen.has(request.body)) return transport(request);
    seen.add(request.body);
    if (when === 'after') await transport(request);
    throw new TransportError('closed', 'maybe', 'cut off');
  };
}

const shopCalls =
  ({ service: { post, shop } }: World) =>
  async (operation: string, body: object) =>
    (await post(operation, body, shop.apiKey)).body;

async function worldWithCustomers(count: number) {
  const world = await batchWorld('shop');
  const call = shopCalls(world);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await call('shop.Customer/CreateCustomer', {
      full_name: `Khách ${index}`,
      phone: `09${30_000_000 + index}`,
      note: 'old',
    });
    ids.push(id);
  }
  return { world, call, ids };
}

describe.each(['before', 'after'] as const)(
  'writes that are no creates, their answers lost %s they happened,',
  (when) => {
    it('are settled by reading: updates', async () => {
      const { world, call, ids } = await worldWithCustomers(4);
      losing(world, 'UpdateCustomer', when);
      const sheet = `id,note\n${ids.map((id, index) => `${id},note ${index}`).join('\n')}\n`;
      const { summary } = await world.run(sheet, { do: 'customers update' });
      expect(summary.counts).toMatchObject({ rows: 4, done: 4, unclear: 0, failed: 0 });
      for (const [index, id] of ids.entries()) {
        expect(await call('shop.Customer/GetCustomer', { id })).toMatchObject({
          note: `note ${index}`,
          full_name: `Khách ${index}`,
        });
      }
    });

    it('are settled by reading: deletes', async () => {
      const { world, call, ids } = await worldWithCustomers(3);
      losing(world, 'DeleteCustomer', when);
      const { summary } = await world.run(`id\n${ids.join('\n')}\n`, { do: 'customers delete' });
      expect(summary.counts).toMatchObject({ done: 3, unclear: 0, failed: 0 });
      expect(await call('shop.Customer/GetCustomer', { id: ids[0] })).toMatchObject({ code: 'not_found' });
    });

    it('are settled by reading: confirms and cancels', async () => {
      const world = await batchWorld('shop');
      const call = shopCalls(world);
      losing(world, 'CreateOrder', when);
      const made = await world.run(
        'external_id,lines.product_name,lines.quantity,lines.retail_price\nSO-A,Áo,1,100000\nSO-B,Mũ,2,50000\n',
        {
          do: 'orders create',
        },
      );
      expect(made.summary.counts).toMatchObject({ done: 2, unclear: 0 });
      const ids = (await world.orders()).map(({ id }) => id);
      losing(world, 'ConfirmOrder', when);
      const confirmed = await world.run(`order_id\n${ids.join('\n')}\n`, { do: 'orders confirm' });
      expect(confirmed.summary.counts).toMatchObject({ done: 2, unclear: 0, failed: 0 });
      for (const id of ids) expect((await call('shop.Order/GetOrder', { id })).order.confirm_status).toBe('P');
      losing(world, 'CancelOrder', when);
      const cancelled = await world.run('external_id,cancel_reason\nSO-A,wrong\nSO-B,wrong\n', { do: 'orders cancel' });
      expect(cancelled.summary.counts).toMatchObject({ done: 2, unclear: 0, failed: 0 });
      expect(await world.orders()).toEqual([]);
    });

    it('are settled by reading: members', async () => {
      const { world, call, ids } = await worldWithCustomers(2);
      const { id: group_id } = await call('shop.CustomerGroup/CreateGroup', { name: 'Khách quen' });
      const sheet = `customer_id,group_id\n${ids.map((id) => `${id},${group_id}`).join('\n')}\n`;
      losing(world, 'CreateRelationship', when);
      const added = await world.run(sheet, { do: 'groups members add' });
      expect(added.summary.counts).toMatchObject({ done: 2, unclear: 0, failed: 0 });
      const members = async () =>
        (await call('shop.CustomerGroupRelationship/ListRelationships', { filter: { group_id } })).relationship.length;
      expect(await members()).toBe(2);
      losing(world, 'DeleteRelationship', when);
      const removed = await world.run(sheet, { do: 'groups members remove' });
      expect(removed.summary.counts).toMatchObject({ done: 2, unclear: 0, failed: 0 });
      expect(await members()).toBe(0);
    });
  },
);

describe('a create whose name is not unique', () => {
  it('is found by the name that was made for it', async () => {
    const world = await batchWorld('shop');
    losing(world, 'CreateCustomer', 'after');
    const { summary } = await world.run('full_name,phone\nAn,0901234567\nBình,0901234568\n', {
      do: 'customers create',
    });
    expect(summary.counts).toMatchObject({ done: 2, unclear: 0 });
    const { customers } = await shopCalls(world)('shop.Customer/ListCustomers', {});
    expect(customers.map(({ external_id }: { external_id: string }) => external_id.slice(0, 11))).toEqual([
      'shopctl-r1-',
      'shopctl-r1-',
    ]);
  });

  it('is unclear where it is not found, never sent again by itself, and settled by a person', async () => {
    const world = await batchWorld('shop');
    losing(world, 'CreateCustomer', 'before');
    const context = await world.context();
    const { summary } = await world.run('full_name,phone\nAn,0901234567\n', { do: 'customers create', context });
    expect(summary).toMatchObject({ state: 'finished', counts: { done: 0, unclear: 1 } });
    const [batch] = await context.batches.list({});
    if (batch === undefined) throw new Error('it is there');
    const creates = await findWork('customers create', 'shop');
    const row = await settleByHand(context, { batch, work: creates }, '1', false);
    expect(row).toMatchObject({ state: 'failed', error_code: 'not_done' });
    const again = await retry(context, batch, creates);
    expect(again.summary.counts).toMatchObject({ done: 1, unclear: 0, failed: 0 });
    await context.close();
  });

  it('is not settled by a person once a resume, begun since, looks it up or sends it', async () => {
    const world = await batchWorld('shop');
    losing(world, 'CreateCustomer', 'before');
    const context = await world.context();
    onTestFinished(() => context.close());
    await world.run('full_name,phone\nAn,0901234567\n', { do: 'customers create', context });
    const [batch] = await context.batches.list({});
    if (batch === undefined) throw new Error('it is there');
    const creates = await findWork('customers create', 'shop');
    const { workspace } = context;
    const slow = async <Result>(work: Parameters<typeof workspace.write<Result>>[0]) => {
      await reopenUnclear(workspace, batch.number);
      return workspace.write(work);
    };
    const behind = { ...context, workspace: { ...workspace, write: slow } };
    await expect(settleByHand(behind, { batch, work: creates }, '1', false)).rejects.toMatchObject({
      code: 'row_not_unclear',
    });
    expect(await context.rows.one(batch.number, 1)).toMatchObject({ state: 'sending', error_code: 'outcome_unknown' });
  });
});

describe('an update', () => {
  it('leaves alone what is blank, and skips a row with nothing to change', async () => {
    const { world, call, ids } = await worldWithCustomers(2);
    const { summary } = await world.run(`id,note,full_name\n${ids[0]},,An\n${ids[1]},,\n`, { do: 'customers update' });
    expect(summary.counts).toMatchObject({ done: 1, skipped: 1 });
    expect(await call('shop.Customer/GetCustomer', { id: ids[0] })).toMatchObject({ note: 'old', full_name: 'An' });
  });

  it('clears what is blank where that is said', async () => {
    const { world, call, ids } = await worldWithCustomers(1);
    const options = { ...plainOptions, blankClears: true };
    await world.run(`id,note\n${ids[0]},\n`, { do: 'customers update', options });
    expect((await call('shop.Customer/GetCustomer', { id: ids[0] })).note ?? '').toBe('');
  });

  it('of one record twice in a file is refused, both rows named', async () => {
    const { world, ids } = await worldWithCustomers(1);
    const sheet = `id,note\n${ids[0]},a\n${ids[0]},b\n`;
    await expect(world.plan(sheet, { do: 'customers update' })).rejects.toMatchObject({
      code: 'cells_wrong',
      faults: [{ cell: 'line 3', message: 'is about the same record as line 2' }],
    });
  });

  it('of one record thousands of times is made once where bad rows are left out', async () => {
    const { world, call, ids } = await worldWithCustomers(1);
    const rows = Array.from({ length: 4_100 }, (_, at) => `${ids[0]},note ${at}\n`).join('');
    let writes = 0;
    world.between = (transport) => (request) => {
      if (request.url.endsWith('UpdateCustomer')) writes += 1;
      return transport(request);
    };
    const { summary } = await world.run(`id,note\n${rows}`, { do: 'customers update', skipBad: true });
    expect([summary.counts.rows, summary.counts.done, writes]).toEqual([4_100, 1, 1]);
    expect(await call('shop.Customer/GetCustomer', { id: ids[0] })).toMatchObject({ note: 'note 0' });
  });
});

describe('the failed rows of a batch', () => {
  const fails = (world: World, phone: string) => {
    world.between = (transport) => async (request) =>
      request.url.endsWith('CreateAndConfirmOrder') && request.body.includes(phone)
        ? { status: 412, headers: {}, body: '{"code":"failed_precondition","msg":"no"}' }
        : transport(request);
  };

  it('are sent once more, as they stand or as a mended file has them, and no other', async () => {
    const world = await batchWorld();
    const context = await world.context();
    fails(world, '0910000002');
    const first = await world.run(manyOrders(3, false), { context });
    expect(first.summary.counts).toMatchObject({ done: 2, failed: 1 });
    const [batch] = await context.batches.list({});
    if (batch === undefined) throw new Error('it is there');
    const work = await findWork('ship', 'partner');
    expect((await retry(context, batch, work)).summary.counts).toMatchObject({ done: 2, failed: 1 });

    const mend = (rows: number[]) =>
      orderSheet(
        rows.map((number) => orderCells(number, '').map((cell) => (cell === '0910000002' ? '0919999999' : cell))),
      );
    async function* bytes(text: string) {
      yield Buffer.from(text);
    }
    const file = (text: string) => ({
      source: { name: 'mended.csv', bytes: bytes(text) },
      ignored: [],
      skipBad: false,
    });
    await expect(retry(context, batch, work, { file: file(mend([1, 2, 3, 4])) })).rejects.toMatchObject({
      code: 'file_differs',
    });
    const mended = await retry(context, batch, work, { file: file(mend([1, 2, 3])) });
    expect(mended.summary.counts).toMatchObject({ rows: 3, done: 3, failed: 0 });
    const phones = (await world.orders()).map(({ shipping_address }) => shipping_address.phone).sort();
    expect(phones).toEqual(['0910000001', '0910000003', '0919999999']);
    await context.close();
  });
});

it('knows every command that writes a record by its declaration, and names the nearest one', async () => {
  for (const words of [
    'ship',
    'orders create',
    'products update',
    'variants delete',
    'addresses create',
    'shipnow create',
  ]) {
    expect((await findWork(words, 'shop')).do).toBe(words);
  }
  await expect(findWork('order create', 'shop')).rejects.toThrow('did you mean orders create?');
  await expect(findWork('orders list', 'shop')).rejects.toMatchObject({ code: 'work_unknown' });
  await expect(findWork('customers update', 'partner')).rejects.toThrow("shop's own API key");
});
