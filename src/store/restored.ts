import type { Waiting } from '../platform/process/interruptible.ts';
import { newId } from '../platform/process/new-id.ts';
import { say } from '../platform/terminal/texts.ts';
import { type EpochPlaces, epochIn, epochOutside, raiseEpoch } from './epoch.ts';
import { numberOf, type Sql, type SqlRow, textOf } from './sql.ts';
import { WorkspaceError } from './workspace.ts';

/**
 * What a database does not have in common with one that was put back: a dump has other tables; a recovery, or a standby
 * that took over, another timeline, which the last checkpoint may not know yet.
 */
const incarnationOnServer = `select 'ledger_keys'::regclass::oid || ' ' || case
    when pg_is_in_recovery() then (select timeline_id from pg_control_checkpoint())
    else cast(cast('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as bit(32)) as integer) end as incarnation`;

/** The incarnation of the database that a server has now. */
export async function incarnationOf(sql: Sql): Promise<string> {
  const [row] = await sql(incarnationOnServer);
  return row === undefined ? '' : textOf(row, 'incarnation');
}

/** Thrown by who sends, when its ledger turns out to be one from earlier: nothing more is sent. */
export const wentBack = (place: string) =>
  new WorkspaceError('workspace_restored', say().workspace.restored({ place }));

/** `workspace backup` marks its copies with it: one may be put in the place of a file, here or on another machine. */
export const OF_A_BACKUP = 'backup';

/** What a ledger calls the time since it was put back, at random: its numbers go on from those of the copy. */
export const PUT_BACK = 'put_back';

/** Takes the keys of rows that were planned and are looked up now, in the transaction that marks them. */
export type HoldRows = (sql: Sql, rows: readonly SqlRow[]) => Promise<void>;

/** What tells a workspace from a copy of it that is put back. */
export interface Restoring {
  /** Where this machine has the epochs of its ledgers. */
  readonly epochs?: EpochPlaces | undefined;
  readonly hold?: HoldRows | undefined;
  /** How its database is waited for. */
  readonly waiting?: Waiting | undefined;
}

async function isEarlier(sql: Sql, incarnation: string | undefined, epochs: EpochPlaces) {
  const [row] = await sql("select value from meta where name = 'incarnation'");
  const stored = row === undefined ? undefined : textOf(row, 'value');
  const { ledger, epoch } = await epochIn(sql);
  const outside = epochOutside(epochs, ledger);
  const isOther = incarnation !== undefined && stored !== undefined && stored !== incarnation;
  return {
    isEarlier: stored === OF_A_BACKUP || isOther || outside > epoch,
    isKnown: incarnation === undefined || stored === incarnation,
    outside,
  };
}

const ROWS_AT_ONCE = 500;

/** Reads planned rows with their requests and the account and operation of their batch, so many at a time. */
async function forEachPlanned(sql: Sql, open: string, work: (rows: readonly SqlRow[]) => Promise<void>): Promise<void> {
  for (let last: SqlRow = { batch: 0, row: 0 }; ; ) {
    const [batch, row] = [numberOf(last, 'batch'), numberOf(last, 'row')];
    const rows = await sql(
      `select b.operation, b.account as acting, r.batch, r.row, r.generation, r.name, r.named, r.identity, c.payload
        from batch_rows as r join batches as b on b.number = r.batch
        join batch_contents as c on c.batch = r.batch and c.row = r.row
        where r.state = 'planned' and r.${open} and (r.batch > ? or r.batch = ? and r.row > ?)
        order by r.batch, r.row limit ${ROWS_AT_ONCE}`,
      [batch, batch, row],
    );
    if (rows.length > 0) await work(rows);
    const next = rows.at(-1);
    if (next === undefined || rows.length < ROWS_AT_ONCE) return;
    last = next;
  }
}

/**
 * Compares a workspace with what it says of itself, and with the epoch that this machine has outside it. In a copy that was
 * put back, rows that were planned may have been sent since: they become `sending` without an owner and take their keys,
 * so that they are looked up first and nobody sends the same meanwhile, and their fees are reserved. Returns how many those
 * are; undefined if the workspace is no such copy. `incarnation` is that of a database.
 */
export async function rowsRestored(
  read: Sql,
  write: (work: (sql: Sql) => Promise<number | undefined>) => Promise<number | undefined>,
  { epochs = [], hold }: Restoring,
  incarnation?: string,
): Promise<number | undefined> {
  const seen = await isEarlier(read, incarnation, epochs);
  if (!seen.isEarlier && seen.isKnown) return undefined;
  return write(async (sql) => {
    const before = await isEarlier(sql, incarnation, epochs);
    await sql(
      `insert into meta (name, value) values ('incarnation', ?)
        on conflict (name) do update set value = excluded.value`,
      [incarnation ?? 'file'],
    );
    if (!before.isEarlier) return undefined;
    await sql(
      `insert into meta (name, value) values ('${PUT_BACK}', ?)
        on conflict (name) do update set value = excluded.value`,
      [newId()],
    );
    await raiseEpoch(sql, before.outside);
    const open = "batch in (select number from batches where state = 'open')";
    if (hold !== undefined) await forEachPlanned(sql, open, (rows) => hold(sql, rows));
    await sql(`update batches set reserved = reserved + (select coalesce(sum(fee), 0) from batch_rows
        where batch = batches.number and batch_rows.state = 'planned') where state = 'open'`);
    const rows = await sql(`update batch_rows set state = 'sending', attempts = attempts + 1, worker = null
      where state = 'planned' and ${open} returning row`);
    return rows.length;
  });
}
