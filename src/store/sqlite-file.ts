import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateDirectory } from '../platform/files/files.ts';
import type { Clock } from '../platform/process/clock.ts';
import { driverFacts, sqliteProblem } from '../platform/process/error-code.ts';
import { pause, type Waiting } from '../platform/process/interruptible.ts';
import { type FileSystemOf, unlockableAt } from '../platform/sqlite/file-system.ts';
import type { SqliteConnection } from '../platform/sqlite/sqlite-connection.ts';
import { makeSafe } from '../platform/terminal/text-safety.ts';
import { say } from '../platform/terminal/texts.ts';
import type { Patiently } from './sqlite-dialect.ts';
import { WorkspaceError } from './workspace.ts';

/** How long to wait for another connection's lock. */
const PATIENCE_MS = 30_000;
const BUSY_STEP_MS = 10;
const UNNOTICED_MS = 1_000;
const GRACE_MS = 1_000;

/**
 * SQLite's own busy timeout would block the whole process, including another connection in it that has to release the
 * lock: so the wait happens between attempts.
 */
export function patientBy(clock: Clock, path: string, waiting: Waiting = {}): Patiently {
  const { signal, onWait, patienceMs = PATIENCE_MS } = waiting;
  return async (work) => {
    // What comes after a signal is putting away: it waits for a commit of another process, and no longer.
    const isLate = signal?.aborted === true;
    const mostMs = isLate ? GRACE_MS : patienceMs;
    // Counted in steps: a clock that is set meanwhile makes nobody more or less patient.
    for (let waited = 0; ; waited += BUSY_STEP_MS) {
      try {
        return await work();
      } catch (error) {
        if (sqliteProblem(error) !== 'busy' || waited >= mostMs) throw error;
        if (waited === UNNOTICED_MS) onWait?.(say().workspace.heldBy({ place: makeSafe(path) }));
        await pause(clock, BUSY_STEP_MS, isLate ? undefined : signal);
      }
    }
  };
}

/** SQLite's own size of a page. */
const PAGE_BYTES = 4_096;
const LOG_BYTES = 8_000 * PAGE_BYTES;

/** What is chosen for a file. */
export interface FilePragmas {
  /** `NORMAL` for data that can be had again: a power cut undoes the last commits, and damages nothing. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** The size of its pages, if it is new. */
  readonly pageBytes?: number;
}

/**
 * Sets the pragmas that durability depends on and reads each one back: better-sqlite3 is built with synchronous=NORMAL
 * for WAL, with which a power cut undoes commits that were acknowledged.
 */
export async function prepare(
  sqlite: SqliteConnection,
  { synchronous = 'FULL', pageBytes = PAGE_BYTES }: FilePragmas = {},
): Promise<void> {
  await pragma(sqlite, 'busy_timeout', '0', 0);
  // A file that has pages keeps their size.
  await sqlite.run(`PRAGMA page_size = ${pageBytes}`);
  await pragma(sqlite, 'journal_mode', 'WAL', 'wal');
  await pragma(sqlite, 'synchronous', synchronous, synchronous === 'FULL' ? 2 : 1);
  // What is removed from data that are not had again is removed from the file: personal data on request.
  if (synchronous === 'FULL') await pragma(sqlite, 'secure_delete', 'ON', 1);
  // Commits go to the write-ahead log; a checkpoint takes long, and every commit behind it waits.
  const pages = LOG_BYTES / pageBytes;
  await pragma(sqlite, 'wal_autocheckpoint', `${pages}`, pages);
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
 * same mode. One that is there is never opened: closing it again would end the locks that this process has on it. Throws a
 * WorkspaceError for anything but a file: closing a device such as /dev/null to others would break all their programs.
 */
export function makeFile(path: string): void {
  makePrivateDirectory(dirname(path));
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false)
    throw new WorkspaceError('workspace_unusable', say().workspace.noFile({ place: makeSafe(path) }));
  if (found === undefined) closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/**
 * Translates SQLite's error into a WorkspaceError: a full disk, a damaged file, a lock that another process does not
 * release.
 */
export function asWorkspaceError(error: unknown, path: string): unknown {
  if (error instanceof WorkspaceError) return error;
  const { message } = driverFacts(error);
  const at = { place: makeSafe(path) };
  const texts = say().workspace;
  switch (sqliteProblem(error)) {
    case 'full':
      return new WorkspaceError('workspace_full', texts.full(at), { cause: error });
    case 'io':
      return new WorkspaceError('workspace_io', texts.io(at), { cause: error });
    case 'damaged':
      return new WorkspaceError('workspace_damaged', texts.damaged(at), { cause: error, hint: texts.keep });
    case 'busy':
      return new WorkspaceError('workspace_busy', texts.busy(at), { cause: error });
    case 'unwritable': {
      const text = texts.unwritten({ ...at, why: makeSafe(message) });
      return new WorkspaceError('workspace_unusable', text, { cause: error, hint: texts.chooseState });
    }
    default:
      return error;
  }
}

/** Throws a WorkspaceError for a file where locks do not hold: two processes would send the same at once. */
export function requireLocks(path: string, fileSystemOf?: FileSystemOf): void {
  const name = unlockableAt(path, fileSystemOf);
  if (name === undefined) return;
  const { noLocks, onThisMachine } = say().workspace;
  const message = noLocks({ place: makeSafe(path), system: name });
  throw new WorkspaceError('workspace_unusable', message, { hint: onThisMachine });
}
