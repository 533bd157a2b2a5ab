/* Answers that are no answer: empty, another's record, an id alone. Nothing is believed that was not compared. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldsIn, readFields } from '../../../src/domain/json/values.ts';
import type { WireRequest, WireResponse } from '../../../src/platform/http/transport.ts';
import { orderFields } from '../../support/sandbox-order.ts';
import { json } from '../../support/scripted-transport.ts';
import { createShipnow } from '../../support/shipnow.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

/** What stands before the service: how it answers the first call of an operation, and how each. */
interface Faults {
  [operation: string]: (wire: WireRequest, deliver: () => Promise<WireResponse>) => Promise<WireResponse>;
}

/** A world whose service answers otherwise; a fault befalls the first `times` calls of its operation. */
async function worldWith(faults: Faults, times = 1): Promise<ShopWorld> {
  const left = new Map(Object.keys(faults).map((operation) => [operation, times]));
  return shopWorld((transport) => async (wire) => {
    const operation = wire.url.split('/').at(-1) ?? '';
    const rest = left.get(operation) ?? 0;
    const fault = rest > 0 ? faults[operation] : undefined;
    if (fault === undefined) return transport(wire);
    left.set(operation, rest - 1);
    return fault(wire, async () => transport(wire));
  });
}

/** Runs a command at the service's time; no wait lasts. */
const run = (world: ShopWorld, words: readonly string[]) =>
  world.run(words, { clock: steppedClock(world.service.clock.now()) });

/** How many live records of a kind the shop has whose field has a value, asked of the service itself. */
async function live({ service: { post, shop } }: ShopWorld, kind: string, field: string, value: string) {
  const [area, list, items] = kinds[kind] ?? [];
  const { body } = await post(`shop.${area}/${list}`, {}, shop.apiKey);
  const all: Readonly<Record<string, unknown>>[] = body[items ?? ''];
  return all.filter((one) => one.status !== 'N' && one.deleted !== true && one[field] === value).length;
}

const kinds: Readonly<Record<string, readonly [area: string, list: string, items: string]>> = {
  orders: ['Order', 'ListOrders', 'orders'],
  customers: ['Customer', 'ListCustomers', 'customers'],
  groups: ['CustomerGroup', 'ListGroups', 'customer_groups'],
};

const order = { ...orderFields, order_note: 'ours' };
const shop = ['--profile', 'shop', '-o', 'json', '--yes'];

/** The doors by which a record of each kind is created, and the words that do it. */
function orderBy(opener: 'command' | 'row', { directory }: ShopWorld): string[] {
  const path = join(directory, 'order.json');
  writeFileSync(path, JSON.stringify(opener === 'row' ? [order] : order));
  return opener === 'row'
    ? ['batch', 'run', path, '--do', 'orders create', ...shop]
    : ['orders', 'create', '--input', path, ...shop];
}

/** Answers that name no record, or are of a call that was taken and not carried out; nothing was done. */
const nothing: Readonly<Record<string, WireResponse>> = {
  '{}': json(200, {}),
  'a status': json(200, { status: 'ok' }),
  '202': json(202, {}),
  'no order': json(200, { order: null, fulfillments: [], fulfillment_errors: [] }),
  'an empty order': json(200, { order: {} }),
  null: json(200, null),
  'a list': json(200, []),
  'an id that is no text': json(200, { id: false }),
};

describe.each(['command', 'row'] as const)('a create by %s', (opener) => {
  it.each(Object.entries(nothing))('is sent under its name until it is there, answered by %s', async (_, answer) => {
    const world = await worldWith({ CreateOrder: async () => answer });
    const { exit } = await run(world, orderBy(opener, world));
    expect([exit, await live(world, 'orders', 'order_note', 'ours')]).toEqual([0, 1]);
    await run(world, orderBy(opener, world));
    expect(await live(world, 'orders', 'order_note', 'ours')).toBe(1);
  });

  it("is not done by another's order, and found by its own name", async () => {
    const world = await worldWith({
      CreateOrder: async (_, deliver) => {
        const { body, ...rest } = await deliver();
        return { ...rest, body: body.replace(/"external_id":"[^"]*"/, '"external_id":"SOMEBODY-1"') };
      },
    });
    const { exit } = await run(world, orderBy(opener, world));
    expect([exit, await live(world, 'orders', 'order_note', 'ours')]).toEqual([0, 1]);
  });

  it('is done by an id alone if the record of that id is its own', async () => {
    const world = await worldWith({
      CreateOrder: async (_, deliver) => json(200, { id: readFields((await deliver()).body).id }),
    });
    const { exit, stdout } = await run(world, orderBy(opener, world));
    expect([exit, await live(world, 'orders', 'order_note', 'ours')]).toEqual([0, 1]);
    expect(stdout).toMatch(/"id": "\d+"|"done": 1/);
  });

  it.each([
    ['another has it', async (id: string) => json(200, { id })],
    ['it cannot be read', async () => json(200, { id: '1234567890123456789' })],
  ])('is unclear after an id alone if %s', async (_, answer) => {
    let strangers = '';
    const world = await worldWith({ CreateOrder: async () => answer(strangers) });
    const { post, shop: own } = world.service;
    const stranger = await post(
      'shop.Order/CreateOrder',
      { ...order, order_note: 'theirs', total_items: 3 },
      own.apiKey,
    );
    strangers = stranger.body.id;
    const { exit } = await run(world, orderBy(opener, world));
    expect([exit, await live(world, 'orders', 'order_note', 'ours')]).toEqual([10, 0]);
  });
});

it.each([
  ['customers', 'customers create', { full_name: 'Lan Hương', phone: '0901234567' }, 'full_name'],
  ['groups', 'groups create', { name: 'Lan Hương' }, 'name'],
])(
  '%s whose name the service does not keep unique stay open after an answer that proves nothing',
  async (kind, words, request, field) => {
    // Each answer meets a row of the one kind and a command of the other, those next to each other in turn.
    for (const [turn, [reported, answer]] of Object.entries(nothing).entries()) {
      const isCustomer = kind === 'customers';
      const isRow = (turn % 2 === 0) === isCustomer;
      const world = await worldWith({ [isCustomer ? 'CreateCustomer' : 'CreateGroup']: async () => answer });
      const path = join(world.directory, 'records.json');
      writeFileSync(path, JSON.stringify(isRow ? [request] : request));
      const line = isRow ? ['batch', 'run', path, '--do', words] : [...words.split(' '), '--input', path];
      const { exit } = await run(world, [...line, ...shop]);
      expect([reported, isRow, exit, await live(world, kind, field, 'Lan Hương')]).toEqual([reported, isRow, 10, 0]);
    }
  },
);

it("a group is done by what it brings back, and not by another's", async () => {
  const words = ['groups', 'create', '--name', 'Khách sỉ', ...shop];
  const changed = await worldWith({
    CreateGroup: async (_, deliver) => {
      const { body, ...rest } = await deliver();
      return { ...rest, body: body.replace('Khách sỉ', ' khách  SỈ') };
    },
  });
  expect((await run(changed, words)).exit).toBe(0);
  const others = await worldWith({ CreateGroup: async () => json(200, { id: '5', name: 'Khách lẻ' }) });
  expect((await run(others, words)).exit).toBe(10);
  const silent = await worldWith({
    CreateGroup: async (_, deliver) => json(200, { id: readFields((await deliver()).body).id }),
  });
  expect((await run(silent, words)).exit).toBe(0);
});

it.each(['', 'null', '{}'])('what answers nothing is done with a body of %j', async (body) => {
  const silent = async (_: WireRequest, deliver: () => Promise<WireResponse>) => ({ ...(await deliver()), body });
  const operations = ['CreateRelationship', 'DeleteRelationship', 'DeleteCustomer', 'ConfirmOrder'];
  const world = await worldWith(Object.fromEntries(operations.map((operation) => [operation, silent])));
  const { post, shop: own } = world.service;
  const made = async (operation: string, record: object) =>
    (await post(`shop.${operation}`, record, own.apiKey)).body.id;
  const [group, customer, id] = [
    await made('CustomerGroup/CreateGroup', { name: 'Khách sỉ' }),
    await made('Customer/CreateCustomer', { full_name: 'Lan', phone: '0901234567' }),
    await made('Order/CreateOrder', order),
  ];
  const member = ['--group-id', group, '--customer-id', customer];
  for (const words of [
    ['groups', 'members', 'add', ...member],
    ['groups', 'members', 'remove', ...member],
    ['customers', 'delete', customer],
    ['orders', 'confirm', id],
  ]) {
    const { exit, stderr } = await run(world, [...words, ...shop]);
    expect([words.join(' '), exit], stderr).toEqual([words.join(' '), 0]);
  }
});

/** Answers a read with a stranger's record. */
const strangers = (id: () => string) => async (wire: WireRequest, deliver: () => Promise<WireResponse>) => {
  const answer = await deliver();
  const fields = readFields(answer.body);
  const other = { ...fieldsIn(fields.order), id: id(), external_id: 'SOMEBODY-1', order_note: 'theirs' };
  return answer.status === 200 || wire.body.includes('external_id')
    ? json(200, { order: other, fulfillments: [], fulfillment_errors: [] })
    : answer;
};

it("a row whose look-up is answered by another's order is unclear, and undoing it cancels nothing", async () => {
  let id = '';
  const world = await worldWith(
    {
      CreateOrder: async () => ({ ...json(504, null), body: 'gateway timeout' }),
      GetOrder: (wire, deliver) => strangers(() => id)(wire, deliver),
    },
    Number.POSITIVE_INFINITY,
  );
  const { post, shop: own } = world.service;
  const stranger = await post('shop.Order/CreateOrder', { ...order, order_note: 'theirs' }, own.apiKey);
  id = stranger.body.id;
  const ran = await run(world, orderBy('row', world));
  const { batch, counts } = JSON.parse(ran.stdout);
  expect([ran.exit, counts]).toMatchObject([10, { unclear: 1 }]);
  await run(world, ['batch', 'undo', batch, ...shop]);
  expect(await live(world, 'orders', 'order_note', 'theirs')).toBe(1);
});

it('an undo leaves a record whose name is another one now', async () => {
  let id = '';
  const world = await worldWith(
    { GetOrder: (wire, deliver) => (id === '' ? deliver() : strangers(() => id)(wire, deliver)) },
    Number.POSITIVE_INFINITY,
  );
  const { batch } = JSON.parse((await run(world, orderBy('row', world))).stdout);
  const { post, shop: own } = world.service;
  id = (await post('shop.Order/ListOrders', {}, own.apiKey)).body.orders.at(-1).id;
  const undone = await run(world, ['batch', 'undo', batch, ...shop]);
  expect(undone.stdout + undone.stderr).toContain('another external_id');
  expect(await live(world, 'orders', 'order_note', 'ours')).toBe(1);
});

it('a read that is answered by another record is asked once more, and then refused', async () => {
  const asked: string[] = [];
  const other = async (wire: WireRequest) => {
    asked.push(wire.body);
    return json(200, { id: '2', full_name: 'Somebody else' });
  };
  const get = ['customers', 'get', '1', '--profile', 'shop'];
  const always = await worldWith({ GetCustomer: other }, Number.POSITIVE_INFINITY);
  const ended = await run(always, get);
  expect([ended.exit, asked.length]).toEqual([13, 2]);
  expect(ended.stderr).toContain('the answer is not about what was asked for: its id is another, or missing');
  expect(ended.stdout).not.toContain('Somebody else');
  const once = await worldWith({ GetCustomer: other });
  const lan = { full_name: 'Lan Hương', phone: '0901234567' };
  const { id, full_name } = (await once.service.post('shop.Customer/CreateCustomer', lan, once.service.shop.apiKey))
    .body;
  const right = await run(once, ['customers', 'get', id, '--profile', 'shop']);
  expect([right.exit, right.stdout.includes(full_name)]).toEqual([0, true]);
});

const lists: readonly (readonly [words: string, operation: string])[] = [
  ['orders list', 'ListOrders'],
  ['customers list', 'ListCustomers'],
  ['mirror sync', 'ListOrders'],
];

describe.each(lists)("%s that is answered by another shop's records", (words, operation) => {
  it.each([
    [Number.POSITIVE_INFINITY, 13],
    [1, 0],
  ])('%s times ends with %s, and nothing of them is shown or stored', async (times, exit) => {
    const keys = { others: '', asked: 0 };
    const others = async (wire: WireRequest) => {
      keys.asked += 1;
      const headers = { ...wire.headers, authorization: `Bearer ${keys.others}` };
      return await world.service.sandbox.handle({ ...wire, headers });
    };
    const world = await worldWith({ [operation]: others }, times);
    const { post, shop: own, otherShop } = world.service;
    keys.others = otherShop.apiKey;
    for (const { apiKey } of [own, otherShop]) {
      await post('shop.Order/CreateOrder', orderFields, apiKey);
      await post('shop.Customer/CreateCustomer', { full_name: 'Lan', phone: '0901234567' }, apiKey);
    }
    const ended = await run(world, [...words.split(' '), '--profile', 'shop']);
    expect([ended.exit, keys.asked], ended.stderr).toEqual([exit, Math.min(times, 2)]);
    const refused = 'the answer is not about what was asked for: its shop_id is another, or missing';
    expect([ended.stderr.includes(refused), ended.stdout.includes(otherShop.id)]).toEqual([exit === 13, false]);
    if (words !== 'mirror sync') return;
    const json = (await run(world, ['mirror', 'sql', 'select json from records_json', '--profile', 'shop'])).stdout;
    expect([json.includes(own.id), json.includes(otherShop.id)]).toEqual([exit === 0, false]);
  });
});

it("a change that is answered by another's record is not done", async () => {
  const world = await worldWith({ UpdateCustomer: async () => json(200, { id: '2', full_name: 'Somebody else' }) });
  const ended = await run(world, ['customers', 'update', '--id', '1', '--note', 'x', ...shop]);
  expect([ended.exit, ended.stdout === '' ? errorOf(ended).outcome : 'unknown']).toEqual([10, 'unknown']);
});

/** What is cancelled, and whether it is still live by what the service reads of it. */
const cancelled = {
  orders: {
    operation: 'CancelOrder',
    make: async ({ post, shop: own }: ShopWorld['service']) =>
      (await post('shop.Order/CreateOrder', order, own.apiKey)).body.id,
    read: 'shop.Order/GetOrder',
  },
  shipnow: {
    operation: 'CancelShipnowFulfillment',
    make: async (service: ShopWorld['service']) => (await createShipnow(service)).body.id,
    read: 'shop.Shipnow/GetShipnowFulfillment',
  },
};

describe.each(['command', 'row'] as const)('a cancellation by %s that is answered by', (opener) => {
  it.each([
    ['nothing and was carried out, is done', true, 'orders', [0, 0]],
    // A row sends it once more, which does no harm.
    ['nothing and was not, is no deed', false, 'orders', opener === 'row' ? [0, 0] : [10, 1]],
    ['nothing and was carried out, is done', true, 'shipnow', [0, 0]],
    ['nothing and was not, is no deed', false, 'shipnow', opener === 'row' ? [0, 0] : [10, 1]],
    ['its live order and was carried out, is done', true, 'orders', [0, 0]],
    ['its live order and was not, is no deed', false, 'orders', opener === 'row' ? [0, 0] : [10, 1]],
  ] as const)('%s', async (reported, isDone, kind, expected) => {
    const { operation, make, read } = cancelled[kind];
    const readNow = async () => (await service.post(read, { id }, service.shop.apiKey)).body;
    const world = await worldWith({
      [operation]: async (_wire, deliver) => {
        const answer = reported.startsWith('nothing') ? {} : await readNow();
        if (isDone) await deliver();
        return json(200, answer);
      },
    });
    const { service, directory } = world;
    const id = await make(service);
    const path = join(directory, 'cancel.json');
    writeFileSync(path, JSON.stringify([{ id, cancel_reason: 'wrong' }]));
    const byRow = ['batch', 'run', path, '--do', `${kind} cancel`, ...shop];
    const ended = await run(
      world,
      opener === 'row' ? byRow : [kind, 'cancel', id, '--cancel-reason', 'wrong', ...shop],
    );
    const now = await readNow();
    expect([ended.exit, (now.order ?? now).status === 'N' ? 0 : 1], ended.stderr).toEqual(expected);
  });
});

it('an order is not made again whose cancellation was answered by its live record, and not carried out', async () => {
  let before = '';
  const world = await worldWith({ CancelOrder: async () => ({ ...json(200, null), body: before }) });
  const { post, shop: own } = world.service;
  const create = () => run(world, orderBy('command', world));
  const { id } = readFields((await create()).stdout);
  before = JSON.stringify((await post('shop.Order/GetOrder', { id }, own.apiKey)).body);
  const ended = await run(world, ['orders', 'cancel', String(id), '--cancel-reason', 'wrong', ...shop]);
  expect([ended.exit, (await create()).exit]).toEqual([10, 5]);
  expect(await live(world, 'orders', 'order_note', 'ours')).toBe(1);
});

describe('a change that is answered with nothing', () => {
  const foreign: Readonly<Record<string, WireResponse>> = {
    'a list': json(200, []),
    'a text': json(200, 'x'),
    'a number': json(200, 0),
    'an error of another kind': json(200, { error: { code: 'x' } }),
    'a status': json(200, { status: 'failed' }),
  };
  const silent = { nothing: { ...json(200, {}), body: '' }, null: json(200, null), '{}': json(200, {}) };

  /** A world with a record of each kind, and the words that change each. */
  async function changing(answer: WireResponse, isDone: boolean) {
    const answered = async (_: WireRequest, deliver: () => Promise<WireResponse>) => {
      if (isDone) await deliver();
      return answer;
    };
    const faults = { ConfirmOrder: answered, DeleteCustomer: answered, CreateRelationship: answered };
    const world = await worldWith(faults, 9);
    const { post, shop: own } = world.service;
    const made = async (id: string, body: object): Promise<string> => (await post(id, body, own.apiKey)).body.id;
    const orderId = await made('shop.Order/CreateOrder', orderFields);
    const customer = await made('shop.Customer/CreateCustomer', { full_name: 'Lan', phone: '0901234567' });
    const group = await made('shop.CustomerGroup/CreateGroup', { name: 'Buyers' });
    const lines: Readonly<Record<string, readonly string[]>> = {
      'orders confirm': ['orders', 'confirm', orderId],
      'groups members add': ['groups', 'members', 'add', '--customer-id', customer, '--group-id', group],
      'customers delete': ['customers', 'delete', customer],
    };
    return { world, lines };
  }

  it.each(Object.entries(foreign))('is unknown after %s, and read back where it can be', async (_, answer) => {
    const { world, lines } = await changing(answer, false);
    for (const [command, words] of Object.entries(lines)) {
      const { exit, stderr } = await run(world, [...words, ...shop]);
      expect([command, exit, errorOf(stderr).outcome]).toEqual([command, 10, 'unknown']);
    }
    const done = await changing(answer, true);
    expect((await run(done.world, [...(done.lines['customers delete'] ?? []), ...shop])).exit).toBe(0);
  });

  it.each(Object.entries(silent))('is done after %s', async (_, answer) => {
    const { world, lines } = await changing(answer, true);
    for (const words of Object.values(lines)) expect((await run(world, [...words, ...shop])).exit).toBe(0);
  });
});
