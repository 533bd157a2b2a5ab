/* A change takes the key of its record: two never run at once on one, and what nobody knows of is not written over. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Transport, TransportError } from '../../../src/platform/http/transport.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { json } from '../../support/scripted-transport.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const isUpdate = ({ url }: { readonly url: string }) => url.endsWith('/UpdateProduct');

/** How many updates are at the service at once, and how the next one is held. */
function counter() {
  const state = { now: 0, most: 0, whole: 0, before: async () => {}, after: async () => {} };
  const between =
    (transport: Transport): Transport =>
    async (request) => {
      if (!isUpdate(request)) return transport(request);
      state.now += 1;
      state.whole += 1;
      state.most = Math.max(state.most, state.now);
      try {
        await state.before();
        const answer = await transport(request);
        await state.after();
        return answer;
      } finally {
        state.now -= 1;
      }
    };
  return { state, between };
}

async function worldWithProduct() {
  const { state, between } = counter();
  const world = await shopWorld(between);
  const { body } = await world.service.post('shop.Product/CreateProduct', { name: 'Áo' }, world.service.shop.apiKey);
  const id: string = body.id;
  const update = (name: string, ...more: string[]) =>
    world.run(['products', 'update', id, '--name', name, '--profile', 'shop', '--json', ...more], {
      clock: steppedClock(),
    });
  return { world, state, id, update };
}

async function nameOf({ service }: ShopWorld, id: string): Promise<string> {
  return (await service.post('shop.Product/GetProduct', { id }, service.shop.apiKey)).body.name;
}

/** A promise, and what ends it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { opened, open: () => open() };
}

describe('two updates of one record', () => {
  it('never run at once: the second waits, says so, and is sent then', async () => {
    const { world, state, id, update } = await worldWithProduct();
    const [arrived, held] = [gate(), gate()];
    state.before = async () => {
      state.before = async () => {};
      arrived.open();
      await held.opened;
    };
    const first = update('Một');
    await arrived.opened;
    const waits = gate();
    const second = world.run(['products', 'update', id, '--name', 'Hai', '--profile', 'shop'], {
      onStderr: (text) => {
        if (text.includes('waiting')) waits.open();
      },
      clock: { ...steppedClock(), wait: async () => void (await new Promise((done) => setImmediate(done))) },
    });
    await Promise.race([waits.opened, second]);
    expect([state.now, state.whole]).toEqual([1, 1]);
    held.open();
    expect([(await first).exit, (await second).exit, state.most, state.whole]).toEqual([0, 0, 1, 2]);
    expect(await nameOf(world, id)).toBe('Hai');
  });

  it('one after the other block nothing', async () => {
    const { world, state, id, update } = await worldWithProduct();
    expect([(await update('Một')).exit, (await update('Hai')).exit, (await update('Hai')).exit]).toEqual([0, 0, 0]);
    expect([state.whole, await nameOf(world, id)]).toEqual([3, 'Hai']);
    expect((await world.run(['ledger', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it('are not both sent while nobody knows about the first, but the same one is', async () => {
    const { world, state, id, update } = await worldWithProduct();
    state.after = async () => {
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    };
    const lost = await update('Một', '--max-retries', '0');
    state.after = async () => {};
    expect([lost.exit, state.whole]).toEqual([10, 1]);
    const other = await update('Hai');
    expect([other.exit, errorOf(other.stderr), state.whole]).toMatchObject([
      10,
      { code: 'held_by', outcome: 'not_applied' },
      1,
    ]);
    const same = await update('Một');
    expect([same.exit, state.whole]).toEqual([0, 2]);
    expect([(await update('Hai')).exit, await nameOf(world, id)]).toEqual([0, 'Hai']);
  });

  it('are not both sent while nobody knows about the first, and the same one cannot be sent again', async () => {
    const { state, update, world } = await worldWithProduct();
    state.after = async () => {
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    };
    const lost = await update('Một', '--max-retries', '0');
    const { intent } = errorOf(lost.stderr).meta;
    expect(lost.stderr).toContain(`shopctl ledger settle ${intent} --done`);
    state.before = async () => {
      throw new TransportError('refused', 'no', 'no connection');
    };
    const same = await update('Một', '--max-retries', '0');
    expect([same.exit, errorOf(same.stderr)]).toMatchObject([10, { outcome: 'unknown', meta: { intent } }]);
    state.before = async () => {};
    expect(errorOf((await update('Hai')).stderr)).toMatchObject({ code: 'held_by', meta: { intent } });
    expect(JSON.parse((await world.run(['ledger', 'list', '--json'])).stdout)).toMatchObject([{ state: 'unclear' }]);
  });
});

describe('a deletion whose answer was lost', () => {
  it('stays unclear while a repeat is refused for another reason than that nothing is left', async () => {
    const state = { loses: true };
    const world = await shopWorld((transport) => async (request) => {
      if (!request.url.endsWith('/DeleteProduct')) return transport(request);
      if (state.loses) throw new TransportError('closed', 'maybe', 'the connection was closed');
      return json(409, { code: 'already_exists', msg: 'another one has it', meta: {} });
    });
    const made = await world.service.post('shop.Product/CreateProduct', { name: 'Áo' }, world.service.shop.apiKey);
    const words = ['products', 'delete', made.body.id, '--yes', '--profile', 'shop', '--json', '--max-retries', '0'];
    const remove = () => world.run(words, { clock: steppedClock() });
    expect((await remove()).exit).toBe(10);
    state.loses = false;
    const again = await remove();
    expect([again.exit, errorOf(again.stderr)]).toMatchObject([10, { outcome: 'unknown' }]);
    expect(JSON.parse((await world.run(['ledger', 'list', '--json'])).stdout)).toMatchObject([{ state: 'unclear' }]);
  });

  it('is answered as the service answers it when it is repeated, and then leaves nothing to settle', async () => {
    let loses = true;
    const world = await shopWorld((transport) => async (request) => {
      const answer = await transport(request);
      if (!request.url.endsWith('/DeleteProduct') || !loses) return answer;
      throw new TransportError('closed', 'maybe', 'the connection was closed');
    });
    const made = await world.service.post('shop.Product/CreateProduct', { name: 'Áo' }, world.service.shop.apiKey);
    const remove = () =>
      world.run(['products', 'delete', made.body.id, '--yes', '--profile', 'shop', '--json'], {
        clock: steppedClock(),
      });
    expect((await remove()).exit).toBe(10);
    loses = false;
    const again = await remove();
    expect([again.exit, errorOf(again.stderr)]).toMatchObject([3, { code: 'not_found' }]);
    expect((await world.run(['ledger', 'list', '--json'])).stdout).toBe('[]\n');
  });
});

/** A machine whose order may be lost on its way: what it loses now, and the command that makes it. */
async function worldWithOrder() {
  const loses = { now: /^$/ };
  const world = await shopWorld((transport) => async (request) => {
    const answer = await transport(request);
    if (!loses.now.test(request.url)) return answer;
    throw new TransportError('closed', 'maybe', 'the connection was closed');
  });
  const { shipping: _, ...order } = await quotedOrder(world.service);
  const run = (...words: string[]) =>
    world.run([...words, '--profile', 'shop', '--yes', '--json', '--max-retries', '0'], { clock: steppedClock() });
  const create = (more: object = {}) => {
    const path = join(world.directory, 'order.json');
    writeFileSync(path, JSON.stringify({ ...order, ...more }));
    return run('orders', 'create', '--input', path);
  };
  return { world, loses, create, run };
}

it('does not cancel an order whose confirmation may still be applied', async () => {
  const { loses, create, run } = await worldWithOrder();
  const { id } = JSON.parse((await create()).stdout);
  loses.now = /ConfirmOrder$/;
  expect((await run('orders', 'confirm', id)).exit).toBe(10);
  const cancelled = await run('orders', 'cancel', id, '--cancel-reason', 'x');
  expect([cancelled.exit, errorOf(cancelled.stderr).code]).toEqual([10, 'held_by']);
  expect(JSON.parse((await run('orders', 'get', id)).stdout).order.status).not.toBe('N');
});

describe('a record whose create may still be applied', () => {
  const create = ['products', 'create', '--name', 'Mũ', '--external-id', 'MU-1', '--profile', 'shop', '--json'];
  const remove = ['products', 'delete', '--external-id', 'MU-1', '--yes', '--profile', 'shop', '--json'];

  it('is not deleted under its name before that is known', async () => {
    let removals = 0;
    let loses = true;
    const world = await shopWorld((transport) => async (request) => {
      if (request.url.endsWith('/DeleteProduct')) removals += 1;
      const isOfCreate = /(?:Create|Get)Product$/.test(request.url);
      if (isOfCreate && loses) throw new TransportError('closed', 'maybe', 'the connection was closed');
      return transport(request);
    });
    expect((await world.run([...create, '--max-retries', '0'], { clock: steppedClock() })).exit).toBe(10);
    loses = false;
    const refused = await world.run(remove);
    expect([refused.exit, errorOf(refused.stderr).code, removals]).toEqual([10, 'held_by', 0]);
  });

  it('is not cancelled under the name that shopctl gave it either', async () => {
    const { world, loses, create, run } = await worldWithOrder();
    loses.now = /(?:Create|Get)Order$/;
    const made = errorOf((await create()).stderr);
    loses.now = /^$/;
    const cancelled = await run('orders', 'cancel', '--external-id', made.meta.external_id, '--cancel-reason', 'x');
    expect([cancelled.exit, errorOf(cancelled.stderr)]).toMatchObject([
      10,
      { code: 'held_by', meta: { intent: made.meta.intent } },
    ]);
    const { body } = await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey);
    expect(body.orders.map(({ status }: { status: string }) => status)).toEqual(['Z']);
  });

  it('is not deleted under its name by a row either, which waits', async () => {
    const { world, loses, run } = await worldWithOrder();
    loses.now = /(?:Create|Get)Product$/;
    expect((await run(...create)).exit).toBe(10);
    loses.now = /^$/;
    const sheet = join(world.directory, 'delete.csv');
    writeFileSync(sheet, 'external_id\nMU-1\nMU-2\n');
    const ran = await run('batch', 'run', sheet, '--do', 'products delete');
    expect([ran.exit, JSON.parse(ran.stdout).counts]).toMatchObject([10, { done: 0, failed: 1, left: 1 }]);
    expect((await run('products', 'get', '--external-id', 'MU-1')).exit).toBe(0);
    expect((await run(...create)).exit).toBe(0);
    expect((await run('batch', 'resume', JSON.parse(ran.stdout).batch)).exit).toBe(9);
    expect((await run('products', 'get', '--external-id', 'MU-1')).exit).toBe(3);
  });

  it('is settled by the batch if a row made it, and the refusal says so', async () => {
    const { world, loses, run } = await worldWithOrder();
    const sheet = join(world.directory, 'products.csv');
    writeFileSync(sheet, 'name,external_id\nÁo,A-1\n');
    loses.now = /(?:Create|Get)Product$/;
    expect((await run('batch', 'run', sheet, '--do', 'products create', '--max-outage', '1s')).exit).not.toBe(0);
    loses.now = /^$/;
    const removed = await run('products', 'delete', '--external-id', 'A-1');
    expect([removed.exit, errorOf(removed.stderr).code]).toEqual([10, 'held_by']);
    expect(removed.stderr).toContain('shopctl batch resume');
    expect(removed.stderr).not.toContain('ledger settle');
  });

  it('is made again under its name once it was deleted', async () => {
    const world = await shopWorld();
    const made = await world.run(create);
    expect([made.exit, (await world.run(remove)).exit]).toEqual([0, 0]);
    const again = await world.run(create);
    expect(again.exit).toBe(0);
    expect(JSON.parse(again.stdout).id).not.toBe(JSON.parse(made.stdout).id);
  });

  it('is made again under its name once a row has deleted it', async () => {
    const { world, run } = await worldWithOrder();
    const made = await run(...create);
    const sheet = join(world.directory, 'delete.csv');
    writeFileSync(sheet, 'external_id\nMU-1\n');
    expect((await run('batch', 'run', sheet, '--do', 'products delete')).exit).toBe(0);
    const again = await run(...create);
    expect(again.exit).toBe(0);
    expect(JSON.parse(again.stdout).id).not.toBe(JSON.parse(made.stdout).id);
  });

  it.each(['external_id', 'code'])('is made again once it was cancelled by its %s', async (name) => {
    const { create, run } = await worldWithOrder();
    const made = JSON.parse((await create()).stdout);
    const flag = `--${name.replace('_', '-')}`;
    expect((await run('orders', 'cancel', flag, made[name], '--cancel-reason', 'x')).exit).toBe(0);
    const again = await create();
    expect(again.exit).toBe(0);
    expect(JSON.parse(again.stdout).id).not.toBe(made.id);
  });
});
