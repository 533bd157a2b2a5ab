import { openSqlite, type SqliteDatabase } from '../../../platform/sqlite/sqlite.ts';
import { migrate } from '../../engine/store/schema/migrations.ts';
import { inTransaction } from '../../engine/store/sql/group-commit.ts';
import { namesIn } from '../../engine/store/sql/names-in.ts';

/** Writes all data to a new file, as a consistent copy. The file is not yet flushed to disk. */
export function copyInto(sqlite: SqliteDatabase, path: string): void {
  sqlite.exec(`VACUUM INTO ${quoted(path)}`);
}

/** Migrates a copy to the newest schema. Throws if it is not a copy of a sandbox, OtherSchemaError if another version wrote it. */
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
 * Replaces all data by those of a copy, in one transaction: if the sandbox is killed meanwhile, it has either the old
 * or the new data. The copy must have the newest schema; see `modernize`.
 */
export function replaceBy(sqlite: SqliteDatabase, path: string): void {
  // Neither of these is possible inside a transaction.
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

/** All tables with data, and SQLite's counters for the outbox. */
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

/** A text as an SQL literal, for the two statements whose parameters the drivers handle differently. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
