/* A change that was made and answered with 503 or 429, and whose copy is then refused: it is looked up, and never told as not made. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WireResponse } from '../../../src/platform/http/transport.ts';
import { errorAnswer } from '../../support/scripted-transport.ts';
import { type Between, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const away = () => errorAnswer(503, 'unavailable', {}, { 'retry-after': '0' });
const throttled = () => errorAnswer(429, 'resource_exhausted', {}, { 'retry-after': '0' });
const ofContent = () => errorAnswer(400, 'invalid_argument', { field: 'note' });

/** Answers the first sending of an operation as given, after it was done or instead of it, and refuses every later one. */
const refusingCopies =
  (operation: string, { first, isDone }: { readonly first: () => WireResponse; readonly isDone: boolean }): Between =>
  (transport) => {
    let calls = 0;
    return async (request) => {
      if (!request.url.endsWith(`/${operation}`)) return transport(request);
      calls += 1;
      if (calls > 1) return ofContent();
      if (isDone) await transport(request);
      return first();
    };
  };

/** A world in which copies are refused once it is set up. */
async function world() {
  let ruled: Between = (transport) => transport;
  const made = await shopWorld((transport) => (request) => ruled(transport)(request));
  const rule = (between: Between) => {
    let kept: ReturnType<Between> | undefined;
    ruled = (transport) => {
      kept ??= between(transport);
      return kept;
    };
  };
  const call = async (operation: string, body: object) =>
    (await made.service.post(`shop.${operation}`, body, made.service.shop.apiKey)).body;
  const run = (...words: string[]) =>
    made.run([...words, '--profile', 'shop', '-o', 'json'], { clock: steppedClock(made.service.clock.now()) });
  const open = async () => JSON.parse((await run('ledger', 'list')).stdout).length;
  return { ...made, rule, call, run, open };
}

type World = Awaited<ReturnType<typeof world>>;

const lan = { full_name: 'Lan', phone: '0901234567', note: 'old' };

async function rowsOf(service: World, sheet: string, words: string) {
  const path = join(service.directory, 'rows.csv');
  writeFileSync(path, sheet);
  const ran = await service.run('batch', 'run', path, '--do', words, '--yes');
  const { batch } = JSON.parse(ran.stdout);
  const [row] = JSON.parse((await service.run('batch', 'rows', batch)).stdout);
  return { exit: ran.exit, state: row.state, batch };
}

describe.each([
  ['503', away],
  ['429', throttled],
])('an update that was made and answered with %s, and whose copy is refused for its content', (_, first) => {
  const made = { first, isDone: true };

  it('is done by a command, whose record is read', async () => {
    const service = await world();
    const { id } = await service.call('Customer/CreateCustomer', lan);
    service.rule(refusingCopies('UpdateCustomer', made));
    const ran = await service.run('customers', 'update', id, '--note', 'new');
    expect([ran.exit, JSON.parse(ran.stdout || '{}'), await service.open()]).toMatchObject([0, { id, note: 'new' }, 0]);
  });

  it('is done as a row, and its undo gives the old value back', async () => {
    const service = await world();
    const { id } = await service.call('Customer/CreateCustomer', lan);
    service.rule(refusingCopies('UpdateCustomer', made));
    const { batch, ...row } = await rowsOf(service, `id,note\n${id},new\n`, 'customers update');
    expect(row).toEqual({ exit: 0, state: 'done' });
    service.rule(refusingCopies('UpdateCustomer', made));
    expect((await service.run('batch', 'undo', batch, '--yes')).exit).toBe(0);
    expect(await service.call('Customer/GetCustomer', { id })).toMatchObject({ note: 'old' });
  });
});

it('is unknown where its record has something else by then, and the key stays', async () => {
  const service = await world();
  const { id } = await service.call('Customer/CreateCustomer', lan);
  service.rule((transport) => {
    const refusing = refusingCopies('UpdateCustomer', { first: away, isDone: true })(transport);
    return async (request) => {
      const answer = await refusing(request);
      if (answer.status === 503) await service.call('Customer/UpdateCustomer', { id, note: "a colleague's" });
      return answer;
    };
  });
  const ran = await service.run('customers', 'update', id, '--note', 'new');
  const error = errorOf(ran);
  expect([ran.exit, error.outcome, await service.open()]).toEqual([10, 'unknown', 1]);
});

it('is unknown to the run after the one that was killed, where its copy is refused and its record has something else', async () => {
  const service = await world();
  const { id } = await service.call('Customer/CreateCustomer', lan);
  const update = () => service.run('customers', 'update', id, '--note', 'new');
  service.rule(() => async (request) => {
    if (request.url.endsWith('/UpdateCustomer')) return { status: 502, headers: {}, body: '' };
    return errorAnswer(503, 'unavailable');
  });
  expect((await update()).exit).toBe(10);
  service.rule(
    (transport) => async (request) => (request.url.endsWith('/UpdateCustomer') ? ofContent() : transport(request)),
  );
  expect([(await update()).exit, await service.open()]).toEqual([10, 1]);
  await service.call('Customer/UpdateCustomer', { id, note: 'new' });
  expect([(await update()).exit, await service.open()]).toEqual([0, 0]);
});

it('is failed as a row whose record stands as before', async () => {
  const service = await world();
  const { id } = await service.call('Customer/CreateCustomer', lan);
  service.rule(refusingCopies('UpdateCustomer', { first: away, isDone: false }));
  expect(await rowsOf(service, `id,note\n${id},new\n`, 'customers update')).toMatchObject({ exit: 9, state: 'failed' });
});

/** Changes without a name: how each is set up, its words, its operation, and whether it was made. */
const others: Readonly<
  Record<string, (service: World) => Promise<{ words: string[]; operation: string; isMade: () => Promise<boolean> }>>
> = {
  'a member that is added': async ({ call }) => {
    const { id: customer_id } = await call('Customer/CreateCustomer', lan);
    const { id: group_id } = await call('CustomerGroup/CreateGroup', { name: 'VIP' });
    const list = 'CustomerGroupRelationship/ListRelationships';
    return {
      words: ['groups', 'members', 'add', '--customer-id', customer_id, '--group-id', group_id],
      operation: 'CustomerGroupRelationship/CreateRelationship',
      isMade: async () =>
        Object.values(await call(list, { filter: { group_id } }))
          .flat()
          .some((one) => (one as { group_id?: string }).group_id === group_id),
    };
  },
  'a customer that is deleted': async ({ call }) => {
    const { id } = await call('Customer/CreateCustomer', lan);
    return {
      words: ['customers', 'delete', id, '--yes'],
      operation: 'Customer/DeleteCustomer',
      isMade: async () => (await call('Customer/GetCustomer', { id })).code === 'not_found',
    };
  },
};

it.each(Object.entries(others))('looks up %s', async (_, setUp) => {
  for (const isDone of [true, false]) {
    const service = await world();
    const { words, operation, isMade } = await setUp(service);
    service.rule(refusingCopies(operation.split('/')[1] ?? '', { first: away, isDone }));
    const ran = await service.run(...words);
    expect([isDone, ran.exit, await isMade(), await service.open()]).toEqual([
      isDone,
      isDone ? 0 : 10,
      isDone,
      isDone ? 0 : 1,
    ]);
  }
});
