/* A change takes the key of its record: two never run at once on one, and what nobody knows of is not written over. */
import { describe, expect, it } from 'vitest';
import { type Transport, TransportError } from '../../../src/platform/http/transport.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const isUpdate = ({ url }: { readonly url: string }) => url.endsWith('/UpdateProduct');
const errorOf = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

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

  it('is made again under its name once it was deleted', async () => {
    const world = await shopWorld();
    const made = await world.run(create);
    expect([made.exit, (await world.run(remove)).exit]).toEqual([0, 0]);
    const again = await world.run(create);
    expect(again.exit).toBe(0);
    expect(JSON.parse(again.stdout).id).not.toBe(JSON.parse(made.stdout).id);
  });
});
