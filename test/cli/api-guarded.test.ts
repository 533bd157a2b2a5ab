import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { orderFields } from '../support/sandbox-order.ts';
import { errorAnswer } from '../support/scripted-transport.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf } from '../support/stderr-lines.ts';

const api = (path: string, request: object) => ['api', path, '--data', JSON.stringify(request), '--profile', 'shop'];

it('a change that is called by its path waits for the record’s key, and is not sent while an outcome is open', async () => {
  const sent: string[] = [];
  const world = await shopWorld((transport) => async (request) => {
    sent.push(request.url.split('/').at(-1) ?? '');
    return transport(request);
  });
  const made = await world.run([
    'customers',
    'create',
    '--full-name',
    'Lan',
    '--phone',
    '0901234567',
    '--profile',
    'shop',
    '-o',
    'name',
  ]);
  const id = made.stdout.trim();
  await world.service.sandbox.control.faults.add({
    operation: 'shop.Customer/UpdateCustomer',
    once: true,
    do: 'drop-after-commit',
  });
  const lost = await world.run(['customers', 'update', id, '--note', 'one', '--profile', 'shop']);
  expect(lost.exit).toBe(10);
  sent.length = 0;
  const other = await world.run([...api('shop.Customer/UpdateCustomer', { id, note: 'two' }), '--json']);
  expect([other.exit, errorOf(other).code, sent]).toEqual([10, 'held_by', []]);
  // The same change once more has the same effect.
  const same = await world.run(api('shop.Customer/UpdateCustomer', { id, note: 'one' }));
  expect([same.exit, sent]).toEqual([0, ['UpdateCustomer']]);
  expect((await world.run(api('shop.Customer/UpdateCustomer', { id, note: 'two' }))).exit).toBe(0);
});

it('a create by its path is guarded by nothing, and says so', async () => {
  const world = await shopWorld();
  const words = api('shop.CustomerGroup/CreateGroup', { name: 'Buyers' });
  for (const { exit, stderr } of [await world.run(words), await world.run(words)]) {
    expect([exit, stderr]).toEqual([0, 'nothing guards this write: the same once more may make another one\n']);
  }
});

const ORDER = 'shop.Order/CreateOrder';

/** A world that counts what is sent, and answers so to the first creates of orders. */
async function orderWorld(...answers: readonly ('lost' | 'unavailable' | 'refused')[]) {
  const bodies: { readonly external_id?: string }[] = [];
  const left = [...answers];
  const world = await shopWorld((transport) => async (request) => {
    if (!request.url.endsWith('/CreateOrder')) return transport(request);
    bodies.push(JSON.parse(request.body));
    const answer = left.shift();
    if (answer === 'refused') return errorAnswer(400, 'invalid_argument');
    const given = await transport(request);
    if (answer === 'lost') throw new TransportError('closed', 'maybe', 'the connection was closed');
    return answer === 'unavailable' ? errorAnswer(503, 'unavailable') : given;
  });
  const live = async () => {
    const { post, shop } = world.service;
    return (await post('shop.Order/ListOrders', {}, shop.apiKey)).body.orders.length;
  };
  return { world, bodies, live };
}

describe.each([ORDER, `/${ORDER}`, `/v1/${ORDER}`, `v1/${ORDER}`])('an order that is made by the path %s', (path) => {
  it('has a name, is looked up by it, and is known to its command', async () => {
    const { world, bodies, live } = await orderWorld('lost');
    const made = await world.run(api(path, orderFields));
    expect([made.exit, await live()], made.stderr).toEqual([0, 1]);
    const names = bodies.map(({ external_id }) => external_id);
    expect(names[0]).toMatch(/^shopctl-/);
    expect(JSON.parse(made.stdout).external_id).toBe(names[0]);
    const again = await world.run([...api(ORDER, orderFields), '--json']);
    expect([again.exit, errorOf(again).code, await live()]).toEqual([5, 'sent_before', 1]);
    expect([(await world.run([...api(path, orderFields), '--again'])).exit, await live()]).toEqual([0, 2]);
  });

  it('is not refused after an answer that may have made it', async () => {
    const { world, live } = await orderWorld('unavailable', 'refused');
    const { exit } = await world.run(api(path, { ...orderFields, external_id: 'N-1' }));
    expect([exit, await live()]).toEqual([0, 1]);
  });

  it('is shown by a dry run under the name that is sent', async () => {
    const { world, bodies } = await orderWorld();
    // The ledger exists by then, which the name is derived with.
    await world.run(api('shop.Customer/CreateCustomer', { full_name: 'Lan', phone: '0901234567' }));
    const shown = JSON.parse((await world.run([...api(path, orderFields), '--dry-run'])).stdout).body;
    expect(bodies).toEqual([]);
    await world.run(api(path, orderFields));
    expect(bodies).toEqual([shown]);
  });

  it.each([
    ['a field that is unknown', { ...orderFields, nonsense: 1 }],
    ['a total that does not add up', { ...orderFields, total_amount: 1 }],
    ['no record', [orderFields]],
  ])('is refused by a dry run, as by its command, with %s', async (_, request) => {
    const { world, bodies } = await orderWorld();
    for (const more of [[], ['--dry-run']]) expect((await world.run([...api(path, request), ...more])).exit).toBe(2);
    expect(bodies).toEqual([]);
  });
});

it('another one is asked for by its path of what can have a name alone', async () => {
  const world = await shopWorld();
  const ran = await world.run([...api('shop.CustomerGroup/CreateGroup', { name: 'Buyers' }), '--again']);
  expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('external_id')]);
});
