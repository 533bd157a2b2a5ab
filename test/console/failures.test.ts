import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { openSqliteHere } from '../../src/platform/sqlite/sqlite-connection.ts';
import type { Between } from '../support/shop-world.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf } from '../support/stderr-lines.ts';
import { openedConsole } from './opened-console.ts';

/** Without further tries, which wait. */
const ofShop = ['--profile', 'shop', '--max-retries', '0'];

const away: Between = () => () => Promise.reject(new TransportError('refused', 'no', 'connect ECONNREFUSED'));
const refused: Between = () => async () => ({
  status: 401,
  headers: {},
  body: JSON.stringify({ code: 'unauthenticated', message: 'the key is not valid', meta: {} }),
});

describe('a failure is told as the command line tells it', () => {
  it.each([
    ['the service away', away, ['orders', 'list'], 'shop.Order/ListOrders'],
    ['a key refused', refused, ['orders', 'list'], 'shop.Order/ListOrders'],
    ['a mirror that is missing', (transport) => transport, ['day'], 'day'],
    ['nothing of that name', (transport) => transport, ['batch', 'show', 'x'], 'batch.show'],
  ] as const satisfies readonly (readonly [string, Between, readonly string[], string])[])(
    '%s',
    async (_, between, words, id) => {
      const world = await shopWorld(between);
      const { run } = await openedConsole(world, ofShop);
      const { kind, error } = await run(id, { input: id === 'batch.show' ? { batch: 'x' } : {} });
      const { exit, stderr } = await world.run([...words, ...ofShop, '--json']);
      const reported = errorOf({ stderr });
      expect(exit).not.toBe(0);
      expect(kind).toBe('error');
      expect(error).toMatchObject({
        code: reported.code,
        message: reported.message,
        exitCode: exit,
        outcome: reported.outcome,
      });
      expect(Object(error).hint ?? null).toBe(reported.hint ?? null);
    },
  );
});

it('a workspace that another program has locked is told as the command line tells it', async () => {
  const world = await shopWorld();
  expect((await world.run(['batch', 'list', ...ofShop])).exit).toBe(0);
  const { run } = await openedConsole(world, ofShop);
  const other = await openSqliteHere(join(world.directory, 'state', 'workspace.db'));
  onTestFinished(() => other.close());
  for (const statement of ['PRAGMA locking_mode = EXCLUSIVE', 'BEGIN EXCLUSIVE']) await other.run(statement);
  // It waits for the lock in steps, which take no time here.
  vi.spyOn(systemClock, 'wait').mockImplementation(async () => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const { kind, error } = await run('batch.list', { input: {} });
  const { exit, stderr } = await world.run(['batch', 'list', ...ofShop, '--json']);
  const reported = errorOf({ stderr });
  expect([kind, exit, reported.code]).toEqual(['error', 5, 'workspace_busy']);
  expect(error).toMatchObject({
    code: reported.code,
    message: reported.message,
    exitCode: exit,
    outcome: reported.outcome,
  });
});

it('__proto__ is no kind of record, and no column', async () => {
  const world = await shopWorld();
  const { run } = await openedConsole(world, ofShop);
  for (const entity of ['__proto__', 'constructor', 'order/../customer']) {
    const ran = await run('events.list', { input: { entity } });
    expect([entity, ran.kind, Object(ran.error).exitCode]).toEqual([entity, 'error', 2]);
  }
});

it('a partner gives no key to a page, and none in a file for it', async () => {
  const world = await shopWorld();
  const { ask, run, answers } = await openedConsole(world, ['--profile', 'test']);
  const { actions } = JSON.parse((await ask('/api/actions')).body);
  const readable = actions.filter(
    ({ reads, required }: { reads: boolean; required: string[] }) => reads && required.length === 0,
  );
  for (const { id, formats } of readable) {
    await run(id, { input: {} });
    const [format] = formats;
    const ran = format === undefined ? {} : Object(await run(id, { input: {}, format }));
    if (ran.kind === 'file') await ask(`/api/file/${ran.id}`);
  }
  expect(readable.length).toBeGreaterThan(15);
  const { partner, shop, shopKey } = world.service;
  const secrets = [partner.apiKey, shop.apiKey, shopKey].flatMap((key) => [key, key.split(':')[1] ?? key]);
  const said = answers.map(({ body, headers }) => body + JSON.stringify(headers)).join('\n');
  expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
});
