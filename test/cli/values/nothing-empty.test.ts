import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderFields } from '../../support/sandbox-order.ts';
import { shopWorld } from '../../support/shop-world.ts';

describe('a record without content', () => {
  it.each([
    ['products', 'create', '--name'],
    ['collections', 'create', '--name'],
  ])('is not made by %s %s, whose %s is required', async (...[group, verb, flag]) => {
    const { run, service } = await shopWorld();
    const area = group === 'products' ? 'shop.Product/ListProducts' : 'shop.ProductCollection/ListCollections';
    const count = async () => Object.values((await service.post(area, {}, service.shop.apiKey)).body).flat().length;
    const before = await count();
    for (const more of [[], [flag, ' ']]) {
      const { exit, stderr } = await run([group, verb, ...more, '--profile', 'shop']);
      expect([exit, stderr]).toEqual([2, expect.stringContaining(flag)]);
    }
    expect(await count()).toBe(before);
  });
});

describe('a field that a create requires', () => {
  it.each([
    ['customers', 'full-name'],
    ['customers', 'phone'],
    ['products', 'name'],
    ['collections', 'name'],
    ['groups', 'name'],
  ])('cannot be cleared by an update: %s --%s', async (group, flag) => {
    const { run } = await shopWorld();
    const { exit, stderr } = await run([group, 'update', '1', `--${flag}`, ' ', '--profile', 'shop']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`${flag} must not be empty`)]);
  });

  it('is refused by the sandbox, too', async () => {
    const { service } = await shopWorld();
    const key = service.shop.apiKey;
    const lan = { full_name: 'Lan', phone: '0912345678' };
    const { body: one } = await service.post('shop.Customer/CreateCustomer', lan, key);
    for (const changes of [{ full_name: '' }, { full_name: ' ' }, { phone: '' }]) {
      const { status, body } = await service.post('shop.Customer/UpdateCustomer', { id: one.id, ...changes }, key);
      expect([status, body.code]).toEqual([400, 'invalid_argument']);
    }
    const note = await service.post('shop.Customer/UpdateCustomer', { id: one.id, note: '' }, key);
    expect([note.status, note.body.full_name]).toEqual([200, one.full_name]);
  });
});

describe('a position that takes an id', () => {
  it.each(['9223372036854775808', '-1', '0', '0912345678', 'KH000001', '1.5'])(
    'refuses %s by its own name',
    async (text) => {
      const { run } = await shopWorld();
      const { exit, stderr } = await run(['groups', 'get', '--profile', 'shop', '--', text]);
      expect(exit).toBe(2);
      expect(stderr).toContain(`id "${text}" is not a 64-bit integer id`);
      expect(stderr).toContain('hint: an id is digits alone');
      expect(stderr).toContain(`shopctl groups list --match ${text}`);
      expect(stderr).not.toContain('--id');
    },
  );
});

describe('a name of an order with a character that nobody sees', () => {
  it.each(['\u200b', 'SO-1\u200b', '\u2060SO-1'])('is refused, in a file and by its flag: %j', async (name) => {
    const { run, directory, service } = await shopWorld();
    const path = join(directory, 'order.json');
    writeFileSync(path, JSON.stringify({ ...orderFields, external_id: name }));
    const whole = JSON.stringify(orderFields);
    for (const [words, stdin] of [
      [['--input', path], ''],
      [['--input', '-', '--external-id', name], whole],
    ] as const) {
      const { exit, stderr } = await run(['orders', 'create', ...words, '--profile', 'shop'], { stdin });
      expect([exit, stderr]).toEqual([2, expect.stringMatching(/external.id has a character that cannot be seen/)]);
    }
    expect((await service.post('shop.Order/ListOrders', {}, service.shop.apiKey)).body.orders).toEqual([]);
  });
});
