import { describe, expect, it } from 'vitest';
import { openTestSandbox, testStart } from '../support/sandbox.ts';

const authorize = 'partner.Shop/AuthorizeShop';
const quote = 'partner.Shipping/GetShippingServices';

describe('a credential', () => {
  it('looks like its kind', async () => {
    const { partner, shop, shopKey, post } = await openTestSandbox();
    expect(partner.apiKey).toMatch(new RegExp(`^${partner.id}:[\\w-]{43}$`));
    expect(shop.apiKey).toMatch(new RegExp(`^${shop.id}:[\\w-]{43}$`));
    expect(shopKey).toMatch(new RegExp(`^shop${shop.id}:[\\w-]{43}$`));
    expect((await post(authorize, {}, partner.apiKey)).body.auth_token).toMatch(/^request:[\w-]{43}$/);
  });

  it('is refused with 401 and the same words when it is missing, unknown or misplaced', async () => {
    const { partner, shop, otherShop, shopKey, post } = await openTestSandbox();
    const { body: asked } = await post(authorize, {}, partner.apiKey);
    const misplaced: [string, string | undefined][] = [
      [authorize, undefined],
      [authorize, ''],
      [authorize, 'nonsense'],
      [authorize, `${partner.id}:wrong`],
      [authorize, `${partner.id}:nobody`],
      [authorize, `${shop.id.replace(/.$/, '2')}:nobody`],
      [authorize, shop.apiKey],
      [authorize, shopKey],
      [authorize, asked.auth_token],
      [quote, partner.apiKey],
      [quote, shop.apiKey],
      [quote, `shop${otherShop.id}:nobody`],
      [quote, shopKey.replace(shop.id, otherShop.id)],
      ['shop.Customer/ListCustomers', shopKey],
      ['shop.Customer/ListCustomers', partner.apiKey],
    ];
    const answers = await Promise.all(misplaced.map(([operation, key]) => post(operation, {}, key)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  it('comes as a Bearer token, in any letter case', async () => {
    const { sandbox, partner } = await openTestSandbox();
    const statusWith = async (authorization: string) => {
      const headers = { 'content-type': 'application/json', authorization };
      const url = `http://127.0.0.1/v1/${authorize}`;
      return (await sandbox.handle({ method: 'POST', url, headers, body: '{}' })).status;
    };
    expect(await statusWith(`bearer ${partner.apiKey}`)).toBe(200);
    expect(await statusWith(partner.apiKey)).toBe(401);
    expect(await statusWith(`Basic ${partner.apiKey}`)).toBe(401);
  });
});

describe('AuthorizeShop', () => {
  it('asks for a sign-in without shop_id, with a new token every time', async () => {
    const { partner, post } = await openTestSandbox();
    const first = await post(authorize, {}, partner.apiKey);
    expect(first.body).toMatchObject({ code: 'ok', type: 'shop_request', expires_in: 900 });
    expect(Object.keys(first.body)).not.toContain('auth_url');
    const again = await post(authorize, { email: 'a@b.example', phone: '1', name: 'x' }, partner.apiKey);
    expect(again.body.type).toBe('shop_request');
    expect(again.body.auth_token).not.toBe(first.body.auth_token);
  });

  it('refuses shop_id together with email or phone with 400, before anything else', async () => {
    const { partner, post } = await openTestSandbox();
    for (const more of [{ email: 'a@b.example' }, { phone: '1' }]) {
      const { status, body } = await post(authorize, { shop_id: '12', ...more }, partner.apiKey);
      expect([status, body.code]).toEqual([400, 'invalid_argument']);
    }
  });

  it('refuses a shop that never signed in with 403 and the reason', async () => {
    const { partner, otherShop, post } = await openTestSandbox();
    for (const shop_id of [otherShop.id, '12', 'nonsense']) {
      const { status, body } = await post(authorize, { shop_id }, partner.apiKey);
      expect([status, body.code]).toEqual([403, 'permission_denied']);
      expect(body.meta.reason).toContain('never signed in');
    }
  });

  it('returns the same key every time while the link is active', async () => {
    const { partner, shop, shopKey, post } = await openTestSandbox();
    const { body } = await post(authorize, { shop_id: shop.id }, partner.apiKey);
    expect(body).toMatchObject({ code: 'ok', type: 'shop_key', auth_token: shopKey, expires_in: -1 });
  });

  it('takes a shop_id that is written as a number, of 19 digits and of fewer', async () => {
    const { partner, shop, shopKey, post } = await openTestSandbox();
    const { body } = await post(authorize, `{"shop_id":${shop.id}}`, partner.apiKey);
    expect(body.auth_token).toBe(shopKey);
    const { status, body: refused } = await post(authorize, '{"shop_id":12}', partner.apiKey);
    expect([status, refused.msg]).toEqual([403, 'shop 12 never signed in through this partner']);
    for (const shop_id of [true, 1.5, {}])
      expect((await post(authorize, { shop_id }, partner.apiKey)).status).toBe(400);
  });

  it('asks for a sign-in where the shop_id is empty or 0, which is not given', async () => {
    const { partner, post } = await openTestSandbox();
    for (const shop_id of ['', '0', 0, null]) {
      expect((await post(authorize, { shop_id, email: 'a@b.example' }, partner.apiKey)).body.type).toBe('shop_request');
    }
  });

  it('asks for a sign-in again after the link was removed, and the old key never works again', async () => {
    const { partner, shop, shopKey, post, sandbox, signIn } = await openTestSandbox();
    expect(await sandbox.control.unlink(shop.id)).toEqual({ removed: 1 });
    expect((await post(quote, {}, shopKey)).status).toBe(401);
    expect((await post(authorize, { shop_id: shop.id }, partner.apiKey)).body.type).toBe('shop_request');
    const renewed = await signIn(shop.id);
    expect(renewed).not.toBe(shopKey);
    expect((await post(quote, {}, renewed)).status).toBe(400);
    expect((await post(quote, {}, shopKey)).status).toBe(401);
    expect(await sandbox.control.unlink(shop.id)).toEqual({ removed: 1 });
    expect(await sandbox.control.unlink(shop.id)).toEqual({ removed: 0 });
  });

  it('answers auth_url for a redirect_url on this machine, and refuses every other one', async () => {
    const { partner, post, sandbox, shop } = await openTestSandbox();
    for (const host of ['127.0.0.1:5000', 'localhost', '[::1]:80']) {
      const redirect_url = `http://${host}/done?x=1`;
      const { body } = await post(authorize, { redirect_url }, partner.apiKey);
      const page = new URL(body.auth_url);
      expect([page.origin, page.pathname]).toEqual(['http://127.0.0.1:4010', '/sign-in/']);
      expect(page.searchParams.get('auth_token')).toBe(body.auth_token);
      const signedIn = await sandbox.control.signIn(body.auth_token, shop.id);
      expect(signedIn.redirect_url).toBe(`${new URL(redirect_url).href}&shop_id=${shop.id}`);
    }
    for (const redirect_url of ['http://shop.example/', 'ftp://127.0.0.1/', 'x', 'http://localhost@shop.example/']) {
      expect((await post(authorize, { redirect_url }, partner.apiKey)).status).toBe(400);
    }
  });
});

describe('a sign-in', () => {
  it('uses its token up', async () => {
    const { partner, shop, post, sandbox } = await openTestSandbox();
    const { body } = await post(authorize, {}, partner.apiKey);
    expect(await sandbox.control.signIn(body.auth_token, shop.id)).toEqual({ shop_id: shop.id });
    await expect(sandbox.control.signIn(body.auth_token, shop.id)).rejects.toThrow('has been used');
  });

  it('must happen within 900 seconds of the business clock', async () => {
    const { partner, otherShop, post, sandbox, clock } = await openTestSandbox();
    const { body: early } = await post(authorize, {}, partner.apiKey);
    const { body: late } = await post(authorize, {}, partner.apiKey);
    clock.advance(899_999);
    await sandbox.control.signIn(early.auth_token, otherShop.id);
    clock.advance(1);
    await expect(sandbox.control.signIn(late.auth_token, otherShop.id)).rejects.toThrow('has expired');
    expect(clock.now()).toBe(testStart + 900_000);
  });

  it('needs a token that was given out, and a shop that there is', async () => {
    const { partner, shop, post, sandbox, shopKey } = await openTestSandbox();
    await expect(sandbox.control.signIn('request:nothing', shop.id)).rejects.toThrow('no such request token');
    await expect(sandbox.control.signIn(shopKey, shop.id)).rejects.toThrow('no such request token');
    const { body } = await post(authorize, {}, partner.apiKey);
    await expect(sandbox.control.signIn(body.auth_token, '12')).rejects.toThrow('no shop 12');
    await expect(sandbox.control.unlink('12')).rejects.toThrow('no shop 12');
    await sandbox.control.signIn(body.auth_token, shop.id);
  });

  it('does not change the key of an active link', async () => {
    const { shop, shopKey, signIn } = await openTestSandbox();
    expect(await signIn(shop.id)).toBe(shopKey);
  });
});
