import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allOperations } from '../../src/contract/areas.ts';
import { type Schema, structureOf } from '../../src/contract/schema/structure.ts';
import { manyOrders } from '../batch/batch-world.ts';
import { rows } from '../sandbox/every-operation/every-row.ts';
import { openCallers } from '../support/callers.ts';
import { testMachine } from '../support/context.ts';
import { runnableWords, withWords } from '../support/example-words.ts';
import { plainOrder } from '../support/plain-order.ts';
import { json } from '../support/scripted-transport.ts';
import { shopWorld } from '../support/shop-world.ts';
import { baseUrl } from '../support/signed-in-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';

import { commands, settings } from './every-command/walk.ts';

/** What a service answers that refuses a field. */
const refusal = (field: string, msg: string) => json(400, { code: 'invalid_argument', msg, meta: { field } });

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

/** Every path of a request at which a value stands, with the first element of each list. */
function pathsOf(schema: Schema, at = ''): string[] {
  const structure = structureOf(schema);
  if (structure.kind === 'around') return pathsOf(structure.inner, at);
  if (structure.kind === 'list') return [at, ...pathsOf(structure.item, `${at}[0]`)];
  if (structure.kind !== 'record') return [at];
  const own = Object.entries(structure.fields);
  return own.flatMap(([name, field]) => pathsOf(field, at === '' ? name : `${at}.${name}`));
}

/** One path of each kind in a request: how deep it stands, and what stands around it. */
const ofEachKind = (paths: readonly string[]) => [
  ...new Map(paths.map((path) => [path.replaceAll(/\w+/g, (word) => (/^\d+$/.test(word) ? '0' : 'a')), path])).values(),
];

const operations = await allOperations();

/** Commands of one operation each, by its id; the rest are other ways to the same ones. */
const commandsOf = new Map(
  commands.filter(({ operations: [, more] }) => more === undefined).map((one) => [one.operations[0]?.id, one] as const),
);
const derived = operations.flatMap((operation) => {
  const command = commandsOf.get(operation.id);
  return command === undefined ? [] : [[operation.id, operation, command] as const];
});

describe('a field that the service refused is reported as one that was refused here', () => {
  it('is tried with almost every operation', () => expect(derived.length).toBeGreaterThan(operations.length / 2));

  it.each(derived)('%s', async (_, operation, command) => {
    let path = '';
    const machine = testMachine(async () => refusal(path, `${path} is not allowed here`));
    const isOwn = operation.credential === 'shop-api-key';
    await machine.save({ ...settings, current_profile: isOwn ? 'sandbox-shop' : 'test' });
    const words = withWords(runnableWords(command), ['-o', 'json', '--yes']);
    for (path of ofEachKind(pathsOf(operation.request))) {
      const { exit, stderr } = await machine.run(words, { clock: steppedClock() });
      const { code, field_errors, outcome } = errorOf(stderr);
      expect([path, exit, code, outcome]).toEqual([path, 2, 'invalid_argument', 'not_applied']);
      expect(field_errors).toEqual([{ path, message: 'is not allowed here' }]);
    }
  });
});

describe('whatever a service refuses of a request', () => {
  const refusals = Object.entries(rows).flatMap(([id, { refuses }]) =>
    refuses.filter(({ meta }) => meta?.field !== undefined).map((refused) => [id, refused.because, refused] as const),
  );

  it.each(refusals)('%s: %s', async (id, _, { request, code, meta }) => {
    const { sandbox, first } = await openCallers();
    const machine = testMachine(sandbox.handle);
    const { keys, shopId } = first;
    const shops = { [shopId]: { name: 'Tea', shop_key: keys['shop-key'] } };
    const service = { base_url: baseUrl };
    const { credential } = operations.find((operation) => operation.id === id) ?? {};
    await machine.save({
      version: 1,
      current_profile: credential === 'shop-api-key' ? 'own' : 'test',
      profiles: {
        test: { ...service, kind: 'partner', api_key: keys['partner-api-key'], shops, current_shop: shopId },
        own: { ...service, kind: 'shop', api_key: keys['shop-api-key'] },
      },
    });
    const stdin = JSON.stringify(await request(first));
    const { stderr } = await machine.run(['api', id, '--data', '-', '-o', 'json', '--yes'], { stdin });
    const error = errorOf(stderr);
    // What the path of a request names already is not sent by it.
    if (error.http_status === null) return;
    expect([error.code, error.field_errors]).toMatchObject([code, [{ path: meta?.field }]]);
  });
});

it('has its flag in a text for people, and its path for a program, with the same message', async () => {
  const { run } = await shopWorld(
    (transport) => (request) =>
      request.url.endsWith('/CreateCustomer')
        ? Promise.resolve(refusal('full_name', 'full_name is rude'))
        : transport(request),
  );
  const words = ['customers', 'create', '--full-name', 'Lan', '--phone', '0912345678', '--profile', 'shop'];
  expect((await run(words)).stderr).toContain('shopctl: error: --full-name is rude (invalid_argument)');
  const { field_errors } = errorOf((await run([...words, '-o', 'json'])).stderr);
  expect(field_errors).toEqual([{ path: 'full_name', message: 'is rude' }]);
});

describe('ship', () => {
  it.each([
    ['partner.Shipping/GetShippingServices', 'pickup_address.district', 'shipping.pickup_address.district'],
    ['partner.Shipping/GetShippingServices', 'chargeable_weight', 'shipping.chargeable_weight'],
    ['partner.Shipping/GetShippingServices', 'shipping_address.ward', 'shipping_address.ward'],
    ['partner.Shipping/GetShippingServices', 'basket_value', 'basket_value'],
    ['partner.Shipping/CreateAndConfirmOrder', 'lines[0].retail_price', 'lines[0].retail_price'],
    ['partner.Shipping/CreateAndConfirmOrder', 'shipping.try_on', 'shipping.try_on'],
  ])('calls what %s refuses, %s, as the order does', async (operation, field, path) => {
    const world = await shopWorld(
      (transport) => (request) =>
        request.url.endsWith(operation) ? Promise.resolve(refusal(field, `${field} is refused`)) : transport(request),
    );
    const words = ['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes', '-o', 'json'];
    const { exit, stderr } = await world.run(words, { clock: steppedClock() });
    const error = errorOf(stderr);
    expect([exit, error.field_errors]).toEqual([2, [{ path, message: 'is refused' }]]);
    expect(error.meta.field).toBe(field);
  });
});

describe('a row of a batch', () => {
  /** A batch of four orders: one is good, one has a bad cell, one is refused by its quote, one as it is sent. */
  async function ran() {
    const world = await shopWorld((transport) => async (request) => {
      const field = request.body.includes('0910000003') ? 'lines[0].retail_price' : 'pickup_address.ward';
      const isQuote = request.url.endsWith('/GetShippingServices') && request.body.includes('"chargeable_weight":777');
      const isCreate = request.url.endsWith('/CreateAndConfirmOrder') && request.body.includes('0910000003');
      if (!isQuote && !isCreate) return transport(request);
      return refusal(field, `${field} is not served`);
    });
    const sheet = manyOrders(4).replace('0910000004', '09').split('\n');
    sheet[2] = sheet[2]?.replace('"500"', '"777"') ?? '';
    writeFileSync(join(world.directory, 'orders.csv'), sheet.join('\n'));
    const words = ['batch', 'run', 'orders.csv', '--skip-bad', '--yes', '-o', 'json'];
    const { exit, stdout } = await world.run(words, { clock: steppedClock() });
    expect([exit, JSON.parse(stdout).counts]).toMatchObject([9, { done: 1, failed: 1, skipped: 2 }]);
    return world;
  }

  const expected = [
    [],
    [{ path: 'shipping.pickup_address.ward', message: 'is not served' }],
    [{ path: 'lines[0].retail_price', message: 'is not served' }],
    [{ path: 'line 5, column shipping_address.phone', message: expect.stringContaining('phone number') }],
  ];

  it('says which of its fields was refused, by the service or here, by its path or cell', async () => {
    const world = await ran();
    const { stdout } = await world.run(['batch', 'rows', '-o', 'json']);
    const errors = JSON.parse(stdout).map(({ error }: { error: { field_errors: object[] } | null }) => error);
    expect(errors.map((error: { field_errors: object[] } | null) => error?.field_errors ?? [])).toEqual(expected);
    await world.run(['batch', 'result', '--to', 'result.jsonl']);
    const lines = readFileSync(join(world.directory, 'result.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).result.field_errors)).toEqual(expected);
  });

  it('has none any more once the file was corrected', async () => {
    const world = await ran();
    const { batch } = JSON.parse((await world.run(['batch', 'show', '-o', 'json'])).stdout);
    writeFileSync(join(world.directory, 'corrected.csv'), manyOrders(4).replace('0910000003', '0910000009'));
    const retry = ['batch', 'retry', batch, 'corrected.csv', '--yes', '-o', 'json'];
    const { exit, stdout } = await world.run(retry, { clock: steppedClock() });
    expect([exit, JSON.parse(stdout).counts]).toMatchObject([0, { done: 4 }]);
    const rows = JSON.parse((await world.run(['batch', 'rows', '-o', 'json'])).stdout);
    expect(rows.map(({ error }: { error: unknown }) => error)).toEqual([null, null, null, null]);
  });
});
