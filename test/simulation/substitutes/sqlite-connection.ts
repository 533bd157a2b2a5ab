// Stands in for src/platform/sqlite/sqlite-connection.ts: real connections, whose statements happen when the scheduler
// says so, and which end with their process.
import { openSqlite } from '../../../src/platform/sqlite/sqlite.ts';
import {
  runStatement,
  runTogether,
  type SqliteCall,
  type SqliteConnection,
  type SqliteResult,
} from '../../../src/platform/sqlite/sqlite-connection.ts';
import { processNow } from '../scheduler.ts';

export { runStatement, runTogether, type SqliteCall, type SqliteConnection, type SqliteResult };

const wordOf = (sql: string) => /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? '';
const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

export async function openSqliteHere(path: string): Promise<SqliteConnection> {
  const process = processNow();
  const database = await openSqlite(path);
  const connection = { close: () => database.close() };
  process.connections.add(connection);
  let isIn = false;
  const run = (sql: string, parameters: readonly unknown[]): SqliteResult => {
    const word = wordOf(sql);
    if (process.diskIsFull && !/^(?:select|pragma|begin|rollback)$/.test(word)) {
      process.diskIsFull = false;
      if (isIn) runStatement(database, 'rollback', []);
      isIn = false;
      throw full();
    }
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
          process.diskIsFull = false;
          throw full();
        }
        runTogether(database, calls);
      }),
    async close() {
      process.connections.delete(connection);
      database.close();
    },
  };
}
