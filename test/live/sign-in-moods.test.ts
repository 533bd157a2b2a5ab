import { describe, expect, it } from 'vitest';
import type { Transport } from '../../src/platform/http/transport.ts';
import { type TestMachine, testMachine } from '../support/context.ts';
import { moods, textOf } from './service/moods.ts';
import type { Fields } from './service/values.ts';
import { answeredBy, ways } from './socket.ts';

const SHOP = '1234567890123450003';

const answers = {
  'a request token': {
    code: 'ok',
    msg: 'sign in',
    type: 'shop_request',
    auth_token: 'token-of-the-request',
    expires_in: 900,
  },
  'a key': { code: 'ok', msg: 'granted', type: 'shop_key', auth_token: `shop${SHOP}:the-granted-key`, expires_in: -1 },
};

/** A machine of a partner at a service that answers AuthorizeShop, and nothing else. */
async function partnerAt(transport: Transport, base_url = 'http://127.0.0.1:4010') {
  const machine = testMachine(transport);
  await machine.save({
    version: 1,
    current_profile: 'partner',
    profiles: { partner: { kind: 'partner', base_url, api_key: '7:secret-of-partner' } },
  });
  return machine;
}

/** Moods in which the answer still says what it is, and holds the token. */
const isWhole = (bent: Fields, answer: Fields) => bent.type === answer.type && bent.auth_token === answer.auth_token;

/** Signs in, and expects what the answer as it came allows. */
async function expectTaken(machine: TestMachine, answer: Fields, bent: Fields) {
  const { exit, stdout, stderr } = await machine.run(['auth', 'login', '--shop-id', SHOP, '--no-input', '--json']);
  const profiles = await machine.settings();
  if (!isWhole(bent, answer)) {
    expect([exit, stdout]).toEqual([13, '']);
    expect(stderr).toMatch(/AuthorizeShop (?:has no auth_token|answered a type)/);
    expect(JSON.stringify(profiles)).not.toContain('the-granted-key');
  } else if (answer.type === 'shop_key') {
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { status: 'signed_in', shop_id: SHOP }]);
    expect(JSON.stringify(profiles)).toContain(`shop${SHOP}:the-granted-key`);
  } else {
    expect([exit, JSON.parse(stdout)]).toMatchObject([8, { status: 'pending', auth_token: 'token-of-the-request' }]);
  }
  expect(stdout + stderr).not.toContain('the-granted-key');
}

describe.each(Object.entries(answers))('AuthorizeShop answers %s', (_, answer) => {
  describe.each(Object.entries(moods))('and a sign-in takes it, or says why not: %s', (_, { bend }) => {
    const bent = bend(answer);
    const body = textOf(bent);

    it('at once', async () => {
      const transport: Transport = async () => ({ status: 200, headers: { 'content-type': 'application/json' }, body });
      await expectTaken(await partnerAt(transport), answer, bent);
    });

    it.each(Object.entries(ways))('over a socket, %s', async (_, way) => {
      const asked: string[] = [];
      const { transport, baseUrl } = await answeredBy(way, (url) => {
        asked.push(url);
        return body;
      });
      await expectTaken(await partnerAt(transport, baseUrl), answer, bent);
      expect(asked[0]).toBe('/v1/partner.Shop/AuthorizeShop');
    });
  });
});
