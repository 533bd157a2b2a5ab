import { statSync } from 'node:fs';
import type { Sql } from '../sql/sql.ts';

/** What a copy of the file does not have in common with it. */
export function incarnationOfFile(path: string): string {
  return String(statSync(path, { bigint: true }).ino);
}

/** The same for a database: a dump that is restored has other tables, a recovery to an earlier time another timeline. */
export const incarnationOnServer =
  "select 'ledger_keys'::regclass::oid || ' ' || timeline_id as incarnation from pg_control_checkpoint()";

/** Never the incarnation of a file: `workspace backup` writes it to its copies, which may be put in the place of one. */
export const OF_A_BACKUP = 'backup';

const stored = async (sql: Sql) => (await sql("select value from meta where name = 'incarnation'"))[0]?.value;

/**
 * Compares a workspace with what it says of itself. In a copy that was put back, rows that were planned may have been sent
 * since: they become `sending` without an owner, so that they are looked up first, and their fees are reserved. Returns
 * how many those are; undefined if the workspace is no such copy.
 */
export async function rowsRestored(
  read: Sql,
  write: (work: (sql: Sql) => Promise<number | undefined>) => Promise<number | undefined>,
  incarnation: string,
): Promise<number | undefined> {
  if ((await stored(read)) === incarnation) return undefined;
  return write(async (sql) => {
    const before = await stored(sql);
    if (before === incarnation) return undefined;
    await sql(
      `insert into meta (name, value) values ('incarnation', ?)
        on conflict (name) do update set value = excluded.value`,
      [incarnation],
    );
    if (before === undefined) return undefined;
    await sql(`update batches set reserved = reserved + (select coalesce(sum(fee), 0) from batch_rows
        where batch = batches.number and batch_rows.state = 'planned') where state = 'open'`);
    const rows = await sql(`update batch_rows set state = 'sending', attempts = attempts + 1, worker = null
      where state = 'planned' and batch in (select number from batches where state = 'open') returning row`);
    return rows.length;
  });
}
