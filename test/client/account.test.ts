import { describe, expect, it } from 'vitest';
import { accountOf, accountText, isSameAccount } from '../../src/client/account.ts';
import type { Key } from '../../src/client/connection.ts';
import { Secret } from '../../src/platform/settings/secret.ts';
import { errorAnswer, json, type Step, scripted } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

function connected(key: Omit<Key, 'secret'> & { readonly text: string }, ...steps: readonly Step[]) {
  const { text, ...rest } = key;
  const script = scripted(...steps);
  const connection = testConnection(script.transport, { key: () => ({ secret: new Secret(text), ...rest }) });
  return { script, connection };
}

describe('the account', () => {
  it('is the shop that a partner was granted the key for, whatever the key looks like', async () => {
    const { connection } = connected({ text: 'opaque-and-long', shop: '77' });
    expect(await accountOf('partner', connection)).toEqual({
      origin: 'http://127.0.0.1:4010',
      family: 'partner',
      shop: '77',
    });
  });

  it('is the shop that a key names by its form, so that a rotated key stays the same one', async () => {
    const one = await accountOf('partner', connected({ text: 'shop1042:first-secret' }).connection);
    const rotated = await accountOf('partner', connected({ text: 'shop1042:second-secret' }).connection);
    const other = await accountOf('partner', connected({ text: 'shop1043:first-secret' }).connection);
    expect(one.shop).toBe('1042');
    expect(isSameAccount(one, rotated)).toBe(true);
    expect(isSameAccount(one, other)).toBe(false);
    const own = await accountOf('shop', connected({ text: '1042:own-secret' }).connection);
    expect(own.shop).toBe('1042');
    expect(isSameAccount(one, own)).toBe(false);
  });

  it('is not told by a key that may not be sent to the service, nor without one', async () => {
    const reported = async (connection: Parameters<typeof accountOf>[1]) => accountOf('partner', connection);
    const bound = connected({ text: 'shop1042:secret', shop: '77', origin: 'https://elsewhere.example' });
    await expect(reported(bound.connection)).rejects.toMatchObject({ code: 'key_bound_elsewhere' });
    const broken = connected({ text: 'shop1042:secret\n' });
    await expect(reported(broken.connection)).rejects.toMatchObject({ code: 'credential_malformed' });
    const none = testConnection(scripted().transport, { key: () => undefined });
    await expect(reported(none)).rejects.toMatchObject({ code: 'credential_missing' });
  });

  it('is asked for once where the key of a shop says nothing', async () => {
    const { script, connection } = connected({ text: 'an-opaque-key' }, json(200, { id: '1042', name: 'Tea' }));
    expect((await accountOf('shop', connection)).shop).toBe('1042');
    expect((await accountOf('shop', connection)).shop).toBe('1042');
    expect(script.calls()).toEqual(['shop.Misc/CurrentAccount']);
  });

  it('is told by a hash of the key where no id can be known, which shows nothing of the key', async () => {
    for (const family of ['partner', 'shop'] as const) {
      const first = connected({ text: 'an-opaque-key' }, errorAnswer(404, 'bad_route'));
      const account = await accountOf(family, first.connection);
      expect(account.shop).toMatch(/^key [0-9a-f]{20}$/);
      expect(accountText(account)).not.toContain('opaque');
      const again = await accountOf(
        family,
        connected({ text: 'an-opaque-key' }, errorAnswer(404, 'bad_route')).connection,
      );
      expect(isSameAccount(account, again)).toBe(true);
      const other = await accountOf(
        family,
        connected({ text: 'another-key' }, errorAnswer(404, 'bad_route')).connection,
      );
      expect(isSameAccount(account, other)).toBe(false);
    }
  });

  it('is another one at another service', async () => {
    const here = connected({ text: 'shop1042:secret' }).connection;
    const there = { ...here, baseUrl: 'https://elsewhere.example/path' };
    expect((await accountOf('partner', there)).origin).toBe('https://elsewhere.example');
    expect(isSameAccount(await accountOf('partner', here), await accountOf('partner', there))).toBe(false);
  });

  it('is not guessed where the service does not answer: the next call may ask again', async () => {
    const { connection } = connected(
      { text: 'an-opaque-key' },
      errorAnswer(401, 'unauthenticated'),
      json(200, { id: '1042' }),
    );
    await expect(accountOf('shop', connection)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await accountOf('shop', connection)).shop).toBe('1042');
  });
});
