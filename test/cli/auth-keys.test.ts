import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { testMachine } from '../support/context.ts';
import { json, scripted } from '../support/scripted-transport.ts';
import { baseUrl, type PartnerWorld, partnerWorld } from '../support/signed-in-world.ts';
import { errorOf, noticeText } from '../support/stderr-lines.ts';

/** A world whose two shops are both signed in; the second is the one that is acted for. */
async function twoShops(): Promise<PartnerWorld & { readonly ids: readonly [string, string] }> {
  const world = await partnerWorld();
  const { shop, otherShop } = world.service;
  await world.service.signIn(otherShop.id);
  for (const { id, name } of [shop, otherShop]) {
    const { exit } = await world.run(['auth', 'login', '--shop-id', id, '--name', name]);
    expect(exit).toBe(0);
  }
  return { ...world, ids: [shop.id, otherShop.id] };
}

describe('auth status', () => {
  it('tells of each key whether the service accepts it', async () => {
    const { ids, run, service } = await twoShops();
    await service.sandbox.control.unlink(ids[0]);
    const { exit, stdout } = await run(['auth', 'status', '--json']);
    expect(exit).toBe(4);
    const rows = JSON.parse(stdout);
    expect(rows).toMatchObject([
      { credential: 'partner-api-key', shop_id: null, current: null, from: 'profile' },
      { credential: 'shop-key', shop_id: ids[0], name: 'Demo Shop', current: false, works: false },
      { credential: 'shop-key', shop_id: ids[1], current: true, works: true, since: '2026-01-31T08:00:00Z' },
    ]);
    expect(rows[1].problem).not.toBe(null);
    expect(stdout).not.toContain(service.partner.apiKey);
    expect(stdout).not.toContain(service.shopKey);
  });

  it('asks nobody with --offline or as a dry run', async () => {
    const { transport, requests } = scripted();
    const machine = testMachine(transport);
    const shops = { 42: { shop_key: 'shop42:some-secret-key' } };
    const profile = { kind: 'partner', base_url: baseUrl, api_key: '1:some-secret-key', shops } as const;
    await machine.save({ version: 1, current_profile: 'p', profiles: { p: profile } });
    for (const flag of ['--offline', '--dry-run', '--curl']) {
      const { exit, stdout } = await machine.run(['auth', 'status', flag, '--json']);
      expect(exit).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject([
        { works: null, key: '***-key' },
        { works: null, shop_id: '42' },
      ]);
    }
    expect(requests).toEqual([]);
  });

  it('asks once and exits with 7 when the service cannot be reached', async () => {
    const world = await twoShops();
    const { transport, requests } = scripted(new TransportError('refused', 'no', 'connection refused'));
    const machine = testMachine(transport);
    await machine.save(await world.settings());
    const { exit, stdout } = await machine.run(['auth', 'status', '--json', '--max-retries', '0']);
    expect(exit).toBe(7);
    expect(requests).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject(Array(3).fill({ works: null, problem: 'connection refused' }));
  });

  it.each([
    [13, json(502, 'bad gateway')],
    [13, json(503, { code: 'unavailable', msg: 'down', meta: {} })],
    [13, json(200, 'no account')],
    [6, json(429, { code: 'resource_exhausted', msg: 'slower', meta: {} })],
    [4, json(401, { code: 'unauthenticated', msg: 'no', meta: {} })],
  ])('exits with %i where the service answers a key so', async (code, answer) => {
    const machine = testMachine(async () => answer);
    const profile = { kind: 'shop', base_url: baseUrl, api_key: '1:some-secret-key' } as const;
    await machine.save({ version: 1, current_profile: 'p', profiles: { p: profile } });
    const { exit, stdout } = await machine.run(['auth', 'status', '--json', '--max-retries', '0']);
    expect(JSON.parse(stdout)).toMatchObject([{ works: code === 4 ? false : null }]);
    expect(exit).toBe(code);
  });

  it('sends no key to another origin than its own', async () => {
    const { run } = await twoShops();
    const { stdout } = await run(['auth', 'status', '--json', '--base-url', 'http://127.0.0.1:1']);
    for (const row of JSON.parse(stdout)) expect(row).toMatchObject({ works: null, problem: /belongs to/ });
  });

  it('shows the keys of the environment, and exits with 4 when there is none at all', async () => {
    const { service } = await partnerWorld();
    const machine = testMachine(service.sandbox.handle);
    const env = { SHOPCTL_SHOP_KEY: service.shopKey, SHOPCTL_BASE_URL: baseUrl };
    const { exit, stdout } = await machine.run(['auth', 'status', '--json'], { env });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ credential: 'shop-key', from: 'environment', works: true }]);
    const none = await machine.run(['auth', 'status']);
    expect(none.exit).toBe(4);
    expect(none.stderr).toContain('shopctl auth setup');
  });

  it('checks the own key of a shop', async () => {
    const { service } = await partnerWorld();
    const machine = testMachine(service.sandbox.handle);
    const profile = { kind: 'shop', base_url: baseUrl, api_key: '1:not-the-key-of-a-shop' } as const;
    await machine.save({ version: 1, current_profile: 'p', profiles: { p: profile } });
    const { exit, stdout } = await machine.run(['auth', 'status', '--json']);
    expect(exit).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject([{ credential: 'shop-api-key', works: false }]);
  });
});

describe('auth shops, use and logout', () => {
  it('list the shops and change which one is acted for', async () => {
    const { ids, run } = await twoShops();
    const rows = JSON.parse((await run(['auth', 'shops', '--json'])).stdout);
    expect(rows).toMatchObject([
      { shop_id: ids[0], current: false },
      { shop_id: ids[1], current: true },
    ]);
    expect((await run(['auth', 'use', ids[0]])).stderr).toBe(`acting for Demo Shop (${ids[0]})\n`);
    expect((await run(['auth', 'shops', '-o', 'name'])).stdout).toBe(`${ids[0]}\n${ids[1]}\n`);
    expect(JSON.parse((await run(['auth', 'shops', '--json'])).stdout)[0].current).toBe(true);
  });

  it('say how to sign one in where none is', async () => {
    const { run } = await twoShops();
    expect((await run(['auth', 'shops'])).stderr).toBe('');
    await run(['auth', 'logout', '--all']);
    const { exit, stdout, stderr } = await run(['auth', 'shops', '--json']);
    expect([exit, stdout, noticeText(stderr)]).toEqual([
      0,
      '[]\n',
      'no shop is signed in: sign a shop in with `shopctl auth login`\n',
    ]);
  });

  it('take a shop by its name, and none for a name that nobody has', async () => {
    const { ids, run, settings } = await twoShops();
    expect((await run(['auth', 'use', 'demo shop'])).stderr).toBe(`acting for Demo Shop (${ids[0]})\n`);
    expect((await settings()).profiles.test?.current_shop).toBe(ids[0]);
    const look = ['shipping', 'get', '1', '--json', '--shop'];
    for (const [named, key] of [
      ['demo shop', ids[0]],
      [ids[1], ids[1]],
    ] as const) {
      expect(key).toBeDefined();
      const { exit, stderr } = await run([...look, named ?? '']);
      expect([exit, JSON.parse(stderr.split('\n')[0] ?? '').error.code]).toEqual([3, 'not_found']);
    }
    const { exit, stderr } = await run(['auth', 'use', 'No Shop']);
    expect([exit, stderr]).toEqual([3, expect.stringContaining('the shops are: Demo Shop, Second Demo Shop')]);
    expect((await run(['auth', 'logout', 'Demo Shop'])).stderr).toContain(`forgot the key of Demo Shop (${ids[0]})`);
    expect(Object.keys((await settings()).profiles.test?.shops ?? {})).toEqual([ids[1]]);
  });

  it('forget one key, and say what that does not revoke', async () => {
    const { ids, run, settings } = await twoShops();
    const { exit, stderr } = await run(['auth', 'logout']);
    expect(exit).toBe(0);
    expect(stderr).toContain(`forgot the key of Second Demo Shop (${ids[1]})`);
    expect(stderr).toContain('stays valid until the shop removes its link');
    const { test: profile } = (await settings()).profiles;
    expect(Object.keys(profile?.shops ?? {})).toEqual([ids[0]]);
    expect(profile).not.toHaveProperty('current_shop');
  });

  it('forget all keys but the API key', async () => {
    const { run, settings, service } = await twoShops();
    const { stderr } = await run(['auth', 'logout', '--all']);
    expect(stderr).toContain('shopctl profiles remove');
    const { test: profile } = (await settings()).profiles;
    expect(profile).toEqual({ kind: 'partner', base_url: baseUrl, api_key: service.partner.apiKey });
  });

  it('change nothing as a dry run', async () => {
    const { ids, run, settings } = await twoShops();
    const before = await settings();
    expect((await run(['auth', 'use', ids[0], '--dry-run'])).stderr).toContain(
      'nothing was saved, as this was only a preview',
    );
    expect((await run(['auth', 'logout', '--all', '-n'])).exit).toBe(0);
    expect(await settings()).toEqual(before);
  });

  it.each([
    [['auth', 'use', '999'], 'shop 999 is not signed in'],
    [['auth', 'use', '__proto__'], 'shop __proto__ is not signed in'],
    [['auth', 'logout', '999'], 'shop 999 is not signed in'],
    [['auth', 'logout', '999', '--all'], 'either a shop or --all'],
  ])('refuse %j', async (words, message) => {
    const { run } = await twoShops();
    const { exit, stderr } = await run(words);
    expect(exit).toBe(message.startsWith('either') ? 2 : 3);
    expect(stderr).toContain(message);
  });
});

describe('auth token', () => {
  it('prints the key to a terminal after asking', async () => {
    const { run, ids, service } = await twoShops();
    const { exit, stdout, prompter } = await run(['auth', 'token', ids[0]], { terminal: true, answers: [true] });
    expect(exit).toBe(0);
    expect(stdout).toBe(`${service.shopKey}\n`);
    expect(prompter.asked[0]).toContain(`the key of shop ${ids[0]}`);
  });

  it('prints nothing when the person says no', async () => {
    const { run } = await twoShops();
    const { exit, stdout } = await run(['auth', 'token'], { terminal: true, answers: [false] });
    expect([exit, stdout]).toEqual([2, '']);
  });

  it('needs --yes where shopctl cannot ask', async () => {
    const { run, ids, service } = await twoShops();
    const refused = await run(['auth', 'token', ids[0]]);
    expect([refused.exit, refused.stdout]).toEqual([2, '']);
    const machine = await run(['auth', 'token', ids[0], '--json'], { terminal: true });
    expect([machine.exit, machine.stdout]).toEqual([2, '']);
    expect((await run(['auth', 'token', ids[0], '--yes'])).stdout).toBe(`${service.shopKey}\n`);
    expect(JSON.parse((await run(['auth', 'token', '--api-key', '--yes', '--json'])).stdout)).toEqual({
      credential: 'partner-api-key',
      shop_id: null,
      token: service.partner.apiKey,
    });
  });

  it('prefers the environment’s key as every call does, but for a shop that is named', async () => {
    const { run, ids, service } = await twoShops();
    const env = { SHOPCTL_SHOP_KEY: 'shop1:env' };
    expect((await run(['auth', 'token', '-y'], { env })).stdout).toBe('shop1:env\n');
    expect((await run(['auth', 'token', ids[0], '-y'], { env })).stdout).toBe(`${service.shopKey}\n`);
  });

  it('fails with exit 4 where there is not a key', async () => {
    const { exit, stderr } = await testMachine(scripted().transport).run(['auth', 'token', '-y', '--json']);
    expect(exit).toBe(4);
    expect(errorOf(stderr).code).toBe('credential_missing');
  });
});

describe('auth setup', () => {
  const answers = ['default', `${baseUrl}/`, "a partner's: it ships for shops that sign in", ' 1:key-of-the-partner '];

  it('asks for a first profile and makes it the one in force', async () => {
    const machine = testMachine(scripted(json(200, { webhooks: [] })).transport);
    const { exit, stdout, stderr } = await machine.run(['auth', 'setup'], {
      terminal: true,
      answers: [...answers, 'https://shop.example/component.js'],
    });
    expect(exit).toBe(0);
    expect(await machine.settings()).toEqual({
      version: 1,
      current_profile: 'default',
      profiles: {
        default: {
          kind: 'partner',
          base_url: baseUrl,
          api_key: '1:key-of-the-partner',
          sign_in_component_url: 'https://shop.example/component.js',
        },
      },
    });
    expect(stdout + stderr).not.toContain('key-of-the-partner');
    expect(stderr).toContain('shopctl auth login');
  });

  it.each([
    ['a name that is taken', ['p']],
    ['an address without TLS', ['q', 'http://shop.example']],
    ['a key of two words', ['q', baseUrl, "a shop's own", 'a b']],
  ])('does not take %s', async (_, given) => {
    const machine = testMachine(scripted().transport);
    await machine.save({ version: 1, profiles: { p: { kind: 'shop', base_url: baseUrl } } });
    const { exit } = await machine.run(['auth', 'setup'], { terminal: true, answers: given });
    expect(exit).toBe(1);
    expect(Object.keys((await machine.settings()).profiles)).toEqual(['p']);
  });

  it('tries the key, asks again for a wrong one, and takes one of the other kind for what it is', async () => {
    const { service } = await partnerWorld();
    const machine = testMachine(service.sandbox.handle);
    const { exit, stderr, prompter } = await machine.run(['auth', 'setup'], {
      terminal: true,
      answers: [...answers.slice(0, 3), '1:a-key-of-nobody', service.shop.apiKey, true],
    });
    expect([exit, stderr]).toEqual([0, expect.stringContaining('does not accept the key')]);
    expect(prompter.asked.at(-1)).toContain("It is a shop's own API key");
    const { id, apiKey } = service.shop;
    expect((await machine.settings()).profiles.default).toEqual({
      kind: 'shop',
      base_url: baseUrl,
      api_key: apiKey,
      shop_names: { [id]: 'Demo Shop' },
    });
    const status = await machine.run(['auth', 'status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject([{ shop_id: id, name: 'Demo Shop', works: true }]);
    const offline = await machine.run(['auth', 'status', '--offline', '--json']);
    expect(JSON.parse(offline.stdout)).toMatchObject([{ name: 'Demo Shop', works: null }]);
  });

  it('comes by itself at a first login', async () => {
    const { service } = await partnerWorld();
    const machine = testMachine(service.sandbox.handle);
    const { exit, stderr } = await machine.run(['auth', 'login', '--shop-id', service.shop.id], {
      terminal: true,
      answers: [...answers.slice(0, 3), service.partner.apiKey, ''],
    });
    expect(stderr).toContain('No service is set up yet.');
    expect(exit).toBe(0);
    expect((await machine.settings()).profiles.default?.shops).toHaveProperty(service.shop.id);
  });

  it('names the other way where nobody can be asked', async () => {
    const { exit, stderr } = await testMachine(scripted().transport).run(['auth', 'setup']);
    expect(exit).toBe(2);
    expect(stderr).toContain(
      'hint: use `shopctl profiles add NAME --base-url URL --kind partner --api-key-stdin < FILE`',
    );
  });
});
