/* A copy of the workspace that is put back, by whatever means, is recognised by the epoch outside it. */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { beginEpoch, epochOutside, storeEpoch } from '../../src/store/epoch.ts';
import { plainOrder } from '../support/plain-order.ts';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';
import { errorOf } from '../support/stderr-lines.ts';

const SHEET = 6;

/** How many of a kind are at the service, asked of it and of nobody else. */
async function live({ service }: ShopWorld, kind: 'customers' | 'orders'): Promise<number> {
  const operation = kind === 'customers' ? 'shop.Customer/ListCustomers' : 'shop.Order/ListOrders';
  const { body } = await service.post(operation, {}, service.shop.apiKey);
  return body[kind].filter(({ status }: { status: string }) => kind === 'customers' || status !== 'N').length;
}

/** A batch of customers that ended after its first row, as Ctrl-C ends it; and a copy of the workspace from then. */
async function stoppedAndCopied() {
  const stop = new AbortController();
  let sent = 0;
  const seen: number[] = [];
  const between = { before: (_: number) => {} };
  const world = await shopWorld((transport) => async (request) => {
    const isCreate = request.url.endsWith('/CreateCustomer');
    // A killed run has written what there is by now, and nothing later.
    if (isCreate) {
      seen.push(epochNow());
      between.before(seen.length);
    }
    const answer = await transport(request);
    if (isCreate) {
      sent += 1;
      if (sent === 1) stop.abort();
    }
    return answer;
  });
  const epochNow = () => {
    const ledgers = join(world.directory, 'ledgers');
    const names = statSync(ledgers, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(ledgers) : [];
    return Math.max(0, ...names.map((name) => epochOutside([world.directory], name)));
  };
  const sheet = join(world.directory, 'customers.csv');
  const lines = Array.from({ length: SHEET }, (_, row) => `Khách ${row},09${12_000_000 + row}`);
  writeFileSync(sheet, ['full_name,phone', ...lines].join('\n'));
  const run = (...words: string[]) => world.run([...words, '--profile', 'shop', '-o', 'json']);
  const words = ['batch', 'run', sheet, '--do', 'customers create', '--concurrency', '1', '--yes', '--profile', 'shop'];
  const before = await live(world, 'customers');
  const stopped = await world.run(words, { signal: stop.signal });
  expect([stopped.exit, sent]).toEqual([130, 1]);
  const state = join(world.directory, 'state');
  const copy = join(world.directory, 'copy.db');
  copyFileSync(join(state, 'workspace.db'), copy);
  return {
    epochs: () => seen,
    between,
    world,
    run,
    copy,
    path: join(state, 'workspace.db'),
    made: async () => (await live(world, 'customers')) - before,
  };
}

function withoutLog(path: string): void {
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}

const ways: Readonly<Record<string, (copy: string, path: string) => void>> = {
  'copied over the file': (copy, path) => copyFileSync(copy, path),
  'copied to where the file was removed': (copy, path) => {
    rmSync(path);
    copyFileSync(copy, path);
  },
  'moved into its place': (copy, path) => renameSync(copy, path),
};

describe('a copy from before the rest of a batch was sent', () => {
  it.each(Object.keys(ways))('sends nothing twice when it is %s', async (way) => {
    const { world, run, copy, path, made } = await stoppedAndCopied();
    expect((await run('batch', 'resume', '--yes')).exit).toBe(0);
    expect(await made()).toBe(SHEET);
    withoutLog(path);
    ways[way]?.(copy, path);
    const resumed = await run('batch', 'resume', '--yes');
    expect(resumed.stderr).toContain('was restored from a backup: 5 planned rows may have been sent since');
    expect([resumed.exit, await made()]).toEqual([0, SHEET]);
    expect(JSON.parse(resumed.stdout).counts).toMatchObject({ done: SHEET });
    expect((await world.run(['batch', 'list', '--profile', 'shop'])).stderr).not.toContain('restored');
  });

  it('is known as one before the first byte of a run leaves, however that run ends', async () => {
    const { world, run, epochs } = await stoppedAndCopied();
    const [ledger = ''] = readdirSync(join(world.directory, 'ledgers'));
    const copied = epochOutside([world.directory], ledger);
    expect((await run('batch', 'resume', '--yes')).exit).toBe(0);
    // The first one is of the run before the copy.
    const [, ...during] = epochs();
    expect([during.length, during.every((epoch) => epoch > copied)]).toEqual([SHEET - 1, true]);
  });

  it('is known as one where it was made in the middle of a run that was killed later', async () => {
    const { world, run, copy, path, made, epochs, between } = await stoppedAndCopied();
    // Before the fourth is sent, the file and its log are copied as a power cut would leave them.
    between.before = (sent) => {
      if (sent !== 4) return;
      copyFileSync(path, copy);
      copyFileSync(`${path}-wal`, `${copy}-wal`);
    };
    expect((await run('batch', 'resume', '--concurrency', '1', '--yes')).exit).toBe(0);
    // Killed while the last one was sent, the run has left outside what stood there then.
    const [ledger = ''] = readdirSync(join(world.directory, 'ledgers'));
    truncateSync(join(world.directory, 'ledgers', ledger), epochs().at(-1) ?? 0);
    withoutLog(path);
    copyFileSync(copy, path);
    copyFileSync(`${copy}-wal`, `${path}-wal`);
    const resumed = await run('batch', 'resume', '--yes');
    expect(resumed.stderr).toContain('was restored from a backup: 2 planned rows may have been sent since');
    expect([resumed.exit, await made()]).toEqual([0, SHEET]);
  });

  it('is not taken for one that was put back while it is the newest there is', async () => {
    const { run, made } = await stoppedAndCopied();
    const resumed = await run('batch', 'resume', '--yes');
    expect(resumed.stderr).not.toContain('restored');
    expect([resumed.exit, await made()]).toEqual([0, SHEET]);
  });

  it('is recognised where only the cache can be written', async () => {
    const { world, run, copy, path, made } = await stoppedAndCopied();
    const ledgers = join(world.directory, 'ledgers');
    rmSync(ledgers, { recursive: true, force: true });
    writeFileSync(ledgers, 'not a directory');
    expect((await run('batch', 'resume', '--yes')).exit).toBe(0);
    withoutLog(path);
    copyFileSync(copy, path);
    const resumed = await run('batch', 'resume', '--yes');
    expect(resumed.stderr).toContain('was restored from a backup');
    expect(await made()).toBe(SHEET);
  });
});

describe('a planned row of a copy that was put back', () => {
  it('holds its key: a command sends no equal order beside it', async () => {
    const stop = new AbortController();
    const world = await shopWorld((transport) => async (request) => {
      const answer = await transport(request);
      if (request.url.endsWith('/CreateOrder')) stop.abort();
      return answer;
    });
    const [first, second] = [0, 1].map((number) => ({ order_note: `note ${number}` }));
    const order = plainOrder(world, second, 'second.json');
    const rows = join(world.directory, 'rows.json');
    const texts = [plainOrder(world, first, 'first.json'), order].map((path) => readFileSync(path, 'utf8'));
    writeFileSync(rows, `[${texts.join(',')}]`);
    const create = (...words: string[]) => world.run(['orders', 'create', ...words, '--profile', 'shop', '-o', 'json']);
    const batch = ['batch', 'run', rows, '--do', 'orders create', '--concurrency', '1', '--yes', '--profile', 'shop'];
    expect((await world.run(batch, { signal: stop.signal })).exit).toBe(130);
    const path = join(world.directory, 'state', 'workspace.db');
    const copy = join(world.directory, 'copy.db');
    copyFileSync(path, copy);
    // Something else is sent, so that the copy is from before it.
    expect((await create('--input', plainOrder(world, { order_note: 'another' }, 'another.json'))).exit).toBe(0);
    withoutLog(path);
    copyFileSync(copy, path);
    const before = await live(world, 'orders');
    const beside = await create('--input', order);
    expect([beside.exit, await live(world, 'orders')]).toEqual([10, before]);
    expect(errorOf(beside)).toMatchObject({ outcome: 'not_applied' });
    const resumed = await world.run(['batch', 'resume', '--yes', '--profile', 'shop']);
    expect([resumed.exit, await live(world, 'orders')]).toEqual([0, before + 1]);
  });
});

describe('the epoch outside a ledger', () => {
  const place = () => {
    const directory = mkdtempSync(join(tmpdir(), 'shopctl-epochs-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return directory;
  };

  it('is never lowered by a process that comes late', () => {
    const places = [place()];
    for (const epoch of [1, 7, 3, 5]) expect(storeEpoch(places, 'one', epoch)).toBe(true);
    expect([epochOutside(places, 'one'), epochOutside(places, 'two')]).toEqual([7, 0]);
    expect(statSync(join(places[0] ?? '', 'ledgers', 'one')).mode & 0o777).toBe(0o600);
  });

  it('is written to the next place where one cannot be written, and to none without an error', () => {
    const [shut, open] = [join(place(), 'file'), place()];
    writeFileSync(shut, '');
    expect(storeEpoch([shut, open], 'one', 4)).toBe(true);
    expect([readdirSync(join(open, 'ledgers')), epochOutside([shut, open], 'one')]).toEqual([['one'], 4]);
    expect(storeEpoch([shut], 'one', 4)).toBe(false);
  });

  it('begins in the ledger before it is stored outside it', async () => {
    const places = [place()];
    const failing = () => Promise.reject(new Error('the disk is full'));
    await expect(beginEpoch(failing, places)).rejects.toThrow('the disk is full');
    expect(epochOutside(places, 'one')).toBe(0);
  });
});
