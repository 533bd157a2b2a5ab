import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Kysely } from 'kysely';
import { acquireLock, LockError } from '../platform/files/file-lock.ts';
import { makePrivateDirectory } from '../platform/files/private-directory.ts';
import { type Clock, systemClock } from '../platform/process/clock.ts';
import { openSqliteHere, type SqliteConnection } from '../platform/sqlite/sqlite-connection.ts';
import { makeSafe } from '../platform/terminal/text-safety.ts';
import type { Migration, SchemaWords } from './migration.ts';
import { migrate, migrations } from './migrations.ts';
import { type Patiently, Turns, WritingFirstDialect } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';
import type { Workspace } from './workspace.ts';
import { WorkspaceError } from './workspace-error.ts';

/** How long to wait for another connection's lock. */
const PATIENCE_MS = 30_000;
const BUSY_STEP_MS = 10;
const LOCK_STEP_MS = 500;
/** Time to take over the lock of a process that is gone. */
const AT_ONCE_MS = 50;

const words: SchemaWords = {
  ascendingKey: { type: 'integer', column: (column) => column.primaryKey().autoIncrement() },
};

/**
 * SQLite's own busy timeout would block the whole process, including another connection in it that has to release the
 * lock: so the wait happens between attempts.
 */
function patientBy(clock: Clock): Patiently {
  return async (work) => {
    const deadline = clock.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const { code = '', errcode } = error as { code?: string; errcode?: number };
        if (!(code.startsWith('SQLITE_BUSY') || errcode === 5) || clock.now() >= deadline) throw error;
        await clock.wait(BUSY_STEP_MS);
      }
    }
  };
}

/**
 * Sets the pragmas that durability depends on and reads each one back: better-sqlite3 is built with synchronous=NORMAL
 * for WAL, with which a power cut undoes commits that were acknowledged.
 */
async function prepare(sqlite: SqliteConnection, synchronous: 'FULL' | 'NORMAL'): Promise<void> {
  await pragma(sqlite, 'busy_timeout', '0', 0);
  await pragma(sqlite, 'journal_mode', 'WAL', 'wal');
  await pragma(sqlite, 'synchronous', synchronous, synchronous === 'FULL' ? 2 : 1);
  // Commits go to the write-ahead log; a checkpoint takes long, and every commit behind it waits.
  await pragma(sqlite, 'wal_autocheckpoint', '8000', 8000);
  // In KiB. An index in no order is written all over: in less, its pages would be read and written again for each row.
  await pragma(sqlite, 'cache_size', '-8000', -8_000);
}

async function pragma(sqlite: SqliteConnection, name: string, value: string, expected: string | number): Promise<void> {
  await sqlite.run(`PRAGMA ${name} = ${value}`);
  const { rows } = await sqlite.run(`PRAGMA ${name}`);
  const actual = rows[0] === undefined ? undefined : Object.values(rows[0])[0];
  if (actual !== expected) throw new Error(`SQLite did not take ${name} = ${value}: it is ${actual}`);
}

/**
 * Creates the file before SQLite opens it, so that only its owner can read it from the first byte; its journal gets the
 * same mode.
 */
function makeFile(path: string): void {
  makePrivateDirectory(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/**
 * Translates SQLite's error into a WorkspaceError: a full disk, a damaged file, a lock that another process does not
 * release.
 */
function asWorkspaceError(error: unknown, path: string): unknown {
  if (error instanceof WorkspaceError) return error;
  const { code = '', message = '', errcode } = error as { code?: string; message?: string; errcode?: number };
  const name = makeSafe(path);
  const is = (text: string, number: number) => code.startsWith(text) || errcode === number;
  if (is('SQLITE_FULL', 13) || code === 'ENOSPC') {
    return new WorkspaceError('workspace_full', `no space left to write ${name}`, { cause: error });
  }
  if (is('SQLITE_IOERR', 10) || code === 'EIO') {
    return new WorkspaceError('workspace_unusable', `${name} could not be read or written`, { cause: error });
  }
  if (is('SQLITE_CORRUPT', 11) || is('SQLITE_NOTADB', 26)) {
    const hint = 'keep the file: it tells what was sent. Restore a backup, or set it aside';
    return new WorkspaceError('workspace_damaged', `${name} is not a workspace, or is damaged`, { cause: error, hint });
  }
  if (is('SQLITE_BUSY', 5)) {
    return new WorkspaceError('workspace_busy', `another program holds ${name}`, { cause: error });
  }
  if (is('SQLITE_READONLY', 8) || is('SQLITE_CANTOPEN', 14) || ['EACCES', 'EROFS', 'EPERM', 'ENOTDIR'].includes(code)) {
    return new WorkspaceError('workspace_unusable', `${name} cannot be written: ${makeSafe(message)}`, {
      cause: error,
    });
  }
  return error;
}

/** How a workspace in a file is opened. */
export interface SqliteWorkspaceOptions {
  readonly clock?: Clock;
  /** Opens its file. */
  readonly open?: (path: string) => Promise<SqliteConnection>;
  /** The steps of its schema; those of a workspace when absent. */
  readonly steps?: readonly Migration[];
  /** `NORMAL` for data that can be had again: a power cut undoes the last commits, and damages nothing. */
  readonly synchronous?: 'FULL' | 'NORMAL';
}

/** Opens a workspace in a SQLite file, created if missing. Throws a WorkspaceError. */
export async function openSqliteWorkspace(
  path: string,
  { clock = systemClock, open = openSqliteHere, steps = migrations, synchronous = 'FULL' }: SqliteWorkspaceOptions = {},
): Promise<Workspace> {
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw asWorkspaceError(error, path);
    }
  };
  return guarded(async () => {
    makeFile(path);
    const sqlite = await open(path);
    const patiently = patientBy(clock);
    const turns = new Turns();
    const database = new Kysely<Tables>({ dialect: new WritingFirstDialect(sqlite, turns, patiently) });
    const write: Workspace['write'] = (work) => guarded(() => database.transaction().execute(work));
    try {
      await patiently(() => prepare(sqlite, synchronous));
      await migrate(write, words, steps);
    } catch (error) {
      await sqlite.close();
      throw error;
    }
    const tryLock = async (name: string, timeoutMs: number) => {
      const lock = join(dirname(path), 'locks', `${name}.lock`);
      makePrivateDirectory(dirname(lock));
      try {
        const held = await acquireLock(lock, { timeoutMs, clock });
        return () => held.release();
      } catch (error) {
        if (error instanceof LockError) return undefined;
        throw error;
      }
    };
    return {
      place: path,
      write,
      writeAll: (statements) =>
        guarded(async () => {
          // Without what Kysely knows of them besides.
          const calls = statements(database).map(({ sql, parameters }) => ({ sql, parameters }));
          const release = await turns.take();
          try {
            await patiently(() => sqlite.runAll(calls));
          } finally {
            release();
          }
        }),
      // Every transaction begins as a writer, and there is one writer at a time.
      alone: async () => {},
      read: (work) => guarded(() => patiently(() => work(database))),
      tryHold: (name) => tryLock(name, AT_ONCE_MS),
      async hold(name, { signal, onWait }) {
        for (let waited = false; ; waited = true) {
          signal?.throwIfAborted();
          const release = await tryLock(name, waited ? LOCK_STEP_MS : AT_ONCE_MS);
          if (release !== undefined) return release;
          if (!waited) await onWait?.();
        }
      },
      async close() {
        await database.destroy();
        await sqlite.close();
      },
    };
  });
}
