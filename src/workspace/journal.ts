import { sql } from 'kysely';
import { type Claim, claimable, claimed } from './claims.ts';
import { withoutTexts } from './row-facts.ts';
import type { Row, WholeRow } from './rows.ts';
import type { WorkspaceTables } from './tables.ts';
import type { Granted, Worker } from './workers.ts';
import type { Workspace } from './workspace.ts';

/** A row that is about to be sent: once `intend` resolves it is on disk as `sending`, with its whole request. */
export interface Intent {
  readonly row: WholeRow;
  /** Whether its request is another one than what is kept: a service was chosen anew. */
  readonly rewritten: boolean;
  /** What `max_total` has to leave room for; 0 where its fee was reserved before. */
  readonly reserve: number;
}

/** Rows that are a worker's, and those that `max_total` had no room for and that are failed now. */
export interface Claimed {
  readonly rows: readonly WholeRow[];
  readonly refused: readonly WholeRow[];
}

/** What became of a row. `release` is what it had reserved and did not spend. */
export interface Outcome {
  readonly row: Row;
  readonly release: number;
}

/**
 * What was sent and what became of it. Intents are on disk before `intend` resolves, and so is every outcome that was
 * told before: rows share commits. An outcome that is told and lost in a crash costs a look-up, never a double.
 */
export interface Journal {
  /**
   * Marks rows as `sending`. Answers those for which `max_total` leaves room and that are nobody else's; the others stay as they are. Rejects with a
   * WorkspaceError where it cannot be written: then nothing may be sent.
   */
  intend(intents: readonly Intent[]): Promise<Intent[]>;
  /** The next rows that may have been sent and that nobody is at: they are this worker's from here on. Throws a WorkspaceError. */
  claimLeft(worker: Worker, limit: number): Promise<readonly WholeRow[]>;
  /**
   * The next planned rows, `sending` and this worker's once this resolves, with their fees reserved; a row that `max_total`
   * has no room for is failed with what `refuse` says. Throws a WorkspaceError.
   */
  claimPlanned(
    worker: Worker,
    limit: number,
    refuse: (row: WholeRow) => Pick<Row, 'error_code' | 'error_message'>,
  ): Promise<Claimed>;
  /** Tells an outcome, to be written with the next commit. */
  tell(outcome: Outcome): void;
  /** How many outcomes wait for a commit. */
  readonly waiting: number;
  /** Writes the outcomes that wait. */
  flush(): Promise<void>;
}

const ROWS_A_STATEMENT = 500;

/** Every column but the key, as the row that could not be inserted had it. */
const rowColumns = [
  'state',
  'attempts',
  'id',
  'code',
  'shipping_code',
  'carrier',
  'fee',
  'error_code',
  'error_message',
] as const satisfies readonly (keyof Row)[];

/** Whose word counts: the worker's that is at the row; and whoever made it, as long as nobody else did. */
const mayTell = sql<boolean>`(
  (batch_rows.state = 'sending' and coalesce(batch_rows.worker, '') = coalesce(excluded.worker, ''))
  or (excluded.state = 'done' and batch_rows.state in ('sending', 'unclear'))
)`;

/** Only the worker that is at a row, or nobody yet. */
const mayIntend = sql<boolean>`(batch_rows.state in ('planned', 'sending')
  and coalesce(batch_rows.worker, '') = coalesce(excluded.worker, ''))`;

/** The journal of one batch. */
export function journalOf(workspace: Workspace, batch: number): Journal {
  let outcomes: Outcome[] = [];

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

  /** Reserves the fees of rows, in their order; answers those for which `max_total` leaves room: most often all at once. */
  async function withRoom(database: WorkspaceTables, rows: readonly WholeRow[]): Promise<readonly WholeRow[]> {
    const whole = rows.reduce((sum, { fee }) => sum + (fee ?? 0), 0);
    if (await reserve(database, whole)) return rows;
    const granted: WholeRow[] = [];
    for (const row of rows) if (await reserve(database, row.fee ?? 0)) granted.push(row);
    return granted;
  }

  /** Writes rows over those that are there, where `isAllowed`; answers the numbers of those that were written. */
  async function write(database: WorkspaceTables, rows: readonly Row[], isAllowed?: typeof mayTell): Promise<number[]> {
    const written: number[] = [];
    for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
      const values = rows.slice(at, at + ROWS_A_STATEMENT).map((row) => ({ ...row, worker: row.worker ?? null }));
      const result = await database
        .insertInto('batch_rows')
        .values(values)
        .onConflict((conflict) => {
          const updated = conflict
            .columns(['batch', 'row'])
            .doUpdateSet(Object.fromEntries(rowColumns.map((name) => [name, sql.ref(`excluded.${name}`)])));
          return isAllowed === undefined ? updated : updated.where(isAllowed);
        })
        .returning('row')
        .execute();
      written.push(...result.map(({ row }) => row));
    }
    return written;
  }

  /** What was made is made, also where somebody else found it refused: its fee is spent. */
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
    // The last word about a row stands, where a commit has two of them.
    const last = new Map(told.map((outcome) => [outcome.row.row, outcome]));
    const rows = [...last.values()].map(({ row }) => withoutTexts(row));
    const written = new Set(await write(database, rows, mayTell));
    const counted = told.filter(({ row }) => written.has(row.row));
    await changeReserved(
      database,
      counted.reduce((sum, { release }) => sum - release, 0),
    );
    for (const outcome of last.values()) {
      if (outcome.row.state === 'done' && !written.has(outcome.row.row)) await insist(database, outcome);
    }
  }

  /** One commit: what was told, and then what `work` adds. */
  async function commit<Result>(work: (database: WorkspaceTables) => Promise<Result>): Promise<Result> {
    const told = outcomes;
    outcomes = [];
    try {
      return await workspace.write(async (database) => {
        if (told.length > 0) await writeOutcomes(database, told);
        return work(database);
      });
    } catch (error) {
      outcomes = [...told, ...outcomes];
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
    const written = new Set(await write(database, rows, mayIntend));
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
    refuse: (row: WholeRow) => Pick<Row, 'error_code' | 'error_message'>,
  ): Promise<{ readonly claimed: Claimed; readonly granted: Granted }> {
    const granted = await worker.renew(database);
    const claim = { ...given, batch, worker: granted.id };
    const found = await claimable(database, workspace, claim);
    const rows = new Set(claim.state === 'sending' ? found : await withRoom(database, found));
    const refused = found
      .filter((row) => !rows.has(row))
      .map((row): WholeRow => ({ ...row, ...refuse(row), state: 'failed' }));
    await write(database, refused.map(withoutTexts));
    return { claimed: { rows: await claimed(database, claim, [...rows]), refused }, granted };
  }

  async function claim(
    given: Omit<Claim, 'batch' | 'worker'>,
    worker: Worker,
    refuse: (row: WholeRow) => Pick<Row, 'error_code' | 'error_message'> = () => ({
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
    tell: (outcome) => void outcomes.push(outcome),
    get waiting() {
      return outcomes.length;
    },
    async flush() {
      if (outcomes.length > 0) await commit(async () => {});
    },
  };
}
