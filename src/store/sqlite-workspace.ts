import { dirname, join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { acquireLock, LockError, type LockOptions, lockHolder } from '../platform/files/file-lock.ts';
import { makePrivateDirectory } from '../platform/files/files.ts';
import { type Clock, systemClock } from '../platform/process/clock.ts';
import type { Waiting } from '../platform/process/interruptible.ts';
import type { FileSystemOf } from '../platform/sqlite/file-system.ts';
import { openSqliteHere, type SqliteCall, type SqliteConnection } from '../platform/sqlite/sqlite-connection.ts';
import { beginEpoch, type EpochPlaces, keepEpoch } from './epoch.ts';
import type { Migration, SchemaWords } from './event-tables-schema.ts';
import { sqlOf } from './kysely-sql.ts';
import { migrate, migrations } from './migrations.ts';
import { isOwnerAlive, openOwner, ownersOf } from './owner.ts';
import { type Restoring, rowsRestored } from './restored.ts';
import type { Sql } from './sql.ts';
import { Turns, WritingFirstDialect } from './sqlite-dialect.ts';
import { asWorkspaceError, type FilePragmas, makeFile, patientBy, prepare, requireLocks } from './sqlite-file.ts';
import type { Tables } from './tables.ts';
import type { Workspace } from './workspace.ts';

const LOCK_STEP_MS = 500;
/** Time to take over the lock of a process that is gone. */
const AT_ONCE_MS = 50;

const words: SchemaWords = {
  key: 'integer primary key autoincrement',
  async number(database, number) {
    await sql`pragma user_version = ${sql.lit(number)}`.execute(database);
  },
};

/** How a workspace in a file is opened. */
export interface SqliteWorkspaceOptions extends FilePragmas, Restoring {
  readonly clock?: Clock;
  /** Opens its file. */
  readonly open?: (path: string) => Promise<SqliteConnection>;
  /** Which file system a directory is on. */
  readonly fileSystemOf?: FileSystemOf;
  /** The steps of its schema; those of a workspace when absent. */
  readonly steps?: readonly Migration[];
  /** Words an error of the file for those who use it; that of a workspace when absent. */
  readonly asError?: typeof asWorkspaceError;
}

/** Opens a workspace in a SQLite file, created if missing. Throws a WorkspaceError. */
export async function openSqliteWorkspace(path: string, options: SqliteWorkspaceOptions = {}): Promise<Workspace> {
  const { clock = systemClock, open = openSqliteHere, steps = migrations } = options;
  const { asError = asWorkspaceError } = options;
  return guardedAt(
    path,
    asError,
  )(async () => {
    requireLocks(path, options.fileSystemOf);
    makeFile(path);
    const file = { ...opened(path, await open(path), clock, options.waiting), asError, epochs: options.epochs ?? [] };
    const workspace = workspaceOn(file);
    try {
      await file.patiently(() => prepare(file.sqlite, options));
      await migrate(workspace.write, path, words, steps);
      return {
        ...workspace,
        restored: steps.length > 0 ? await restoredIn(file, workspace, options) : undefined,
      };
    } catch (error) {
      await file.sqlite.close();
      throw error;
    }
  });
}

/** Runs work whose errors become WorkspaceErrors that name the file. */
function guardedAt(path: string, asError: typeof asWorkspaceError) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw asError(error, path);
    }
  };
}

type OpenedFile = ReturnType<typeof opened> &
  Required<Pick<SqliteWorkspaceOptions, 'asError'>> & { readonly epochs: EpochPlaces };

/** An open file, and what waits for its lock. */
function opened(path: string, sqlite: SqliteConnection, clock: Clock, waiting: Waiting | undefined) {
  const patiently = patientBy(clock, path, waiting);
  const turns = new Turns();
  const database = new Kysely<Tables>({ dialect: new WritingFirstDialect(sqlite, turns, patiently) });
  return { path, sqlite, clock, patiently, turns, database, waiting };
}

/** How many rows may have been sent since the backup that the file is; undefined if it is none. */
function restoredIn({ database }: OpenedFile, { write }: Workspace, restoring: Restoring): Promise<number | undefined> {
  const inSql = (work: (run: Sql) => Promise<number | undefined>) => write((of) => work(sqlOf(of, false)));
  return rowsRestored(sqlOf(database, false), inSql, restoring);
}

/** The workspace over an open file that has its schema. */
function workspaceOn(file: OpenedFile): Workspace {
  const { path, sqlite, clock, patiently, turns, database, waiting, asError, epochs } = file;
  const guarded = guardedAt(path, asError);
  const tryLock = (name: string, timeoutMs: number, signal = waiting?.signal) =>
    guarded(() => lockBeside(path, name, { timeoutMs, clock, signal }));
  const runAll = async (calls: readonly SqliteCall[]) => {
    const release = await turns.take();
    try {
      return await patiently(() => sqlite.runAll(calls));
    } finally {
      release();
    }
  };
  return {
    place: path,
    write: (work) => guarded(() => database.transaction().execute(work)),
    writeAll: (statements) =>
      guarded(async () => {
        // Without what Kysely knows of them besides.
        await runAll(statements(database).map(({ sql, parameters }) => ({ sql, parameters })));
      }),
    writeIf: (statements) =>
      guarded(async () =>
        runAll(
          statements(database).map(({ query: { sql, parameters }, expected }) => ({
            sql,
            parameters,
            expected,
          })),
        ),
      ),
    // Every transaction begins as a writer, and there is one writer at a time.
    alone: async () => {},
    read: (work) => guarded(() => patiently(() => work(database))),
    own: () => guarded(() => openOwner(ownersOf(path))),
    beginEpoch: () =>
      guarded(() => beginEpoch((work) => database.transaction().execute((of) => work(sqlOf(of, false))), epochs)),
    keepEpoch: () => guarded(() => patiently(() => keepEpoch(sqlOf(database, false), epochs))),
    isAlive: (owner) => guarded(() => isOwnerAlive(ownersOf(path), owner)),
    tryHold: (name) => tryLock(name, AT_ONCE_MS),
    holderOf: (name) => lockHolder(lockPath(path, name)),
    async hold(name, { signal, onWait }) {
      for (let waited = false; ; waited = true) {
        signal?.throwIfAborted();
        const release = await tryLock(name, waited ? LOCK_STEP_MS : AT_ONCE_MS, signal);
        if (release !== undefined) return release;
        if (!waited) await onWait?.();
      }
    },
    wipe: () => guarded(() => emptyLog(sqlite, turns)),
    async close() {
      await database.destroy();
      await sqlite.close();
    },
  };
}

/** Empties the log: removed content is overwritten in the file (`secure_delete`), and stays in the log until then. */
async function emptyLog(sqlite: SqliteConnection, turns: Turns): Promise<void> {
  const release = await turns.take();
  try {
    await sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    release();
  }
}

const lockPath = (path: string, name: string) => join(dirname(path), 'locks', `${name}.lock`);

/** Holds a lock file beside the workspace; undefined if another process holds it. */
async function lockBeside(path: string, name: string, options: LockOptions) {
  const lock = lockPath(path, name);
  makePrivateDirectory(dirname(lock));
  try {
    // `requireLocks` has refused what other machines reach.
    const held = await acquireLock(lock, { ...options, isLocal: true });
    return () => held.release();
  } catch (error) {
    if (error instanceof LockError) return undefined;
    throw error;
  }
}
