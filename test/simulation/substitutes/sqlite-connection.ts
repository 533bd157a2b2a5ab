// Stands in for src/platform/sqlite/sqlite-connection.ts: real connections, whose statements happen when the scheduler
// says so, and which end with their process.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { openSqlite, type SqliteDatabase } from '../../../src/platform/sqlite/sqlite.ts';
import {
  runStatement,
  runTogether,
  type SqliteCall,
  type SqliteConnection,
  type SqliteResult,
} from '../../../src/platform/sqlite/sqlite-connection.ts';
import { processNow } from '../scheduler.ts';

export { runStatement, runTogether, type SqliteCall, type SqliteConnection, type SqliteResult };

const words = new Map<string, string>();

function wordOf(sql: string): string {
  const known = words.get(sql);
  if (known !== undefined) return known;
  const word = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? '';
  words.set(sql, word);
  return word;
}

const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

/** Connections whose process is gone: the next one finds what they have prepared. */
const idle = new Map<string, { readonly database: SqliteDatabase; readonly file: number }[]>();

const fileAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino ?? 0;

async function connectionTo(path: string): Promise<SqliteDatabase> {
  const file = fileAt(path);
  for (let one = idle.get(path)?.pop(); one !== undefined; one = idle.get(path)?.pop()) {
    if (one.file === file) return one.database;
    one.database.close();
  }
  return openSqlite(path);
}

function giveBack(path: string, database: SqliteDatabase, isIn: boolean): void {
  if (isIn) runStatement(database, 'rollback', []);
  if (basename(path) !== 'workspace.db') {
    database.close();
    return;
  }
  const connections = idle.get(path) ?? [];
  idle.set(path, connections);
  connections.push({ database, file: fileAt(path) });
}

/** Closes what nobody uses of a file. */
export function closeIdle(path: string): void {
  for (const { database } of idle.get(path) ?? []) database.close();
  idle.delete(path);
}

const locked = new Set<string>();

/** A file of which nothing but its lock is ever used: a connection that has no more than that. */
function lockOf(path: string): SqliteConnection & { close(): Promise<void> } {
  let isOurs = false;
  return {
    async run(sql) {
      if (wordOf(sql) !== 'begin') return { rows: [] };
      if (locked.has(path)) throw busy();
      locked.add(path);
      isOurs = true;
      return { rows: [] };
    },
    runAll: () => Promise.reject(new Error('a lock stores nothing')),
    async close() {
      if (isOurs) locked.delete(path);
      isOurs = false;
    },
  };
}

export async function openSqliteHere(path: string): Promise<SqliteConnection> {
  const process = processNow();
  if (path.endsWith('.owner')) return ownLock(path);
  const database = await connectionTo(path);
  let isIn = false;
  const connection = { close: () => giveBack(path, database, isIn) };
  process.connections.add(connection);
  const run = (sql: string, parameters: readonly unknown[]): SqliteResult => {
    const word = wordOf(sql);
    if (process.diskIsFull && !/^(?:select|pragma|begin|rollback)$/.test(word)) {
      process.fillDisk();
      if (isIn) runStatement(database, 'rollback', []);
      isIn = false;
      throw full();
    }
    if (word === 'attach') closeIdle(String(parameters[0]));
    // It leaves its log only if nobody else has the file open, as a process that is gone has not.
    if (/^pragma journal_mode = delete$/.test(sql)) closeIdle(path);
    const result = runStatement(database, sql, parameters);
    if (word === 'begin') isIn = true;
    if (word === 'commit' || word === 'rollback') isIn = false;
    return result;
  };
  return {
    run(sql, parameters = []) {
      const word = wordOf(sql);
      // What happens within a transaction is seen by nobody before it ends.
      if (word === 'pragma' || (isIn && word !== 'commit')) return Promise.resolve().then(() => run(sql, parameters));
      return process.waitFor('store', word, () => run(sql, parameters));
    },
    runAll: (calls: readonly SqliteCall[]) =>
      process.waitFor('store', 'commit', () => {
        if (process.diskIsFull) {
          process.fillDisk();
          throw full();
        }
        return runTogether(database, calls);
      }),
    async close() {
      process.connections.delete(connection);
      connection.close();
    },
  };
}

/** The lock of the process whose turn it is, taken when the scheduler says so. */
async function ownLock(path: string): Promise<SqliteConnection> {
  const process = processNow();
  const lock = lockOf(path);
  const connection = { close: () => void lock.close() };
  process.connections.add(connection);
  return {
    ...lock,
    run: (sql) => (wordOf(sql) === 'begin' ? process.waitFor('store', 'begin', () => lock.run(sql)) : lock.run(sql)),
    async close() {
      process.connections.delete(connection);
      await lock.close();
    },
  };
}
