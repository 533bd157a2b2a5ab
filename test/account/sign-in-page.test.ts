import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSignInPage, type SignInPage } from '../../src/account/actions/login-with-person.ts';
import type { PageOutcome } from '../../src/account/sign-in-views.ts';
import { listenOnLoopback } from '../../src/platform/server/http-server.ts';
import { Secret } from '../../src/platform/settings/secret.ts';
import { fixedRandom } from '../support/sandbox.ts';

const token = 'request:"><script>alert(1)</script>';
const component = 'http://127.0.0.1:4010/sign-in/component.js?a="x"';

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** One request by node:http, which lets a test choose its Host. */
function send(url: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<Got>((resolve, reject) => {
    const sent = request(url, { method: options.method ?? 'GET', headers: options.headers ?? {} }, async (response) => {
      let body = '';
      for await (const chunk of response) body += String(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    sent.on('error', reject);
    sent.end(options.body);
  });
}

let page: SignInPage;
let outcomes: PageOutcome[];
beforeEach(async () => {
  outcomes = [];
  page = await openSignInPage({ listen: listenOnLoopback, randomBytes: fixedRandom('page') });
  void page.outcome.then((outcome) => outcomes.push(outcome));
});
afterEach(() => page.close());

const returning = (more: Record<string, string>) => {
  const url = new URL(page.redirectUrl);
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  return url.href;
};
const originOf = () => new URL(page.redirectUrl).origin;

/** Posts as the page's own script does. */
const post = (fields: Record<string, string>, headers: Record<string, string> = { origin: originOf() }) =>
  send(`${originOf()}/return`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({
      state: new URL(page.redirectUrl).searchParams.get('state') ?? '',
      ...fields,
    }).toString(),
  });

describe('the state', () => {
  it('has 256 bits, is new for every page, and stands in both addresses', async () => {
    const state = new URL(page.redirectUrl).searchParams.get('state') ?? '';
    expect(Buffer.from(state, 'base64url')).toHaveLength(32);
    const url = page.offer({ componentUrl: component, requestToken: new Secret(token) });
    expect(new URL(url).searchParams.get('state')).toBe(state);
    const other = await openSignInPage({ listen: listenOnLoopback, randomBytes: fixedRandom('other') });
    expect(new URL(other.redirectUrl).searchParams.get('state')).not.toBe(state);
    await other.close();
  });

  it('that is wrong is refused and does not end the login; the right one still does', async () => {
    const right = new URL(page.redirectUrl).searchParams.get('state') ?? '';
    for (const wrong of ['', 'x', right.slice(1), `${right}A`, right.toUpperCase()]) {
      expect((await send(returning({ shop_id: '666', state: wrong }))).status).toBe(404);
      expect((await post({ shop_id: '666', state: wrong })).status).toBe(404);
    }
    expect((await send(`${originOf()}/return?shop_id=666`)).status).toBe(404);
    expect(outcomes).toEqual([]);
    expect((await send(returning({ shop_id: '42' }))).status).toBe(200);
    expect(await page.outcome).toEqual({ kind: 'granted', shopId: '42' });
  });
});

describe('a stranger', () => {
  it.each([
    ['another host', { host: 'shop.example' }],
    ['a name that leads here', { host: 'localhost' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['no origin that could be told', { origin: 'null' }],
  ])('with %s is refused and does not end the login', async (_, headers) => {
    const refused = await send(returning({ shop_id: '666' }), { headers: headers as Record<string, string> });
    expect([403, 421]).toContain(refused.status);
    expect([403, 421]).toContain((await post({ shop_id: '666' }, headers as Record<string, string>)).status);
    expect(outcomes).toEqual([]);
    expect((await post({ shop_id: '42' })).status).toBe(200);
    expect(await page.outcome).toEqual({ kind: 'granted', shopId: '42' });
  });

  it('cannot post without an Origin', async () => {
    expect((await post({ shop_id: '42' }, {})).status).toBe(403);
    expect(outcomes).toEqual([]);
  });

  it('without the state sees no request token', async () => {
    const url = new URL(page.offer({ componentUrl: component, requestToken: new Secret('request:canary') }));
    for (const state of ['', 'x']) {
      url.searchParams.set('state', state);
      const { status, body } = await send(url.href);
      expect(status).toBe(404);
      expect(body).not.toContain('canary');
    }
  });
});

describe('a sign-in', () => {
  it('is served once', async () => {
    const url = page.offer({ componentUrl: component, requestToken: new Secret(token) });
    expect((await post({ shop_id: '42' })).status).toBe(200);
    expect((await post({ shop_id: '43' })).status).toBe(410);
    expect((await send(returning({ shop_id: '43' }))).status).toBe(410);
    expect((await send(url)).status).toBe(410);
    expect(outcomes).toEqual([{ kind: 'granted', shopId: '42' }]);
  });

  it('that the owner denied is told', async () => {
    expect((await send(returning({ error: 'access_denied' }))).body).toContain('Access was denied');
    expect(await page.outcome).toEqual({ kind: 'denied' });
  });

  it.each(['', 'abc', '12 34', '-1', '12345678901234567890', '<b>1</b>'])('does not take %j for a shop', async (id) => {
    const { status, body } = await send(returning({ shop_id: id }));
    expect(status).toBe(400);
    expect(body).not.toContain('<b>');
    expect(outcomes).toEqual([]);
  });

  it('whose page closed reaches nobody', async () => {
    await page.close();
    await expect(send(returning({ shop_id: '1' }))).rejects.toThrow(/ECONNREFUSED/);
  });

  it('whose body is too long is refused', async () => {
    expect((await post({ shop_id: '1'.repeat(20_000) })).status).toBe(413);
    expect(outcomes).toEqual([]);
  });
});

describe('the page', () => {
  it('escapes whatever is put into it', async () => {
    const { body } = await send(page.offer({ componentUrl: component, requestToken: new Secret(token) }));
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('request:&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(body).toContain('src="http://127.0.0.1:4010/sign-in/component.js?a=&quot;x&quot;"');
  });

  it('lets nothing in but itself and the component’s origin, and nothing out', async () => {
    const { headers } = await send(page.offer({ componentUrl: component, requestToken: new Secret(token) }));
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' http://127.0.0.1:4010;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('has no inline script, and only the style that its policy names', async () => {
    const { body } = await send(page.offer({ componentUrl: component, requestToken: new Secret(token) }));
    expect(body).not.toMatch(/<script(?![^>]* src=)|\son\w+=|<style/);
    const message = await send(originOf());
    expect(message.body).toContain('<style>');
    expect(message.headers['content-security-policy']).toMatch(/style-src 'sha256-[\w+/]{43}='/);
  });

  it.each(['/page.js', '/page.css'])('serves %s', async (path) => {
    expect(await send(originOf() + path)).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  });

  it.each([
    ['GET', '/etc/passwd'],
    ['PUT', '/return'],
    ['HEAD', '/'],
    ['GET', '//evil.example/return'],
  ])('answers %s %s with nothing', async (method, path) => {
    expect((await send(originOf() + path, { method })).status).toBe(404);
    expect(outcomes).toEqual([]);
  });
});
