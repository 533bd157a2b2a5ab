import { describe, expect, it } from 'vitest';
import { shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';

/** A machine with two shops' own keys, one profile each, and how many groups a shop has. */
async function twoShops() {
  const world = await shopWorld();
  const { service } = world;
  const { shop, otherShop } = service;
  const settings = await world.settings();
  await world.save({
    ...settings,
    profiles: {
      ...settings.profiles,
      first: { ...settings.profiles.shop, shop_names: { [shop.id]: 'Trà Sen' } } as never,
      second: { kind: 'shop', base_url: 'http://127.0.0.1:4010', api_key: otherShop.apiKey },
    },
  });
  const groups = async (key: string) =>
    (await service.post('shop.CustomerGroup/ListGroups', {}, key)).body.customer_groups.length;
  return { ...world, shop, otherShop, groups };
}

describe('--shop with a key of another shop', () => {
  it('is refused before anything is sent, by flag and by variable', async () => {
    const { run, shop, otherShop, groups } = await twoShops();
    const before = await groups(shop.apiKey);
    const create = ['groups', 'create', '--name', 'Khách quen', '--profile', 'first', '-o', 'json'];
    const tries = [
      run([...create, '--shop', otherShop.id]),
      run([...create, '--shop', otherShop.name]),
      run([...create, '--shop', 'nonsense']),
      run([...create, '--shop', otherShop.id, '--dry-run']),
      run(create, { env: { SHOPCTL_SHOP: otherShop.id } }),
    ];
    for (const { exit, stdout, stderr } of await Promise.all(tries)) {
      expect(errorOf(stderr)).toMatchObject({ code: 'shop_mismatch', exit_code: 4, outcome: 'not_applied' });
      expect({ exit, stdout }).toEqual({ exit: 4, stdout: '' });
    }
    expect(await groups(shop.apiKey)).toBe(before);
  });

  it('names both shops, and the profile that has the key of the other', async () => {
    const { run, otherShop } = await twoShops();
    const { stderr } = await run(['account', 'show', '--profile', 'first', '--shop', otherShop.id]);
    expect(stderr).toContain(`Trà Sen`);
    expect(stderr).toContain(`--profile second`);
  });

  it('is refused with keys from the environment too', async () => {
    const { run, shop, otherShop, service } = await twoShops();
    const own = { SHOPCTL_API_KEY: shop.apiKey, SHOPCTL_AS: 'shop' };
    expect(await run(['account', 'show', '--shop', otherShop.id], { env: own })).toMatchObject({ exit: 4 });
    const ofPartner = { SHOPCTL_SHOP_KEY: service.shopKey };
    const services = ['shipping', 'get', '--id', '1', '--shop', otherShop.id];
    const { exit, stderr } = await run(services, { env: ofPartner });
    expect({ exit, stderr }).toMatchObject({ exit: 4, stderr: expect.stringContaining(otherShop.id) });
  });

  it('is refused before a batch, a parcel and a draft are begun', async () => {
    const { run, otherShop } = await twoShops();
    const wrong = ['--profile', 'first', '--shop', otherShop.id, '-o', 'json'];
    const rows = '{"name":"Khách quen"}\n';
    const words = ['batch', 'run', '-', '--format', 'jsonl', '--do', 'groups create', '--yes', ...wrong];
    const batch = await run(words, { stdin: rows });
    expect(errorOf(batch).code).toBe('shop_mismatch');
    expect(JSON.parse((await run(['batch', 'list', '-o', 'json', '--profile', 'first'])).stdout)).toEqual([]);
  });

  it('is honoured for the shop of the key, by id, by name, and by name without diacritics', async () => {
    const { run, shop } = await twoShops();
    for (const named of [shop.id, 'Trà Sen', 'tra sen']) {
      const { exit, stdout } = await run(['account', 'show', '--profile', 'first', '--shop', named, '-o', 'json']);
      expect({ exit, id: JSON.parse(stdout).id }).toEqual({ exit: 0, id: shop.id });
    }
  });
});

describe('the name of a shop', () => {
  it('is known without diacritics; another one is answered with the nearest, and with all', async () => {
    const { run, save, settings, shop, otherShop, service } = await twoShops();
    const { test, ...others } = (await settings()).profiles;
    const signedIn = {
      [shop.id]: { name: 'Trà Sen', shop_key: service.shopKey },
      [otherShop.id]: { name: 'Gốm Bát', shop_key: await service.signIn(otherShop.id) },
    };
    await save({
      version: 1,
      current_profile: 'test',
      profiles: { ...others, test: { ...test, shops: signedIn } as never },
    });
    expect(await run(['auth', 'use', 'gom bat'])).toMatchObject({ exit: 0 });
    expect((await settings()).profiles.test?.current_shop).toBe(otherShop.id);

    const near = await run(['shipping', 'get', '--id', '1', '--shop', 'Gom Bt']);
    expect({ exit: near.exit, stderr: near.stderr }).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('Gốm Bát'),
    });
    const used = await run(['auth', 'use', 'Second']);
    expect(used.exit).toBe(3);
    for (const name of ['Trà Sen', 'Gốm Bát']) expect(used.stderr).toContain(name);
  });
});

it('is refused with the key of a partner, which is for all of its shops', async () => {
  const { run, service } = await shopWorld();
  const { shop } = service;
  const target = ['--url', 'http://127.0.0.1:9/hook', '--entities', 'order'];
  const tries = [
    run(['webhooks', 'list', '--shop', shop.id, '-o', 'json']),
    run(['webhooks', 'list', '-o', 'json'], { env: { SHOPCTL_SHOP: shop.id } }),
    run(['webhooks', 'create', ...target, '--shop', shop.name, '-o', 'json']),
    run(['webhooks', 'status', '--shop', shop.id, '-o', 'json']),
    run(['api', 'partner.Webhook/GetWebhooks', '--shop', shop.id, '-o', 'json']),
  ];
  for (const { exit, stderr } of await Promise.all(tries)) {
    expect([exit, errorOf(stderr).message]).toEqual([2, expect.stringContaining('all of its shops')]);
  }
  const { stdout } = await run(['webhooks', 'list', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual([]);
});
