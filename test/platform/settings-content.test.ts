import { describe, expect, it } from 'vitest';
import { keepingUnknown, settingsFrom } from '../../src/platform/settings/node-settings-content.ts';
import type { Settings } from '../../src/platform/settings/settings.ts';

const profile = { kind: 'shop', base_url: 'https://api.example.com' } as const;
const withProfile = (more: object) => ({ version: 1, profiles: { a: { ...profile, ...more } } });
const read = (content: unknown) => settingsFrom('config.json', content, []);

describe('a file of settings', () => {
  it.each<readonly [string, unknown]>([
    ['current_profile must be a text', { version: 1, profiles: {}, current_profile: 1 }],
    ['profiles.a.base_url must be a text', withProfile({ base_url: null })],
    ['profiles.a.api_key must be a text', withProfile({ api_key: 5 })],
    ['profiles.a.current_shop must be a text', withProfile({ current_shop: 5 })],
    ['profiles.a.sign_in_component_url must be a text', withProfile({ sign_in_component_url: {} })],
    ['profiles.a.sandbox must be a text', withProfile({ sandbox: true })],
    ['profiles.a.sandbox_flags must be a text', withProfile({ sandbox_flags: [] })],
    ['profiles.a.output must be a text', withProfile({ output: 0 })],
    ['profiles.a.read_only must be true or false', withProfile({ read_only: 'yes' })],
    ['profiles.a.settings must be an object', withProfile({ settings: ['5s'] })],
    ['profiles.a.settings.tz must be a text', withProfile({ settings: { timeout: '5s', tz: 7 } })],
    ['profiles.a.settings.tz must be a text', withProfile({ settings: { tz: null } })],
    ['profiles.a.shop_names must be an object', withProfile({ shop_names: 'x' })],
    ['profiles.a.shop_names.9 must be a text', withProfile({ shop_names: { 8: 'x', 9: {} } })],
    ['profiles.a.shops must be an object', withProfile({ shops: [] })],
    ['profiles.a.shops.9 must be an object', withProfile({ shops: { 9: 'key' } })],
    ['profiles.a.shops.9.shop_key must be a text', withProfile({ shops: { 9: { shop_key: 1 } } })],
    ['profiles.a.shops.9.name must be a text', withProfile({ shops: { 9: { shop_key: 'k', name: 1 } } })],
    ['profiles.a.shops.9.since must be a text', withProfile({ shops: { 9: { shop_key: 'k', since: 1 } } })],
    ['ledgers must be an object', { version: 1, profiles: {}, ledgers: [] }],
    ['ledgers.a.id must be a text', { version: 1, profiles: {}, ledgers: { a: { place: 'p' } } }],
    ['ledgers.a.place must be a text', { version: 1, profiles: {}, ledgers: { a: { id: '1', place: 2 } } }],
    ...[0, 1.5, '1', undefined].map((version) => ['version must be a whole number from 1', { version }] as const),
  ])('is refused with the place of what is wrong in it: %s', (message, content) => {
    expect(() => read(content)).toThrow(`config.json is damaged: ${message}`);
  });

  it('is as it was written, with what this version does not know', () => {
    const whole = {
      ...withProfile({
        api_key: 'k',
        read_only: false,
        settings: { tz: 'Asia/Tokyo', later: 'x' },
        shop_names: { 9: 'Trà' },
        shops: { 9: { shop_key: 'k', name: 'Trà', since: '2026-01-31', colour: 'red' } },
        region: ['south'],
      }),
      current_profile: 'a',
      ledgers: { l: { id: '1', place: 'p' } },
      theme: { dark: true },
    };
    expect(read(whole)).toEqual(whole);
  });

  it('is brought to the newest version step by step, and refused from a newer one', () => {
    const steps: number[] = [];
    const migrations = [1, 2].map((step) => (content: Readonly<Record<string, unknown>>) => {
      steps.push(step);
      return { ...content, [`step${step}`]: true };
    });
    const of = (version: number) => settingsFrom('config.json', { version, profiles: {} }, migrations);
    expect(of(1)).toEqual({ version: 3, profiles: {}, step1: true, step2: true });
    expect(of(2)).toEqual({ version: 3, profiles: {}, step2: true });
    expect(of(3)).toEqual({ version: 3, profiles: {} });
    expect(steps).toEqual([1, 2, 2]);
    expect(() => of(4)).toThrow('was written by a newer shopctl (version 4 of the file; this one knows 3)');
  });
});

it('unknown fields stay with a profile while it is for the same service and kind, and are lost with either', () => {
  const before = read(withProfile({ other_key: 'secret', shops: { 9: { shop_key: 'k', colour: 'red' } } }));
  const after = (more: object): Settings =>
    read(withProfile({ shops: { 9: { shop_key: 'new' }, 8: { shop_key: 'k' } }, ...more }));
  const kept = (more: object) => keepingUnknown(before, after(more)).profiles.a;
  expect(kept({})).toEqual({
    ...profile,
    other_key: 'secret',
    shops: { 9: { shop_key: 'new', colour: 'red' }, 8: { shop_key: 'k' } },
  });
  for (const change of [{ base_url: 'https://elsewhere.example' }, { kind: 'partner' }]) {
    expect(kept(change)).toEqual(after(change).profiles.a);
  }
});
