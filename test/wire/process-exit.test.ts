import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { httpAnswer, rawServer } from '../support/raw-server.ts';
import { errorOf, stderrLines } from '../support/stderr-lines.ts';

test('a process that made one call ends by itself, with the connection still kept alive', async () => {
  const server = await rawServer((socket) =>
    socket.write(httpAnswer(200, '{"done":1}', { 'keep-alive': 'timeout=300' })),
  );
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-exit-'));
  try {
    const outfile = join(directory, 'one-call.mjs');
    const source = `
      import { createTransport } from ${JSON.stringify(resolve('src/platform/http/undici-transport.ts'))};
      const { transport } = createTransport();
      const url = ${JSON.stringify(server.origin)};
      const answer = await transport({ method: 'POST', url, headers: {}, body: '{}', timeoutMs: 36000000 });
      console.log(answer.body);`;
    await build({
      stdin: { contents: source, resolveDir: resolve('.') },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    const child = spawn(process.execPath, [outfile]);
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output).toBe('{"done":1}\n');
  } finally {
    await rm(directory, { recursive: true });
    await server.close();
  }
});

/** What fails in a program, as a module that it loads first: on a signal of its user. */
const failing = `
  const secret = '1:a-secret-key-of-mine';
  process.on('SIGUSR2', () => {
    if (process.env.FAILS_BY === 'rejection') Promise.reject(new Error('rejected ' + secret));
    else if (process.env.FAILS_BY === 'text') throw 'text ' + secret;
    else if (process.env.FAILS_BY === 'kind') throw Object.assign(new Error('kind ' + secret), { kind: 'network' });
    else throw new TypeError('thrown ' + secret);
  });
`;

describe.skipIf(process.platform === 'win32')('a failure that nothing in the program catches', () => {
  let program: BuiltProgram;
  beforeAll(async () => {
    program = await buildProgram();
    await writeFile(join(program.home, 'failing.cjs'), failing);
  });
  afterAll(() => program.remove());

  /** Runs a command that fails while the service has a call of the given operation, and does not answer. */
  async function failsDuring(operation: string, words: readonly string[], how: string) {
    const server = await rawServer((socket, _, request) => {
      if (request.includes(operation)) child.kill('SIGUSR2');
      else if (request.includes('CurrentAccount'))
        socket.write(httpAnswer(200, '{"id":"5","name":"Tea","type":"shop"}'));
      else socket.write(httpAnswer(404, '{"code":"bad_route","msg":"no","meta":{}}'));
    });
    onTestFinished(() => server.close());
    const argv = ['--require', join(program.home, 'failing.cjs'), join(program.bin, 'shopctl'), ...words];
    const env = {
      PATH: process.env.PATH,
      SHOPCTL_CONFIG_DIR: join(program.home, how, 'settings'),
      SHOPCTL_STATE_DIR: join(program.home, how, 'state'),
      SHOPCTL_BASE_URL: server.origin,
      SHOPCTL_API_KEY: '1:a-secret-key-of-mine',
      SHOPCTL_AS: 'shop',
      FAILS_BY: how,
    };
    const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, 'close');
    expect(stdout + stderr).not.toContain('a-secret-key');
    return { code, stdout, stderr };
  }

  const create = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '-o', 'json'];

  it.each(['exception', 'rejection', 'text', 'kind'])('is one error, without its stack: %s', async (how) => {
    const { code, stdout, stderr } = await failsDuring('ListCustomers', ['customers', 'list', '-o', 'json'], how);
    expect([code, stdout]).toEqual([1, '']);
    expect(errorOf(stderr)).toMatchObject({ code: 'internal_error', exit_code: 1, outcome: 'not_applied' });
    expect(stderr).not.toContain('failing.cjs');
  });

  it('leaves the outcome of a write in flight unknown', async () => {
    const { code, stderr } = await failsDuring('CreateCustomer', create, 'exception');
    expect(code).toBe(10);
    expect(errorOf(stderr)).toMatchObject({
      exit_code: 10,
      outcome: 'unknown',
      operation: 'shop.Customer/CreateCustomer',
    });
    expect(errorOf(stderr).hint).toContain('shopctl customers get --external-id');
  });

  it('leaves the outcome of a batch unknown that has sent something, and says that it is run again', async () => {
    const sheet = join(program.home, 'sheet.csv');
    await writeFile(sheet, 'full_name,phone\nLan,0901234567\n');
    const words = ['batch', 'run', sheet, '--do', 'customers create', '--yes', '-o', 'json'];
    const { code, stdout, stderr } = await failsDuring('CreateCustomer', words, 'rejection');
    expect([code, stdout]).toEqual([10, '']);
    expect(errorOf(stderr)).toMatchObject({ code: 'internal_error', exit_code: 10, outcome: 'unknown' });
    expect(errorOf(stderr).hint).toMatch(/the same again looks up first.*`shopctl ledger list /);
  });

  it('shows its stack with --debug, and is prose for a person', async () => {
    const { stderr } = await failsDuring('ListCustomers', ['customers', 'list', '-o', 'jsonl', '--debug'], 'exception');
    expect(stderrLines(stderr).debug).toContainEqual({ event: 'stack', stack: expect.stringContaining('failing.cjs') });
    const prose = await failsDuring('ListCustomers', ['customers', 'list'], 'rejection');
    expect([prose.code, prose.stderr.split('\n')[0]]).toEqual([1, 'shopctl: error: rejected ***']);
  });
});
