import { CompiledQuery } from 'kysely';
import { settlingAll, takingAll } from '../ledger/keys.ts';
import type { Row, RowWithRequest } from '../rows/row.ts';
import { withoutTexts } from '../rows/row.ts';
import type { CachedSql } from '../sql/cached-sql.ts';
import { placeholders, type SqlValue } from '../sql/sql.ts';
import type { WorkspaceTables } from '../tables.ts';
import type { ExpectedQuery, Workspace } from '../workspace.ts';
import { claimable } from './claims.ts';
import { outcomeUpdate } from './outcome-update.ts';
import { equalQuery, isOver, keyOutcomeOf, type RowRule, wantOf } from './row-keys.ts';
import type { Granted, Worker } from './workers.ts';

/** What is known of a sent row, and the amount reserved for it that was not spent. */
interface Told {
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
const MOST_TOLD = 500;

const expecting = (expected: number, text: string, values: readonly SqlValue[]): ExpectedQuery => ({
  query: CompiledQuery.raw(text, [...values]),
  expected,
});

/**
 * Claims of the usual kind: every outcome is written and every row granted. Their statements are handed over together,
 * with the number of rows that each meets then; if one meets another number, nothing has changed, and the claim is left
 * to the journal, which looks at what each of them returns. Only for a workspace in a file: one process at a time works
 * on a batch there, so that its planned rows can be read before the transaction that marks them.
 */
export class ClaimsAtOnce {
  readonly #of: ClaimedBatch;
  /** Planned rows behind `#after`, in order, all up to the last one read. */
  #ahead: RowWithRequest[] = [];
  #after = 0;
  #reading: Promise<RowWithRequest[]> | undefined;

  constructor(of: ClaimedBatch) {
    this.#of = of;
  }

  /** Whether claims can be of that kind. */
  get isPossible(): boolean {
    const { workspace, rule } = this.#of;
    return workspace.writeIf !== undefined && !rule.ends && rule.undoes !== true;
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
    this.#reading ??= workspace.read((database) => claimable(database, workspace, claim));
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
    told: readonly Told[],
  ): Promise<readonly RowWithRequest[] | undefined> {
    const last = rows.at(-1)?.row;
    const areApart = new Set(rows.map(({ identity }) => identity)).size === rows.length;
    // A row that was not sent after all may come before those that were read ahead.
    const isUsual = told.length <= MOST_TOLD && told.every(({ row }) => row.state !== 'planned');
    if (last === undefined || !isUsual || !areApart) return undefined;
    let granted: Granted | undefined;
    const isDone = await this.#of.workspace.writeIf?.(async (database) => {
      granted = await worker.renew(database);
      return [...this.#outcomes(database, told), ...this.#intents(rows, granted.id)];
    });
    if (isDone !== true || granted === undefined) return undefined;
    granted.committed();
    this.#ahead.splice(0, rows.length);
    this.#after = last;
    if (this.#ahead.length < rows.length) this.#readMore();
    const { id } = granted;
    return rows.map((row) => ({ ...row, state: 'sending', worker: id, attempts: row.attempts + 1 }));
  }

  #outcomes(database: WorkspaceTables, told: readonly Told[]): ExpectedQuery[] {
    if (told.length === 0) return [];
    const { batch, rule, kept } = this.#of;
    const rows = told.map(({ row }) => withoutTexts(row));
    const released = told.reduce((sum, { release }) => sum + release, 0);
    const at = rule.now();
    const keys = settlingAll(rows.filter(isOver).map((row) => keyOutcomeOf(rule, row, at)));
    return [
      { query: outcomeUpdate({ kept, database, batch }, rows, 'told'), expected: rows.length },
      ...(released === 0 ? [] : [expecting(1, ...changing(batch, -released))]),
      ...keys.map(({ text, values, count }) => expecting(count, text, values)),
    ];
  }

  #intents(rows: readonly RowWithRequest[], owner: string): ExpectedQuery[] {
    const { batch, rule } = this.#of;
    const wants = rows.map((row) => wantOf(rule, row, owner));
    const equal = equalQuery(rule, batch, wants);
    const fees = rows.reduce((sum, { fee }) => sum + (fee ?? 0), 0);
    const numbers = rows.map(({ row }) => row);
    const [change, values] = changing(batch, fees);
    const marks = `update batch_rows set state = 'sending', worker = ?, attempts = attempts + 1
      where batch = ? and state = 'planned' and "row" in ${placeholders(1, numbers.length)}`;
    return [
      ...takingAll(wants).map((taking) => expecting(taking.count, taking.text, taking.values)),
      ...(equal === undefined ? [] : [expecting(0, equal.text, equal.values)]),
      ...(fees === 0
        ? []
        : [expecting(1, `${change} and (max_total is null or reserved + ? <= max_total)`, [...values, fees])]),
      expecting(numbers.length, marks, [owner, batch, ...numbers]),
    ];
  }
}

/** The statement that changes what is reserved of the limit of a batch. */
const changing = (batch: number, by: number): [text: string, values: readonly SqlValue[]] => [
  'update batches set reserved = reserved + ? where number = ?',
  [by, batch],
];
