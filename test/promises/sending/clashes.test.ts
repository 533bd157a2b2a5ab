/* A name that is taken, with nothing found under it: commands and rows say the same. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWork } from '../../../src/batch/row-work.ts';
import { Pace } from '../../../src/batch/send/pace.ts';
import { type SendingContext, sendRow } from '../../../src/batch/send/send-row.ts';
import { locationTree } from '../../../src/domain/places/place-data.ts';
import { plainOptions } from '../../batch/batch-world.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { plannedRow } from '../../support/planned-row.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { errorAnswer, json, type ScriptedTransport, type Step, scripted } from '../../support/scripted-transport.ts';
import { type Between, type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { testConnection } from '../../support/test-connection.ts';

const hiding: Between = (transport) => async (request) => {
  if (request.url.endsWith('/CreateAndConfirmOrder'))
    return errorAnswer(409, 'already_exists', { duplicated: 'external_id' });
  if (request.url.endsWith('/GetOrder')) return errorAnswer(404, 'not_found');
  return transport(request);
};

const ofShop = ['--yes', '-o', 'json', '--profile', 'shop'];

async function single(world: ShopWorld, changes: object) {
  const words = ['ship', '--input', plainOrder(world, changes), '--pick', 'cheapest', ...ofShop];
  const ran = await world.run(words, { clock: steppedClock() });
  if (ran.exit === 0) return { exit: 0 };
  const error = errorOf(ran);
  return { exit: ran.exit, outcome: error.outcome, code: error.code };
}

async function row(world: ShopWorld, changes: object) {
  const sheet = join(world.directory, 'rows.json');
  writeFileSync(sheet, JSON.stringify([{ ...orderFields, shipping: shippingFields, ...changes }]));
  const ran = await world.run(['batch', 'run', sheet, ...ofShop], { clock: steppedClock() });
  const rows = await world.run(['batch', 'rows', JSON.parse(ran.stdout).batch, '-o', 'json', '--profile', 'shop']);
  const [{ state, error }] = JSON.parse(rows.stdout);
  return { exit: ran.exit, state, code: error?.code };
}

it('is unknown under a name that only this ledger derives', async () => {
  expect(await single(await shopWorld(hiding), {})).toEqual({ exit: 10, outcome: 'unknown', code: 'outcome_unknown' });
  expect(await row(await shopWorld(hiding), {})).toEqual({ exit: 10, state: 'unclear', code: 'outcome_unknown' });
});

it('is a conflict under a given name', async () => {
  const named = { external_id: 'TAKEN-1' };
  expect(await single(await shopWorld(hiding), named)).toEqual({
    exit: 5,
    outcome: 'not_applied',
    code: 'already_exists',
  });
  expect(await row(await shopWorld(hiding), named)).toEqual({ exit: 9, state: 'failed', code: 'already_exists' });
});

/** Refuses a create for too many calls after it was done, once. */
const throttlingLate: Between = (transport) => {
  let calls = 0;
  return async (request) => {
    const answer = await transport(request);
    if (!request.url.endsWith('/CreateAndConfirmOrder')) return answer;
    calls += 1;
    return calls === 1 ? errorAnswer(429, 'resource_exhausted') : answer;
  };
};

it('is its own record that a row finds under its name after it was throttled, and its fee is spent', async () => {
  for (const changes of [{}, { external_id: 'LATE-1' }]) {
    expect(await row(await shopWorld(throttlingLate), changes)).toEqual({ exit: 0, state: 'done', code: undefined });
  }
});

it.each([
  [
    'for the moment after it was throttled',
    errorAnswer(429, 'resource_exhausted'),
    errorAnswer(412, 'failed_precondition'),
  ],
  [
    'for its content after it was throttled',
    errorAnswer(429, 'resource_exhausted'),
    errorAnswer(400, 'invalid_argument'),
  ],
  [
    'for its content after the service was away',
    errorAnswer(503, 'unavailable', {}, { 'retry-after': '0' }),
    errorAnswer(400, 'invalid_argument'),
  ],
])('is no proof that nothing was made when a copy of it is refused %s', async (_, first, second) => {
  const refusing = (made: { count: number }): Between => {
    let calls = 0;
    return (transport) => async (request) => {
      if (!request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
      calls += 1;
      if (calls === 2) return second;
      const answer = await transport(request);
      made.count += answer.status === 200 ? 1 : 0;
      return calls === 1 ? first : answer;
    };
  };
  for (const changes of [{}, { external_id: 'LATE-2' }]) {
    const made = { count: 0 };
    expect(await row(await shopWorld(refusing(made)), changes)).toEqual({ exit: 0, state: 'done', code: undefined });
    expect(await single(await shopWorld(refusing(made)), changes)).toEqual({ exit: 0 });
    expect(made.count).toBe(2);
  }
});

it('is looked up where a gateway has delivered it twice and the second answer cannot be read', async () => {
  const twice: Between = (transport) => async (request) => {
    const answer = await transport(request);
    if (!request.url.endsWith('/CreateAndConfirmOrder')) return answer;
    return { ...(await transport(request)), headers: { 'content-type': 'text/html' }, body: '<html>409</html>' };
  };
  const world = await shopWorld(twice);
  const ran = await world.run(['ship', '--input', plainOrder(world), '--pick', 'cheapest', ...ofShop]);
  expect(ran.exit).toBe(0);
  expect(await row(await shopWorld(twice), {})).toEqual({ exit: 0, state: 'done', code: undefined });
});

it.each([
  [400, '{"code":"inva'],
  [403, '<html>blocked</html>'],
  [404, ''],
  [413, '<html>too large</html>'],
  [422, 'null'],
])('is looked up where it was done and answered with a %i of which nothing can be read', async (status, body) => {
  const over: Between = (transport) => async (request) => {
    const answer = await transport(request);
    if (!request.url.endsWith('/CreateAndConfirmOrder')) return answer;
    return { status, headers: { 'content-type': 'text/html' }, body };
  };
  const world = await shopWorld(over);
  const ran = await world.run(['ship', '--input', plainOrder(world), '--pick', 'cheapest', ...ofShop]);
  expect([ran.exit, JSON.parse(ran.stdout).order.external_id]).toEqual([0, expect.stringMatching(/^shopctl-/)]);
  expect(await row(await shopWorld(over), {})).toEqual({ exit: 0, state: 'done', code: undefined });
});

/** What is created with a code of its own, and how many of them the service has. */
const coded = {
  'orders create': ['CreateOrder', { ...orderFields, external_code: 'CODE-1' }, 'Order/ListOrders'],
  'products create': ['CreateProduct', { name: 'Mũ', code: 'CODE-1' }, 'Product/ListProducts'],
  'customers create': ['CreateCustomer', { full_name: 'Lan', phone: '0901234567' }, 'Customer/ListCustomers'],
} as const;

/** Answers a create by the refusal of another field's value, after it was done or instead of it. */
const refusingCode =
  (operation: string, isDone: boolean): Between =>
  (transport) =>
  async (request) => {
    if (!request.url.endsWith(`/${operation}`)) return transport(request);
    if (isDone) await transport(request);
    return errorAnswer(409, 'already_exists', { duplicated: 'code' });
  };

describe.each(Object.entries(coded))('%s, refused since a code is taken', (words, [operation, fields, list]) => {
  const create = async (isDone: boolean, opener: 'command' | 'row', changes: object) => {
    const world = await shopWorld(refusingCode(operation, isDone));
    const { post, shop } = world.service;
    const count = async () =>
      (Object.values((await post(`shop.${list}`, {}, shop.apiKey)).body)[0] as unknown[]).length;
    const before = await count();
    const path = join(world.directory, 'records.json');
    const record = { ...fields, ...changes };
    writeFileSync(path, JSON.stringify(opener === 'row' ? [record] : record));
    const ask = opener === 'row' ? ['batch', 'run', path, '--do', words] : [...words.split(' '), '--input', path];
    const ran = await world.run([...ask, ...ofShop], { clock: steppedClock(world.service.clock.now()) });
    const open = JSON.parse((await world.run(['ledger', 'list', '--json'])).stdout);
    return { exit: ran.exit, made: (await count()) - before, open: open.length };
  };

  it.each([{}, { external_id: 'GIVEN-1' }])('is there by its own name after a second delivery: %j', async (changes) => {
    for (const opener of ['command', 'row'] as const)
      expect([opener, await create(true, opener, changes)]).toEqual([opener, { exit: 0, made: 1, open: 0 }]);
  });

  it.each([{}, { external_id: 'GIVEN-1' }])('is refused where nothing has its own name: %j', async (changes) => {
    expect(await create(false, 'command', changes)).toEqual({ exit: 5, made: 0, open: 0 });
    expect(await create(false, 'row', changes)).toEqual({ exit: 9, made: 0, open: 0 });
  });
});

/** What a row is sent with over a script, by whoever has it as long as `owns` says so. */
async function sendingOver(script: ScriptedTransport, owns = () => true): Promise<SendingContext> {
  const connection = testConnection(script.transport, { maxRetries: 0 });
  const { clock, random } = connection;
  return {
    work: await findWork('ship', 'shop'),
    options: plainOptions,
    connection,
    pace: new Pace({ tell: () => {}, maxOutageMs: 1_000, clock, random }),
    tree: locationTree,
    elsewhere: async () => undefined,
    owns,
    begunAt: new Date(clock.now()).toISOString(),
    rewrite: async () => false,
  };
}

it('does not send a row again after a pause that somebody else has claimed meanwhile', async () => {
  const script = scripted(errorAnswer(429, 'resource_exhausted'));
  const context = await sendingOver(script, () => script.calls().length === 0);
  const left = await sendRow(context, plannedRow(1, 1), false);
  expect([script.calls(), left]).toMatchObject([['shop.Shipping/CreateAndConfirmOrder'], { maybeSent: true }]);
});

it('sends a row of an earlier run again whose name only an order of long ago has had', async () => {
  const row = plannedRow(1, 1, { payload: '{"external_id":"SO-1"}' });
  const ended = (created_at: string) => json(200, { id: '1', external_id: row.name, status: 'N', created_at });
  const calls = async (...steps: Step[]) => {
    const script = scripted(...steps);
    const sent = await sendRow(await sendingOver(script), row, true);
    return [script.calls().length, 'outcome' in sent && sent.outcome.state];
  };
  expect(await calls(ended('2001-01-01T00:00:00Z'), json(200, { id: '2', external_id: row.name }))).toEqual([
    2,
    'done',
  ]);
  expect(await calls(ended('2999-01-01T00:00:00Z'))).toEqual([1, 'failed']);
});
