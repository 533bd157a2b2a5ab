import { describe, expect, it } from 'vitest';
import { testMachine } from '../support/context.ts';
import { moods, textOf } from './service/moods.ts';
import type { Fields } from './service/values.ts';

const SHOP = '1234567890123450003';

const answers = {
  'a request token': {
    code: 'ok',
    msg: 'sign in',
    type: 'shop_request',
    auth_token: 'token-of-the-request',
    expires_in: 900,
  },
  'a key': { code: 'ok', msg: 'granted', type: 'shop_key', auth_token: 'shop8:the-granted-key', expires_in: -1 },
};

/** A machine of a partner whose service answers AuthorizeShop in a mood, and nothing else. */
async function partnerAt(body: string) {
  const machine = testMachine(async () => ({ status: 200, headers: { 'content-type': 'application/json' }, body }));
  await machine.save({
    version: 1,
    current_profile: 'partner',
    profiles: { partner: { kind: 'partner', base_url: 'http://127.0.0.1:4010', api_key: '7:secret-of-partner' } },
  });
  return machine;
}

/** Moods in which the answer still says what it is, and holds the token. */
const isWhole = (bent: Fields, answer: Fields) => bent.type === answer.type && bent.auth_token === answer.auth_token;

describe.each(Object.entries(answers))('AuthorizeShop answers %s', (_, answer) => {
  it.each(Object.entries(moods))('and a sign-in takes it, or says why not: %s', async (_, { bend }) => {
    const bent = bend(answer);
    const machine = await partnerAt(textOf(bent));
    const { exit, stdout, stderr } = await machine.run(['auth', 'login', '--shop-id', SHOP, '--no-input', '--json']);
    const profiles = await machine.settings();
    if (!isWhole(bent, answer)) {
      expect([exit, stdout]).toEqual([13, '']);
      expect(stderr).toMatch(/AuthorizeShop (?:has no auth_token|answered a type)/);
      expect(JSON.stringify(profiles)).not.toContain('the-granted-key');
    } else if (answer.type === 'shop_key') {
      expect([exit, JSON.parse(stdout)]).toMatchObject([0, { status: 'signed_in', shop_id: SHOP }]);
      expect(JSON.stringify(profiles)).toContain('shop8:the-granted-key');
    } else {
      expect([exit, JSON.parse(stdout)]).toMatchObject([8, { status: 'pending', auth_token: 'token-of-the-request' }]);
    }
    expect(stdout + stderr).not.toContain('the-granted-key');
  });
});
