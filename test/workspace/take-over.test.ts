import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { acquireLock } from '../../src/platform/files/file-lock.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { ledger } from '../../src/workspace/migrations/ledger/ledger.ts';
import { migrations } from '../../src/workspace/migrations.ts';
import { openSqliteWorkspace } from '../../src/workspace/sqlite/sqlite-workspace.ts';
import { testMachine } from '../support/context.ts';
import { steppedClock } from '../support/stepped-clock.ts';

const lastSteps = migrations.slice(0, migrations.indexOf(ledger));

interface FormerRow {
  readonly name: string;
  readonly state: string;
  readonly id: string | null;
}

/** A state directory of former versions, with a file for each profile. */
async function formerState(
  profiles: Readonly<Record<string, readonly FormerRow[]>>,
  steps = lastSteps,
  state = mkdtempSync(join(tmpdir(), 'shopctl-former-')),
) {
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  for (const [profile, rows] of Object.entries(profiles)) {
    const workspace = await openSqliteWorkspace(join(state, 'workspaces', `${profile}.db`), { steps });
    await workspace.write(async (database) => {
      const account = JSON.stringify(['http://127.0.0.1:1', 'shop', '7']);
      await sql`insert into batches (id, account, "do", operation, state, content, source, options, reserved, created_at)
        values (${`batch-of-${profile}`}, ${account}, 'customers create', 'shop.Customer/CreateCustomer', 'finished',
          ${`content of ${profile}`}, 'g.csv', '{}', 0, '2026-01-31T08:00:00Z')`.execute(database);
      for (const [index, { name, state: rowState, id }] of rows.entries()) {
        await sql`insert into batch_rows (batch, row, cell, name, named, content, state, attempts, id)
          values (1, ${index + 1}, '2', ${name}, 1, ${`c ${name}`}, ${rowState}, 1, ${id})`.execute(database);
        await sql`insert into batch_contents (batch, row, cells, payload) values (1, ${index + 1}, '{}', '{}')`.execute(
          database,
        );
      }
    });
    await workspace.close();
  }
  return state;
}

/** What a workspace has of rows and of keys, by their names. */
async function contentOf(path: string, former: readonly string[]) {
  const workspace = await openSqliteWorkspace(path, { former, clock: steppedClock() });
  try {
    return await workspace.read(async (database) => ({
      batches: (await sql<{ id: string }>`select id from batches order by id`.execute(database)).rows.map(
        ({ id }) => id,
      ),
      rows: (await sql<{ name: string }>`select name from batch_rows order by name`.execute(database)).rows.map(
        ({ name }) => name,
      ),
      keys: (
        await sql<{ name: string; state: string; record_id: string; holder: string }>`
          select name, state, record_id, holder from ledger_keys order by name`.execute(database)
      ).rows.map(({ name, state, record_id }) => [name, state, record_id]),
    }));
  } finally {
    await workspace.close();
  }
}

const shop = [
  { name: 'A', state: 'done', id: '1' },
  { name: 'B', state: 'sending', id: null },
  { name: 'P', state: 'planned', id: null },
];
// The same row was sent from two profiles: that is done, and both are told.
const partner = [
  { name: 'A', state: 'done', id: '2' },
  { name: 'C', state: 'unclear', id: null },
];
const taken = {
  batches: ['batch-of-partner', 'batch-of-shop'],
  rows: ['A', 'A', 'B', 'C', 'P'],
  keys: [
    ['A', 'done', '2'],
    ['B', 'sending', null],
    ['C', 'unclear', null],
  ],
};

it('takes the files of all profiles into one, with a key for what was sent or may have been', async () => {
  const state = await formerState({ shop: [...shop], partner });
  expect(await contentOf(join(state, 'workspace.db'), [state])).toEqual(taken);
  // Opened again, it is as it was.
  expect(await contentOf(join(state, 'workspace.db'), [state])).toEqual(taken);
  expect(readdirSync(state).filter((file) => file.includes('taking-over'))).toEqual([]);
});

it('is told by doctor which records a former version created twice', async () => {
  const machine = testMachine(async () => {
    throw new TransportError('refused', 'no', 'nobody is there');
  });
  const state = await formerState({ shop, partner }, lastSteps, join(machine.directory, 'state'));
  await contentOf(join(state, 'workspace.db'), [state]);
  const { stdout } = await machine.run(['doctor', '--json']);
  const rows: { check: string; result: string; found: string }[] = JSON.parse(stdout);
  expect(rows.find(({ check }) => check === 'workspace')).toMatchObject({
    result: 'warn',
    found: '1 record was created twice by an earlier version: A is 1 and 2',
  });
});

it('takes files of an older schema beside newer ones', async () => {
  // Before the step that made the table of printed slips, which the newer file has.
  const state = await formerState({ shop }, lastSteps.slice(0, 2));
  await formerState({ partner }, lastSteps, state);
  expect(await contentOf(join(state, 'workspace.db'), [state])).toEqual(taken);
});

it('leaves the former files where they are, refused by the shopctl that made them', async () => {
  const state = await formerState({ shop, partner });
  await contentOf(join(state, 'workspace.db'), [state]);
  for (const profile of ['shop', 'partner']) {
    const opening = openSqliteWorkspace(join(state, 'workspaces', `${profile}.db`), { steps: lastSteps });
    await expect(opening).rejects.toMatchObject({ code: 'workspace_moved' });
  }
});

it('starts anew after it was killed, and another state directory gets nothing twice', async () => {
  const state = await formerState({ shop, partner });
  const path = join(state, 'workspace.db');
  await contentOf(path, [state]);
  // As a kill leaves it that comes before the new file has its name.
  for (const file of readdirSync(state)) if (file.startsWith('workspace.db')) rmSync(join(state, file));
  expect(await contentOf(path, [state])).toEqual(taken);
  const other = join(state, 'elsewhere', 'workspace.db');
  expect(await contentOf(other, [state])).toEqual({ batches: [], rows: [], keys: [] });
});

it('waits for a former shopctl that works with them, and changes nothing if it does not end', async () => {
  const state = await formerState({ shop });
  mkdirSync(join(state, 'workspaces', 'locks'));
  const lock = await acquireLock(join(state, 'workspaces', 'locks', 'batch-x.lock'));
  const path = join(state, 'workspace.db');
  await expect(contentOf(path, [state])).rejects.toMatchObject({
    code: 'workspace_busy',
    message: expect.stringContaining('an older version still works'),
  });
  expect(existsSync(path)).toBe(false);
  lock.release();
  expect(await contentOf(path, [state])).toMatchObject({ batches: ['batch-of-shop'] });
});
