/*
 * Kills this process (SIGKILL) at one of its points: KILL_AT is the number of the point, from 0, and KILL_ON says whether
 * only those of the journal count. FULL_AT makes the disk full from that commit on. The journal's statements may run in
 * another thread, so the points that were passed are counted in a file, POINTS.
 */
import { appendFileSync, statSync } from 'node:fs';
import { databaseClass } from '../support/database-class.ts';

const { KILL_AT, KILL_ON, FULL_AT, POINTS = '', PROJECT = '' } = process.env;

/** Passes a point, or ends there. */
export function point(at: 'journal' | 'request'): void {
  if (KILL_AT === undefined || (KILL_ON === 'journal' && at !== 'journal')) return;
  appendFileSync(POINTS, '.');
  if (statSync(POINTS).size > Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
}

/** Whether a statement writes to the journal. */
export const isOfJournal = (sql: string) =>
  /^(?:commit|(?:insert into|update) "batch_rows"|update "batches")/i.test(sql);

/** Makes the statements of SQLite's driver points: they are what is written and synced, and a commit is both. */
export function watchDriver(): void {
  let commits = 0;
  const Database = databaseClass(`${PROJECT}/package.json`);
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function prepared(this: { readonly inTransaction?: boolean }, sql: string) {
    const statement = prepare.call(this, sql);
    if (!isOfJournal(sql)) return statement;
    // Where only the journal counts, only what it keeps does: until its commit a transaction leaves nothing, however it ends.
    const isKept = () => KILL_ON !== 'journal' || /^commit/i.test(sql) || this.inTransaction !== true;
    for (const way of ['run', 'all'] as const) {
      const { [way]: write } = statement;
      statement[way] = (...parameters: unknown[]) => {
        if (/^commit/i.test(sql)) {
          commits += 1;
          if (FULL_AT !== undefined && commits >= Number(FULL_AT)) {
            throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL', errcode: 13 });
          }
        }
        const counts = isKept();
        if (counts) point('journal');
        const result = write.apply(statement, parameters);
        if (counts) point('journal');
        return result;
      };
    }
    return statement;
  };
}
