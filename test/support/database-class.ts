import { createRequire } from 'node:module';
import { loadBuiltIn, takesBetterSqlite, withoutItsWarning } from '../../src/platform/sqlite/sqlite.ts';

/**
 * The class of the connections of the driver that the program has here, to be watched: better-sqlite3's, found from that
 * file of the project, or Node's own where that cannot be loaded or is not used.
 */
export function databaseClass(from: string) {
  const Database = createRequire(from)('better-sqlite3');
  try {
    if (!takesBetterSqlite) throw new Error('not used');
    new Database(':memory:').close();
    return Database;
  } catch {
    return withoutItsWarning(loadBuiltIn).DatabaseSync;
  }
}
