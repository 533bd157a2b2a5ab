import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { acquireLock } from '../../platform/files/file-lock.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { openSqliteHere, type SqliteConnection } from '../../platform/sqlite/sqlite-connection.ts';
import { makeFile } from './sqlite-file.ts';

/** The file that a user's workspace is in, in the state directory. */
export const USER_FILE = 'workspace.db';

/** Recorded in a former file, so that a shopctl that still uses it refuses it instead of sending its rows again. */
const MOVED = 'moved-to-workspace-db';

const WAIT_MS = 30_000;

/** The files of former versions, which had one for each profile. */
function formerFiles(directory: string): string[] {
  const former = join(directory, 'workspaces');
  if (!existsSync(former)) return [];
  return readdirSync(former)
    .filter((file) => file.endsWith('.db'))
    .sort()
    .map((file) => join(former, file));
}

async function numberIn(sqlite: SqliteConnection, query: string): Promise<number> {
  const { rows } = await sqlite.run(query);
  return Number(Object.values(rows[0] ?? { none: 0 })[0]);
}

/** How many batches a former file has; undefined if it is not one, or from another version. */
async function batchesIn(path: string): Promise<number | undefined> {
  const sqlite = await openSqliteHere(path);
  try {
    return await numberIn(sqlite, 'select count(*) from batches');
  } catch {
    return undefined;
  } finally {
    await sqlite.close();
  }
}

const batchColumns =
  'id, account, "do", operation, state, content, source, options, reserved, max_total, created_at, finished_at';

/** Copies the batches of another former file, under numbers of their own; those that are there already are left. */
async function addBatches(sqlite: SqliteConnection, other: string): Promise<void> {
  await sqlite.run('attach database ? as other', [other]);
  await sqlite.run('begin immediate');
  await sqlite.run(
    `insert into main.batches (${batchColumns}) select ${batchColumns} from other.batches where id not in (select id from main.batches)`,
  );
  for (const table of ['batch_rows', 'batch_contents']) {
    const { rows } = await sqlite.run(`pragma other.table_info(${table})`);
    const columns = rows.map(({ name }) => String(name)).filter((name) => name !== 'batch');
    const listed = columns.map((name) => `"${name}"`).join(', ');
    const read = columns.map((name) => `r."${name}"`).join(', ');
    await sqlite.run(`insert into main.${table} (batch, ${listed}) select here.number, ${read} from other.${table} as r
      join other.batches as there on there.number = r.batch join main.batches as here on here.id = there.id
      where not exists (select 1 from main.${table} as known where known.batch = here.number and known.row = r.row)`);
  }
  await sqlite.run('insert or ignore into main.printed_slips select * from other.printed_slips');
  await sqlite.run('commit');
  await sqlite.run('detach database other');
}

/** Marks a former file: whoever opens it as a workspace says that a newer shopctl wrote it. */
async function mark(path: string): Promise<void> {
  const sqlite = await openSqliteHere(path);
  try {
    await sqlite.run('insert or ignore into schema_steps (name) values (?)', [MOVED]);
  } finally {
    await sqlite.close();
  }
}

async function copyInto(path: string, former: readonly string[]): Promise<void> {
  const draft = `${path}.taking-over`;
  rmSync(draft, { force: true });
  const counted: { file: string; count: number }[] = [];
  for (const file of former) {
    const count = await batchesIn(file);
    if (count !== undefined) counted.push({ file, count });
  }
  const [base, ...others] = counted.sort((one, other) => other.count - one.count);
  if (base === undefined) return;
  const source = await openSqliteHere(base.file);
  await source.run('vacuum into ?', [draft]);
  await source.close();
  const sqlite = await openSqliteHere(draft);
  await sqlite.run('delete from schema_steps where name = ?', [MOVED]);
  for (const { file } of others) await addBatches(sqlite, file);
  await sqlite.close();
  makeFile(draft);
  for (const { file } of counted) await mark(file);
  renameSync(draft, path);
}

/**
 * Makes the workspace of a user from the files of former versions, which had one for each profile: all of it or
 * nothing, and again from the start after a crash. The former files stay, marked. Of events, those of the file with
 * most batches are taken; the others stay where they were.
 */
export async function takeOver(path: string, clock: Clock): Promise<void> {
  if (basename(path) !== USER_FILE || existsSync(path)) return;
  const former = formerFiles(dirname(path));
  if (former.length === 0) return;
  const lock = await acquireLock(`${path}.lock`, { timeoutMs: WAIT_MS, clock });
  try {
    if (!existsSync(path)) await copyInto(path, former);
  } finally {
    lock.release();
  }
}
