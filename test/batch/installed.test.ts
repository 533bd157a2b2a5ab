import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { manyOrders } from './batch-world.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

it('ships a sheet with the program as it is installed, and says nothing that is not for its user', async () => {
  const service = await openTestSandbox();
  const server = await startServer(service.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  await settingsIn(program.home).update(() => ({
    version: 1,
    current_profile: 'shop',
    profiles: { shop: { kind: 'shop', base_url: server.baseUrl, api_key: service.shop.apiKey } },
  }));
  // Node itself tells whenever a thread is started.
  const [hook, threads] = [join(program.home, 'threads.cjs'), join(program.home, 'threads')];
  writeFileSync(hook, `process.on('worker', () => require('fs').appendFileSync(${JSON.stringify(threads)}, '.'));`);
  const threadsStarted = () => {
    const started = readFileSync(threads, { encoding: 'utf8', flag: 'a+' }).length;
    rmSync(threads);
    return started;
  };
  const run = async (...words: string[]) => {
    const child = spawn(...program.line(...words), {
      env: {
        PATH: process.env.PATH,
        HOME: program.home,
        SHOPCTL_CONFIG_DIR: program.home,
        NODE_OPTIONS: `--require ${hook}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (chunk) => out.push(String(chunk)));
    child.stderr.on('data', (chunk) => err.push(String(chunk)));
    const [code] = await once(child, 'close');
    return { code, stdout: out.join(''), stderr: err.join('') };
  };
  const file = join(program.home, 'orders.csv');
  writeFileSync(file, manyOrders(60, false));
  // Many rows wait at once.
  for (let nth = 1; nth <= 32; nth += 1) {
    await service.sandbox.control.faults.add({
      operation: 'shop.Shipping/CreateAndConfirmOrder',
      nth,
      do: 'drop-before',
    });
  }
  const ran = await run('batch', 'run', file, '--yes', '--concurrency', '32', '--json');
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringMatching(/Warning|node:/)]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ state: 'finished', counts: { rows: 60, done: 60, left: 0 } });
  // The workspace's.
  expect(threadsStarted()).toBe(1);
  const again = await run('batch', 'run', file, '--yes', '--json');
  expect([again.code, JSON.parse(again.stdout).batch]).toEqual([0, JSON.parse(ran.stdout).batch]);
  const { body } = await service.post('shop.Order/ListOrders', { paging: { limit: 100 } }, service.shop.apiKey);
  expect(body.orders).toHaveLength(60);
  threadsStarted();
  // Whatever else keeps something in the workspace opens it as well.
  expect(await run('events', 'list', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(threadsStarted()).toBe(0);
});
