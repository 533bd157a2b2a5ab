import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/cli/context.ts';
import { recallIds, rememberIds, rememberingIds } from '../../../src/cli/run/id-cache.ts';
import { openSession, type Session } from '../../../src/cli/session/session.ts';
import { offlineContext } from '../../support/offline-context.ts';
import { memorySink } from '../../support/sinks.ts';

const settings = {
  version: 1,
  current_profile: 'home',
  profiles: {
    home: { kind: 'shop', base_url: 'https://a.example' },
    other: { kind: 'shop', base_url: 'https://b.example' },
  },
} as const;

let directory: string;
let now = 0;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shopctl-ids-'));
  now = Date.UTC(2026, 6, 1);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function atTerminal(given: Partial<Context> = {}): Context {
  return offlineContext([], {
    settings,
    env: { SHOPCTL_CONFIG_DIR: directory },
    stdout: memorySink({ columns: 80 }),
    clock: { now: () => now, wait: async () => {} },
    ...given,
  });
}

const session = (context: Context, profile?: string): Promise<Session> =>
  openSession(context, profile === undefined ? {} : { profile });

const path = () => join(directory, 'cache', 'ids.json');

describe('the ids that a list showed', () => {
  it('are recalled for the account and the group that they were listed for', async () => {
    const context = atTerminal();
    const home = await session(context);
    await rememberIds(context, home, 'orders', ['1234567890123456789', '2']);
    await rememberIds(context, home, 'customers', ['3']);
    expect(await recallIds(context, home, 'orders')).toEqual(['1234567890123456789', '2']);
    expect(await recallIds(context, home, 'customers')).toEqual(['3']);
    expect(await recallIds(context, home, 'products')).toEqual([]);
    expect(await recallIds(context, await session(context, 'other'), 'orders')).toEqual([]);
  });

  it('are kept in a file that is for its owner alone', async () => {
    const context = atTerminal();
    await rememberIds(context, await session(context), 'orders', ['1']);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, 'cache'))).mode & 0o777).toBe(0o700);
  });

  it('are forgotten after ten minutes, and the file does not keep them', async () => {
    const context = atTerminal();
    const home = await session(context);
    await rememberIds(context, home, 'orders', ['1']);
    now += 10 * 60 * 1000 - 1;
    expect(await recallIds(context, home, 'orders')).toEqual(['1']);
    now += 1;
    expect(await recallIds(context, home, 'orders')).toEqual([]);
    await rememberIds(context, home, 'customers', ['3']);
    expect(await readFile(path(), 'utf8')).not.toContain('orders');
  });

  it('are at most a hundred', async () => {
    const context = atTerminal();
    const home = await session(context);
    const many = Array.from({ length: 5000 }, (_, index) => String(index + 1));
    await rememberIds(context, home, 'orders', many);
    expect(await recallIds(context, home, 'orders')).toEqual(many.slice(0, 100));
    expect((await stat(path())).size).toBeLessThan(5000);
  });

  it('are not kept where nobody is at a terminal', async () => {
    const context = atTerminal({ stdout: memorySink() });
    await rememberIds(context, await session(context), 'orders', ['1']);
    await expect(stat(path())).rejects.toThrow('ENOENT');
  });

  it('are ids and nothing else, whatever the service or the file says', async () => {
    const context = atTerminal();
    const home = await session(context);
    await rememberIds(context, home, 'orders', ['$(touch x)', null, 7, '8', '']);
    expect(await recallIds(context, home, 'orders')).toEqual(['8']);
    const text = await readFile(path(), 'utf8');
    await writeFile(path(), text.replace('"8"', '"`id`", 9, "10"'));
    expect(await recallIds(context, home, 'orders')).toEqual(['10']);
  });
});

describe('a cache that cannot be used', () => {
  it('is an empty one when it is damaged, and is replaced', async () => {
    const context = atTerminal();
    const home = await session(context);
    await rememberIds(context, home, 'orders', ['1']);
    for (const damage of ['{', '[]', 'null', '{"home": 3}']) {
      await writeFile(path(), damage);
      expect(await recallIds(context, home, 'orders')).toEqual([]);
    }
    await rememberIds(context, home, 'orders', ['2']);
    expect(await recallIds(context, home, 'orders')).toEqual(['2']);
  });

  it('never fails the command that writes it', async () => {
    await writeFile(join(directory, 'cache'), 'a file where a directory should be');
    const context = atTerminal();
    await expect(rememberIds(context, await session(context), 'orders', ['1'])).resolves.toBeUndefined();
  });
});

describe('rows as they pass', () => {
  async function remembered(take: number) {
    const kept: unknown[][] = [];
    const rows = rememberingIds([{ id: '1' }, { id: '2' }, null], async (ids) => {
      kept.push([...ids]);
    });
    let taken = 0;
    for await (const _ of rows) {
      taken += 1;
      if (taken === take) break;
    }
    return kept;
  }

  it('are remembered when they have all passed', async () => {
    expect(await remembered(9)).toEqual([['1', '2', undefined]]);
  });

  it('are remembered as far as they were read', async () => {
    expect(await remembered(1)).toEqual([['1']]);
  });
});
