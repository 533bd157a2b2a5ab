import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { isAtWork } from '../support/processor-time.ts';

let program: BuiltProgram;

beforeAll(async () => {
  program = await buildProgram();
});

afterAll(() => program.remove());

/** An expression that goes through sixty numbers for each of sixty, twelve levels deep: it never ends. */
const ENDLESS = Array.from({ length: 12 }).reduce<string>(
  (inner) => `map(&${inner}, \`${JSON.stringify(Array.from({ length: 60 }, (_, n) => n))}\`)[0]`,
  '@',
);

/** A service that answers each call; resolves when it has answered an operation. */
async function serviceAt(operation: string) {
  let called = () => {};
  const isCalled = new Promise<void>((resolve) => {
    called = resolve;
  });
  const server = createServer((request, response) => {
    request.resume();
    const customer = { id: '7', full_name: 'An', phone: '0901234567' };
    const isList = request.url?.endsWith('/ListCustomers') === true;
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith(operation)) response.once('finish', called);
    response.end(JSON.stringify(isList ? { customers: [customer], paging: { next: '' } } : customer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}`, isCalled };
}

/** Sends a signal to a command whose result is being searched: its last call was for an operation. */
async function ended(words: readonly string[], operation: string, signal: 'SIGINT' | 'SIGTERM') {
  const { baseUrl, isCalled } = await serviceAt(operation);
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    HOME: program.home,
    SHOPCTL_CONFIG_DIR: join(program.home, operation, 'config'),
    XDG_STATE_HOME: join(program.home, operation, 'state'),
    SHOPCTL_BASE_URL: baseUrl,
    SHOPCTL_AS: 'shop',
    SHOPCTL_API_KEY: 'shop:1234567890abcdef',
  };
  const child = spawn(...program.line(...words, '--query', ENDLESS), { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await Promise.race([isCalled, exit]);
  await isAtWork(child.pid);
  child.kill(signal);
  return { exit: await exit, stderr };
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a long query with exit %i', async (signal, exit) => {
  const end = await ended(['customers', 'list'], 'ListCustomers', signal);
  expect(end).toMatchObject({ exit, stderr: '' });
});

it('tells the answer to a write whose result is being searched when it is ended', async () => {
  const words = ['customers', 'create', '--full-name', 'An', '--phone', '0901234567', '--yes'];
  // What was created is read, and compared, before it is searched.
  const end = await ended(words, 'GetCustomer', 'SIGTERM');
  expect(end.stderr).toContain('it was done, but could not be printed: it was interrupted');
  expect(end.stderr).toContain('"id":"7"');
  // The signal that ended it counts, and what it printed says that the write was done.
  expect(end.exit).toBe(143);
});
