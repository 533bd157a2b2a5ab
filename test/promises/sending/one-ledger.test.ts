/* An account belongs to one ledger: another one is refused, moved, or recognised as a backup that was put back. */
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isSameLedger } from '../../../src/ledger/actions/own-ledger.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';

/** A shop that counts what it creates; `before` runs before each create. */
async function counting(before: (count: number) => Promise<void> = async () => {}) {
  let created = 0;
  const world = await shopWorld((transport) => async (request) => {
    if (request.url.includes('/Create')) {
      created += 1;
      await before(created);
    }
    return transport(request);
  });
  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    world.run([...words, '--profile', 'shop'], { env });
  const sheet = (rows: number) => {
    const path = join(world.directory, 'customers.csv');
    const lines = Array.from({ length: rows }, (_, row) => `Khách ${row},09${12_000_000 + row}`);
    writeFileSync(path, ['full_name,phone', ...lines].join('\n'));
    return path;
  };
  return { world, run, sheet, created: () => created };
}

const customer = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--json'];

it('sends nothing through another ledger, alone or in a batch, until the first one is moved there', async () => {
  const { world, run, sheet, created } = await counting();
  const there = { SHOPCTL_STATE_DIR: join(world.directory, 'there') };
  const first = await run([...customer.slice(0, -1), '--external-id', 'L1', '--json']);
  expect([first.exit, created()]).toEqual([0, 1]);
  const refused = await run(customer, there);
  expect([refused.exit, errorOf(refused).code, errorOf(refused).outcome]).toEqual([
    14,
    'workspace_elsewhere',
    'not_applied',
  ]);
  expect(errorOf(refused).hint).toContain('shopctl workspace move');
  const batch = ['batch', 'run', sheet(2), '--do', 'customers create', '--yes', '--json'];
  expect([(await run(batch, there)).exit, created()]).toEqual([14, 1]);
  const change = ['customers', 'update', JSON.parse(first.stdout).id, '--note', 'x', '--json'];
  expect((await run(change, there)).exit).toBe(14);

  expect((await run(['workspace', 'move', '--dry-run'], there)).exit).toBe(0);
  const unasked = await run(['workspace', 'move', '--json'], there);
  expect([unasked.exit, errorOf(unasked).code]).toEqual([2, 'usage']);
  const moved = await run(['workspace', 'move', '--yes', '--json'], there);
  expect([moved.exit, JSON.parse(moved.stdout)]).toMatchObject([0, [{ writes: 1, batches: 0 }]]);
  expect(JSON.parse((await run(['workspace', 'move', '--yes', '--json'], there)).stdout)).toEqual([]);

  // What the first ledger sent is known in the second, and the first is refused.
  const another = ['customers', 'create', '--full-name', 'Lan', '--phone', '0909999999', '--json'];
  const known = await run([...another, '--external-id', 'L1'], there);
  expect([known.exit, errorOf(known).code, created()]).toEqual([5, 'differs', 1]);
  expect([(await run(batch, there)).exit, created()]).toEqual([0, 3]);
  const old = await run(customer);
  expect([old.exit, errorOf(old).code, created()]).toEqual([14, 'workspace_moved', 3]);
});

it('goes on in a new ledger where the first is gone, and says what that means', async () => {
  const { world, run, created } = await counting();
  expect((await run(customer)).exit).toBe(0);
  rmSync(join(world.directory, 'state'), { recursive: true });
  const refused = await run(customer);
  expect([refused.exit, errorOf(refused).code]).toEqual([14, 'workspace_elsewhere']);
  const asked = await world.run(['workspace', 'move'], { terminal: true, answers: [true] });
  expect(asked.stderr + asked.prompter.asked.join()).toContain('can be sent twice');
  expect([(await run(customer)).exit, created()]).toEqual([0, 2]);
});

it('does not take a file for the database that it was moved to, nor the other way round', () => {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-ledgers-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = { id: 'one', place: join(directory, 'workspace.db') };
  writeFileSync(file.place, '');
  const database = { id: 'one', place: 'postgres://db.example/shop' };
  expect([isSameLedger(database, file), isSameLedger(file, database)]).toEqual([false, false]);
  const [gone, called] = [`${file.place}.old`, 'postgres://other.example/shop'];
  expect(isSameLedger({ ...file, place: gone }, database)).toBe(true);
  expect(isSameLedger(database, { ...database, place: called })).toBe(true);
  expect(isSameLedger(database, { ...database, id: 'two' })).toBe(false);
});

it('knows a backup that was put back: rows that were planned are looked up before anything is sent', async () => {
  let backUp = async () => {};
  const { world, run, sheet, created } = await counting(async (count) => {
    if (count === 3) await backUp();
  });
  const state = join(world.directory, 'state', 'workspace.db');
  const backup = join(world.directory, 'backup.db');
  backUp = async () => void (await world.run(['workspace', 'backup', backup]));
  const all = ['batch', 'run', sheet(40), '--do', 'customers create', '--concurrency', '1', '--yes', '--json'];
  const whole = await run(all);
  expect([whole.exit, created(), existsSync(backup)]).toEqual([0, 40, true]);
  for (const end of ['-wal', '-shm']) rmSync(`${state}${end}`, { force: true });
  copyFileSync(backup, state);
  const resumed = await run(['batch', 'resume', '--yes', '--json']);
  expect(resumed.stderr).toMatch(/was restored from a backup: \d+ planned rows may have been sent since/);
  expect([resumed.exit, JSON.parse(resumed.stdout).counts, created()]).toMatchObject([0, { done: 40, left: 0 }, 40]);
  expect((await run(['workspace', 'check'])).exit).toBe(0);
  // It is said once.
  expect((await run(['batch', 'list', '--json'])).stderr).not.toContain('restored');
});
