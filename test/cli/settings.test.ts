import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testMachine } from '../support/context.ts';
import { errorOf } from '../support/stderr-lines.ts';

const KEY = '1000000000000000001:canary-of-a-key';
const nobody = () => {
  throw new Error('nothing is to be sent');
};

describe('shopctl profiles', () => {
  it('adds a profile with a key from stdin, shows it redacted, uses and removes it', async () => {
    const { run, directory } = testMachine(nobody);
    const words = ['profiles', 'add', 'live', '--base-url', 'https://shop.example/', '--api-key-stdin', '--no-check'];
    const added = await run([...words, '--json'], { stdin: `${KEY}\n` });
    expect(added.exit).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({
      name: 'live',
      current: true,
      kind: 'partner',
      base_url: 'https://shop.example',
      api_key: '***-key',
    });
    expect(statSync(join(directory, 'config.json')).mode & 0o777).toBe(0o600);
    expect((await run(words, { stdin: KEY })).exit).toBe(2);
    expect((await run(['profiles', 'list', '-o', 'name'])).stdout).toBe('live\n');
    expect((await run(['profiles', 'use', 'other'])).exit).toBe(3);
    expect((await run(['profiles', 'remove', 'live'])).exit).toBe(2);
    expect((await run(['profiles', 'remove', 'live', '--yes'])).exit).toBe(0);
    expect((await run(['profiles', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it('says that no profile is selected once that one is removed', async () => {
    const { run } = testMachine(nobody);
    for (const name of ['live', 'other', 'third']) {
      await run(['profiles', 'add', name, '--base-url', 'https://shop.example']);
    }
    const removed = async (name: string) => (await run(['profiles', 'remove', name, '--yes'])).stderr;
    expect(await removed('other')).toBe('removed other; its keys stay valid at the service\n');
    expect(await removed('live')).toBe(
      'removed live; its keys stay valid at the service\nno profile is selected now: choose one with `shopctl profiles use third`\n',
    );
    expect(await removed('third')).toBe('removed third; its keys stay valid at the service\n');
  });

  it('keeps what is not replaced, and keys with their service and their account', async () => {
    const machine = testMachine(nobody);
    const { run } = machine;
    const shops = { '7': { name: 'Tea', shop_key: 'shop7:canary-of-a-shop' } };
    const live = {
      kind: 'partner',
      base_url: 'https://shop.example',
      api_key: KEY,
      shops,
      current_shop: '7',
      output: 'json',
      read_only: true,
    } as const;
    const other = { kind: 'shop', base_url: 'https://other.example' } as const;
    const profileAfter = async (words: readonly string[], stdin?: string) => {
      await machine.save({ version: 1, current_profile: 'other', profiles: { live, other } });
      const { exit, stderr } = await run(['profiles', ...words, '--no-check'], stdin === undefined ? {} : { stdin });
      const saved = JSON.parse(readFileSync(join(machine.directory, 'config.json'), 'utf8'));
      const hasKey = saved.profiles.live.api_key !== undefined;
      expect([exit, stderr]).toEqual([0, hasKey ? '' : expect.stringMatching(/^the profile has no key: .*\n$/)]);
      expect(saved.profiles.other).toEqual(other);
      return saved.profiles.live;
    };
    const rotated = '1000000000000000001:another-canary';
    const stranger = '1000000000000000002:another-canary';
    const replace = ['add', 'live', '--replace'];
    expect(await profileAfter(replace)).toEqual(live);
    expect(await profileAfter([...replace, '--sign-in-component-url', 'https://shop.example/c.js'])).toEqual({
      ...live,
      sign_in_component_url: 'https://shop.example/c.js',
    });
    expect(await profileAfter(['set-key', 'live', '--api-key-stdin'], rotated)).toEqual({ ...live, api_key: rotated });
    expect(await profileAfter([...replace, '--api-key-stdin'], rotated)).toEqual({ ...live, api_key: rotated });
    const { shops: _, current_shop: __, ...bare } = live;
    expect(await profileAfter(['set-key', 'live', '--api-key-stdin'], stranger)).toEqual({
      ...bare,
      api_key: stranger,
    });
    const { api_key: ___, ...keyless } = bare;
    const base_url = 'https://elsewhere.example';
    expect(await profileAfter([...replace, '--base-url', base_url])).toEqual({ ...keyless, base_url });
    expect(await profileAfter([...replace, '--kind', 'shop'])).toEqual({ ...keyless, kind: 'shop' });
  });

  it('needs a key to set one, and a profile to set it for', async () => {
    const { run } = testMachine(nobody);
    await run(['profiles', 'add', 'live', '--base-url', 'https://shop.example']);
    const missing = await run(['profiles', 'set-key', 'live']);
    expect([missing.exit, missing.stderr]).toEqual([2, expect.stringContaining('--api-key-stdin')]);
    expect((await run(['profiles', 'set-key', 'nosuch', '--api-key-stdin'], { stdin: KEY })).exit).toBe(3);
    expect((await run(['profiles', 'set-key', 'live', '--api-key-stdin'], { stdin: 'two words' })).exit).toBe(2);
  });

  it('refuses an address that is neither https nor loopback', async () => {
    const { run } = testMachine(nobody);
    const { exit, stderr } = await run(['profiles', 'add', 'bad', '--base-url', 'http://shop.example']);
    expect([exit, stderr]).toEqual([14, expect.stringContaining('must be https')]);
  });
});

describe('shopctl config', () => {
  it('tells each setting in force and where it comes from', async () => {
    const { run } = testMachine(nobody);
    await run(['profiles', 'add', 'live', '--base-url', 'https://shop.example']);
    const { stdout } = await run(['config', 'list', '--show-origin', '--json', '--timeout', '7'], {
      env: { SHOPCTL_MAX_RETRIES: '1' },
    });
    const rows: { name: string; value: string; origin: string }[] = JSON.parse(stdout);
    const origin = (name: string) => rows.find((row) => row.name === name);
    expect(origin('timeout')).toMatchObject({ value: '7', origin: 'flag' });
    expect(origin('max_retries')).toMatchObject({ value: '1', origin: 'environment' });
    expect(origin('base_url')).toMatchObject({ value: 'https://shop.example', origin: 'profile' });
    expect(origin('read_only')).toMatchObject({ value: 'false', origin: 'default' });
  });

  it.each([
    ['password', 'https://lan:s3cr@t@shop.example/api', 'https://***@shop.example/api'],
    ['token', 'https://shop.example/api?token=s3cr@t', 'https://shop.example/api?***'],
  ])('shows no %s that somebody has written into the address of the service', async (_, base_url, shown) => {
    const { run, save } = testMachine(nobody);
    const live = { kind: 'partner', base_url } as const;
    await save({ version: 1, current_profile: 'live', profiles: { live } });
    for (const words of [
      ['config', 'list'],
      ['config', 'get', 'base_url'],
      ['profiles', 'list'],
      ['profiles', 'show'],
    ]) {
      const { stdout, stderr } = await run([...words, '--json']);
      expect(stdout + stderr).not.toMatch(/lan(?!g)|s3cr/);
      expect(stdout).toContain(shown);
    }
  });

  it('sets and unsets what a profile keeps, and refuses what it cannot be', async () => {
    const { run } = testMachine(nobody);
    await run(['profiles', 'add', 'live', '--base-url', 'https://shop.example']);
    expect((await run(['config', 'set', 'output', 'json'])).exit).toBe(0);
    expect(JSON.parse((await run(['profiles', 'show'])).stdout).output).toBe('json');
    expect((await run(['config', 'set', 'output', 'xml'])).exit).toBe(2);
    expect((await run(['config', 'unset', 'output'])).exit).toBe(0);
    expect((await run(['config', 'get', 'output'])).stdout).toBe('table\n');
  });

  it('says how a setting is given that no profile keeps', async () => {
    const { run } = testMachine(nobody);
    await run(['profiles', 'add', 'live', '--base-url', 'https://shop.example']);
    const { exit, stderr } = await run(['config', 'set', 'max-retries', '5']);
    expect(exit).toBe(2);
    expect(stderr).toContain(
      'error: a profile does not keep max_retries\nhint: give it with --max-retries or SHOPCTL_MAX_RETRIES; a profile keeps shop, ',
    );
    expect((await run(['config', 'set', 'profile', 'live'])).stderr).toContain(
      'hint: give it with `shopctl profiles use NAME` or --profile or SHOPCTL_PROFILE; ',
    );
    expect((await run(['config', 'set', 'nosuch', '5'])).stderr).toContain('no setting is named "nosuch"');
  });

  it('does not carry saved keys to another origin', async () => {
    const { run } = testMachine(nobody);
    const words = ['profiles', 'add', 'live', '--base-url', 'https://shop.example', '--api-key-stdin', '--no-check'];
    await run(words, { stdin: KEY });
    const moved = await run(['config', 'set', 'base-url', 'https://elsewhere.example']);
    expect([moved.exit, moved.stderr]).toEqual([2, expect.stringContaining('go to no other')]);
    const call = await run(['webhooks', 'list', '--json', '--base-url', 'https://elsewhere.example']);
    expect([call.exit, errorOf(call).code]).toEqual([4, 'key_bound_elsewhere']);
  });

  it('refuses bad values of the environment as configuration, and names the variable', async () => {
    const { run } = testMachine(nobody);
    const { exit, stderr } = await run(['config', 'list'], { env: { SHOPCTL_TIMEOUT: 'soon' } });
    expect([exit, stderr]).toEqual([14, expect.stringContaining('SHOPCTL_TIMEOUT')]);
    const flag = await run(['config', 'list', '--timeout', 'soon']);
    expect([flag.exit, flag.stderr]).toEqual([2, expect.stringContaining('--timeout')]);
  });
});
