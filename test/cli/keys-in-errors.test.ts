/* A key in the place of something else is not repeated: in an error, a setting or a log. */
import { describe, expect, it } from 'vitest';
import { maskedText } from '../../src/platform/terminal/masked-sink.ts';
import { type RunOptions, testMachine } from '../support/context.ts';
import { json } from '../support/scripted-transport.ts';

const base_url = 'http://127.0.0.1:4010';
const KEY = '1234567890123456789:SECRETSECRETSECRET';

/** A machine with a profile of each kind, whose service answers nothing. */
async function machine() {
  const world = testMachine(async () => json(500, { code: 'internal', msg: 'no', meta: {} }));
  const shops = { '10008': { shop_key: 'shop10008:key' } };
  await world.save({
    version: 1,
    current_profile: 'shop',
    profiles: {
      shop: { kind: 'shop', base_url, api_key: '10008:key-of-the-shop' },
      partner: { kind: 'partner', base_url, api_key: '10007:key', shops, current_shop: '10008' },
    },
  });
  return world;
}

describe('a key in the place of something else', () => {
  const at = (words: readonly string[], options: RunOptions = {}) => [words.join(' '), words, options] as const;
  it.each([
    at(['orders', 'list', `--api-key=${KEY}`]),
    at(['orders', 'list', `-k${KEY}`]),
    at([KEY]),
    at(['orders', 'get', KEY]),
    at(['orders', 'list', '--profile', KEY]),
    at(['profiles', 'use', KEY]),
    at(['orders', 'list', '--shop', KEY]),
    at(['batch', 'show', KEY]),
    at(['config', 'get', KEY]),
    at(['config', 'set', 'api_key', KEY]),
    at(['orders', 'list', '--profile', KEY, '-o', 'json']),
    at(['orders', 'list'], { env: { SHOPCTL_PROFILE: KEY } }),
    at(['orders', 'list', '--profile', 'partner'], { env: { SHOPCTL_SHOP: KEY } }),
    at(['config', 'list'], { env: { SHOPCTL_SHOP: KEY } }),
    at(['config', 'list'], { env: { SHOPCTL_BASE_URL: 'https://user:SECRETSECRET@shop.example' } }),
  ])('is not repeated: %s', async (_, words, options) => {
    const world = await machine();
    const { stdout, stderr } = await world.run(words, options);
    expect(stdout + stderr).not.toContain('SECRETSECRET');
  });

  it('is masked in any form, and nothing else is', () => {
    expect(maskedText(`a ${KEY}, "shop12345:abcdefgh" 'request:${'x'.repeat(43)}'`)).toBe('a ***, "***" \'***\'');
    const plain = 'http://127.0.0.1:34567/v1 2026-11-26T10:00:00 rows.csv:12345:8 order 12345: 12345678 SBX00012345';
    expect(maskedText(plain)).toBe(plain);
    expect(maskedText('the word opensesame', ['opensesame'])).toBe('the word ***');
  });
});
