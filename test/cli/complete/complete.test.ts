import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/cli/context.ts';
import { run } from '../../../src/main.ts';
import type { Settings } from '../../../src/platform/settings/settings.ts';
import { offlineContext } from '../../support/offline-context.ts';

const settings: Settings = {
  version: 1,
  current_profile: 'partner',
  profiles: {
    partner: {
      kind: 'partner',
      base_url: 'https://a.example',
      api_key: 'secret-of-the-partner',
      shops: { '11': { name: 'Trà\u001b[31m Lan', shop_key: 'secret-of-the-shop' }, '12': { shop_key: 'another' } },
    },
    'bán-lẻ': { kind: 'shop', base_url: 'https://b.example' },
    '$(touch x)': { kind: 'shop', base_url: 'https://c.example' },
    'with space': { kind: 'shop', base_url: 'https://d.example' },
    '-rf': { kind: 'shop', base_url: 'https://e.example' },
  },
};

async function ask(words: readonly string[], given: Partial<Context> & { settings?: Settings } = { settings }) {
  const clock = { now: () => 0, wait: () => new Promise<void>(() => {}) };
  const context = offlineContext(['__complete', ...words], { clock, ...given });
  const exit = await run(context);
  expect({ exit, stderr: context.stderr.text }).toEqual({ exit: 0, stderr: '' });
  return context.stdout.text.split('\n').filter((line) => line !== '');
}

describe('what completion asks for', () => {
  it('is the profiles, without those whose names a shell would read as more than a word', async () => {
    expect(await ask(['profiles', '--', 'orders', 'list', '--profile'])).toEqual([
      'partner\tpartner https://a.example',
      'bán-lẻ\tshop https://b.example',
    ]);
  });

  it('is the shops of the profile in force, with their names made safe and without their keys', async () => {
    const shops = await ask(['shops', '--', '--shop']);
    expect(shops.map((line) => line.split('\t')[0])).toEqual(['11', '12']);
    expect(shops.join()).not.toMatch(/secret|\u001b/);
    expect(await ask(['shops', '--', '--profile', 'bán-lẻ', 'auth', 'use'])).toEqual([]);
    expect(await ask(['shops', '--', '--profile=partner', 'auth', 'use'])).toHaveLength(2);
  });

  it('is the fields of the records that a command prints', async () => {
    const fields = await ask(['fields', '--', 'orders', '--json', 'list', '--fields']);
    expect(fields).toContain('shipping.cod_amount');
    expect(await ask(['fields', '--', 'groups', 'members', 'list'])).toContain('customer_id');
    expect(await ask(['fields', '--', 'no-such-command'])).toEqual([]);
  });
});

describe('completion', () => {
  it('says nothing when anything is wrong', async () => {
    const damaged = {
      settingsIn: () => {
        throw new Error('damaged');
      },
    };
    expect(await ask(['profiles', '--'], damaged)).toEqual([]);
    expect(await ask(['shops', '--', '--profile', 'no-such-profile'])).toEqual([]);
    expect(await ask(['shops'], { settings, env: { SHOPCTL_OUTPUT: 'nonsense', SHOPCTL_TIMEOUT: '-' } })).toEqual([]);
    expect(await ask([])).toEqual([]);
    expect(await ask(['nonsense', '--', 'x'])).toEqual([]);
    expect(await ask(['constructor'])).toEqual([]);
  });

  it('gives up when an answer takes too long', async () => {
    const store = {
      path: '',
      read: () => new Promise<never>(() => {}),
      update: async () => settings,
      warnings: async () => [],
      mend: async () => {},
    };
    const clock = { now: () => 0, wait: async () => {} };
    expect(await ask(['profiles', '--'], { settingsIn: () => store, clock })).toEqual([]);
  });
});
