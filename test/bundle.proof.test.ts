import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { formatNames } from '../src/cli/print/formats.ts';
import { groups } from '../src/cli/tree/groups.ts';
import { settingsIn } from '../src/platform/settings/node-settings.ts';
import { startServer } from '../src/sandbox/server.ts';
import { type BuiltProgram, buildProgram } from './support/built-program.ts';
import { httpAnswer, rawServer } from './support/raw-server.ts';
import { openTestSandbox } from './support/sandbox.ts';

/**
 * The build leaves parts of its packages out. Whoever reaches one of them would find it at a user's: here is each
 * feature of a package that we use, from the program as it is built.
 */
let program: BuiltProgram;
const running = new Set<ChildProcess>();
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  program.remove();
});

async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(...program.line(...words), {
    env: { PATH: process.env.PATH, HOME: program.home, SHOPCTL_CONFIG_DIR: program.home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk) => out.push(String(chunk)));
  child.stderr.on('data', (chunk) => err.push(String(chunk)));
  const [code] = await once(child, 'close');
  running.delete(child);
  return { code, stdout: out.join(''), stderr: err.join('') };
}

/** A service on a socket, as a shop with its own key calls it. */
async function served() {
  const service = await openTestSandbox();
  const server = await startServer(service.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const key = { SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: service.shop.apiKey };
  return { key, service, env: { ...key, SHOPCTL_BASE_URL: server.baseUrl } };
}

it('a workspace is backed up, moved, and belongs to its account', async () => {
  const { env } = await served();
  const [one, other] = [join(program.home, 'one'), join(program.home, 'other')];
  const create = ['orders', 'create', '--input', 'examples/order-complete.json', '-o', 'name'];
  const made = await run(create, { ...env, SHOPCTL_STATE_DIR: one });
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) });
  expect(
    await run(['workspace', 'backup', join(program.home, 'copy.db')], { ...env, SHOPCTL_STATE_DIR: one }),
  ).toMatchObject({ code: 0 });
  const there = { ...env, SHOPCTL_STATE_DIR: other };
  expect(await run(create, there)).toMatchObject({ code: 14, stdout: '' });
  expect(await run(['workspace', 'move', '--yes'], there)).toMatchObject({ code: 0 });
  expect(await run(create, there)).toMatchObject({ code: 0, stdout: made.stdout });
  expect(await run(create, { ...env, SHOPCTL_STATE_DIR: one })).toMatchObject({ code: 14, stdout: '' });
  expect(await run(['doctor', '-o', 'json'], there)).toMatchObject({ stdout: expect.stringContaining('workspace.db') });
});

it('every group shows its help, and refuses what it does not know', async () => {
  for (const { name } of groups) {
    const help = await run([name, '--help']);
    expect([name, help.code, help.stderr]).toEqual([name, 0, '']);
    // What is not written down by the build is read by the parser itself.
    const wrong = await run([name, '--no-such-flag']);
    expect([name, wrong.code]).toEqual([name, 2]);
    expect(wrong.stderr).not.toMatch(/bug in shopctl|is not a function|undefined/);
  }
});

describe('a call', () => {
  it('reads and writes, in every format', async () => {
    const { env } = await served();
    const made = await run(['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--json'], env);
    expect([made.code, made.stderr]).toEqual([0, '']);
    for (const format of formatNames) {
      const { code, stderr, stdout } = await run(['customers', 'list', '-o', format], env);
      expect([format, code, stderr]).toEqual([format, 0, '']);
      expect(stdout).toContain(format === 'name' ? JSON.parse(made.stdout).id : 'Lan');
    }
    const { code, stdout } = await run(['customers', 'list', '--query', '[].full_name', '--json'], env);
    expect([code, JSON.parse(stdout)]).toEqual([0, ['Lan']]);
  });

  it('goes through a proxy', async () => {
    const server = await rawServer((socket) => socket.write(httpAnswer(200, '{"id":"1"}')));
    onTestFinished(() => server.close());
    const heads: string[] = [];
    const proxy = createServer((socket) => {
      socket.once('data', (head) => {
        heads.push(String(head));
        const way = connect(server.port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
        socket.pipe(way).pipe(socket);
        way.on('error', () => socket.destroy());
      });
      socket.on('error', () => socket.destroy());
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    // What answers behind the tunnel speaks no TLS: the call fails, but only after the proxy was asked.
    const env = { SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: '1:key', HTTPS_PROXY: `http://127.0.0.1:${port}` };
    const { code, stderr } = await run(
      ['account', 'show', '--max-retries', '0', '--base-url', 'https://a.example'],
      env,
    );
    expect([code, stderr]).toEqual([7, expect.not.stringContaining('bug in shopctl')]);
    expect(heads[0]).toContain('CONNECT a.example:443');
  });

  it.each([
    ['a status of three odd digits', 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n'],
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a chunked answer that is cut', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'],
    ['an informational answer first', `HTTP/1.1 103 Early Hints\r\n\r\n${httpAnswer(200, '{}')}`],
    ['an upgrade that nobody asked for', 'HTTP/1.1 101 Switching\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'],
    ['a compressed body', httpAnswer(200, 'x', { 'content-encoding': 'gzip' })],
  ])('reports %s in words', async (_, bytes) => {
    const server = await rawServer((socket) => socket.end(bytes));
    onTestFinished(() => server.close());
    const env = { SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: '1:key', SHOPCTL_BASE_URL: server.origin };
    const { code, stderr } = await run(['account', 'show', '--max-retries', '0', '--timeout', '5'], env);
    expect([code, stderr]).toEqual([expect.any(Number), expect.not.stringMatching(/bug in shopctl|is not a function/)]);
    expect(code).not.toBe(1);
  });
});

it('settings are written and read back', async () => {
  await settingsIn(program.home).update((settings) => ({
    ...settings,
    current_profile: 'a',
    profiles: { a: { kind: 'shop', base_url: 'http://127.0.0.1:1' } },
  }));
  const set = await run(['config', 'set', 'output', 'json']);
  expect([set.code, set.stderr]).toEqual([0, '']);
  expect(JSON.parse(readFileSync(join(program.home, 'config.json'), 'utf8')).profiles.a.output).toBe('json');
});

it('a language is a file of its own, which only its speakers load', async () => {
  // An executable has its files within it.
  const file = join(program.bin, '..', 'dist', 'vietnamese.cjs');
  const vietnamese = { SHOPCTL_LANG: 'vi' };
  expect((await run(['config', 'list', '-o', 'table'], vietnamese)).stdout).toMatch(/^TÊN/);
  renameSync(file, `${file}.away`);
  onTestFinished(() => renameSync(`${file}.away`, file));
  expect(await run(['config', 'list', '-o', 'table'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^NAME/),
  });
  expect(await run(['config', 'list', '-o', 'json'], vietnamese)).toMatchObject({ code: 0 });
  expect((await run(['config', 'list', '-o', 'table'], vietnamese)).code).not.toBe(0);
});
