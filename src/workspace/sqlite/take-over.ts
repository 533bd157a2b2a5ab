import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { acquireLock, LockError } from '../../platform/files/file-lock.ts';
import { makePrivateDirectory } from '../../platform/files/private-directory.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { openSqliteHere, type SqliteConnection } from '../../platform/sqlite/sqlite-connection.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { makeFile } from './sqlite-file.ts';

/** The file that a user's workspace is in, in the state directory. */
export const USER_FILE = 'workspace.db';

const WAIT_MS = 30_000;

/** A workspace that is to be made from former ones. */
export interface TakeOver {
  readonly path: string;
  /** The state directories that former versions used. */
  readonly former: readonly string[];
  readonly clock: Clock;
  /** Brings a copy of a former file to the last schema in which every profile had a file. */
  readonly bringUp: (copy: string) => Promise<void>;
}

/** Recorded in a former file, so that a shopctl that still uses it refuses it instead of sending its rows again. */
const markOf = (path: string) => `moved to ${path}`;
const MARK = /^moved to (.+)$/s;

/** The files in a directory with this ending, by path. */
function filesIn(directory: string, ending: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => join(directory, file));
}

async function using<Result>(path: string, work: (sqlite: SqliteConnection) => Promise<Result>): Promise<Result> {
  const sqlite = await openSqliteHere(path);
  try {
    return await work(sqlite);
  } finally {
    await sqlite.close();
  }
}

/** Whether a file is a former workspace that nobody else has taken over; another file is left alone. */
async function isFormer(file: string, path: string): Promise<boolean> {
  try {
    const names = await using(file, async (sqlite) => (await sqlite.run('select name from schema_steps')).rows);
    const takers = names.map(({ name }) => MARK.exec(String(name))?.[1]);
    return !takers.some((taker) => taker !== undefined && taker !== path && existsSync(taker));
  } catch {
    return false;
  }
}

async function mark(file: string, path: string): Promise<void> {
  await using(file, (sqlite) =>
    sqlite.run('insert into schema_steps (name) values (?) on conflict (name) do nothing', [markOf(path)]),
  );
}

/** Copies a former file, brought up to date and without its mark; returns the copy and how many batches it has. */
async function copyOf(file: string, copy: string, { path, bringUp }: TakeOver) {
  await using(file, (sqlite) => sqlite.run('vacuum into ?', [copy]));
  await using(copy, (sqlite) => sqlite.run('delete from schema_steps where name = ?', [markOf(path)]));
  await bringUp(copy);
  const { rows } = await using(copy, (sqlite) => sqlite.run('select count(*) as count from batches'));
  return { copy, count: Number(rows[0]?.count) };
}

const batchColumns =
  'id, account, "do", operation, state, content, source, options, reserved, max_total, created_at, finished_at';

/** Adds the batches of another copy, under numbers of their own. */
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

async function copyInto(former: readonly string[], over: TakeOver): Promise<void> {
  const { path } = over;
  const copies = await Promise.all(former.map((file, index) => copyOf(file, `${path}.taking-over-${index}`, over)));
  const [base, ...others] = copies.sort((one, other) => other.count - one.count);
  if (base === undefined) return;
  await using(base.copy, async (sqlite) => {
    for (const { copy } of others) await addBatches(sqlite, copy);
    await sqlite.run('pragma journal_mode = delete');
  });
  makeFile(base.copy);
  renameSync(base.copy, path);
}

/** What copies of this or an earlier attempt left. */
function removeCopies(path: string): void {
  for (const file of readdirSync(dirname(path))) {
    if (file.startsWith(`${basename(path)}.taking-over-`)) rmSync(join(dirname(path), file), { force: true });
  }
}

/** Waits until nobody works with a former file any more: whoever does holds a lock beside it. */
async function holdFormer(directory: string, clock: Clock): Promise<() => void> {
  const held: (() => void)[] = [];
  const release = () => {
    for (const one of held) one();
  };
  for (const lock of filesIn(join(directory, 'locks'), '.lock')) {
    try {
      const { release: free } = await acquireLock(lock, { timeoutMs: WAIT_MS, clock });
      held.push(free);
    } catch (error) {
      release();
      if (!(error instanceof LockError)) throw error;
      const message = `an older shopctl still works with the data in ${directory}: end it first; nothing was changed`;
      throw new WorkspaceError('workspace_busy', message, { cause: error });
    }
  }
  return release;
}

async function takeAll(over: TakeOver): Promise<void> {
  const { path, clock } = over;
  const releases: (() => void)[] = [];
  try {
    const former: string[] = [];
    for (const state of new Set(over.former)) {
      const directory = join(state, 'workspaces');
      const files: string[] = [];
      for (const file of filesIn(directory, '.db')) if (await isFormer(file, path)) files.push(file);
      // Marked first: who opens it from now on refuses; who has opened it holds a lock.
      for (const file of files) await mark(file, path);
      if (files.length > 0) releases.push(await holdFormer(directory, clock));
      former.push(...files);
    }
    removeCopies(path);
    await copyInto(former, over);
  } finally {
    removeCopies(path);
    for (const release of releases) release();
  }
}

/**
 * Makes the workspace of a user from the files of former versions, which had one for each profile: all of it or
 * nothing, and again from the start after a crash. The former files stay, marked. Of events, those of the file with
 * most batches are taken; the others stay where they were. Throws a WorkspaceError (`workspace_busy`) while a former
 * version works with them.
 */
export async function takeOver(over: TakeOver): Promise<void> {
  const { path, former, clock } = over;
  if (basename(path) !== USER_FILE || existsSync(path)) return;
  if (!former.some((state) => existsSync(join(state, 'workspaces')))) return;
  makePrivateDirectory(dirname(path));
  const lock = await acquireLock(`${path}.lock`, { timeoutMs: WAIT_MS, clock });
  try {
    if (!existsSync(path)) await takeAll(over);
  } finally {
    lock.release();
  }
}
