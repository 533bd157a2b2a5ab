/* Where a user has no home, or the working directory was deleted, what needs neither works all the same. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const homeless = `data:text/javascript,${encodeURIComponent(`
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  os.homedir = () => { throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' }); };
  syncBuiltinESMExports();
`).replaceAll("'", '%27')}`;
const program = resolve('bin/shopctl.js');

/** Runs a line of a shell in a directory of its own, without any variable but those given. */
function runIn(line: string, env: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const given = Object.entries(env).map(([name, value]) => [name, value.replace('DIR', directory)]);
  return new Promise<{ code: unknown; stderr: string }>((done) => {
    const all = { PATH: process.env.PATH, ...Object.fromEntries(given) };
    execFile('/bin/sh', ['-c', line], { cwd: directory, env: all }, (error, _, stderr) => {
      done({ code: error?.code ?? 0, stderr });
    });
  });
}

const named = { SHOPCTL_CONFIG_DIR: 'DIR/config' };

it.each([
  ['config list', named, 0, ''],
  ['batch list', named, 0, ''],
  ['batch list', { SHOPCTL_STATE_DIR: 'DIR/s', XDG_CONFIG_HOME: 'DIR/c', XDG_CACHE_HOME: 'DIR/k' }, 0, ''],
  ['config list', {}, 14, 'SHOPCTL_CONFIG_DIR'],
])('without a home, %s with %j ends with %i', async (words, env, code, says) => {
  const ended = await runIn(`node --import '${homeless}' '${program}' ${words}`, env);
  expect(ended).toEqual({ code, stderr: expect.stringContaining(says) });
  expect(ended.stderr).not.toMatch(/bug|at .*\.cjs/);
});

it.each([
  ['config list', 0, ''],
  ['batch list', 0, ''],
  ['totals check orders.json', 2, 'orders.json'],
])('in a working directory that was deleted, %s ends with %i', async (words, code, says) => {
  const env = { ...named, SHOPCTL_API_KEY: 'shop1:abcdefgh12345678' };
  const ended = await runIn(`mkdir gone; cd gone; rmdir ../gone; node '${program}' ${words}`, env);
  expect(ended).toEqual({ code, stderr: expect.stringContaining(says) });
  expect(ended.stderr).not.toMatch(/bug|at .*\.cjs/);
});

it.runIf(process.platform === 'linux')(
  'where nothing can be written, each says which variable names another place',
  async () => {
    const env = { HOME: '/proc', SHOPCTL_API_KEY: 'shop1:abcdefgh12345678' };
    const batches = await runIn(`node '${program}' batch list`, env);
    expect(batches).toEqual({ code: 14, stderr: expect.stringContaining('SHOPCTL_STATE_DIR') });
    const profile = `echo k:abcdefghijkl | node '${program}' profiles add x --base-url https://x.example --no-check --api-key-stdin`;
    expect(await runIn(profile, env)).toEqual({ code: 14, stderr: expect.stringContaining('SHOPCTL_CONFIG_DIR') });
    for (const how of ['--ephemeral', '--detach']) {
      const line = `node '${program}' sandbox start --port 0 --seed none ${how}`;
      for (const places of [env, { ...named, SHOPCTL_STATE_DIR: '/dev/null' }])
        expect(await runIn(line, places)).toEqual({ code: 14, stderr: expect.stringContaining('SHOPCTL_STATE_DIR') });
    }
    for (const SHOPCTL_CONFIG_DIR of ['/dev/null', '/dev/null/in', '/etc/passwd']) {
      const listed = await runIn(`node '${program}' config list`, { SHOPCTL_CONFIG_DIR });
      expect(listed).toEqual({ code: 14, stderr: expect.stringContaining('SHOPCTL_CONFIG_DIR') });
    }
  },
);

it.runIf(process.platform === 'linux')('directories can be entered by their user, whatever the umask is', async () => {
  const add = `node '${program}' profiles add x --base-url https://x.example`;
  const line = `umask 777; ${add} && test "$(stat -c %a config)" = 700`;
  expect(await runIn(line, named)).toMatchObject({ code: 0 });
});
