import { openSqlite, type SqliteDatabase } from '../../platform/sqlite.ts';
import { inTransaction } from '../store/group-commit.ts';
import { migrate } from '../store/migrations.ts';
import { namesIn } from '../store/names-in.ts';

/** Writes all data into a new file, as they are at this moment. The file is on its way to the disk, not surely there yet. */
export function copyInto(sqlite: SqliteDatabase, path: string): void {
  sqlite.exec(`VACUUM INTO ${quoted(path)}`);
}

/** Brings a copy to the newest schema. Throws where it is not a copy of a sandbox, NewerSchemaError where it is too new. */
export async function modernize(path: string): Promise<void> {
  const copy = await openSqlite(path);
  try {
    const [known] = copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_steps'").all([]);
    if (known === undefined) throw new Error('no sandbox wrote this database');
    migrate(copy);
  } finally {
    copy.close();
  }
}

/**
 * Puts the data of a copy in place of all data, in one transaction: killed in the middle, the sandbox has the one or
 * the other. The copy must have the newest schema; see `modernize`.
 */
export function replaceBy(sqlite: SqliteDatabase, path: string): void {
  // Neither of these can be said inside a transaction.
  sqlite.exec(`ATTACH ${quoted(path)} AS copy`);
  sqlite.exec('PRAGMA foreign_keys = OFF');
  try {
    inTransaction(sqlite, () => {
      for (const table of tablesOf(sqlite)) {
        const columns = columnsOf(sqlite, table);
        sqlite.exec(`DELETE FROM main.${table}`);
        sqlite.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM copy.${table}`);
      }
    });
  } finally {
    sqlite.exec('PRAGMA foreign_keys = ON');
    sqlite.exec('DETACH copy');
  }
}

/** All tables with data, and what SQLite counts the changes of the outbox by. */
function tablesOf(sqlite: SqliteDatabase): string[] {
  const rows = sqlite
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'schema_steps' ORDER BY name")
    .all([]);
  return namesIn(rows).filter((name) => name === 'sqlite_sequence' || !name.startsWith('sqlite_'));
}

function columnsOf(sqlite: SqliteDatabase, table: string): string {
  const rows = sqlite.prepare(`SELECT name FROM pragma_table_info('${table}', 'main') ORDER BY cid`).all([]);
  return namesIn(rows)
    .map((name) => `"${name}"`)
    .join(', ');
}

/** A text as SQL, for the two statements whose drivers differ in how they take a parameter. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
