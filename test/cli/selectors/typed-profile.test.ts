/* A profile that is typed is meant; what a script left over in the environment is not known to be. */
import { expect, it } from 'vitest';
import { shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';

async function worlds() {
  const world = await shopWorld();
  const { service } = world;
  const order = (await world.run(['orders', 'list', '--profile', 'shop', '--json', '--limit', '1'])).exit;
  expect(order).toBe(0);
  const count = async (key: string) =>
    (await service.post('shop.Customer/ListCustomers', { paging: { limit: 1000 } }, key)).body.customers.length;
  return { ...world, count };
}

const create = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop', '--json'];

it('does not write into another shop by a key that is left over: both are named, nothing is sent', async () => {
  const { run, service, count } = await worlds();
  const { shop, otherShop } = service;
  const before = [await count(shop.apiKey), await count(otherShop.apiKey)];
  const { exit, stdout, stderr } = await run(create, { env: { SHOPCTL_API_KEY: otherShop.apiKey } });
  expect([exit, stdout, errorOf(stderr)]).toMatchObject([
    4,
    '',
    {
      code: 'profile_mismatch',
      message: `SHOPCTL_API_KEY is of ${otherShop.id}, and profile shop of ${shop.id}: nothing was sent`,
      hint: 'unset SHOPCTL_API_KEY, or leave out --profile',
      outcome: 'not_applied',
    },
  ]);
  const preview = await run([...create, '--dry-run'], { env: { SHOPCTL_API_KEY: otherShop.apiKey } });
  expect([preview.exit, preview.stderr]).toEqual([4, stderr]);
  expect([await count(shop.apiKey), await count(otherShop.apiKey)]).toEqual(before);
});

it.each([
  ['SHOPCTL_BASE_URL', 'http://127.0.0.1:1'],
  ['SHOPCTL_AS', 'partner'],
])('does not follow %s away from the profile that was typed', async (name, value) => {
  const { run } = await worlds();
  const { exit, stderr } = await run(create, { env: { [name]: value } });
  expect([exit, errorOf(stderr).message]).toEqual([
    4,
    expect.stringContaining(`${name} is of ${value}, and profile shop of `),
  ]);
});

it('takes a newer key of the same shop, and any key where the profile has none', async () => {
  const { run, service, settings, save } = await worlds();
  const { shop, otherShop } = service;
  const own = { SHOPCTL_API_KEY: shop.apiKey };
  expect((await run(['customers', 'list', '--profile', 'shop'], { env: own })).exit).toBe(0);
  const newer = { SHOPCTL_API_KEY: `${shop.id}:another-secret-of-it` };
  // The service refuses it, since it was never given out: shopctl has sent it.
  expect((await run(['customers', 'list', '--profile', 'shop'], { env: newer })).stderr).not.toContain('is of');
  const before = await settings();
  const { api_key: _, shop_names: __, ...bare } = before.profiles.shop ?? { kind: 'shop' as const, base_url: '' };
  await save({ ...before, profiles: { ...before.profiles, shop: bare } });
  const other = { SHOPCTL_API_KEY: otherShop.apiKey };
  expect((await run(['customers', 'list', '--profile', 'shop'], { env: other })).exit).toBe(0);
});

it('takes the key of the environment before that of a profile that nobody typed', async () => {
  const { run, service } = await worlds();
  const env = { SHOPCTL_API_KEY: service.otherShop.apiKey, SHOPCTL_PROFILE: 'shop' };
  expect((await run(['customers', 'list'], { env })).exit).toBe(0);
});
