import type { Connection } from '../../client/connection.ts';
import { CallError } from '../../client/errors.ts';
import { readFields } from '../../domain/json/values.ts';
import { ledgerAccount, madeUnder, targetIdentity } from '../../ledger/identity.ts';
import { byId, changedRecord, type Finding } from '../../ledger/known/changed-record.ts';
import type { RowWork } from '../../ledger/work.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import type { BatchContext } from '../batch-context.ts';
import type { Journal } from '../store/journal.ts';
import type { RowWithRequest } from '../store/row.ts';
import type { RowRecord } from '../store/row-keys.ts';
import { type Pace, Stopped } from './pace.ts';
import { failed } from './row-outcome.ts';
import { stopsAll } from './send-row.ts';

/** What finding the records of rows depends on. */
export interface RecordContext {
  readonly context: BatchContext;
  /** The number of the batch. */
  readonly batch: number;
  readonly work: RowWork;
  readonly pace: Pace;
  readonly connection: Connection;
}

/** Which rows are looked at: so many planned ones behind this one. */
type Window = Parameters<Journal['claimPlanned']>[1];

/**
 * The records that the rows of a batch change, whatever their sheet calls them by: found out before a row is claimed, so
 * that each row takes the one key that its record has.
 */
export class RowRecords {
  /** Those of the rows that were found out, by number. */
  readonly known = new Map<number, RowRecord>();
  readonly #of: RecordContext;
  readonly #finding: Finding;

  constructor(of: RecordContext) {
    const { account, workspace } = of.context;
    this.#of = of;
    this.#finding = {
      account: ledgerAccount(account),
      resource: of.work.resource,
      read: (work) => workspace.read((database) => work(sqlOf(database, workspace.serverTime !== undefined))),
      lookups: of.connection,
    };
  }

  /**
   * Finds the records of the next planned rows, by the ledger or by one read each, and stores them. Returns the rows that
   * fail for it: nothing is sent for those. Throws a WorkspaceError.
   */
  async find(journal: Journal, window: Window): Promise<readonly RowWithRequest[]> {
    const { batch, context } = this.#of;
    const rows = await context.rows.next({ batch, states: ['planned'], ...window });
    const open = rows.filter(({ row }) => this.known.get(row)?.hasId !== true);
    const found = (await Promise.all(open.map((row) => this.#findOne(row)))).filter((row) => row !== undefined);
    const named = found.filter(({ state }) => state === 'planned');
    const ended = found.filter(({ state }) => state === 'failed');
    if (named.length > 0) await journal.name(named);
    if (ended.length > 0) await journal.judge(ended);
    return ended;
  }

  /** A row as it is stored from now on; undefined if that is as it is. */
  async #findOne(row: RowWithRequest): Promise<RowWithRequest | undefined> {
    const { work, pace } = this.#of;
    const request = readFields(row.payload);
    try {
      const record = await pace.through(() => changedRecord(work.operation, request, this.#finding));
      const { field, value, external_id } = record;
      const hasId = field === 'id';
      this.known.set(row.row, { hasId, name: external_id === '' ? undefined : madeUnder(external_id) });
      const payload = JSON.stringify(hasId ? byId(work.operation, request, value) : request);
      const identity = targetIdentity(field, value);
      return payload === row.payload && identity === row.identity ? undefined : { ...row, payload, identity };
    } catch (error) {
      if (error instanceof Stopped) return undefined;
      if (!(error instanceof CallError)) throw error;
      if (!stopsAll(error)) return { ...row, ...failed(error.code, error.message) };
      pace.fail(error);
      return undefined;
    }
  }
}
