/* An answer without what was asked for is no answer: neither "not found" nor "nothing is there". */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WireRequest, WireResponse } from '../../../src/platform/http/transport.ts';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { errorAnswer, json } from '../../support/scripted-transport.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

type Faults = Readonly<
  Record<string, (deliver: () => Promise<WireResponse>, wire: WireRequest) => Promise<WireResponse>>
>;

/** A world whose service answers otherwise while `faults` are set; each befalls so many calls of its operation. */
async function worldWith() {
  const state: { faults: Faults; times: number; seen: string[] } = {
    faults: {},
    times: Number.POSITIVE_INFINITY,
    seen: [],
  };
  const world = await shopWorld((transport) => async (wire) => {
    const operation = wire.url.split('/').at(-1) ?? '';
    state.seen.push(operation);
    const fault = state.faults[operation];
    if (fault === undefined || state.times <= 0) return transport(wire);
    state.times -= 1;
    return fault(async () => transport(wire), wire);
  });
  const run = (...words: string[]) =>
    world.run([...words, '--yes', '-o', 'json', '--profile', 'shop'], {
      clock: steppedClock(world.service.clock.now()),
    });
  const sheet = (rows: readonly object[]) => {
    const path = join(world.directory, 'rows.json');
    writeFileSync(path, JSON.stringify(rows));
    return path;
  };
  return { world, run, sheet, state };
}

const empty = async () => json(200, {});
const lost = async () => {
  throw new TransportError('closed', 'maybe', 'cut off');
};

/** The live records of the shop, asked of the service itself. */
async function live({ service: { post, shop } }: ShopWorld, kind: 'orders' | 'customers') {
  const list = kind === 'orders' ? 'shop.Order/ListOrders' : 'shop.Customer/ListCustomers';
  const { body } = await post(list, {}, shop.apiKey);
  return body[kind].filter((one: { status: unknown; deleted: unknown }) => one.status !== 'N' && one.deleted !== true);
}

const countsOf = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout).counts;

it('a delete that never arrived is not done because a look says nothing', async () => {
  const { world, run, sheet, state } = await worldWith();
  const lan = { full_name: 'Lan', phone: '0901234567' };
  const { body } = await world.service.post('shop.Customer/CreateCustomer', lan, world.service.shop.apiKey);
  const before = (await live(world, 'customers')).length;
  state.faults = { DeleteCustomer: lost, GetCustomer: empty };
  const ran = await run('batch', 'run', sheet([{ id: body.id }]), '--do', 'customers delete');
  expect([ran.exit === 0, countsOf(ran).done, (await live(world, 'customers')).length]).toEqual([false, 0, before]);
});

it.each([
  ['says nothing, twice', empty, 2, 13, 1],
  ['says once that it is not there', async () => errorAnswer(404, 'not_found'), 1, 0, 0],
])('an undo whose look %s does not count a live order as undone', async (_, fault, times, exit, left) => {
  const { world, run, sheet, state } = await worldWith();
  const path = sheet([orderFields]);
  const ran = await run('batch', 'run', path, '--do', 'orders create');
  state.faults = { GetOrder: fault };
  state.times = times;
  const undone = await run('batch', 'undo', JSON.parse(ran.stdout).batch);
  expect([undone.exit, (await live(world, 'orders')).length]).toEqual([exit, left]);
  state.faults = {};
  await run('batch', 'run', path, '--do', 'orders create', '--resend-ended', 'undone');
  expect(await live(world, 'orders')).toHaveLength(1);
});

it('rows of an earlier sheet are not made again because a look says nothing', async () => {
  const { world, run, sheet, state } = await worldWith();
  const customers = [1, 2, 3].map((at) => ({ full_name: `Lan ${at}`, phone: `090123456${at}` }));
  const first = await run('batch', 'run', sheet(customers), '--do', 'customers create');
  const before = (await live(world, 'customers')).length;
  state.faults = { GetCustomer: empty, ListCustomers: empty };
  const more = sheet([...customers, { full_name: 'Mai', phone: '0909999999' }]);
  const words = ['batch', 'run', more, '--do', 'customers create', '--continue', JSON.parse(first.stdout).batch];
  await run(...words);
  state.faults = {};
  expect((await run(...words)).exit).toBe(0);
  expect(await live(world, 'customers')).toHaveLength(before + 1);
});

it('a list without its list is no empty one', async () => {
  const { run, state } = await worldWith();
  await run('customers', 'create', '--full-name', 'Lan', '--phone', '0901234567');
  state.faults = { ListCustomers: empty };
  const listed = await run('customers', 'list');
  expect([listed.exit, listed.stdout]).toEqual([13, '']);
  state.times = 1;
  expect(JSON.parse((await run('customers', 'list')).stdout)).toHaveLength(1);
});

const unshipped =
  (errors: readonly object[]) =>
  async (_: () => Promise<WireResponse>, { body }: WireRequest) => {
    const { external_id } = JSON.parse(String(body));
    const order = { ...orderFields, id: '77', code: 'DH77', external_id, confirm_status: 'Z', status: 'Z' };
    return json(200, { order, fulfillments: [], fulfillment_errors: errors });
  };

describe.each([
  ['and no reason', []],
  ['and the reason', [{ code: 'failed_precondition', msg: 'the carrier refused the parcel' }]],
])('an order that is answered as neither confirmed nor shipped, %s', (_, errors) => {
  it('is not done as a row', async () => {
    const { run, sheet, state } = await worldWith();
    state.faults = { CreateAndConfirmOrder: unshipped(errors), GetOrder: unshipped(errors) };
    const ran = await run('batch', 'run', sheet([{ ...orderFields, shipping: shippingFields }]));
    expect([ran.exit, countsOf(ran)]).toMatchObject([10, { done: 0, unclear: 1 }]);
  });

  it('is not shipped as a command', async () => {
    const { world, run, state } = await worldWith();
    state.faults = { CreateAndConfirmOrder: unshipped(errors), GetOrder: unshipped(errors) };
    const single = await run('ship', '--input', plainOrder(world), '--pick', 'cheapest');
    expect(single.exit).toBe(errors.length === 0 ? 10 : 9);
  });
});

it('a row says where the record that it is answered with differs from what was sent', async () => {
  const { run, sheet, state } = await worldWith();
  state.faults = {
    CreateCustomer: async (deliver) => {
      const answer = await deliver();
      return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), phone: '0900000000' }) };
    },
  };
  const path = sheet([{ full_name: 'Lan', phone: '0901234567' }]);
  const ran = await run('batch', 'run', path, '--do', 'customers create');
  const [row] = JSON.parse((await run('batch', 'rows', JSON.parse(ran.stdout).batch)).stdout);
  expect(row).toMatchObject({ state: 'done', error: { code: 'changed' } });
  expect(row.error.message).toContain('phone');
});
