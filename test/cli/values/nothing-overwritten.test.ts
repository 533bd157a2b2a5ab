import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { testMachine } from '../../support/context.ts';
import { scripted } from '../../support/scripted-transport.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { baseUrl, partnerWorld } from '../../support/signed-in-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';

describe('a saved mapping', () => {
  it('is not replaced unless that is said, or agreed to', async () => {
    const { run, directory } = await shopWorld();
    const sheet = join(directory, 'sheet.csv');
    writeFileSync(sheet, 'full_name,phone\nLan,0912345678\n');
    const map = ['batch', 'map', sheet, '--do', 'customers create', '--save', 'mine', '--profile', 'shop'];
    expect((await run(map)).exit).toBe(0);
    const file = join(directory, 'mappings', 'mine.yaml');
    const own = `${readFileSync(file, 'utf8')}constants:\n  note: by hand\n`;
    writeFileSync(file, own);

    const refused = await run(map);
    expect([refused.exit, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/the mapping mine already exists.*\n.*--replace/),
    ]);
    expect(readFileSync(file, 'utf8')).toBe(own);
    expect((await run([...map, '--replace'])).exit).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('by hand');
  });
});

describe('auth login with nothing but the environment', () => {
  it('says in which profile the key was saved, and for which service', async () => {
    const { service, save, run, settings } = await partnerWorld();
    await save({ version: 1, profiles: {} });
    await service.signIn(service.shop.id);
    const env = { SHOPCTL_BASE_URL: baseUrl, SHOPCTL_API_KEY: service.partner.apiKey };
    const { exit, stderr } = await run(['auth', 'login', '--shop-id', service.shop.id], { env });
    expect([exit, stderr]).toEqual([0, expect.stringContaining(`saved in the profile default, for ${baseUrl}`)]);
    expect((await settings()).profiles.default?.base_url).toBe(baseUrl);
  });

  it('never changes the profile of another partner', async () => {
    const { service, save, run, settings } = await partnerWorld();
    const theirs = { kind: 'partner', base_url: baseUrl, api_key: '42:somebody-elses-key' } as const;
    await save({ version: 1, profiles: { default: theirs } });
    await service.signIn(service.shop.id);
    const env = { SHOPCTL_BASE_URL: baseUrl, SHOPCTL_API_KEY: service.partner.apiKey };
    const { exit, stderr } = await run(['auth', 'login', '--shop-id', service.shop.id], { env });
    expect([exit, stderr]).toEqual([2, expect.stringContaining("the profile default has another partner's key")]);
    expect((await settings()).profiles.default).toEqual(theirs);
  });
});

it('tells how to start a sandbox again as it was: its name, port, data and seed', async () => {
  const machine = testMachine(async () => {
    throw new TransportError('refused', 'no', 'no connection');
  });
  const hintAfter = async (...flags: string[]) => {
    const ending = new AbortController();
    const words = ['sandbox', 'start', '--name', 'five', '--port', '0', '--no-console', ...flags];
    await machine.run(words, { signal: ending.signal, onStdout: () => ending.abort('SIGTERM') });
    const { stderr } = await machine.run(['orders', 'list', '--profile', 'five-shop', '--max-retries', '0', '--json']);
    const [, hinted] = /`shopctl sandbox start --name five --port \d+(.*)`/.exec(errorOf(stderr).hint) ?? [];
    return hinted;
  };
  const data = join(machine.directory, 'its data');
  expect(await hintAfter('--data', data, '--seed', 'none')).toBe(` --data '${data}' --seed none`);
  expect(await hintAfter('--ephemeral', '--seed', 'none')).toBe(' --ephemeral --seed none');
});

it('says which sign-ins a new sandbox ends', async () => {
  const machine = testMachine(scripted().transport);
  const shops = { 42: { name: 'Trà Sen', shop_key: 'shop42:a-secret-key' } };
  const old = {
    kind: 'partner',
    base_url: 'http://127.0.0.1:4321',
    api_key: '1:an-old-key',
    shops,
    sandbox: 'five',
  } as const;
  await machine.save({ version: 1, current_profile: 'five', profiles: { five: old } });
  const ending = new AbortController();
  const words = ['sandbox', 'start', '--name', 'five', '--port', '0', '--ephemeral', '--seed', 'none'];
  const { stderr, stdout } = await machine.run(words, {
    signal: ending.signal,
    onStdout: () => ending.abort('SIGTERM'),
  });
  expect(stdout + stderr).toContain('Trà Sen');
  expect(stdout + stderr).toMatch(/signed in before.*no longer/);
});
