import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manyOrders } from '../../batch/batch-world.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { shopWorld } from '../../support/shop-world.ts';

/** A partner that acts for two shops, of which only the first has records here. */
async function partnerOfTwo() {
  const world = await shopWorld();
  const { shop, otherShop, signIn } = world.service;
  const settings = await world.settings();
  const { test } = settings.profiles;
  const shops = { ...test?.shops, [otherShop.id]: { name: otherShop.name, shop_key: await signIn(otherShop.id) } };
  await world.save({ ...settings, profiles: { ...settings.profiles, test: { ...test, shops } as never } });
  const ofFirst = ['--shop', shop.id];
  const ofOther = ['--shop', otherShop.id];
  const json = async (words: readonly string[]) => JSON.parse((await world.run([...words, '--json'])).stdout);
  const errorOf = async (words: readonly string[]) => {
    const { exit, stderr } = await world.run([...words, '--json']);
    return exit === 0 ? undefined : JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
  };
  return { ...world, ofFirst, ofOther, json, errorOf };
}

describe('--shop with a name of what belongs to another shop', () => {
  it('is refused for a batch, which is neither shown nor forgotten', async () => {
    const { run, directory, ofFirst, ofOther, json, errorOf } = await partnerOfTwo();
    writeFileSync(join(directory, 'orders.csv'), manyOrders(1));
    expect((await run(['batch', 'run', 'orders.csv', '--yes', ...ofFirst])).exit).toBe(0);
    const [{ batch }] = await json(['batch', 'list']);
    for (const words of [
      ['batch', 'show', batch],
      ['batch', 'rows', batch],
      ['batch', 'result', batch, '--to', 'result.csv'],
      ['wait', 'batch', batch],
      ['batch', 'forget', batch, '--yes'],
    ]) {
      const error = await errorOf([...words, ...ofOther]);
      expect([words, error]).toMatchObject([
        words,
        {
          message: expect.stringContaining('belongs to another account'),
          exit_code: 2,
          hint: expect.stringContaining('add --profile test'),
        },
      ]);
    }
    const [{ id }] = await json(['batch', 'rows', batch, ...ofFirst]);
    expect(await json(['batch', 'find', id, ...ofOther])).toEqual([]);
    expect(await json(['batch', 'find', id, ...ofFirst])).toHaveLength(1);
    expect((await run(['batch', 'forget', batch, '--yes', ...ofFirst])).exit).toBe(0);
  });

  it('stands in what continues a batch of another shop than the one in use, and is not said of that', async () => {
    const { run, directory, service, ofFirst, ofOther, json } = await partnerOfTwo();
    writeFileSync(join(directory, 'orders.csv'), manyOrders(1));
    await service.sandbox.control.faults.add({
      operation: 'partner.Shipping/CreateAndConfirmOrder',
      every: 1,
      do: 'status=400,code=invalid_argument',
    });
    await run(['batch', 'run', 'orders.csv', '--yes', '--max-retries', '0', ...ofOther]);
    const [{ next, batch }] = await json(['batch', 'list']);
    expect(next).toMatch(new RegExp(`^shopctl batch \\w+ ${batch}.* --shop ${service.otherShop.id}`));
    expect((await run(['batch', 'list', '-o', 'jsonl'])).stdout).toContain(`--shop ${service.otherShop.id}`);
    expect((await json(['batch', 'show', batch, ...ofOther])).next.match(/--shop/g)).toHaveLength(1);
    await run(['profiles', 'use', 'test']);
    await run(['batch', 'run', 'orders.csv', '--yes', '--again', '--max-retries', '0', ...ofFirst]);
    const own = (await json(['batch', 'list', ...ofFirst])).map((one: { next: string }) => one.next);
    expect(own.join()).not.toContain(service.otherShop.id);
  });

  it('is refused for an unclear write and its draft, which are neither settled nor removed', async () => {
    const { run, directory, service, ofFirst, ofOther, json, errorOf } = await partnerOfTwo();
    const file = join(directory, 'order.json');
    writeFileSync(file, JSON.stringify(await quotedOrder(service)));
    const { faults } = service.sandbox.control;
    await faults.add({ operation: 'partner.Shipping/CreateAndConfirmOrder', once: true, do: 'drop-after-commit' });
    await faults.add({ operation: 'partner.Shipping/GetOrder', every: 1, do: 'status=500' });
    const ship = ['ship', '--input', file, '--yes', '--max-retries', '0'];
    const lost = await run([...ship, ...ofFirst]);
    expect([lost.exit, lost.stderr]).toEqual([10, expect.stringContaining('settle')]);
    const [{ id }] = await json(['ledger', 'list', ...ofFirst]);
    expect(await json(['ledger', 'list', ...ofOther])).toEqual([]);
    for (const words of [
      ['ledger', 'show', id],
      ['ledger', 'settle', id, '--not-done', '--yes'],
      ['ledger', 'settle', id, '--not-done', '--yes', '--dry-run'],
      ['ship', 'drafts', 'show', id],
      ['ship', 'drafts', 'remove', id, '--yes'],
    ]) {
      expect([words, await errorOf([...words, ...ofOther])]).toMatchObject([
        words,
        { message: expect.stringContaining('belongs to another shop'), exit_code: 2 },
      ]);
    }
    expect(await json(['ledger', 'list', ...ofFirst])).toMatchObject([{ id, state: 'unclear' }]);
    expect((await run(['ship', 'drafts', 'show', id, ...ofFirst])).exit).toBe(0);
  });

  it('is refused for the whole mirror, as long as others are in it', async () => {
    const { run, directory, ofFirst, ofOther, json, errorOf } = await partnerOfTwo();
    writeFileSync(join(directory, 'orders.csv'), manyOrders(1));
    expect((await run(['batch', 'run', 'orders.csv', '--yes', ...ofFirst])).exit).toBe(0);
    expect((await run(['mirror', 'sync', ...ofFirst])).exit).toBe(0);
    const count = ['mirror', 'sql', 'select count(*) as n from orders'];
    expect(await json([...count, ...ofFirst])).toEqual([{ n: 1 }]);
    for (const words of [count, ['mirror', 'export', '--to', 'out'], ['mirror', 'forget', '--yes']]) {
      expect([words, await errorOf([...words, ...ofOther])]).toMatchObject([
        words,
        { message: expect.stringContaining('alone was asked for'), exit_code: 2 },
      ]);
    }
    // A variable stands for every command, those that know no shop included.
    const [, other = ''] = ofOther;
    expect((await run(count, { env: { SHOPCTL_SHOP: other } })).exit).toBe(0);
    expect((await run(['mirror', 'forget', '--yes', ...ofFirst])).exit).toBe(0);
  });

  it('is refused where changes of all shops are removed', async () => {
    const { ofOther, errorOf } = await partnerOfTwo();
    const error = await errorOf(['events', 'prune', '--before', '90d', '--yes', ...ofOther]);
    expect(error).toMatchObject({ message: expect.stringContaining('alone was asked for'), exit_code: 2 });
  });
});
