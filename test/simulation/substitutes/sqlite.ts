// Stands in for src/platform/sqlite/sqlite.ts: what is opened in memory, the service's data, is opened once. What a world
// writes to it is rolled back when it is closed; its schema and its prepared statements stay.
import { openSqlite as open, type SqliteDatabase, type SqliteDriver } from '../../../src/platform/sqlite/sqlite.ts';

export * from '../../../src/platform/sqlite/sqlite.ts';

/** What a transaction is within that of a world. */
const within: Readonly<Record<string, string>> = {
  'BEGIN IMMEDIATE': 'SAVEPOINT work',
  COMMIT: 'RELEASE work',
  ROLLBACK: 'ROLLBACK TO work; RELEASE work',
};

const idle: SqliteDatabase[] = [];

function forOneWorld(database: SqliteDatabase): SqliteDatabase {
  let isPlayed = false;
  const hasSchema = () =>
    database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_steps'").all([]).length > 0;
  return {
    driver: database.driver,
    prepare: (sql) => database.prepare(sql),
    exec(sql) {
      if (!isPlayed && sql === 'BEGIN IMMEDIATE' && hasSchema()) {
        isPlayed = true;
        database.exec('SAVEPOINT world');
      }
      database.exec(isPlayed ? (within[sql] ?? sql) : sql);
    },
    close() {
      if (isPlayed) database.exec('ROLLBACK TO world; RELEASE world');
      idle.push(database);
    },
  };
}

export async function openSqlite(path: string, driver?: SqliteDriver): Promise<SqliteDatabase> {
  if (path !== ':memory:') return open(path, driver);
  return forOneWorld(idle.pop() ?? (await open(path, driver)));
}
