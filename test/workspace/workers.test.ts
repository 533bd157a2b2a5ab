import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBatches } from '../../src/batch/open.ts';
import type { RowWithRequest } from '../../src/batch/store/row.ts';
import { workerAt } from '../../src/store/leases.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { plannedRow } from '../support/planned-row.ts';
import { postgresPrograms, type SharedPostgres } from '../support/postgres-cluster.ts';
import { creating } from '../support/row-rule.ts';
import { steppedClock } from '../support/stepped-clock.ts';

const newBatch = {
  id: '20260131-a1b2',
  account: 'shop 1 http://127.0.0.1:1',
  do: 'ship',
  operation: 'shop.Shipping/CreateAndConfirmOrder' as const,
  options: '{}',
  created_at: '2026-01-31T08:00:00Z',
};

const short = { leaseMs: 20_000, heartbeatMs: 5_000 };
const long = { leaseMs: 60_000, heartbeatMs: 20_000 };
const numbers = (rows: readonly { readonly row: number }[]) => rows.map(({ row }) => row).sort((a, b) => a - b);

describe.skipIf(postgresPrograms === undefined)('workers at one batch', () => {
  let cluster: SharedPostgres;
  beforeAll(async () => {
    cluster = await sharedPostgres();
  });

  /** A batch of planned rows, and a way to reach it from another machine. */
  async function planned(count: number, max_total: number | null = null) {
    const address = cluster.newDatabase();
    const machine = async () => {
      const open = await openBatches(address);
      onTestFinished(() => open.workspace.close());
      return open;
    };
    const one = await machine();
    const { number } = await one.batches.create({ ...newBatch, max_total });
    await one.batches.move(number, 'open', null);
    await one.rows.add(Array.from({ length: count }, (_, index) => plannedRow(number, index + 1)));
    /** Time goes by for the server: leases are so much shorter. */
    const pass = (milliseconds: number) =>
      one.workspace.write((database) =>
        sql`update batch_workers set lease_until = lease_until - ${milliseconds}`.execute(database),
      );
    const reserved = async () => (await one.batches.list({}))[0]?.reserved;
    return { one, machine, number, reserved, pass };
  }

  it('claim rows of their own, at the same time and without waiting for each other', async () => {
    const { one, machine, number } = await planned(200);
    const machines = [one, await machine(), await machine(), await machine()];
    const claims = await Promise.all(
      machines.map(async ({ workspace, journal }) => {
        const [own, worker] = [journal(number, creating), workerAt(workspace, number, long)];
        const rows = [];
        for (let round = 0; round < 5; round += 1)
          rows.push(...(await own.claimPlanned(worker, { after: 0, limit: 10 })).rows);
        return numbers(rows);
      }),
    );
    expect(numbers(claims.flat().map((row) => ({ row })))).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
  });

  it('claim nothing more where the ledger has become a copy from earlier meanwhile', async () => {
    const { one, number } = await planned(20);
    const [own, worker] = [one.journal(number, creating), workerAt(one.workspace, number, long)];
    const claim = async () => (await own.claimPlanned(worker, { after: 0, limit: 5 })).rows.length;
    expect([await claim(), await claim()]).toEqual([5, 5]);
    await one.workspace.write((database) => sql`update meta set value = '0' where name = 'epoch'`.execute(database));
    await expect(claim()).rejects.toMatchObject({ code: 'workspace_restored' });
  });

  it('pass over rows that a transaction is about to claim', async () => {
    const { one, machine, number } = await planned(20);
    const other = await machine();
    await one.workspace.write(async (database) => {
      await sql`select row from batch_rows where batch = ${number} and row <= 5 for update`.execute(database);
      const claimed = await other
        .journal(number, creating)
        .claimPlanned(workerAt(other.workspace, number, long), { after: 0, limit: 5 });
      expect(numbers(claimed.rows)).toEqual([6, 7, 8, 9, 10]);
    });
  });

  it('leave a row alone for as long as its lease lasts, by the server’s clock, and take it over as maybe sent then', async () => {
    const { one, machine, number, pass } = await planned(3);
    const other = await machine();
    const first = workerAt(one.workspace, number, short);
    await one.journal(number, creating).claimPlanned(first, { after: 0, limit: 2 });
    // Its own clock is an hour ahead: it counts for nothing.
    const ahead = steppedClock(Date.now() + 3_600_000);
    const second = workerAt(other.workspace, number, long, ahead);
    expect(numbers(await other.journal(number, creating).claimLeft(second, 10))).toEqual([]);
    await first.beat();
    await pass(14_000);
    await first.beat();
    await pass(14_000);
    expect(numbers(await other.journal(number, creating).claimLeft(second, 10))).toEqual([]);
    await pass(20_001);
    // What may have been sent is never given out as planned.
    expect(numbers((await other.journal(number, creating).claimPlanned(second, { after: 0, limit: 10 })).rows)).toEqual(
      [3],
    );
    expect(await other.journal(number, creating).claimLeft(second, 10)).toMatchObject([
      { row: 1, state: 'sending', attempts: 1 },
      { row: 2, state: 'sending', attempts: 1 },
    ]);
    const third = workerAt(other.workspace, number, long);
    expect(numbers(await other.journal(number, creating).claimLeft(third, 10))).toEqual([]);
    await pass(60_001);
    expect(numbers(await other.journal(number, creating).claimLeft(third, 10))).toEqual([1, 2, 3]);
  });

  it('hand back what they are at as they end', async () => {
    const { one, number } = await planned(2);
    const first = workerAt(one.workspace, number, long);
    await one.journal(number, creating).claimPlanned(first, { after: 0, limit: 2 });
    await first.end();
    const second = workerAt(one.workspace, number, long);
    expect(numbers(await one.journal(number, creating).claimLeft(second, 10))).toEqual([1, 2]);
  });

  it('send nothing once their lease has run out, also where a later heartbeat arrives', async () => {
    const { one, number, pass } = await planned(2);
    const clock = steppedClock();
    const worker = workerAt(one.workspace, number, short, clock);
    const [row] = (await one.journal(number, creating).claimPlanned(worker, { after: 0, limit: 1 })).rows;
    expect(worker.holds(row?.worker)).toBe(true);
    await pass(20_001);
    await worker.beat();
    expect(worker.holds(row?.worker)).toBe(false);
    const [next] = (await one.journal(number, creating).claimPlanned(worker, { after: 0, limit: 1 })).rows;
    expect([next?.row, worker.holds(next?.worker)]).toEqual([2, true]);
    await clock.wait(20_001, undefined);
    expect(worker.holds(next?.worker)).toBe(false);
    await worker.beat();
    expect(worker.holds(next?.worker)).toBe(false);
  });

  it('count what a sender made, also after its lease; what is done stays done, and every fee counts once', async () => {
    const { one, machine, number, reserved, pass } = await planned(4, 400);
    const other = await machine();
    const first = workerAt(one.workspace, number, short);
    const mine = one.journal(number, creating);
    const { rows } = await mine.claimPlanned(first, { after: 0, limit: 4 });
    await pass(20_001);
    const theirs = other.journal(number, creating);
    const second = workerAt(other.workspace, number, long);
    const taken = await theirs.claimLeft(second, 10);
    expect([taken.length, await reserved()]).toEqual([4, 400]);
    const tell = (
      journal: typeof mine,
      row: RowWithRequest | undefined,
      state: RowWithRequest['state'],
      release = 0,
    ) => {
      if (row !== undefined) journal.tell({ row: { ...row, state }, release });
    };
    // 1: made by the first, and unclear to the second, who comes later. 2: the other way round.
    tell(mine, rows[0], 'done');
    tell(theirs, taken[1], 'unclear');
    // 3: refused to the second, while the first had made it. 4: the first had not begun: it has no say any more.
    tell(theirs, taken[2], 'failed', 100);
    tell(mine, rows[3], 'planned', 100);
    await mine.flush();
    await theirs.flush();
    expect(await reserved()).toBe(300);
    tell(theirs, taken[0], 'unclear');
    tell(mine, rows[1], 'done');
    tell(mine, rows[2], 'done');
    tell(theirs, taken[3], 'failed', 100);
    await mine.flush();
    await theirs.flush();
    const states = (await one.rows.next({ batch: number, after: 0, limit: 10 })).map(({ state }) => state);
    expect([states, await reserved()]).toEqual([['done', 'done', 'done', 'failed'], 300]);
  });

  it.each([
    ['last', [0, 1]],
    ['first', [1, 0]],
  ] as const)(
    'count a fee once where one that slept took its own row over, and tells of it under its new lease %s',
    async (_, order) => {
      const { one, number, reserved, pass } = await planned(2, 200);
      const worker = workerAt(one.workspace, number, short);
      const mine = one.journal(number, creating);
      const [before] = (await mine.claimPlanned(worker, { after: 0, limit: 2 })).rows;
      await pass(20_001);
      await worker.beat();
      const [again] = await mine.claimLeft(worker, 1);
      if (before === undefined || again === undefined) throw new TypeError('no row was claimed');
      expect(before.worker).not.toBe(again.worker);
      // What it had not begun under the old lease, and made under the new one: both wait for the same commit.
      const told = [
        { row: { ...before, state: 'planned' as const, attempts: 0 }, release: 100 },
        { row: { ...again, state: 'done' as const, id: '7' }, release: 0 },
      ] as const;
      for (const at of order) mine.tell(at === 0 ? told[0] : told[1]);
      await mine.flush();
      const [row] = await one.rows.next({ batch: number, after: 0, limit: 1 });
      expect([row?.state, row?.id, await reserved()]).toEqual(['done', '7', 200]);
    },
  );

  it('count a lease from before it was asked for, however long the server took', async () => {
    const { one, number } = await planned(1);
    const clock = steppedClock();
    const worker = workerAt(one.workspace, number, short, clock);
    const granted = await one.workspace.write((database) => worker.renew(database));
    await clock.wait(short.leaseMs, undefined);
    granted.committed();
    expect(worker.holds(granted.id)).toBe(false);
  });

  it('never take up a lease again that they have given up: nobody else gets what was left under it', async () => {
    const { one, number } = await planned(1);
    const clock = steppedClock();
    const worker = workerAt(one.workspace, number, short, clock);
    await worker.beat();
    const prolonged = await worker.prolong();
    const renewed = await one.workspace.write((database) => worker.renew(database));
    const { id } = renewed;
    await clock.wait(short.leaseMs - 1, undefined);
    // By the server's clock the lease lasts.
    const late = await one.workspace.write((database) => worker.renew(database));
    await clock.wait(1, undefined);
    expect([late.id, prolonged?.id, worker.holds(id)]).toEqual([id, id, false]);
    for (const granted of [late, prolonged, renewed]) granted?.committed();
    await worker.beat();
    expect([worker.holds(id), await worker.prolong().then((now) => now?.id === id)]).toEqual([false, false]);
  });

  it.each([
    ['the wall clock', { now: 1, elapsed: 0 }],
    ['the clock that nobody sets', { now: -1, elapsed: 1 }],
  ])('hold a lease no longer where %s alone says that it is over', async (_, runs) => {
    const { one, number } = await planned(1);
    let passed = 0;
    const clock = { now: () => passed * runs.now, elapsed: () => passed * runs.elapsed, wait: async () => {} };
    const worker = workerAt(one.workspace, number, short, clock);
    const granted = await one.workspace.write((database) => worker.renew(database));
    granted.committed();
    expect(worker.holds(granted.id)).toBe(true);
    passed = short.leaseMs;
    expect(worker.holds(granted.id)).toBe(false);
  });

  it('reserve nothing for a row that another one has', async () => {
    const { one, machine, number, reserved, pass } = await planned(1, 1_000);
    const other = await machine();
    const mine = one.journal(number, creating);
    const [row] = (await mine.claimPlanned(workerAt(one.workspace, number, short), { after: 0, limit: 1 })).rows;
    await pass(20_001);
    await other.journal(number, creating).claimLeft(workerAt(other.workspace, number, long), 1);
    expect([row?.row, await reserved()]).toEqual([1, 100]);
    const isWritten = row !== undefined && (await mine.rewrite({ ...row, fee: 50 }));
    expect([isWritten, await reserved()]).toEqual([false, 100]);
  });

  it('never reserve more than --max-total together', async () => {
    const { one, machine, number, reserved } = await planned(60, 2_500);
    const machines = [one, await machine(), await machine()];
    const claims = await Promise.all(
      machines.map(async ({ workspace, journal }) => {
        const [own, worker] = [journal(number, creating), workerAt(workspace, number, long)];
        const claimed = [];
        for (let round = 0; round < 10; round += 1)
          claimed.push(await own.claimPlanned(worker, { after: 0, limit: 7 }));
        return claimed;
      }),
    );
    const all = claims.flat();
    expect([all.flatMap(({ rows }) => rows).length, all.flatMap(({ ended }) => ended).length]).toEqual([25, 35]);
    expect(await reserved()).toBe(2_500);
  });
});
