import { sql } from 'kysely';
import type { Row, RowWithRequest } from '../rows/row.ts';
import { outcomeColumns, withoutTexts } from '../rows/row.ts';
import { KeptSql } from '../sql/kept-sql.ts';
import { listedRow, listedValues } from '../sql/listed-values.ts';
import type { WorkspaceTables } from '../tables.ts';
import type { Workspace } from '../workspace.ts';
import { type Claim, claimable, claimed } from './claims.ts';
import type { Granted, Worker } from './workers.ts';

/** A row about to be sent: once `intend` resolves, it is on disk as `sending` with its complete request. */
export interface Intent {
  readonly row: RowWithRequest;
  /** Whether its request differs from the stored one: a service was chosen again. */
  readonly rewritten: boolean;
  /** The amount to reserve from `max_total`; 0 if its fee is already reserved. */
  readonly reserve: number;
}

/** Rows claimed by a worker, and rows that failed because `max_total` left no room for them. */
export interface Claimed {
  readonly rows: readonly RowWithRequest[];
  readonly refused: readonly RowWithRequest[];
}

/** The outcome of a row. `release` is the reserved amount that was not spent. */
export interface Outcome {
  readonly row: Row;
  readonly release: number;
}

/**
 * The record of what was sent and its outcomes. Intents are on disk before `intend` resolves, and so is every outcome
 * told before: rows share commits. An outcome that was told but lost in a crash costs a look-up, never a duplicate.
 */
export interface Journal {
  /**
   * Marks rows as `sending`. Returns those that fit into `max_total` and that no other worker has; the others stay
   * unchanged. Rejects with a WorkspaceError if the write fails: then nothing may be sent.
   */
  intend(intents: readonly Intent[]): Promise<Intent[]>;
  /** Claims the next rows that may have been sent and that no worker is at. Throws a WorkspaceError. */
  claimLeft(worker: Worker, limit: number): Promise<readonly RowWithRequest[]>;
  /**
   * Claims the next planned rows: once this resolves they are `sending`, belong to this worker, and have their fees
   * reserved; a row that does not fit into `max_total` fails with what `refuse` returns. Throws a WorkspaceError.
   */
  claimPlanned(
    worker: Worker,
    limit: number,
    refuse: (row: RowWithRequest) => Pick<Row, 'error_code' | 'error_message'>,
  ): Promise<Claimed>;
  /** Queues an outcome to be written with the next commit. */
  tell(outcome: Outcome): void;
  /** How many outcomes are waiting for a commit. */
  readonly waiting: number;
  /** Writes the queued outcomes. */
  flush(): Promise<void>;
}

const ROWS_A_STATEMENT = 500;

/** A column of the listed values: after the row's number come its outcome and its worker. */
const listed = (name: (typeof outcomeColumns)[number] | 'worker') =>
  sql.ref(`listed.column${[...outcomeColumns, 'worker'].indexOf(name) + 2}`);

const isOfWorker = sql<boolean>`coalesce(batch_rows.worker, '') = coalesce(${listed('worker')}, '')`;

const conditions = {
  /**
   * Whose outcome is written: that of the worker that holds the row, and that of one that did create the record, as
   * long as no other worker did.
   */
  told: sql<boolean>`(
    (batch_rows.state = 'sending' and ${isOfWorker})
    or (${listed('state')} = 'done' and batch_rows.state in ('sending', 'unclear'))
  )`,
  /** Only open rows whose recorded worker is the one that writes; both may be none. */
  intended: sql<boolean>`(batch_rows.state in ('planned', 'sending') and ${isOfWorker})`,
};

type Allowed = keyof typeof conditions;

/** Numbers are text in a list of values, for a server. */
const outcomes = {
  ...Object.fromEntries(outcomeColumns.map((name) => [name, listed(name)])),
  attempts: sql<number>`cast(${listed('attempts')} as integer)`,
  fee: sql<number>`cast(${listed('fee')} as bigint)`,
};

/** The journal of one batch. */
export function journalOf(workspace: Workspace, batch: number): Journal {
  const kept = new KeptSql();
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
    for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
      const lines = rows
        .slice(at, at + ROWS_A_STATEMENT)
        .map((row) => [row.row, ...outcomeColumns.map((name) => row[name]), row.worker ?? null]);
      const found = await kept.run(database, `${isAllowed ?? 'all'} ${lines.length}`, [...lines.flat(), batch], () =>
        database
          .updateTable('batch_rows')
          .from(listedValues(lines))
          .set(outcomes)
          .where('batch', '=', batch)
          .where('row', '=', listedRow)
          .$if(isAllowed !== undefined, (query) => query.where(conditions[isAllowed as Allowed]))
          .returning('batch_rows.row'),
      );
      written.push(...found.map(({ row }) => row));
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

  async function writeOutcomes(database: WorkspaceTables, told: readonly Outcome[]): Promise<void> {
    // If a commit has two outcomes of a row, the last one counts.
    const last = new Map(told.map((outcome) => [outcome.row.row, outcome]));
    const rows = [...last.values()].map(({ row }) => withoutTexts(row));
    const written = new Set(await write(database, rows, 'told'));
    const counted = told.filter(({ row }) => written.has(row.row));
    await changeReserved(
      database,
      counted.reduce((sum, { release }) => sum - release, 0),
    );
    for (const outcome of last.values()) {
      if (outcome.row.state === 'done' && !written.has(outcome.row.row)) await insist(database, outcome);
    }
  }

  /** One commit: the queued outcomes, then whatever `work` adds. */
  async function commit<Result>(work: (database: WorkspaceTables) => Promise<Result>): Promise<Result> {
    const told = queued;
    queued = [];
    try {
      return await workspace.write(async (database) => {
        if (told.length > 0) await writeOutcomes(database, told);
        return work(database);
      });
    } catch (error) {
      queued = [...told, ...queued];
      throw error;
    }
  }

  async function intend(database: WorkspaceTables, intents: readonly Intent[]): Promise<Intent[]> {
    const granted: Intent[] = [];
    for (const intent of intents) if (await reserve(database, intent.reserve)) granted.push(intent);
    const rows = granted.map(({ row }) => ({
      ...withoutTexts(row),
      state: 'sending' as const,
      attempts: row.attempts + 1,
    }));
    const written = new Set(await write(database, rows, 'intended'));
    const own = granted.filter(({ row }) => written.has(row.row));
    for (const { row, reserve: fee } of granted) if (!written.has(row.row)) await changeReserved(database, -fee);
    for (const { row } of own.filter(({ rewritten }) => rewritten)) {
      await database
        .updateTable('batch_contents')
        .set({ payload: row.payload })
        .where('batch', '=', batch)
        .where('row', '=', row.row)
        .execute();
    }
    return own;
  }

  async function claimIn(
    database: WorkspaceTables,
    given: Omit<Claim, 'batch' | 'worker'>,
    worker: Worker,
    refuse: (row: RowWithRequest) => Pick<Row, 'error_code' | 'error_message'>,
  ): Promise<{ readonly claimed: Claimed; readonly granted: Granted }> {
    const granted = await worker.renew(database);
    const claim = { ...given, batch, worker: granted.id };
    const found = await claimable(database, workspace, claim);
    const rows = new Set(claim.state === 'sending' ? found : await withRoom(database, found));
    const refused = found
      .filter((row) => !rows.has(row))
      .map((row): RowWithRequest => ({ ...row, ...refuse(row), state: 'failed' }));
    await write(database, refused.map(withoutTexts));
    return { claimed: { rows: await claimed(database, claim, [...rows]), refused }, granted };
  }

  async function claim(
    given: Omit<Claim, 'batch' | 'worker'>,
    worker: Worker,
    refuse: (row: RowWithRequest) => Pick<Row, 'error_code' | 'error_message'> = () => ({
      error_code: null,
      error_message: null,
    }),
  ): Promise<Claimed> {
    const { claimed: own, granted } = await commit((database) => claimIn(database, given, worker, refuse));
    granted.committed();
    return own;
  }

  return {
    intend: (intents) => commit((database) => intend(database, intents)),
    claimLeft: async (worker, limit) => (await claim({ state: 'sending', limit }, worker)).rows,
    claimPlanned: (worker, limit, refuse) => claim({ state: 'planned', limit }, worker, refuse),
    tell: (outcome) => void queued.push(outcome),
    get waiting() {
      return queued.length;
    },
    async flush() {
      if (queued.length > 0) await commit(async () => {});
    },
  };
}
