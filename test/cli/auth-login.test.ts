import { describe, expect, it } from 'vitest';
import { PromptEnded } from '../../src/platform/terminal/prompter.ts';
import { testMachine } from '../support/context.ts';
import { errorAnswer, json, scripted } from '../support/scripted-transport.ts';
import { shellWords } from '../support/shell-words.ts';
import { baseUrl, type PartnerWorld, partnerWorld } from '../support/signed-in-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { errorOf, noticeText } from '../support/stderr-lines.ts';

/** What the sandbox's own page does when the owner of a shop allows or denies: the address that it goes on to. */
async function decided(world: PartnerWorld, pageUrl: string, decision: string, shopId: string): Promise<string> {
  const token = new URL(pageUrl).searchParams.get('auth_token') ?? '';
  const answer = await world.service.sandbox.handle({
    method: 'POST',
    url: `${baseUrl}/sign-in/`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: baseUrl },
    body: new URLSearchParams({ auth_token: token, decision, shop_id: shopId }).toString(),
  });
  return answer.headers.location ?? '';
}

/** The same, and the way back to the CLI's page. */
async function decide(world: PartnerWorld, pageUrl: string, decision: string, shopId: string): Promise<string> {
  return (await fetch(await decided(world, pageUrl, decision, shopId))).text();
}

const storedShops = async (world: PartnerWorld) => (await world.settings()).profiles.test?.shops ?? {};

it('signs a shop in through the page of the service and saves its key', async () => {
  const world = await partnerWorld();
  const { id } = world.service.otherShop;
  let said: Promise<string> | undefined;
  const browse = (url: string) => {
    said = decide(world, url, 'allow', id);
    return true;
  };
  const { exit, stderr, prompter } = await world.run(['auth', 'login', '--name', 'Tea'], { terminal: true, browse });
  expect(exit).toBe(0);
  expect(await said).toContain('The shop signed in');
  expect(stderr).toContain('http://127.0.0.1:4010/sign-in/?auth_token=request');
  expect(stderr).toContain(`signed in: orders are now shipped for Tea (${id})`);
  expect(prompter.asked).toEqual(['15:00 left. Waiting for the shop, or type its id:']);
  expect(await storedShops(world)).toEqual({
    [id]: { name: 'Tea', shop_key: await world.service.signIn(id), since: '2026-01-31T08:00:00Z' },
  });
});

it('takes the id of the shop that a person types, when there is no browser', async () => {
  const world = await partnerWorld();
  const { id } = world.service.otherShop;
  const typed = async () => {
    await world.service.signIn(id);
    return ` ${id} `;
  };
  const { exit, stderr } = await world.run(['auth', 'login'], { terminal: true, answers: [typed] });
  expect(exit).toBe(0);
  expect(stderr).toContain('Sign the shop in on this page:');
  expect(stderr).not.toContain('open in your browser');
  expect(stderr).not.toContain('sandbox sign-in');
  expect(Object.keys(await storedShops(world))).toEqual([id]);
});

it('says in a sandbox how its owner signs a shop in from another terminal', async () => {
  const world = await partnerWorld();
  const settings = await world.settings();
  const profiles = Object.entries(settings.profiles).map(([name, profile]) => [
    name,
    { ...profile, sandbox: 'default' },
  ]);
  await world.save({ ...settings, profiles: Object.fromEntries(profiles) });
  const { id } = world.service.otherShop;
  const typed = async () => {
    await world.service.signIn(id);
    return id;
  };
  const { exit, stderr } = await world.run(['auth', 'login'], { terminal: true, answers: [typed] });
  expect([exit, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringMatching(/`shopctl sandbox sign-in '?http:\/\/127\.0\.0\.1:4010\/sign-in\//),
  ]);
});

it('goes on waiting after an id that is wrong or too early', async () => {
  const world = await partnerWorld();
  const { shop, otherShop } = world.service;
  await world.service.sandbox.control.unlink(shop.id);
  const answers = [
    otherShop.id,
    shop.id,
    async () => {
      await world.service.signIn(otherShop.id);
      return otherShop.id;
    },
  ];
  const { exit, stderr } = await world.run(['auth', 'login'], { terminal: true, answers });
  expect(exit).toBe(0);
  expect(stderr).toContain(`shop ${otherShop.id} never signed in through this partner`);
  expect(stderr).toContain(`shop ${shop.id} has not signed in yet`);
  expect(stderr.match(/Sign the shop in on this page/g)).toHaveLength(1);
});

it('gets the key of a shop that signed in before at once', async () => {
  const world = await partnerWorld();
  const { id } = world.service.shop;
  const { exit, stderr, prompter } = await world.run(['auth', 'login', '--shop-id', id], { terminal: true });
  expect(exit).toBe(0);
  expect(stderr).not.toContain('Sign the shop in');
  expect(prompter.asked).toEqual([]);
  expect((await storedShops(world))[id]?.shop_key).toBe(world.service.shopKey);
});

it('offers the shops that are stored, and another one', async () => {
  const world = await partnerWorld();
  const { id } = world.service.shop;
  await world.run(['auth', 'login', '--shop-id', id, '--name', 'Tea']);
  const again = await world.run(['auth', 'login'], { terminal: true, answers: [`Tea (${id})`] });
  expect(again.exit).toBe(0);
  expect(again.prompter.asked).toEqual(['Which shop?']);
  const browse = (url: string) => {
    void decide(world, url, 'allow', world.service.otherShop.id);
    return true;
  };
  await world.run(['auth', 'login'], { terminal: true, answers: ['another shop'], browse });
  expect(Object.keys(await storedShops(world)).sort()).toEqual([id, world.service.otherShop.id].sort());
});

it('says that the link was removed, and signs the shop in again', async () => {
  const world = await partnerWorld();
  const { id } = world.service.shop;
  await world.service.sandbox.control.unlink(id);
  const browse = (url: string) => {
    void decide(world, url, 'allow', id);
    return true;
  };
  const { exit, stderr } = await world.run(['auth', 'login', '--shop-id', id], { terminal: true, browse });
  expect(exit).toBe(0);
  expect(stderr).toContain(`shop ${id} removed its link with the partner: it has to sign in again`);
  expect((await storedShops(world))[id]?.shop_key).not.toBe(world.service.shopKey);
});

it('names the shop whose link was removed in the command that completes it in a script', async () => {
  const world = await partnerWorld();
  const { id } = world.service.shop;
  await world.service.sandbox.control.unlink(id);
  const begun = await world.run(['auth', 'login', '--shop-id', id, '--no-input', '--json']);
  const { auth_token, next } = JSON.parse(begun.stdout);
  expect([begun.exit, next]).toEqual([8, `shopctl auth login --shop-id ${id}`]);
  await world.service.sandbox.control.signIn(auth_token, id);
  expect((await world.run(shellWords(next).slice(1))).exit).toBe(0);
});

it('signs the shop in once more when the link is removed between the page and the key', async () => {
  const world = await partnerWorld();
  const { id } = world.service.otherShop;
  let pages = 0;
  const returning = async (url: string) => {
    const { searchParams } = new URL(url);
    const token = searchParams.get('auth_token') ?? '';
    const { redirect_url } = await world.service.sandbox.control.signIn(token, id);
    if (pages++ === 0) await world.service.sandbox.control.unlink(id);
    await fetch(redirect_url ?? '');
  };
  const browse = (url: string) => {
    void returning(url);
    return true;
  };
  const { exit, stderr } = await world.run(['auth', 'login'], { terminal: true, browse });
  expect(exit).toBe(0);
  expect(stderr).toContain('has removed its link with the partner: it has to sign in again');
  expect(pages).toBe(2);
});

it('ends with exit 4 when the owner denies', async () => {
  const world = await partnerWorld();
  const browse = (url: string) => {
    void decide(world, url, 'deny', world.service.otherShop.id);
    return true;
  };
  const { exit, stderr } = await world.run(['auth', 'login'], { terminal: true, browse });
  expect(exit).toBe(4);
  expect(stderr).toContain("shopctl: error: the shop's owner denied the request");
  expect(await storedShops(world)).toEqual({});
});

it('offers a new request when the time is over', async () => {
  const world = await partnerWorld();
  const clock = standingClock();
  const { id } = world.service.otherShop;
  let pages = 0;
  const browse = (url: string) => {
    if (pages++ === 0) clock.advance(900_000);
    else void decide(world, url, 'allow', id);
    return true;
  };
  // The first answer would be typed: it never comes, for the time is over before.
  const never = () => new Promise<string>(() => {});
  const { exit, stderr, prompter } = await world.run(['auth', 'login'], {
    terminal: true,
    clock,
    browse,
    answers: [never, true],
  });
  expect(exit).toBe(0);
  expect(pages).toBe(2);
  expect(prompter.asked).toContain('The request has expired. Ask for a new one?');
  const [first, second] = [...stderr.matchAll(/auth_token=(\S+)/g)].map(([, token]) => token);
  expect(first).not.toBe(second);
});

it('exits with 8 when a new request is not wanted', async () => {
  const world = await partnerWorld();
  const clock = standingClock();
  const browse = () => {
    clock.advance(900_000);
    return true;
  };
  const answers = [() => new Promise<string>(() => {}), false];
  const { exit, stderr } = await world.run(['auth', 'login'], { terminal: true, clock, browse, answers });
  expect(exit).toBe(8);
  expect(stderr).toContain('the request has expired before a shop signed in');
});

it('ends cleanly by Ctrl-C while it waits: exit 130, no page left, nothing saved', async () => {
  const world = await partnerWorld();
  let redirect = '';
  const { exit, stderr } = await world.run(['auth', 'login'], {
    terminal: true,
    answers: [new PromptEnded()],
    browse: (url) => {
      redirect = url;
      return true;
    },
  });
  expect(exit).toBe(130);
  expect(stderr).not.toContain('error');
  expect(stderr).toContain('not signed in, and nothing was saved: sign in again with `shopctl auth login`\n');
  await expect(decide(world, redirect, 'allow', world.service.otherShop.id)).rejects.toThrow('fetch failed');
  expect(await storedShops(world)).toEqual({});
});

it('ends by SIGTERM with 143', async () => {
  const world = await partnerWorld();
  const controller = new AbortController();
  const answers = [
    () =>
      new Promise<string>((_, reject) => {
        controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
        controller.abort('SIGTERM');
      }),
  ];
  const { exit } = await world.run(['auth', 'login'], { terminal: true, signal: controller.signal, answers });
  expect(exit).toBe(143);
});

it('explains a shop that never signed in, on a terminal and in JSON', async () => {
  const world = await partnerWorld();
  const words = ['auth', 'login', '--shop-id', world.service.otherShop.id];
  const person = await world.run(words, { terminal: true });
  expect(person.exit).toBe(4);
  // The reason is the message, which is said once.
  expect(person.stderr.match(/never signed in/g)).toHaveLength(1);
  expect(person.stderr).toContain('hint: check the id;');
  const script = await world.run([...words, '--json']);
  expect(script.exit).toBe(4);
  expect(errorOf(script)).toMatchObject({
    code: 'permission_denied',
    http_status: 403,
    meta: { reason: expect.stringContaining('never signed in') },
    hint: expect.stringContaining('without --shop-id'),
  });
});

it('gives a script the request and exit 8, and completes it with --shop-id', async () => {
  const world = await partnerWorld();
  const { id } = world.service.otherShop;
  const begun = await world.run(['auth', 'login', '--no-input', '--json', '--profile', 'test']);
  expect(begun.exit).toBe(8);
  const pending = JSON.parse(begun.stdout);
  expect(pending).toEqual({
    status: 'pending',
    auth_token: expect.stringMatching(/^request:/),
    expires_at: '2026-01-31T08:15:00Z',
    sign_in_url: expect.stringContaining(`${baseUrl}/sign-in/?auth_token=`),
    next: 'shopctl auth login --shop-id ID --profile test',
  });
  await world.service.sandbox.control.signIn(pending.auth_token, id);
  const completed = await world.run(['auth', 'login', '--shop-id', id, '--json']);
  expect(completed.exit).toBe(0);
  expect(JSON.parse(completed.stdout)).toEqual({
    status: 'signed_in',
    profile: 'test',
    shop_id: id,
    shop_name: null,
  });
  expect(completed.stderr).toContain(`shopctl auth login --shop-id ${id} --name NAME`);
});

it('gives a script an address at which the owner can sign in, and --shop-id then completes it', async () => {
  const world = await partnerWorld();
  const { id } = world.service.otherShop;
  const begun = await world.run(['auth', 'login', '--no-input', '--json']);
  expect(begun.stderr).toContain('sign_in_url');
  const next = new URL(await decided(world, JSON.parse(begun.stdout).sign_in_url, 'allow', id));
  expect([next.hostname, next.searchParams.get('shop_id')]).toEqual(['127.0.0.1', id]);
  expect((await world.run(['auth', 'login', '--shop-id', id])).exit).toBe(0);
});

it('says how the owner signs in where the service makes no address', async () => {
  const { transport } = scripted(
    errorAnswer(400, 'invalid_argument'),
    json(200, { code: 'ok', type: 'shop_request', auth_token: 'request:abc', expires_in: 900 }),
  );
  const machine = testMachine(transport);
  const profiles = { live: { kind: 'partner', base_url: baseUrl, api_key: '1:secret-of-partner' } as const };
  await machine.save({ version: 1, current_profile: 'live', profiles });
  const { exit, stdout, stderr } = await machine.run(['auth', 'login', '--no-input', '--json']);
  expect(exit).toBe(8);
  expect(JSON.parse(stdout)).toMatchObject({ auth_token: 'request:abc', sign_in_url: null });
  expect(stderr).toContain('the owner signs in where `shopctl auth login` runs at a terminal');
});

describe('the name of a shop', () => {
  it('is taken from the shop’s own profile of the same service', async () => {
    const world = await partnerWorld();
    const { shop } = world.service;
    const before = await world.settings();
    const own = { kind: 'shop', base_url: baseUrl, shop_names: { [shop.id]: 'Demo Shop' } } as const;
    const elsewhere = { ...own, base_url: 'https://shop.example', shop_names: { [shop.id]: 'Another' } } as const;
    await world.save({ ...before, profiles: { elsewhere, ...before.profiles, own } });
    const { stdout, stderr } = await world.run(['auth', 'login', '--shop-id', shop.id, '--json']);
    expect(JSON.parse(stdout).shop_name).toBe('Demo Shop');
    expect(noticeText(stderr)).toBe(`signed in: orders are now shipped for Demo Shop (${shop.id})\n`);
    expect(JSON.parse((await world.run(['auth', 'shops', '--json'])).stdout)).toMatchObject([{ name: 'Demo Shop' }]);
    const [, listed] = JSON.parse((await world.run(['profiles', 'list', '--json'])).stdout);
    expect(listed).toMatchObject({ name: 'test', shop_name: 'Demo Shop', shop_names: ['Demo Shop'] });
  });

  it('is asked of the service, where that tells a partner', async () => {
    const key = json(200, { code: 'ok', type: 'shop_key', auth_token: 'shop42:key', expires_in: -1 });
    const reported = async (...answers: ReturnType<typeof json>[]) => {
      const { transport, calls, requests } = scripted(key, ...answers);
      const machine = testMachine(transport);
      const profiles = { live: { kind: 'partner', base_url: baseUrl, api_key: '1:secret-of-partner' } as const };
      await machine.save({ version: 1, current_profile: 'live', profiles });
      const { exit, stdout } = await machine.run(['auth', 'login', '--shop-id', '42', '--json']);
      expect([exit, calls().at(-1)]).toEqual([0, 'shop.Misc/CurrentAccount']);
      expect(requests.at(-1)?.headers.authorization).toBe('Bearer shop42:key');
      return JSON.parse(stdout).shop_name;
    };
    expect(await reported(json(200, { id: '42', name: ' Tea House ' }))).toBe('Tea House');
    expect(await reported(json(200, { id: '43', name: 'Another' }))).toBe(null);
    expect(await reported(errorAnswer(503, 'unavailable'))).toBe(null);
  });
});

it('gives a script with a page of its own the address to open', async () => {
  const world = await partnerWorld();
  const words = ['auth', 'login', '--json', '--redirect-url', 'http://127.0.0.1:9/back'];
  const { exit, stdout } = await world.run(words, { terminal: true });
  expect(exit).toBe(8);
  expect(JSON.parse(stdout).sign_in_url).toContain(`${baseUrl}/sign-in/?auth_token=`);
});

it('shows the component of the profile where the service has no page of its own', async () => {
  const { transport } = scripted(
    errorAnswer(400, 'invalid_argument'),
    json(200, { code: 'ok', type: 'shop_request', auth_token: 'request:abc', expires_in: 900 }),
    json(200, { code: 'ok', type: 'shop_key', auth_token: 'shop42:key', expires_in: -1 }),
    errorAnswer(401, 'unauthenticated'),
  );
  const machine = testMachine(transport);
  const component = 'https://shop.example/component.js';
  const partner = { kind: 'partner', base_url: baseUrl, api_key: '1:key-of-the-partner' } as const;
  const profiles = { live: { ...partner, sign_in_component_url: component } };
  await machine.save({ version: 1, current_profile: 'live', profiles });
  let page = '';
  const visit = async (url: string) => {
    page = await (await fetch(url)).text();
    const state = new URL(url).searchParams.get('state') ?? '';
    const { origin } = new URL(url);
    await fetch(`${origin}/return`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ state, shop_id: '42' }),
    });
  };
  const browse = (url: string) => {
    void visit(url);
    return true;
  };
  const { exit } = await machine.run(['auth', 'login'], { terminal: true, browse });
  expect(exit).toBe(0);
  expect(page).toContain(component);
  expect(page).toContain('request:abc');
  expect(page).not.toContain('key-of-the-partner');
  expect((await machine.settings()).profiles.live?.shops).toHaveProperty('42');
});

it('says what to do where there is no page at all', async () => {
  const { transport } = scripted(
    json(200, { code: 'ok', type: 'shop_request', auth_token: 'request:abc', expires_in: 900 }),
    json(200, { code: 'ok', type: 'shop_key', auth_token: 'shop42:key', expires_in: -1 }),
    errorAnswer(401, 'unauthenticated'),
  );
  const machine = testMachine(transport);
  const profiles = { live: { kind: 'partner', base_url: baseUrl, api_key: '1:secret-of-partner' } as const };
  await machine.save({ version: 1, current_profile: 'live', profiles });
  const { exit, stderr } = await machine.run(['auth', 'login'], { terminal: true, answers: ['42'] });
  expect(exit).toBe(0);
  expect(stderr).toContain('Let the shop sign in with this request token on a page of your own:\n  request:abc\n');
});

it('refuses a component that no page may run', async () => {
  const machine = testMachine(scripted().transport);
  const profile = { kind: 'partner', base_url: baseUrl, api_key: '1:k' } as const;
  const profiles = { live: { ...profile, sign_in_component_url: 'http://shop.example/c.js' } };
  await machine.save({ version: 1, current_profile: 'live', profiles });
  expect((await machine.run(['auth', 'login'], { terminal: true })).exit).toBe(14);
});

it('asks nobody and sends nothing when the key could not be saved', async () => {
  const { transport, requests } = scripted();
  const machine = testMachine(transport);
  const profiles = { live: { kind: 'partner', base_url: 'https://shop.example', api_key: '1:k' } as const };
  await machine.save({ version: 1, current_profile: 'live', profiles });
  const env = { SHOPCTL_API_KEY: '2:other' };
  const { exit, stderr } = await machine.run(['auth', 'login', '--base-url', baseUrl], { env });
  expect(exit).toBe(2);
  expect(stderr).toContain('the profile live belongs to https://shop.example');
  expect(requests).toEqual([]);
});

it('opens no browser with --no-browser, and prints the address all the same', async () => {
  const world = await partnerWorld();
  const opened: string[] = [];
  const browse = (url: string) => opened.push(url) > 0;
  const words = ['auth', 'login', '--no-browser', '--quiet'];
  const { stderr } = await world.run(words, { terminal: true, browse, answers: [new PromptEnded()] });
  expect(opened).toEqual([]);
  expect(stderr).toContain(`${baseUrl}/sign-in/?auth_token=`);
});

it('shows the call with --dry-run and --curl, and refuses with --read-only', async () => {
  const machine = testMachine(scripted().transport);
  const env = { SHOPCTL_BASE_URL: baseUrl, SHOPCTL_API_KEY: '1:canary-key' };
  const dry = await machine.run(['auth', 'login', '--email', 'a@b.example', '--dry-run'], { env, terminal: true });
  expect(JSON.parse(dry.stdout)).toMatchObject({ body: { email: 'a@b.example' } });
  const curl = await machine.run(['auth', 'login', '--curl'], { env });
  expect(curl.stdout).toContain('Bearer $SHOPCTL_API_KEY');
  expect(curl.stdout).not.toContain('canary');
  expect((await machine.run(['auth', 'login', '--read-only'], { env })).exit).toBe(12);
});

it('saves a first sign-in by the environment in a profile without the environment’s key', async () => {
  const world = await partnerWorld();
  const machine = testMachine(world.service.sandbox.handle);
  const env = { SHOPCTL_BASE_URL: baseUrl, SHOPCTL_API_KEY: world.service.partner.apiKey };
  const { exit } = await machine.run(['auth', 'login', '--shop-id', world.service.shop.id], { env });
  expect(exit).toBe(0);
  const settings = await machine.settings();
  expect(settings.current_profile).toBe('default');
  expect(JSON.stringify(settings)).toContain(world.service.shopKey);
  expect(JSON.stringify(settings)).not.toContain(world.service.partner.apiKey);
});
