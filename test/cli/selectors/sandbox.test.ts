import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { type TestMachine, testMachine } from '../../support/context.ts';
import { scripted } from '../../support/scripted-transport.ts';

const machineOf = (): TestMachine => testMachine(scripted().transport);

/** Starts a sandbox in this process until the test ends; returns its ready event. */
async function started({ run }: TestMachine, ...words: string[]): Promise<{ base_url: string; control_url: string }> {
  const ending = new AbortController();
  const all = ['sandbox', 'start', '--port', '0', '--ephemeral', '--json', ...words];
  const line = await new Promise<string>((resolve, reject) => {
    const ended = run(all, { signal: ending.signal, onStdout: resolve });
    ended.then(({ stderr }) => reject(new Error(stderr)), reject);
    onTestFinished(async () => {
      ending.abort('SIGTERM');
      await ended;
    });
  });
  return JSON.parse(line);
}

describe('a sandbox that is started', () => {
  it('may be that of the chosen profile, which it is about to save, and of no other', async () => {
    const machine = machineOf();
    for (const [profile, ...words] of [['other'], ['sandbox', '--name', 'five'], ['five-shop']] as const) {
      const env = { SHOPCTL_PROFILE: profile };
      const { exit, stderr } = await machine.run(['sandbox', 'start', '--port', '0', ...words], { env });
      expect([exit, stderr]).toEqual([14, expect.stringContaining(`there is no profile "${profile}"`)]);
    }
    const choosing = (profile: string): TestMachine => ({
      ...machine,
      run: (words, options) => machine.run(words, { ...options, env: { SHOPCTL_PROFILE: profile } }),
    });
    await started(choosing('sandbox-shop'));
    await started(choosing('five'), '--name', 'five');
    expect((await choosing('sandbox-shop').run(['orders', 'list', '--dry-run'])).exit).toBe(0);
  });
});

describe('a command for a running sandbox', () => {
  it('goes to the sandbox of the profile, not to the newest one, and names it', async () => {
    const machine = machineOf();
    await started(machine);
    await started(machine, '--name', 'five');
    const mode = async (name: string) =>
      JSON.parse((await machine.run(['sandbox', 'clock', 'show', '--name', name, '--json'])).stdout).mode;

    const env = { SHOPCTL_PROFILE: 'sandbox-shop' };
    const frozen = await machine.run(['sandbox', 'clock', 'freeze'], { env });
    expect([frozen.exit, frozen.stderr]).toEqual([0, expect.stringContaining('sandbox default')]);
    expect([await mode('default'), await mode('five')]).toEqual(['frozen', 'real']);

    const other = await machine.run(['sandbox', 'faults', 'add', '*', '--once', '--do', 'html', '--profile', 'five']);
    expect([other.exit, other.stderr]).toEqual([0, expect.stringContaining('sandbox five')]);
    const faults = async (name: string) =>
      JSON.parse((await machine.run(['sandbox', 'faults', 'list', '--name', name, '--json'])).stdout);
    expect([(await faults('default')).length, (await faults('five')).length]).toEqual([0, 1]);
  });

  it('is started anew as it was: by its name, at its port, with its flags', async () => {
    const refused = new TransportError('refused', 'no', 'connection refused');
    const machine = testMachine(scripted(refused).transport);
    const { base_url } = await started(machine, '--name', 'five');
    const { stderr } = await machine.run(['orders', 'list', '--profile', 'five-shop', '--max-retries', '0']);
    const { port } = new URL(base_url);
    expect(stderr).toContain(`start it with \`shopctl sandbox start --name five --port ${port} --ephemeral`);
  });

  it('goes to the sandbox at the address in force, where no profile tells', async () => {
    const machine = machineOf();
    const { base_url } = await started(machine);
    await started(machine, '--name', 'five');
    const env = { SHOPCTL_BASE_URL: base_url, SHOPCTL_PROFILE: 'five' };
    const { exit, stderr } = await machine.run(['sandbox', 'clock', 'freeze'], { env });
    expect([exit, stderr]).toEqual([0, expect.stringContaining('in the sandbox default')]);
  });

  it('is refused where the sandbox of the profile does not run, though another one does', async () => {
    const machine = machineOf();
    await started(machine, '--name', 'five');
    const { profiles } = await machine.settings();
    const gone = { kind: 'shop', base_url: 'http://127.0.0.1:1', api_key: '1:a-secret', sandbox: 'two' } as const;
    await machine.save({ version: 1, current_profile: 'two-shop', profiles: { ...profiles, 'two-shop': gone } });
    for (const words of [['clock', 'freeze'], ['stop']]) {
      const { exit, stderr } = await machine.run(['sandbox', ...words]);
      expect([exit, stderr]).toEqual([3, expect.stringContaining('no sandbox "two" runs')]);
    }
    expect((await machine.run(['sandbox', 'clock', 'freeze', '--name', 'five'])).exit).toBe(0);
  });

  it('names its own address in the OpenAPI documents', async () => {
    const machine = machineOf();
    const { base_url, control_url } = await started(machine);
    await started(machine, '--name', 'five');
    const serverOf = async (...words: string[]) =>
      JSON.parse((await machine.run(['sandbox', 'openapi', ...words])).stdout).servers[0].url;
    expect(await serverOf()).toBe(base_url);
    expect(await serverOf('--control')).toBe(control_url);
    expect(await serverOf('--profile', 'five')).not.toBe(base_url);
  });

  it('takes a shop by its name, and names the shops for one that it does not have', async () => {
    const machine = machineOf();
    await started(machine);
    const unlinked = await machine.run(['sandbox', 'unlink', '--shop', 'second demo shop', '--json']);
    expect([unlinked.exit, JSON.parse(unlinked.stdout).removed]).toEqual([0, 0]);
    const { exit, stderr } = await machine.run(['sandbox', 'unlink', '--shop', 'Secnd Demo Shop']);
    expect([exit, stderr]).toEqual([expect.any(Number), expect.stringContaining('Second Demo Shop')]);
    const byFlag = await machine.run(['sandbox', 'unlink', '--shop-id', 'Demo Shop', '--json']);
    expect([byFlag.exit, JSON.parse(byFlag.stdout)]).toEqual([0, { removed: 0 }]);
    const two = await machine.run(['sandbox', 'unlink', '--shop-id', 'Demo Shop', '--shop', 'Second Demo Shop']);
    expect([two.exit, two.stderr]).toEqual([2, expect.stringContaining('--shop-id and --shop name two')]);
    const none = await machine.run(['sandbox', 'unlink', '--profile', 'sandbox']);
    expect([none.exit, none.stderr]).toEqual([2, expect.stringContaining('--shop-id is required')]);
    const limited = await machine.run(['sandbox', 'log', '--limit', '2000', '--json']);
    expect([limited.exit, limited.stderr]).toEqual([2, expect.stringContaining('"--limit must be a whole number')]);
  });

  it('takes the name of a shop for that of its own shop, whatever the profile in force calls so', async () => {
    const machine = machineOf();
    await started(machine);
    const settings = await machine.settings();
    const other = { kind: 'shop', base_url: 'https://shop.example', api_key: '42:a-secret' } as const;
    const profiles = { ...settings.profiles, live: { ...other, shop_names: { 42: 'Demo Shop' } } };
    await machine.save({ ...settings, profiles, current_profile: 'live' });
    const unlink = ['sandbox', 'unlink', '--shop', 'Demo Shop', '--name', 'default', '--json'];
    const { exit, stderr, stdout } = await machine.run(unlink);
    expect([exit, stderr, JSON.parse(stdout || '{}')]).toEqual([0, expect.any(String), { removed: 0 }]);
  });

  it('knows an operation by its last word', async () => {
    const machine = machineOf();
    await started(machine);
    const { exit, stderr } = await machine.run(['sandbox', 'faults', 'add', 'CreateAndConfirmOrder', '--do', 'html']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('shop.Shipping/CreateAndConfirmOrder')]);
  });
});

describe('sandbox exec', () => {
  it('honours --profile for the profiles of its sandbox, and refuses any other selector', async () => {
    const machine = machineOf();
    const reported = join(machine.directory, 'profile');
    const script = `require('fs').writeFileSync(${JSON.stringify(reported)}, process.env.SHOPCTL_PROFILE)`;
    const exec = (words: string[], env = {}) =>
      machine.run(['sandbox', 'exec', ...words, '--seed', 'none', '--', process.execPath, '-e', script], { env });
    expect((await exec(['--profile', 'sandbox-shop'])).exit).toBe(0);
    expect(readFileSync(reported, 'utf8')).toBe('sandbox-shop');
    expect((await exec([], { SHOPCTL_PROFILE: 'sandbox-shop' })).exit).toBe(0);
    expect(readFileSync(reported, 'utf8')).toBe('sandbox-shop');
    expect((await exec([])).exit).toBe(0);
    expect(readFileSync(reported, 'utf8')).toBe('sandbox');

    await machine.save({
      version: 1,
      profiles: { live: { kind: 'shop', base_url: 'https://shop.example', api_key: '1:a-secret' } },
    });
    for (const words of [
      ['--profile', 'live'],
      ['--base-url', 'http://127.0.0.1:1'],
      ['--shop', '42'],
    ]) {
      const { exit, stderr } = await exec(words);
      expect([exit, stderr]).toEqual([2, expect.stringContaining(words[0] ?? '')]);
    }
  });
});
