import { openSqlite, type SqliteDriver } from '../../src/platform/sqlite/sqlite.ts';

/** The SQLite drivers that this Node has: one of the two may be missing. */
export const sqliteDrivers: SqliteDriver[] = [];
for (const driver of ['better-sqlite3', 'node:sqlite'] as const) {
  await openSqlite(':memory:', driver).then(
    (database) => {
      database.close();
      sqliteDrivers.push(driver);
    },
    () => {},
  );
}

/** Whether this Node has an SQLite of its own. */
export const isOfSqliteHere = sqliteDrivers.includes('node:sqlite');
