import { expect, it } from 'vitest';
import type { WireResponse } from '../../src/platform/http/transport.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';

const origin = 'http://127.0.0.1:4010';
const hostile = `"><img src=x onerror=alert(1)>'&`;

/** A request token and the page behind it. */
async function asked(world: TestSandbox, request: object = {}) {
  const { body } = await world.post('partner.Shop/AuthorizeShop', request, world.partner.apiKey);
  return { token: String(body.auth_token), url: String(body.auth_url), body };
}

const get = (world: TestSandbox, path: string): Promise<WireResponse> =>
  world.sandbox.handle({ method: 'GET', url: `${origin}${path}`, headers: {}, body: '' });

/** Sends the page's form, as its own page does unless told otherwise. */
const send = (
  world: TestSandbox,
  fields: Record<string, string>,
  { path = '/sign-in/', from = origin }: { path?: string; from?: string | undefined } = {},
): Promise<WireResponse> =>
  world.sandbox.handle({
    method: 'POST',
    url: `${origin}${path}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(from === '' ? {} : { origin: from }),
    },
    body: new URLSearchParams(fields).toString(),
  });

const pageOf = async (world: TestSandbox, token: string) =>
  (await get(world, `/sign-in/?${new URLSearchParams({ auth_token: token })}`)).body;

/** What AuthorizeShop says of the shop now. */
const typeOf = async (world: TestSandbox, shopId: string) =>
  (await world.post('partner.Shop/AuthorizeShop', { shop_id: shopId }, world.partner.apiKey)).body.type;

it('offers every shop, says who asks and how long the request is valid', async () => {
  const world = await openTestSandbox();
  const { token } = await asked(world);
  world.clock.advance(60_000);
  const body = await pageOf(world, token);
  expect(body).toContain('Connect your shop with Demo Partner');
  expect(body).toContain(world.shop.name);
  expect(body).toContain(world.otherShop.name);
  expect(body.match(/connected<\/span>/g)).toHaveLength(1);
  expect(body).toContain('>14:00</span>');
});

it('signs the chosen shop in and returns with its id', async () => {
  const world = await openTestSandbox();
  const { token, url } = await asked(world, { redirect_url: 'http://127.0.0.1:9/return?state=a%20b' });
  expect(url).toBe(`${origin}/sign-in/?${new URLSearchParams({ auth_token: token })}`);
  const answer = await send(world, { auth_token: token, shop_id: world.otherShop.id, decision: 'allow' });
  expect(answer).toMatchObject({
    status: 303,
    headers: { location: `http://127.0.0.1:9/return?state=a+b&shop_id=${world.otherShop.id}` },
  });
  expect(await typeOf(world, world.otherShop.id)).toBe('shop_key');
});

it('ends the request when the owner denies, and says so where it returns to', async () => {
  const world = await openTestSandbox();
  const { token } = await asked(world, { redirect_url: 'http://localhost:9/return' });
  const answer = await send(world, { auth_token: token, shop_id: world.otherShop.id, decision: 'deny' });
  expect(answer.headers.location).toBe('http://localhost:9/return?error=access_denied');
  const late = await send(world, { auth_token: token, shop_id: world.otherShop.id, decision: 'allow' });
  expect(late).toMatchObject({ status: 401, body: expect.stringContaining('expired') });
});

it('stays where there is nothing to return to', async () => {
  const world = await openTestSandbox();
  const allowed = await send(world, {
    auth_token: (await asked(world)).token,
    shop_id: world.otherShop.id,
    decision: 'allow',
  });
  expect(allowed).toMatchObject({ status: 200, body: expect.stringContaining('is connected') });
  const denied = await send(world, { auth_token: (await asked(world)).token, decision: 'deny' });
  expect(denied).toMatchObject({ status: 200, body: expect.stringContaining('Access was denied') });
});

it.each([
  ['has expired', 900_000],
  ['has been used', 0],
])('refuses a request that %s', async (reason, wait) => {
  const world = await openTestSandbox();
  const { token } = await asked(world);
  if (wait === 0) await world.sandbox.control.signIn(token, world.otherShop.id);
  world.clock.advance(wait);
  const page = await get(world, `/sign-in/?${new URLSearchParams({ auth_token: token })}`);
  expect(page).toMatchObject({ status: 401, body: expect.stringContaining(reason) });
});

it('knows the shop given to AuthorizeShop', async () => {
  const world = await openTestSandbox();
  const { token } = await asked(world, { email: 'second@shop.example' });
  expect(await pageOf(world, token)).toMatch(new RegExp(`value="${world.otherShop.id}" required checked`));
});

it('proposes a new shop with the data given to AuthorizeShop, and creates it', async () => {
  const world = await openTestSandbox();
  const { token } = await asked(world, { email: 'lan@tea.example', phone: '0901', name: 'Trà Lan' });
  const body = await pageOf(world, token);
  expect(body).toContain('id="new-shop" required checked');
  expect(body).toContain('value="Trà Lan"');
  const fields = { auth_token: token, shop_id: 'new', decision: 'allow' };
  const nameless = await send(world, { ...fields, name: ' ', email: 'lan@tea.example' });
  expect(nameless).toMatchObject({ status: 400, body: expect.stringContaining('A new shop needs a name.') });
  expect(nameless.body).toContain('value="lan@tea.example"');
  await send(world, { ...fields, name: 'Trà Lan', email: 'lan@tea.example', phone: '0901' });
  const { shops } = await world.sandbox.control.credentials();
  const made = shops.find(({ name }) => name === 'Trà Lan');
  expect(await typeOf(world, made?.id ?? '')).toBe('shop_key');
  expect((await world.post('shop.Misc/VersionInfo', {}, made?.api_key)).status).not.toBe(401);
});

it('escapes everything that came from outside', async () => {
  const world = await openTestSandbox();
  const made = await asked(world);
  const fields = { shop_id: 'new', decision: 'allow', name: hostile, email: hostile, phone: hostile };
  const done = await send(world, { auth_token: made.token, ...fields });
  const { token } = await asked(world, { name: hostile, email: hostile, phone: hostile });
  const framed = await send(world, { auth_token: token, title: hostile, embedder: origin }, { path: '/sign-in/frame' });
  for (const body of [done.body, await pageOf(world, token), framed.body, await pageOf(world, hostile)]) {
    expect(body).not.toContain('<img');
    expect(body).not.toMatch(/<script(?![^>]* src=)|\son\w+="/);
  }
  expect(framed.body).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;');
});

it('keeps other pages, other origins and referrers out by its headers', async () => {
  const world = await openTestSandbox();
  const { url } = await asked(world, { redirect_url: 'http://127.0.0.1:9/return' });
  const { headers } = await get(world, url.slice(origin.length));
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'self' http://127.0.0.1:9; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' });
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

it.each(['http://127.0.0.1:9999', 'https://evil.example', 'null', ''])(
  'takes no decision from a page at %j',
  async (from) => {
    const world = await openTestSandbox();
    const { token } = await asked(world);
    const answer = await send(world, { auth_token: token, shop_id: world.otherShop.id, decision: 'allow' }, { from });
    expect(answer.status).toBe(403);
    expect(
      (await world.post('partner.Shop/AuthorizeShop', { shop_id: world.otherShop.id }, world.partner.apiKey)).status,
    ).toBe(403);
  },
);

it('takes no decision that is neither yes nor no', async () => {
  const world = await openTestSandbox();
  const { token } = await asked(world);
  expect((await send(world, { auth_token: token, shop_id: world.otherShop.id })).status).toBe(400);
  expect(await pageOf(world, token)).toContain('Allow');
});

it('refuses a shop that does not exist and asks again', async () => {
  const world = await openTestSandbox();
  const { token } = await asked(world);
  const answer = await send(world, { auth_token: token, shop_id: '1', decision: 'allow' });
  expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('role="alert"') });
  expect(answer.body).toContain('value="allow"');
});

it.each([
  ['a page elsewhere', 'https://evil.example', 403],
  ['no page', '', 400],
  ['an origin with a path', 'http://127.0.0.1:9/x', 403],
  ['a policy of its own', "http://127.0.0.1:9; script-src 'unsafe-inline'", 403],
])('makes no frame for %s', async (_, embedder, status) => {
  const world = await openTestSandbox();
  const answer = await get(world, `/sign-in/frame?${new URLSearchParams({ embedder })}`);
  expect(answer.status).toBe(status);
  expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

it('makes a frame that one page of this machine alone may show', async () => {
  const world = await openTestSandbox();
  const { token } = await asked(world);
  const embedder = 'http://127.0.0.1:5555';
  const empty = await get(world, `/sign-in/frame?${new URLSearchParams({ embedder })}`);
  expect(empty.headers['content-security-policy']).toContain(`frame-ancestors ${embedder}`);
  const filled = await send(world, { auth_token: token, embedder }, { path: '/sign-in/frame' });
  expect(filled.headers['content-security-policy']).toContain(`frame-ancestors ${embedder}`);
  const done = await send(world, { auth_token: token, embedder, shop_id: world.otherShop.id, decision: 'allow' });
  expect(done.body).toContain(`data-outcome="granted" data-shop-id="${world.otherShop.id}"`);
});

it('takes a shop key in the component, and answers its shop', async () => {
  const world = await openTestSandbox();
  const fields = { auth_token: world.shopKey, embedder: 'http://127.0.0.1:5555' };
  const answer = await send(world, fields, { path: '/sign-in/frame' });
  expect(answer.body).toContain(`data-shop-id="${world.shop.id}"`);
  await world.sandbox.control.unlink(world.shop.id);
  expect((await send(world, fields, { path: '/sign-in/frame' })).status).toBe(401);
});

it('takes no API key anywhere, and a shop key in no address', async () => {
  const world = await openTestSandbox();
  for (const key of [world.partner.apiKey, world.shop.apiKey, world.shopKey]) {
    expect((await get(world, `/sign-in/?${new URLSearchParams({ auth_token: key })}`)).status).toBe(401);
  }
  for (const key of [world.partner.apiKey, world.shop.apiKey]) {
    const fields = { auth_token: key, embedder: 'http://127.0.0.1:5555' };
    expect((await send(world, fields, { path: '/sign-in/frame' })).status).toBe(401);
    expect((await send(world, { ...fields, shop_id: world.shop.id, decision: 'allow' })).status).toBe(401);
  }
});

it('serves the component to any page of this machine, and nothing at other addresses', async () => {
  const world = await openTestSandbox();
  expect(await get(world, '/sign-in/component.js')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cross-origin-resource-policy': 'cross-origin' },
  });
  expect((await get(world, '/sign-in/other')).status).toBe(404);
  expect((await get(world, '/sign-in/__proto__')).status).toBe(404);
});
