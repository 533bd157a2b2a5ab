/* What comes in: empty texts, two values, keys in the place of names, a profile beside a key that is left over. */
import { describe, expect, it } from 'vitest';
import { flagsOfAction } from '../../src/cli/flags/fields.ts';
import type { Hint } from '../../src/contract/schema/hint.ts';
import { maskedText } from '../../src/platform/terminal/masked-sink.ts';
import { type RunOptions, type TestMachine, testMachine } from '../support/context.ts';
import { json } from '../support/scripted-transport.ts';
import { tried } from './every-result/commands.ts';

const base_url = 'http://127.0.0.1:4010';
const KEY = '1234567890123456789:SECRETSECRETSECRET';

/** A machine with a profile of each kind, and what its service was asked. */
async function machine(): Promise<{ world: TestMachine; asked: string[] }> {
  const asked: string[] = [];
  const world = testMachine(async ({ url }) => {
    asked.push(url.split('/').at(-1) ?? '');
    return json(500, { code: 'internal', msg: 'no', meta: {} });
  });
  const shops = { '10008': { shop_key: 'shop10008:key' } };
  await world.save({
    version: 1,
    current_profile: 'shop',
    profiles: {
      shop: { kind: 'shop', base_url, api_key: '10008:key-of-the-shop' },
      partner: { kind: 'partner', base_url, api_key: '10007:key', shops, current_shop: '10008' },
    },
  });
  return { world, asked };
}

/** Whether an action sends fields of a record, of which an empty one clears. */
const clears = (id: string, effect: string) => id.includes('/') && ['create', 'update'].includes(effect);

const all = tried.flatMap(({ name, actions }) => actions.map((action) => ({ name, action })));

describe('an empty text names nothing', () => {
  const positions = all.flatMap(({ name, action: { positional = [], hints = {} } }) => {
    const [field] = positional;
    const hint =
      field === undefined ? undefined : Object.entries<Hint | undefined>(hints).find(([key]) => key === field);
    return field === undefined || hint?.[1]?.mayBeBlank === true
      ? []
      : [[`${name} ${field.toUpperCase()}`, [...name.split(' '), ...positional.map(() => ' ')], field] as const];
  });
  const selecting = all.flatMap(({ name, action }) =>
    clears(action.id, action.effect)
      ? []
      : flagsOfAction(action)
          .filter(({ type, name: flag }) => ['string', 'ids', 'list'].includes(type) && !flag.includes('.'))
          .map(({ name: flag }) => [`${name} --${flag}`, name, flag] as const),
  );

  it('is tried with each position and each flag', () => {
    expect([positions.length > 60, selecting.length > 150]).toEqual([true, true]);
  });

  it.each(positions)('%s', async (_, words, field) => {
    const { world, asked } = await machine();
    const ended = await world.run([...words, '--yes']);
    expect([ended.exit, ended.stderr.replaceAll('-', '_')]).toEqual([2, expect.stringContaining(`${field} is empty`)]);
    expect(asked).toEqual([]);
  });

  it.each(selecting)('%s', async (_, name, flag) => {
    const { world, asked } = await machine();
    const ended = await world.run([...name.split(' '), `--${flag}=`, '--yes']);
    expect([ended.exit, ended.stderr]).toEqual([
      2,
      expect.stringMatching(/ is empty|missing|required|needs|not known/),
    ]);
    expect(asked).toEqual([]);
  });

  it.each(['SHOPCTL_PROFILE', 'SHOPCTL_SHOP', 'SHOPCTL_BASE_URL', 'SHOPCTL_API_KEY', 'SHOPCTL_SHOP_KEY', 'SHOPCTL_AS'])(
    'an empty %s is refused where the service is called, and named by doctor',
    async (variable) => {
      const { world, asked } = await machine();
      const env = { [variable]: '' };
      const ended = await world.run(['orders', 'list'], { env });
      expect([ended.exit, ended.stderr]).toEqual([2, expect.stringContaining(`${variable} is empty`)]);
      expect(asked).toEqual([]);
      expect((await world.run(['config', 'list'], { env })).exit).toBe(0);
      expect((await world.run(['doctor'], { env })).stdout).toContain(`${variable} is empty`);
    },
  );
});

describe('two values', () => {
  it.each([
    ['--input', ['orders', 'create', '--input', 'a.json', '--input', 'b.json']],
    ['--max-fee', ['batch', 'run', 'f.csv', '--max-fee', '1', '--max-fee', '99999999']],
    ['--full-name', ['customers', 'create', '--full-name', 'Lan', '--full-name', 'Nam', '--phone', '0901234567']],
    ['--profile', ['orders', 'list', '--profile', 'shop', '--profile', 'partner']],
    ['--shop', ['orders', 'list', '--shop', '1', '--shop=2']],
    ['--base-url', ['orders', 'list', '--base-url', 'https://a.example', '--base-url', 'https://b.example']],
  ])('of %s are refused, and nothing is sent', async (flag, words) => {
    const { world, asked } = await machine();
    const ended = await world.run([...words, '--yes']);
    expect([ended.exit, ended.stderr]).toEqual([2, expect.stringContaining(`${flag} has two values`)]);
    expect(asked).toEqual([]);
  });

  it.each([
    ['of one value', ['orders', 'list', '--profile', 'shop', '--profile', 'shop']],
    ['of the format', ['config', 'list', '-o', 'csv', '-o', 'json']],
  ])('%s count as one, the last', async (_, words) => {
    const { world } = await machine();
    expect((await world.run(words)).stderr).not.toContain('has two values');
  });
});

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
    const { world } = await machine();
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

describe('a profile that is typed', () => {
  it.each([
    ['SHOPCTL_API_KEY', '10009:left-over-key', 'shop', ['10008', '10009']],
    ['SHOPCTL_SHOP_KEY', 'shop10010:left-over-key', 'partner', ['shop10008', 'shop10010']],
  ])('is refused beside the %s of somebody else, and both are named', async (variable, key, profile, owners) => {
    const { world, asked } = await machine();
    const words = profile === 'shop' ? ['orders', 'list'] : ['shipping', 'get', '1'];
    const ended = await world.run([...words, '--profile', profile], { env: { [variable]: key } });
    expect([ended.exit, owners.every((owner) => ended.stderr.includes(owner)), asked]).toEqual([4, true, []]);
    expect(ended.stderr).not.toContain('left-over-key');
  });

  it.each([
    ['a newer key of its owner', ['--profile', 'shop'], '10008:newer-key'],
    ['a key of somebody else where no profile is typed', [], '10009:other-key'],
  ])('passes with %s', async (_, words, SHOPCTL_API_KEY) => {
    const { world, asked } = await machine();
    await world.run(['orders', 'list', ...words, '--max-retries', '0'], { env: { SHOPCTL_API_KEY } });
    expect(asked).toEqual(['ListOrders']);
  });
});
