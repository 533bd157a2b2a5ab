import { betterSqlite, loadBuiltIn, withoutItsWarning } from './sqlite.ts';

/** A prepared query. */
interface ReadOnlyQuery {
  /** Whether the driver is sure that it changes nothing and returns rows. */
  readonly onlyReads: boolean;
  /** The names of its columns. */
  readonly columns: readonly string[];
  /** Its rows, as they are found; integers are BigInts. */
  rows(): Iterable<readonly unknown[]>;
}

/** A connection that cannot write. */
interface ReadOnlyDatabase {
  /** Throws the driver's error. */
  prepare(sql: string): ReadOnlyQuery;
}

/** Opens a database file, which must exist, without the right to write. Throws the driver's error. */
export async function openReadOnly(path: string): Promise<ReadOnlyDatabase> {
  let Database: typeof import('better-sqlite3');
  try {
    Database = await betterSqlite();
  } catch {
    return openBuiltIn(path);
  }
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  return {
    prepare(sql) {
      const statement = database.prepare<unknown[], unknown[]>(sql);
      const onlyReads = statement.reader && statement.readonly;
      if (!onlyReads) return { onlyReads, columns: [], rows: () => [] };
      statement.raw(true).safeIntegers(true);
      return {
        onlyReads,
        columns: statement.columns().map(({ name }) => name),
        rows: () => statement.iterate(),
      };
    },
  };
}

/** The instruction of SQLite's programs that begins a transaction; its second operand is not 0 if it writes. */
const BEGINS = 'Transaction';

function openBuiltIn(path: string): ReadOnlyDatabase {
  const { DatabaseSync } = withoutItsWarning(() => loadBuiltIn());
  const database = new DatabaseSync(path, { readOnly: true });
  return {
    prepare(sql) {
      const isExplained = /^\s*explain\b/i.test(sql);
      const program = isExplained ? [] : database.prepare(`explain ${sql}`).all();
      const writes = program.some(({ opcode, p2 }) => opcode === BEGINS && Number(p2) !== 0);
      if (writes) return { onlyReads: false, columns: [], rows: () => [] };
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      // An object has one value for two columns of one name, as all rows are before Node 22.16.
      statement.setReturnArrays?.(true);
      const columns = statement.setReturnArrays && statement.columns?.().map(({ name }) => name);
      return {
        onlyReads: true,
        columns: columns ?? Object.keys(statement.iterate().next().value ?? {}),
        *rows() {
          for (const row of statement.iterate()) yield Object.values(row);
        },
      };
    },
  };
}

/** One line about a query: its columns, then its rows, then that there are no more; or why there are none. */
export type QueryLine =
  | { readonly columns: readonly string[] }
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly done: true }
  | { readonly error: 'writes' | 'database'; readonly message: string };

const ROWS_AT_ONCE = 200;

/** A value as JSON carries it: no digit is lost, and bytes are written in hex. */
function reported(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** Runs a query in this thread, which it blocks; a failure is a line too. */
export async function* queryLines(path: string, sql: string): AsyncGenerator<QueryLine, void, undefined> {
  try {
    const query = (await openReadOnly(path)).prepare(sql);
    if (!query.onlyReads) {
      yield { error: 'writes', message: 'the statement writes' };
      return;
    }
    yield { columns: query.columns };
    let rows: unknown[][] = [];
    for (const row of query.rows()) {
      rows.push(row.map(reported));
      if (rows.length < ROWS_AT_ONCE) continue;
      yield { rows };
      rows = [];
    }
    yield { rows };
    yield { done: true };
  } catch (error) {
    yield { error: 'database', message: error instanceof Error ? error.message : String(error) };
  }
}
