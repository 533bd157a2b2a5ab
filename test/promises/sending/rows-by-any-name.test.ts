/* A row that changes a record takes the record's one key, whatever its sheet calls it by, and what ends it frees its name. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Transport, TransportError } from '../../../src/platform/http/transport.ts';
import { orderFields } from '../../support/sandbox-order.ts';
import { json } from '../../support/scripted-transport.ts';
import { priceOf, twoStops } from '../../support/shipnow.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { yieldingClock } from '../../support/stepped-clock.ts';
import {
  cancel_reason,
  cancelled,
  longer,
  made,
  names,
  orderCalledByARow,
  orders,
  run,
  sheet,
  ways,
} from './rows-by-name.ts';

// By its code, which has to be looked up; the other names are in the proof.
orderCalledByARow(ways.filter(([name]) => name === 'code'));

describe('an order that was cancelled, whose answer was lost and whose parcel travels on', () => {
  /** The service tells of the parcel in the order, and the answer to the cancellation is lost. */
  async function travelling(): Promise<ShopWorld> {
    let isLost = false;
    return shopWorld((transport) => async (wire) => {
      const answer = await transport(wire);
      if (wire.url.endsWith('/GetOrder') && isLost) {
        const { order, ...rest } = JSON.parse(answer.body);
        return { ...answer, body: JSON.stringify({ ...rest, order: { ...order, fulfillment_shipping_status: 'S' } }) };
      }
      if (isLost || !wire.url.endsWith('/CancelOrder')) return answer;
      isLost = true;
      throw new TransportError('closed', 'maybe', 'cut off');
    });
  }

  it.each(['row', 'command'])('is not made again after a %s has cancelled it', async (by) => {
    const world = await travelling();
    await made(world);
    const [order] = await orders(world);
    const cancel = () => run(world, 'orders', 'cancel', order.id, '--cancel-reason', 'x', '--max-retries', '0');
    if (by === 'row') expect((await cancelled(world, names.id(order))).counts).toMatchObject({ done: 1 });
    else expect([(await cancel()).exit, (await cancel()).exit]).toEqual([10, 5]);
    const path = join(world.directory, 'rows.json');
    writeFileSync(path, JSON.stringify([orderFields, longer]));
    const again = await run(world, 'batch', 'run', path, '--do', 'orders create');
    expect([again.exit, errorOf(again.stderr).code]).toEqual([12, 'rows_shared']);
  });
});

/** Counts the changes that are at the service at once, each of which stays for a while. */
function counting(operations: RegExp) {
  const state = { now: 0, most: 0, seen: 0 };
  const between =
    (transport: Transport): Transport =>
    async (wire) => {
      if (!operations.test(wire.url)) return transport(wire);
      state.now += 1;
      state.seen += 1;
      state.most = Math.max(state.most, state.now);
      for (let turns = 0; turns < 50; turns += 1) await new Promise((done) => setImmediate(done));
      const answer = await transport(wire);
      state.now -= 1;
      return answer;
    };
  return { state, between };
}

describe('two changes of one record never run at once', () => {
  it('as rows of one batch that call it by its id, its code and its name', async () => {
    const { state, between } = counting(/\/CancelOrder$/);
    const world = await shopWorld(between);
    await made(world);
    const [order] = await orders(world);
    const ended = await cancelled(world, names.id(order), names.code(order), names.external_id(order));
    expect([state.most, ended.counts]).toMatchObject([1, { done: 1, failed: 2 }]);
  });

  it.each(ways)('as a row that calls it by its %s beside a command', async (_, named) => {
    const { state, between } = counting(/\/(?:Cancel|Confirm)Order$/);
    const world = await shopWorld(between);
    await made(world);
    const [order] = await orders(world);
    await Promise.all([cancelled(world, named(order)), run(world, 'orders', 'confirm', order.id)]);
    expect([state.most, state.seen]).toEqual([1, 2]);
  });

  it('as a row that adds a member beside a command that removes it', async () => {
    let arrive = () => {};
    let release = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const added: string[] = [];
    const world = await shopWorld((transport) => async (wire) => {
      if (wire.url.endsWith('Relationship/CreateRelationship')) added.push(wire.body);
      const answer = await transport(wire);
      if (!wire.url.endsWith('Relationship/DeleteRelationship')) return answer;
      arrive();
      await held;
      return answer;
    });
    const { post, shop } = world.service;
    const { body: group } = await post('shop.CustomerGroup/CreateGroup', { name: 'Sỉ' }, shop.apiKey);
    const { body: lan } = await post('shop.Customer/CreateCustomer', { full_name: 'Lan', phone: '0901' }, shop.apiKey);
    const member = { customer_id: lan.id, group_id: group.id };
    await post('shop.CustomerGroupRelationship/CreateRelationship', member, shop.apiKey);
    const called = ['--customer-id', lan.id, '--group-id', group.id];
    const removing = run(world, 'groups', 'members', 'remove', ...called);
    // The member is gone, and the answer that says so has not arrived.
    await arrived;
    const path = join(world.directory, 'members.json');
    writeFileSync(path, JSON.stringify([member]));
    const words = ['batch', 'run', path, '--do', 'groups members add', '--profile', 'shop', '--yes', '-o', 'json'];
    let waits = () => {};
    const waiting = new Promise<void>((resolve) => {
      waits = resolve;
    });
    const clock = yieldingClock(world.service.clock.now());
    const adding = world.run(words, { clock, onStderr: (text) => text.includes('waiting') && waits() });
    // A row that does not wait has ended.
    await Promise.race([waiting, adding]);
    expect(added).toEqual([]);
    release();
    expect((await removing).exit).toBe(0);
    const { exit, stdout } = await adding;
    expect([exit, JSON.parse(stdout).counts, added.length]).toMatchObject([0, { done: 1 }, 1]);
  });
});

describe('a row whose record cannot be read', () => {
  it.each([
    ['there is none', 404, 'not_found'],
    ['the service refuses to tell', 400, 'invalid_argument'],
  ])('fails by what was answered, and nothing is sent, where %s', async (_, status, code) => {
    const sent: string[] = [];
    const world = await shopWorld((transport) => async (wire) => {
      sent.push(wire.url.split('/').at(-1) ?? '');
      return wire.url.endsWith('/GetOrder') ? json(status, { code, msg: 'no', meta: {} }) : transport(wire);
    });
    const ended = await cancelled(world, { code: 'DH000001' });
    expect([ended.exit, ended.counts, ended.rows[0].error.code]).toMatchObject([9, { failed: 1 }, code]);
    expect(sent).not.toContain('CancelOrder');
  });

  it('ends the batch where the key may not read, and no row is sent', async () => {
    const sent: string[] = [];
    const world = await shopWorld((transport) => async (wire) => {
      sent.push(wire.url.split('/').at(-1) ?? '');
      if (!wire.url.endsWith('/GetOrder')) return transport(wire);
      return json(403, { code: 'permission_denied', msg: 'no', meta: {} });
    });
    const ended = await cancelled(world, { code: 'DH000001' }, { code: 'DH000002' });
    expect([ended.exit, ended.counts]).toMatchObject([4, { left: 2 }]);
    expect(sent).not.toContain('CancelOrder');
  });
});

it('a row is sent under the id of the record that its name was read as', async () => {
  const asked: object[] = [];
  const world = await shopWorld((transport) => async (wire) => {
    if (wire.url.endsWith('/CancelOrder')) asked.push(JSON.parse(wire.body));
    return transport(wire);
  });
  await made(world);
  const [order] = await orders(world);
  await cancelled(world, names.code(order));
  expect(asked).toEqual([{ id: order.id, cancel_reason }]);
});

it('what this ledger has made is called by its id, also by the look before it is ended', async () => {
  const looked: string[] = [];
  const world = await shopWorld((transport) => async (wire) => {
    if (wire.url.endsWith('/GetOrder')) looked.push(wire.body);
    return transport(wire);
  });
  await made(world);
  const [order] = await orders(world);
  expect((await cancelled(world, names.external_id(order))).counts).toMatchObject({ done: 1 });
  expect(looked).toEqual([JSON.stringify({ id: order.id })]);
});

it('a delivery that the service did not cancel for a row counts as made', async () => {
  const world = await shopWorld(
    (transport) => async (wire) =>
      wire.url.endsWith('/CancelShipnowFulfillment') ? json(200, { updated: 0 }) : transport(wire),
  );
  const { body } = await priceOf(world.service);
  const { code, fee } = body.services[0];
  const delivery = { ...twoStops, shipping_service_code: code, shipping_service_fee: fee, external_id: 'TRIP-1' };
  const path = join(world.directory, 'delivery.json');
  writeFileSync(path, JSON.stringify(delivery));
  const create = () => run(world, 'shipnow', 'create', '--input', path);
  const first = JSON.parse((await create()).stdout);
  const ended = await sheet(world, 'shipnow cancel', { external_id: 'TRIP-1', cancel_reason });
  expect([ended.exit, ended.counts]).toMatchObject([9, { failed: 1 }]);
  const again = await create();
  expect([again.exit, JSON.parse(again.stdout).id]).toEqual([0, first.id]);
});
