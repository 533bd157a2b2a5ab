import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { manyOrders } from './batch-world.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

it.skipIf(postgresPrograms === undefined)(
  'does one sheet in two terminals, whose workspace is one database',
  async () => {
    const service = await openTestSandbox();
    const server = await startServer(service.sandbox, { port: 0 });
    onTestFinished(() => server.close());
    const cluster = await sharedPostgres();
    const workspace = cluster.newDatabase();
    const terminal = async (name: string) => {
      const home = join(program.home, name);
      await settingsIn(home).update(() => ({
        version: 1,
        current_profile: 'shop',
        profiles: {
          shop: { kind: 'shop', base_url: server.baseUrl, api_key: service.shop.apiKey, settings: { workspace } },
        },
      }));
      return (...words: string[]) => {
        const child = spawn(...program.line(...words), {
          env: { PATH: process.env.PATH, HOME: home, SHOPCTL_CONFIG_DIR: home },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        onTestFinished(() => void child.kill('SIGKILL'));
        const reported = { stdout: '', stderr: '' };
        child.stdout.on('data', (chunk) => (reported.stdout += chunk));
        child.stderr.on('data', (chunk) => (reported.stderr += chunk));
        return { reported, child, ended: once(child, 'close').then(([code]) => ({ code, ...reported })) };
      };
    };
    const [one, other] = [await terminal('one'), await terminal('other')];
    const file = join(program.home, 'together.csv');
    writeFileSync(file, manyOrders(600, false));
    const first = one('batch', 'run', file, '--yes', '--concurrency', '1', '--json');
    const begun = () => /"code":"batch_began"[^}]*"batch":"([^"]+)"/.exec(first.reported.stderr)?.[1];
    await expect.poll(begun).toBeDefined();
    const batch = begun() ?? '';
    // Nobody can help before it is agreed to.
    const isOpen = async () => (await other('batch', 'show', batch, '--json').ended).code;
    await expect.poll(isOpen).toBe(0);
    const second = await other('batch', 'work', batch, '--concurrency', '4', '--json').ended;
    const ended = await first.ended;
    expect([ended.code, second.code, second.code === 0 || second.stderr]).toEqual([0, 0, true]);
    for (const { stdout } of [ended, second]) {
      expect(JSON.parse(stdout)).toMatchObject({ batch, state: 'finished', counts: { rows: 600, done: 600, left: 0 } });
    }
    expect(cluster.sql('select count(distinct worker) from batch_rows', workspace)).toBe('2');
    const again = await other('batch', 'run', file, '--yes', '--json').ended;
    expect([again.code, JSON.parse(again.stdout).batch]).toEqual([0, batch]);
    let orders = 0;
    for (let after = '.'; ; ) {
      const { body } = await service.post('shop.Order/ListOrders', { paging: { after } }, service.shop.apiKey);
      if (body.orders.length === 0) break;
      orders += body.orders.length;
      after = body.paging.next;
    }
    expect(orders).toBe(600);
  },
);
