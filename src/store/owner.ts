import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateDirectory } from '../platform/files/files.ts';
import { sqliteProblem } from '../platform/process/error-code.ts';
import { newId } from '../platform/process/new-id.ts';
import { openSqliteHere, type SqliteConnection } from '../platform/sqlite/sqlite-connection.ts';

/** A process that sends: everything that it holds is given up with it, however it ends. */
export interface Owner {
  readonly id: string;
  /** Whether it still owns what it took: asked before each first byte. */
  holds(): boolean;
  release(): Promise<void>;
}

/** Where the owners of a workspace in a file have their locks. */
export function ownersOf(place: string): string {
  return join(dirname(place), 'owners');
}

const SUFFIX = '.owner';

/** Takes the operating system's lock on a file, through SQLite; undefined if somebody has it. */
async function lockOn(path: string): Promise<SqliteConnection | undefined> {
  const connection = await openSqliteHere(path);
  try {
    await connection.run('PRAGMA busy_timeout = 0');
    // Nothing is ever written to it.
    await connection.run('PRAGMA journal_mode = MEMORY');
    await connection.run('begin exclusive');
    return connection;
  } catch (error) {
    await connection.close();
    if (sqliteProblem(error) === 'busy') return undefined;
    throw error;
  }
}

/**
 * Makes this process an owner: an open exclusive transaction on a file of its own. The operating system ends it with
 * the process, so that neither a process id that is used again nor a clock can make a dead owner live or a living one
 * dead. Throws the system's or the driver's error.
 */
export async function openOwner(directory: string): Promise<Owner> {
  makePrivateDirectory(directory);
  for (;;) {
    const id = newId();
    const path = join(directory, `${id}${SUFFIX}`);
    closeSync(openSync(path, 'a', 0o600));
    const lock = await lockOn(path);
    // A sweep may have met the file before it was locked.
    if (lock === undefined || !existsSync(path)) {
      await lock?.close();
      continue;
    }
    return {
      id,
      holds: () => true,
      async release() {
        rmSync(path, { force: true });
        await lock.close();
      },
    };
  }
}

/** Whether an owner lives. The file of one that does not is removed. Throws the system's or the driver's error. */
export async function isOwnerAlive(directory: string, id: string): Promise<boolean> {
  const path = join(directory, `${id}${SUFFIX}`);
  if (!existsSync(path)) return false;
  const lock = await lockOn(path);
  if (lock === undefined) return true;
  rmSync(path, { force: true });
  await lock.close();
  return false;
}

/** Removes the files of owners that were killed before this moment, in milliseconds since 1970. */
export async function sweepOwners(directory: string, before: number): Promise<void> {
  if (!existsSync(directory)) return;
  for (const file of readdirSync(directory)) {
    const isOld = file.endsWith(SUFFIX) && statSync(join(directory, file)).mtimeMs < before;
    if (isOld) await isOwnerAlive(directory, file.slice(0, -SUFFIX.length));
  }
}
