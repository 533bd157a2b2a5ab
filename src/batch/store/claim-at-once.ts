import { CompiledQuery, sql } from 'kysely';
import { wantOf } from '../../ledger/planned-keys.ts';
import { forgottenAt, type Salt, saltsIn, saltsQuery } from '../../ledger/store/forgotten.ts';
import { settlingAll, takingAll, type Want } from '../../ledger/store/keys.ts';
import { NEXT_EPOCH } from '../../store/epoch.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import type { Worker } from '../../store/leases.ts';
import type { CachedSql } from '../../store/sql.ts';
import { listedRow, listedValues, numberedPlaceholders, type SqlValue } from '../../store/sql.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import type { ExpectedQuery, Workspace } from '../../store/workspace.ts';
import type { Row, RowWithRequest } from './row.ts';
import { claimable, outcomeUpdate, withoutTexts } from './row.ts';
import { equalLock, equalQuery, isOver, keyOutcomeOf, type RowRule } from './row-keys.ts';

/** What is known of a sent row, and the amount reserved for it that was not spent. */
interface Reported {
  readonly row: Row;
  readonly release: number;
}

/** The batch whose rows are claimed. */
interface ClaimedBatch {
  readonly workspace: Workspace;
  readonly batch: number;
  readonly rule: RowRule;
  readonly kept: CachedSql;
}

/** How many planned rows are read at once. */
const READ_AHEAD = 256;
/** More than these are written in several statements. */
const MOST_REPORTED = 500;

/** So many claims at most are left to the journal before another one is tried. */
const LONGEST_PAUSE = 32;

/**
 * Claims of the usual kind: every outcome is written and every row granted. Their statements are handed over together,
 * with the number of rows that each meets then; if one meets another number, nothing has changed, and the claim is left
 * to the journal, which looks at what each of them returns. Planned rows are read before the transaction that marks them:
 * in a file one process at a time works on a batch, and on a server those that somebody else has changed are not marked.
 */
export class ClaimsAtOnce {
  readonly #of: ClaimedBatch;
  /** Planned rows behind `#after`, in order, all up to the last one read. */
  #ahead: RowWithRequest[] = [];
  #after = 0;
  #reading: Promise<RowWithRequest[]> | undefined;
  /** The salts of forgotten keys, as far as they were asked for. */
  #salts: readonly Salt[] | undefined;
  /** How many claims are left to the journal, after the last failure and from now on: other workers meet the same rows. */
  #pause = { after: 0, left: 0 };

  constructor(of: ClaimedBatch) {
    this.#of = of;
  }

  /** Whether the next claim may be of that kind. */
  isNext(): boolean {
    const { workspace, rule } = this.#of;
    if (workspace.writeIf === undefined || rule.records !== undefined || rule.undoes === true) return false;
    if (this.#pause.left === 0) return true;
    this.#pause.left -= 1;
    return false;
  }

  /** A claim was not of that kind after all. */
  failed(): void {
    this.forget();
    this.#salts = undefined;
    const after = Math.min(LONGEST_PAUSE, 2 * this.#pause.after + 1);
    this.#pause = { after, left: after };
  }

  /** Forgets what was read ahead: rows may have changed. */
  forget(): void {
    this.#ahead = [];
    this.#after = 0;
    this.#reading = undefined;
  }

  /** The next planned rows behind `after`; none if none is left. */
  async next(after: number, limit: number): Promise<readonly RowWithRequest[]> {
    if (after !== this.#after) this.forget();
    this.#after = after;
    if (this.#ahead.length < limit) {
      this.#readMore();
      const reading = this.#reading;
      this.#reading = undefined;
      this.#ahead.push(...((await reading) ?? []));
    }
    return this.#ahead.slice(0, limit);
  }

  #readMore(): void {
    const { workspace, batch } = this.#of;
    const after = this.#ahead.at(-1)?.row ?? this.#after;
    const claim = { batch, worker: '', state: 'planned', limit: READ_AHEAD, after } as const;
    this.#reading ??= workspace.read((database) => claimable(database, {}, claim));
    // Its failure is that of whoever waits for it.
    this.#reading.catch(() => {});
  }

  /**
   * Claims these rows, the next ones, and writes what became of others; undefined, and nothing has changed, if that takes
   * a look at each of them. Throws a WorkspaceError.
   */
  async claim(
    worker: Worker,
    rows: readonly RowWithRequest[],
    reported: readonly Reported[],
  ): Promise<readonly RowWithRequest[] | undefined> {
    const last = rows.at(-1)?.row;
    const areApart = new Set(rows.map(({ identity }) => identity)).size === rows.length;
    // A row that was not sent after all may come before those that were read ahead.
    const isUsual = reported.length <= MOST_REPORTED && reported.every(({ row }) => row.state !== 'planned');
    if (last === undefined || !isUsual || !areApart) return undefined;
    const { workspace } = this.#of;
    this.#salts ??= await workspace.read((database) => saltsIn(sqlOf(database, workspace.serverTime !== undefined)));
    const granted = await worker.prolong();
    if (granted === undefined) return undefined;
    const { id } = granted;
    const isDone = await this.#of.workspace.writeIf?.((database) => [
      ...granted.statements(database),
      // First of all: nothing else is locked while another worker has these rows.
      this.#marks(database, rows, id),
      ...this.#outcomes(database, reported),
      ...this.#intents(rows, id),
      ...this.#reserves(rows, reported),
      ...(this.#of.workspace.serverTime === undefined ? [this.#expecting(1, NEXT_EPOCH, [])] : []),
    ]);
    if (isDone !== true) return undefined;
    granted.committed();
    this.#pause = { after: 0, left: 0 };
    this.#ahead.splice(0, rows.length);
    this.#after = last;
    if (this.#ahead.length < rows.length) this.#readMore();
    return rows.map((row) => ({ ...row, state: 'sending', worker: id, attempts: row.attempts + 1 }));
  }

  #outcomes(database: WorkspaceTables, reported: readonly Reported[]): ExpectedQuery[] {
    if (reported.length === 0) return [];
    const { batch, rule, kept } = this.#of;
    const rows = reported.map(({ row }) => withoutTexts(row));
    const now = rule.now();
    const keys = settlingAll(rows.filter(isOver).map((row) => keyOutcomeOf(rule, row, now)));
    return [
      { query: outcomeUpdate({ kept, database, batch }, rows, 'reported'), expected: rows.length },
      ...keys.map(({ text, values, count }) => this.#expecting(count, text, values)),
    ];
  }

  #marks(database: WorkspaceTables, rows: readonly RowWithRequest[], worker: string): ExpectedQuery {
    const { workspace, batch, kept } = this.#of;
    const isShared = workspace.serverTime !== undefined;
    // Another worker may have sent a row meanwhile, and made it another one, before it was planned again.
    const lines = rows.map(({ row, generation, attempts, identity }) => [
      row,
      ...(isShared ? [generation, attempts, identity] : []),
    ]);
    const isSame = sql<boolean>`batch_rows.generation = cast(listed.column2 as integer)
      and batch_rows.attempts = cast(listed.column3 as integer) and batch_rows.identity = listed.column4`;
    const query = kept.compiled(`marks ${lines.length}`, [worker, ...lines.flat(), batch], () =>
      database
        .updateTable('batch_rows')
        .from(listedValues(lines))
        .set({ state: sql.lit('sending'), worker, attempts: sql<number>`batch_rows.attempts + 1` })
        .where('batch', '=', batch)
        .where('row', '=', listedRow)
        .where('state', '=', sql.lit('planned'))
        .$if(isShared, (query) => query.where(isSame))
        .returning('batch_rows.row'),
    );
    return { query, expected: lines.length };
  }

  #intents(rows: readonly RowWithRequest[], owner: string): ExpectedQuery[] {
    const { workspace, batch, rule } = this.#of;
    const wants = rows.map((row) => wantOf(rule, row, owner));
    const lock = workspace.serverTime === undefined ? undefined : equalLock(rule, wants);
    const equal = equalQuery(rule, batch, wants);
    return [
      ...(lock === undefined ? [] : [this.#expecting(lock.values.length, lock.text, lock.values)]),
      ...takingAll(wants).map(({ count, text, values }) => this.#expecting(count, text, values)),
      ...(equal === undefined ? [] : [this.#expecting(0, equal.text, equal.values)]),
      ...(rule.creates ? this.#notForgotten(wants) : []),
    ];
  }

  /** None of these keys is a forgotten one: asked for last, so that none is forgotten in between. */
  #notForgotten(wants: readonly Want[]): ExpectedQuery[] {
    const salts = this.#salts ?? [];
    const known = this.#expecting(salts.length, saltsQuery, []);
    if (salts.length === 0) return [known];
    const { text, values } = forgottenAt(salts, wants);
    return [known, this.#expecting(0, text, values)];
  }

  /** Reserves the fees of rows, and releases what was reserved for others and not spent. */
  #reserves(rows: readonly RowWithRequest[], reported: readonly Reported[]): ExpectedQuery[] {
    const fees = rows.reduce((sum, { fee }) => sum + (fee ?? 0), 0);
    const more = reported.reduce((sum, { release }) => sum - release, fees);
    const text = 'update batches set reserved = reserved + ? where number = ?';
    const limit = ' and (max_total is null or reserved + ? <= max_total)';
    const values = [more, this.#of.batch, ...(fees === 0 ? [] : [more])];
    if (fees === 0 && more === 0) return [];
    return [this.#expecting(1, `${text}${fees === 0 ? '' : limit} returning number`, values)];
  }

  #expecting(expected: number, text: string, values: readonly SqlValue[]): ExpectedQuery {
    const isServer = this.#of.workspace.serverTime !== undefined;
    return { query: CompiledQuery.raw(isServer ? numberedPlaceholders(text) : text, [...values]), expected };
  }
}
