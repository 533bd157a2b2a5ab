import { NEXT_EPOCH } from '../../store/epoch.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import type { Granted, Worker } from '../../store/leases.ts';
import { wentBack } from '../../store/restored.ts';
import { CachedSql, pieces } from '../../store/sql.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { batchTexts } from '../texts.ts';
import { ClaimsAtOnce } from './claim-at-once.ts';
import type { Row, RowWithRequest } from './row.ts';
import { type Allowed, type Claim, claimable, claimed, outcomeUpdate, withoutTexts } from './row.ts';
import { type Blocked, isOver, RowKeys, type RowRule } from './row-keys.ts';

/** Rows claimed by a worker, and what the ledger says about the others that were looked at. */
export interface Claimed {
  readonly rows: readonly RowWithRequest[];
  /** Rows that ended without a call: somebody else has made their records, or `max_total` leaves no room for them. */
  readonly ended: readonly RowWithRequest[];
  /** Rows that stay planned: somebody else may be sending their records. */
  readonly blocked: readonly Blocked[];
  /** The last row that was looked at; undefined if none was left. */
  readonly last: number | undefined;
}

/** The outcome of a row. `release` is the reserved amount that was not spent. */
export interface Outcome {
  readonly row: Row;
  readonly release: number;
  /** Whether nothing is left of the record of a row that ends it; where absent, its state tells. */
  readonly isGone?: boolean | undefined;
}

/** Whether what a row is to do is done, by it or before. */
const isDone = ({ state }: Row) => state === 'done' || state === 'existed';

/**
 * The record of what was sent and its outcomes. Intents are on disk before they are returned, and so is every outcome
 * told before: rows share commits. An outcome that was told but lost in a crash costs a look-up, never a duplicate.
 */
export interface Journal {
  /** Rows that were found made when the file was read, and whose maker was undone before they were stored, are undone. */
  readUndone(): Promise<void>;
  /**
   * Stores another request of a row, which costs no more, or what it replaces, before that is sent. False, and nothing has
   * changed, if another worker has the row. Throws a WorkspaceError: then nothing may be sent.
   */
  rewrite(row: RowWithRequest): Promise<boolean>;
  /** Claims the next rows that may have been sent and that no worker is at. Throws a WorkspaceError. */
  claimLeft(worker: Worker, limit: number): Promise<readonly RowWithRequest[]>;
  /**
   * Claims the next planned rows behind `after`: once this resolves they are `sending`, belong to this worker, hold the
   * keys of their records, and have their fees reserved. Throws a WorkspaceError.
   */
  claimPlanned(worker: Worker, given: { readonly after: number; readonly limit: number }): Promise<Claimed>;
  /** Writes what is known of rows that are not sent, unless somebody has claimed them meanwhile. */
  judge(rows: readonly Row[]): Promise<void>;
  /** Stores which records rows are about: their keys and their requests, unless somebody has claimed them meanwhile. */
  name(rows: readonly RowWithRequest[]): Promise<void>;
  /** Queues an outcome to be written with the next commit. */
  tell(outcome: Outcome): void;
  /** How many outcomes are waiting for a commit. */
  readonly waiting: number;
  /** Writes the queued outcomes. */
  flush(): Promise<void>;
}

const ROWS_A_STATEMENT = 500;

/** How a row is told that `max_total` leaves no room for it. */
function noRoomFor(row: RowWithRequest): RowWithRequest {
  const error_message = batchTexts.row.noRoom({ fee: `${row.fee}` });
  return { ...row, state: 'failed', error_code: 'over_max_total', error_message };
}

/** The journal of one batch, whose rows are guarded by this rule. */
export function journalOf(workspace: Workspace, batch: number, rule: RowRule): Journal {
  const kept = new CachedSql();
  const isServer = workspace.serverTime !== undefined;
  const keysIn = (database: WorkspaceTables) => new RowKeys(database, isServer, rule);
  const atOnce = new ClaimsAtOnce({ workspace, batch, rule, kept });
  let queued: Outcome[] = [];

  async function changeReserved(database: WorkspaceTables, by: number): Promise<void> {
    if (by === 0) return;
    await database
      .updateTable('batches')
      .set((build) => ({ reserved: build('reserved', '+', by) }))
      .where('number', '=', batch)
      .execute();
  }

  async function reserve(database: WorkspaceTables, fee: number): Promise<boolean> {
    if (fee === 0) return true;
    const { numUpdatedRows } = await database
      .updateTable('batches')
      .set((build) => ({ reserved: build('reserved', '+', fee) }))
      .where('number', '=', batch)
      .where((build) =>
        build.or([build('max_total', 'is', null), build(build('reserved', '+', fee), '<=', build.ref('max_total'))]),
      )
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Reserves the fees of rows, in order; returns those that fit into `max_total`, usually in one statement. */
  async function withRoom(
    database: WorkspaceTables,
    rows: readonly RowWithRequest[],
  ): Promise<readonly RowWithRequest[]> {
    const whole = rows.reduce((sum, { fee }) => sum + (fee ?? 0), 0);
    if (await reserve(database, whole)) return rows;
    const granted: RowWithRequest[] = [];
    for (const row of rows) if (await reserve(database, row.fee ?? 0)) granted.push(row);
    return granted;
  }

  /** Writes what became of rows, where `isAllowed`; returns the numbers of the rows written. */
  async function write(database: WorkspaceTables, rows: readonly Row[], isAllowed?: Allowed): Promise<number[]> {
    const written: number[] = [];
    for (const piece of pieces(rows, ROWS_A_STATEMENT)) {
      const found = await database.executeQuery(outcomeUpdate({ kept, database, batch }, piece, isAllowed));
      written.push(...found.rows.map(({ row }) => row));
    }
    return written;
  }

  /** A record that was created stays created, even if another worker recorded a refusal: its fee is spent. */
  async function insist(database: WorkspaceTables, { row }: Outcome): Promise<void> {
    const { worker: _, ...facts } = withoutTexts(row);
    const { numUpdatedRows } = await database
      .updateTable('batch_rows')
      .set(facts)
      .where('batch', '=', batch)
      .where('row', '=', row.row)
      .where('state', '=', 'failed')
      .executeTakeFirst();
    if (numUpdatedRows === 1n) await changeReserved(database, row.fee ?? 0);
  }

  /** What was told under each lease, one after the other: who slept may have taken over a row of its own lease before. */
  async function writeOutcomes(database: WorkspaceTables, reported: readonly Outcome[]): Promise<void> {
    const byLease = new Map<string, Outcome[]>();
    for (const outcome of reported) {
      const lease = outcome.row.worker ?? '';
      byLease.set(lease, [...(byLease.get(lease) ?? []), outcome]);
    }
    for (const outcomes of byLease.values()) await writeOfOneLease(database, outcomes);
  }

  async function writeOfOneLease(database: WorkspaceTables, reported: readonly Outcome[]): Promise<void> {
    // If a commit has two outcomes of a row, the last one counts.
    const last = new Map(reported.map((outcome) => [outcome.row.row, outcome]));
    const rows = [...last.values()].map(({ row }) => withoutTexts(row));
    const written = new Set(await write(database, rows, 'reported'));
    const counted = reported.filter(({ row }) => written.has(row.row));
    await changeReserved(
      database,
      counted.reduce((sum, { release }) => sum - release, 0),
    );
    for (const outcome of last.values()) {
      if (outcome.row.state === 'done' && !written.has(outcome.row.row)) await insist(database, outcome);
    }
    const own = rows.filter(({ row, state }) => written.has(row) || state === 'done');
    await settleKeysOf(database, own.filter(isOver));
    // What rows of an undo, a cancel or a delete have ended is no longer made, and what was restored not changed.
    const numbers = new Set(own.map(({ row }) => row));
    const gone = [...last.values()].filter(({ row, isGone }) => numbers.has(row.row) && (isGone ?? isDone(row)));
    await keysIn(database).undo(
      gone.map(({ row }) => row),
      batch,
    );
  }

  /** The keys follow their rows. A record whose name somebody else took meanwhile is there twice, and both are told. */
  async function settleKeysOf(database: WorkspaceTables, rows: readonly Row[]): Promise<void> {
    const keys = keysIn(database);
    const twice = await keys.settle(rows);
    const reported = rows
      .filter(({ row }) => twice.has(row))
      .map((row) => ({
        ...row,
        error_code: 'made_twice',
        error_message: batchTexts.row.madeTwice,
      }));
    if (rule.creates) await write(database, reported);
  }

  /** Writes with the queued outcomes; those that were not written, since it fails or returns undefined, are queued again. */
  async function withQueued<Result>(write: (reported: readonly Outcome[]) => Promise<Result>): Promise<Result> {
    const reported = queued;
    queued = [];
    let isWritten = false;
    try {
      const result = await write(reported);
      isWritten = result !== undefined;
      return result;
    } finally {
      if (!isWritten) queued = [...reported, ...queued];
    }
  }

  /** One commit: the queued outcomes, then whatever `work` adds. */
  async function commit<Result>(work: (database: WorkspaceTables) => Promise<Result>): Promise<Result> {
    const { result } = await withQueued((reported) =>
      workspace.write(async (database) => {
        if (reported.length > 0) await writeOutcomes(database, reported);
        return { result: await work(database) };
      }),
    );
    return result;
  }

  /** Claims in one message to the workspace's thread; undefined if that takes more. */
  async function claimAtOnce(
    worker: Worker,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<Claimed | undefined> {
    if (!atOnce.isNext()) return undefined;
    const next = await atOnce.next(after, limit);
    const rows = next.length === 0 ? undefined : await withQueued((reported) => atOnce.claim(worker, next, reported));
    if (rows !== undefined) return { rows, ended: [], blocked: [], last: next.at(-1)?.row };
    atOnce.failed();
    return undefined;
  }

  async function rewrite(database: WorkspaceTables, row: RowWithRequest): Promise<boolean> {
    const intended = { ...withoutTexts(row), state: 'sending' as const };
    const [written] = await write(database, [intended], 'intended');
    if (written === undefined) return false;
    const { payload, old_values } = row;
    const texts = database.updateTable('batch_contents').set({ payload, old_values });
    await texts.where('batch', '=', batch).where('row', '=', row.row).execute();
    return true;
  }

  async function nameRecord(database: WorkspaceTables, { row, generation, identity, payload }: RowWithRequest) {
    const at = { batch, row, generation, state: 'planned' as const };
    const planned = database.updateTable('batch_rows').set({ identity });
    const { numUpdatedRows } = await planned.where((build) => build.and(at)).executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const texts = database.updateTable('batch_contents').set({ payload });
    await texts.where('batch', '=', batch).where('row', '=', row).execute();
  }

  async function claimLeftIn(database: WorkspaceTables, claim: Claim): Promise<readonly RowWithRequest[]> {
    const found = await claimable(database, workspace, claim);
    await keysIn(database).own(found, claim.worker);
    return claimed(database, claim, found);
  }

  async function claimPlannedIn(database: WorkspaceTables, claim: Claim): Promise<Claimed> {
    const found = await claimable(database, workspace, claim);
    const keys = keysIn(database);
    const { granted, ended, blocked } = await keys.take(found, claim.worker);
    const rows = new Set(await withRoom(database, granted));
    const refused = granted.filter((row) => !rows.has(row)).map(noRoomFor);
    await keys.settle(refused.map((row) => ({ ...row, worker: claim.worker })));
    await write(database, [...refused, ...ended].map(withoutTexts));
    const last = found.at(-1)?.row;
    if (rows.size > 0 && !isServer) await sqlOf(database, isServer)(NEXT_EPOCH);
    return { rows: await claimed(database, claim, [...rows]), ended: [...ended, ...refused], blocked, last };
  }

  async function claim<Result>(
    worker: Worker,
    given: Omit<Claim, 'batch' | 'worker'>,
    claimIn: (database: WorkspaceTables, claim: Claim) => Promise<Result>,
  ): Promise<Result> {
    const { own, granted } = await commit(async (database) => {
      const granted: Granted = await worker.renew(database);
      return { own: await claimIn(database, { ...given, batch, worker: granted.id }), granted };
    });
    granted.committed();
    return own;
  }

  let epoch = 0;
  /** What was claimed, once its epoch is outside the ledger, which is no copy from earlier. */
  async function begun(claimed: Claimed): Promise<Claimed> {
    if (claimed.rows.length === 0) return claimed;
    const now = await workspace.keepEpoch();
    if (now <= epoch) throw wentBack(workspace.place);
    epoch = now;
    return claimed;
  }

  async function readUndone(database: WorkspaceTables): Promise<void> {
    await sqlOf(database, isServer)(
      `update batch_rows set state = 'undone' where batch = ? and state = 'existed' and exists (
        select 1 from ledger_keys as k where k.account = ? and k.resource = ?
          and (k.identity = batch_rows.identity or k.identity like '~%') and k.holder = batch_rows.made_by and k.state = 'undone')`,
      [batch, rule.account, rule.resource],
    );
  }

  return {
    readUndone: () => (rule.creates ? commit(readUndone) : Promise.resolve()),
    rewrite: (row) => commit((database) => rewrite(database, row)),
    claimLeft: (worker, limit) => claim(worker, { state: 'sending', limit, after: 0 }, claimLeftIn),
    claimPlanned: async (worker, given) =>
      begun(
        (await claimAtOnce(worker, given)) ?? (await claim(worker, { state: 'planned', ...given }, claimPlannedIn)),
      ),
    async judge(rows) {
      atOnce.forget();
      await commit(async (database) => void (await write(database, rows.map(withoutTexts), 'held')));
    },
    name: (rows) =>
      commit(async (database) => {
        for (const row of rows) await nameRecord(database, row);
      }),
    tell: (outcome) => void queued.push(outcome),
    get waiting() {
      return queued.length;
    },
    async flush() {
      if (queued.length > 0) await commit(async () => {});
    },
  };
}
