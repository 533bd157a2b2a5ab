/**
 * A prepared statement; `reader` says whether it returns rows. The shape is the one that Kysely's SQLite driver calls.
 */
export interface SqliteStatement {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

/** The rows of a statement that returns rows of that type: what a driver returns has none. */
export function rowsOf<Row>(statement: SqliteStatement, parameters: readonly unknown[]): Row[] {
  return statement.all(parameters) as Row[];
}

/** One connection to one database, synchronous. */
export interface SqliteDatabase {
  /** The underlying driver: `better-sqlite3`, or `node:sqlite` where that cannot be loaded, and from Node 24 on. */
  readonly driver: 'better-sqlite3' | 'node:sqlite';
  prepare(sql: string): SqliteStatement;
  /** Runs statements without parameters or results. */
  exec(sql: string): void;
  close(): void;
}

/** Thrown when neither driver can be loaded; the message says what would help. */
export class SqliteUnavailableError extends Error {
  readonly kind = 'configuration';
  readonly code = 'sqlite_unavailable';

  constructor(options: ErrorOptions) {
    super('no SQLite: better-sqlite3 is not installed, and this Node has no node:sqlite (Node 22.13 has)', options);
    this.name = 'SqliteUnavailableError';
  }
}

export type SqliteDriver = SqliteDatabase['driver'];

/**
 * Whether better-sqlite3 is used if it can be loaded. Where its objects are collected as Node 24 ends, its version 12 aborts
 * the process (SIGABRT), whose work is done but whose exit code is lost; version 13 does not run on Node 20.
 */
export const takesBetterSqlite = Number.parseInt(process.versions.node, 10) < 24;

/**
 * Opens a database file, or `:memory:`. Without `driver`, better-sqlite3 is used before Node 24 if it can be loaded (it is an
 * optional dependency with a native part), otherwise node:sqlite. Throws SqliteUnavailableError, or the driver's own error when
 * the file cannot be opened.
 */
export async function openSqlite(path: string, driver?: SqliteDriver): Promise<SqliteDatabase> {
  if (driver === 'node:sqlite') return openBuiltIn(path);
  let open: Awaited<ReturnType<typeof loadBetterSqlite>>;
  try {
    open = await loadBetterSqlite();
  } catch (cause) {
    if (driver === 'better-sqlite3') throw new SqliteUnavailableError({ cause });
    return openBuiltIn(path);
  }
  return open(path);
}

/** Size of the cache of prepared statements, by text; it is limited since lists of ids keep producing new texts. */
const KEPT_STATEMENTS = 256;

function keepingStatements(prepare: (sql: string) => SqliteStatement): (sql: string) => SqliteStatement {
  const kept = new Map<string, SqliteStatement>();
  return (sql) => {
    const known = kept.get(sql);
    if (known) return known;
    const made = prepare(sql);
    const oldest = kept.size >= KEPT_STATEMENTS ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(sql, made);
    return made;
  };
}

/** better-sqlite3's class of connections; throws if it cannot be loaded, or is not to be. */
export async function betterSqlite(): Promise<typeof import('better-sqlite3')> {
  if (!takesBetterSqlite) throw new Error('better-sqlite3 is not used from Node 24 on');
  const { default: Database } = await import('better-sqlite3');
  // The native part is loaded by the first connection, not by the import: only this proves that it works.
  new Database(':memory:').close();
  return Database;
}

async function loadBetterSqlite(): Promise<(path: string) => SqliteDatabase> {
  const Database = await betterSqlite();
  return (path) => {
    const database = new Database(path);
    return {
      driver: 'better-sqlite3',
      prepare: keepingStatements((sql) => database.prepare<[readonly unknown[]]>(sql)),
      exec: (sql) => void database.exec(sql),
      close: () => void database.close(),
    };
  };
}

/** The part of node:sqlite that we use, which the types of Node 20 lack. */
interface BuiltInStatement {
  all(...parameters: unknown[]): Readonly<Record<string, unknown>>[];
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: unknown[]): IterableIterator<Readonly<Record<string, unknown>>>;
  setReadBigInts(enabled: boolean): void;
  /** Both are absent before Node 22.16. */
  columns?(): readonly { readonly name: string }[];
  setReturnArrays?(enabled: boolean): void;
}
interface BuiltInModule {
  DatabaseSync: new (
    path: string,
    options?: { readonly readOnly?: boolean },
  ) => { prepare(sql: string): BuiltInStatement; exec(sql: string): void; close(): void };
}

const ANSWERS_ROWS = /^\s*(?:select|with|values|pragma|explain)\b|\breturning\b/i;

const isOfSqlite = (module: unknown): module is BuiltInModule =>
  typeof module === 'object' && module !== null && 'DatabaseSync' in module;

/** node:sqlite; throws if this Node lacks it. */
export function loadBuiltIn(): BuiltInModule {
  const module: unknown = process.getBuiltinModule('node:sqlite');
  if (!isOfSqlite(module)) throw new Error('No such built-in module: node:sqlite');
  return module;
}

async function openBuiltIn(path: string): Promise<SqliteDatabase> {
  let module: BuiltInModule;
  try {
    module = withoutItsWarning(() => loadBuiltIn());
  } catch (cause) {
    throw new SqliteUnavailableError({ cause });
  }
  const database = new module.DatabaseSync(path);
  return {
    driver: 'node:sqlite',
    prepare: keepingStatements((sql) => {
      const statement = database.prepare(sql);
      return {
        reader: ANSWERS_ROWS.test(sql),
        all: (parameters) => statement.all(...parameters),
        run: (parameters) => statement.run(...parameters),
        iterate: (parameters) => statement.iterate(...parameters),
      };
    }),
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  };
}

/**
 * Node 22 warns that its SQLite is experimental, which is of no use to someone starting a sandbox and clutters its
 * output.
 */
export function withoutItsWarning<Result>(load: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
