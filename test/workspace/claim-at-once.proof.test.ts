import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchesOf } from '../../src/batch/store/batches.ts';
import { journalOf } from '../../src/batch/store/journal.ts';
import { rowsOf } from '../../src/batch/store/rows.ts';
import { workerAt } from '../../src/store/leases.ts';
import { openPostgresWorkspace } from '../../src/store/postgres-workspace.ts';
import { openSqliteWorkspace } from '../../src/store/sqlite-workspace.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { fc } from '../support/fast-check.ts';
import { plannedRow } from '../support/planned-row.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';
import { creating } from '../support/row-rule.ts';

const newBatch = {
  account: 'shop 1 http://127.0.0.1:1',
  do: 'ship',
  operation: 'shop.Shipping/CreateAndConfirmOrder' as const,
  options: '{}',
  created_at: '2026-01-31T08:00:00Z',
};

const identity = fc.constantFrom(...'abcdefghijklmnopqrstuvwx');
const row = fc.record({
  identity,
  fee: fc.constantFrom(null, 0, 100, 250),
  named: fc.constantFrom(0, 1),
  of: fc.constantFrom(1, 2, 3),
});
const state = fc.constantFrom('done', 'done', 'done', 'failed', 'failed', 'unclear', 'existed', 'planned', 'sending');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ claim: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ tell: fc.nat(1), state, isSpent: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ judge: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.constant({ restart: true as const }) },
  { weight: 1, arbitrary: fc.record({ taken: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.constant({ flush: true as const }) },
);
const story = fc.record({
  rows: fc.array(row, { minLength: 4, maxLength: 8 }),
  /** What other work has made, or is at. */
  others: fc.array(fc.record({ at: fc.nat(2), state: fc.constantFrom('done', 'failed', 'unclear', 'sending') }), {
    maxLength: 2,
  }),
  most: fc.constantFrom(null, null, 400),
  steps: fc.array(step, { minLength: 6, maxLength: 16 }),
  rule: fc.constantFrom(creating, {
    ...creating,
    equals: { within: 86_400_000, by: 'any' as const },
    digestsOf: (payload: string) => ({ request: payload, equal: payload }),
  }),
});
type Story = typeof story extends fc.Arbitrary<infer Reported> ? Reported : never;

/** What a workspace has, and what its claims returned, once a story has been played in it. */
async function played(
  { rows: given, others, most, steps, rule }: Story,
  workspace: Workspace,
  isAtOnce: boolean,
): Promise<unknown> {
  const { writeIf, ...slow } = workspace;
  let atOnce = 0;
  const counted: NonNullable<typeof writeIf> = async (statements) => {
    const isDone = (await writeIf?.(statements)) === true;
    if (isDone) atOnce += 1;
    return isDone;
  };
  const own = isAtOnce ? { ...slow, writeIf: counted } : slow;
  const [batches, rows] = [batchesOf(workspace), rowsOf(workspace)];
  const worker = workerAt({ ...own, own: async () => ({ id: 'mine', holds: () => true, release: async () => {} }) }, 0);
  const [theirs, ours] = [
    await batches.create({ ...newBatch, id: 'theirs', max_total: null }),
    await batches.create({ ...newBatch, id: 'ours', max_total: most }),
  ];
  const at = (batch: number) => (one: Parameters<typeof plannedRow>[2] & object, index: number) =>
    plannedRow(batch, index + 1, { name: `${one.identity}`, ...one });
  await rows.add(
    others.map((one, index) => at(theirs.number)({ identity: given[one.at]?.identity ?? '', payload: '1' }, index)),
  );
  await rows.add(given.map(({ of, ...one }, index) => at(ours.number)({ ...one, payload: `${of}` }, index)));
  const before = journalOf(slow, theirs.number, rule);
  for (const one of (await before.claimPlanned(worker, { after: 0, limit: 9 })).rows) {
    const { state } = others[one.row - 1] ?? { state: 'sending' };
    if (state !== 'sending') before.tell({ row: { ...one, state, id: `id ${one.row}` }, release: 0 });
  }
  await before.flush();
  const journal = journalOf(own, ours.number, rule);
  const claims: unknown[] = [];
  const taken: Awaited<ReturnType<typeof journal.claimPlanned>>['rows'][number][] = [];
  let after = 0;
  for (const one of steps) {
    if ('claim' in one) {
      const claimed = await journal.claimPlanned(worker, { after, limit: one.claim });
      claims.push(claimed);
      taken.push(...claimed.rows);
      after = claimed.last ?? 0;
    } else if ('tell' in one) {
      const found = taken[one.tell % Math.max(1, taken.length)];
      if (found === undefined) continue;
      const release = one.isSpent ? 0 : (found.fee ?? 0);
      journal.tell({ row: { ...found, state: one.state, id: `made ${found.row}` }, release });
    } else if ('judge' in one) {
      const found = await rows.one(ours.number, (one.judge % given.length) + 1);
      if (found !== undefined) await journal.judge([{ ...found, error_code: 'held_by' }]);
    } else if ('taken' in one) {
      const { identity = '' } = given[one.taken % given.length] ?? {};
      await workspace.write((database) =>
        sql`update ledger_keys set holder = 'somebody' where identity = ${identity}`.execute(database),
      );
    } else if ('restart' in one) after = 0;
    else await journal.flush();
  }
  await journal.flush();
  const stored = await workspace.read(async (database) =>
    Promise.all(
      ['batch_rows', 'batch_contents', 'ledger_keys', 'batches'].map(
        async (table) => (await sql<object>`select * from ${sql.table(table)} order by 1, 2, 3`.execute(database)).rows,
      ),
    ),
  );
  counts.push(atOnce);
  await worker.end();
  return { claims: inName(claims), stored: inName(stored) };
}

/** A worker's id under its lease is another one each time. */
const inName = (reported: unknown): unknown =>
  JSON.parse(JSON.stringify(reported).replaceAll(/\b[0-9a-f]{32}\b/g, 'mine'));

async function inFile(reported: Story, isAtOnce: boolean): Promise<unknown> {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-claims-'));
  const workspace = await openSqliteWorkspace(join(directory, 'workspace.db'), { synchronous: 'NORMAL' });
  try {
    return await played(reported, workspace, isAtOnce);
  } finally {
    await workspace.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const counts: number[] = [];

/** Otherwise one way would have been compared with itself. */
const wereAtOnce = () => expect(counts.splice(0).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50);

it('leaves what a claim that looks at each row leaves, and returns the same', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (reported) => {
      expect(await inFile(reported, true)).toEqual(await inFile(reported, false));
    }),
    { numRuns: 200 },
  );
  wereAtOnce();
});

describe.skipIf(postgresPrograms === undefined)('on a server', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await openPostgresWorkspace((await sharedPostgres()).newDatabase());
  });
  afterAll(() => workspace?.close());

  async function emptied(): Promise<Workspace> {
    await workspace.write((database) =>
      sql`truncate batches, batch_rows, batch_contents, ledger_keys restart identity`.execute(database),
    );
    return workspace;
  }

  it('leaves what a claim that looks at each row leaves, and returns the same', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (reported) => {
        expect(await played(reported, await emptied(), true)).toEqual(await played(reported, await emptied(), false));
      }),
      { numRuns: 60 },
    );
    wereAtOnce();
  });

  /** Two planned rows, and a worker on them. */
  async function twoPlanned() {
    await emptied();
    const { number } = await batchesOf(workspace).create({ ...newBatch, id: 'ours', max_total: null });
    await rowsOf(workspace).add([1, 2].map((row) => plannedRow(number, row)));
    const journal = journalOf(workspace, number, creating);
    const worker = workerAt(workspace, number);
    await worker.beat();
    return { number, journal, worker };
  }

  it.each([
    ['is of another generation', sql`generation = 1`],
    ['was sent with another request', sql`attempts = 2`],
    ['has another name', sql`identity = 'another'`],
    ['was left out', sql`state = 'skipped'`],
  ])('takes no row as it was read that %s by now', async (_, change) => {
    const { number, journal, worker } = await twoPlanned();
    const [first] = (await journal.claimPlanned(worker, { after: 0, limit: 1 })).rows;
    await workspace.write((database) => sql`update batch_rows set ${change} where "row" = 2`.execute(database));
    const second = (await journal.claimPlanned(worker, { after: 1, limit: 1 })).rows;
    const stored = await rowsOf(workspace).one(number, 2);
    expect([first?.row, second.map(({ state, ...row }) => row)]).toEqual([
      1,
      stored?.state === 'skipped' ? [] : [expect.objectContaining(await asStored(number))],
    ]);
    await worker.end();
  });

  /** Two planned rows, the first of which has been claimed. */
  async function oneClaimed() {
    const { number, journal, worker } = await twoPlanned();
    const claim = async (after: number) => (await journal.claimPlanned(worker, { after, limit: 1 })).rows[0]?.worker;
    return { number, claim, first: await claim(0) };
  }

  it('takes rows under a new lease once its own has expired', async () => {
    const { claim, first } = await oneClaimed();
    await workspace.write((database) => sql`update batch_workers set lease_until = 0`.execute(database));
    const second = await claim(1);
    expect(second).not.toBe(first);
    expect(await workspace.isAlive(second ?? '')).toBe(true);
  });

  it('takes no row once a newer program has migrated', async () => {
    const { claim, number } = await oneClaimed();
    const name = 'of-tomorrow';
    await workspace.write((database) => database.insertInto('schema_steps').values({ name }).execute());
    await expect(claim(1)).rejects.toMatchObject({ code: 'workspace_newer' });
    await workspace.write((database) => database.deleteFrom('schema_steps').where('name', '=', name).execute());
    expect((await rowsOf(workspace).one(number, 2))?.state).toBe('planned');
  });

  async function asStored(batch: number) {
    const { generation, attempts, identity } = (await rowsOf(workspace).one(batch, 2)) ?? plannedRow(batch, 2);
    return { generation, attempts, identity };
  }
});
