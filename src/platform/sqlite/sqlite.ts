import type { Database as BetterSqlite } from 'better-sqlite3';

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

/** Why better-sqlite3 cannot be loaded: absent, without a native part for this Node, or of a version that crashes this Node. */
export type DriverFault = 'missing' | 'unbuilt' | 'too-new';

/** Thrown where better-sqlite3 cannot be loaded. */
export class DriverError extends Error {
  readonly fault: DriverFault;

  constructor(fault: DriverFault, options?: ErrorOptions) {
    super(faultWords[fault], options);
    this.name = 'DriverError';
    this.fault = fault;
  }
}

/** The version of this Node, for example 22.13.0. */
export const nodeVersion = process.versions.node;

const faultWords: Readonly<Record<DriverFault, string>> = {
  missing: 'better-sqlite3 is not installed',
  unbuilt: 'better-sqlite3 is installed, but not built for this Node',
  'too-new': 'better-sqlite3 is of a version that this Node cannot run (12 can)',
};

/**
 * Thrown when neither driver can be loaded: the message says why, and `fault` is better-sqlite3's. `headers` as nodeHeaders says.
 * Both are texts, which the thread of a database can pass on.
 */
export class SqliteUnavailableError extends Error {
  readonly kind = 'configuration';
  readonly code = 'sqlite_unavailable';
  readonly fault: DriverFault;
  readonly headers = nodeHeaders();

  constructor(cause: unknown) {
    const fault = cause instanceof DriverError ? cause.fault : 'missing';
    super(`no SQLite: ${faultWords[fault]}, and Node ${nodeVersion} has none of its own (22.13 and newer have)`, {
      cause,
    });
    this.name = 'SqliteUnavailableError';
    this.fault = fault;
  }
}

/**
 * The directory where the headers of this Node are installed, for `npm_config_nodedir`: with it, a native part is built without
 * a download. Undefined if it has none.
 */
export function nodeHeaders(): string | undefined {
  const { existsSync } = process.getBuiltinModule('node:fs');
  const { join, dirname } = process.getBuiltinModule('node:path');
  const place = dirname(dirname(process.execPath));
  return existsSync(join(place, 'include', 'node', 'node.h')) ? place : undefined;
}

export type SqliteDriver = SqliteDatabase['driver'];

/**
 * Whether better-sqlite3 is used if it can be loaded. Where its objects are collected as Node 24 ends, its version 12 aborts
 * the process (SIGABRT), whose work is done but whose exit code is lost; version 13 does not run on Node 20.
 */
export const takesBetterSqlite = Number.parseInt(nodeVersion, 10) < 24;

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
    if (driver === 'better-sqlite3') throw new SqliteUnavailableError(cause);
    return openBuiltIn(path, cause);
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

/** The first Node on which version 13 of better-sqlite3 runs; it ends an older one with a segmentation fault when it is loaded. */
const FIRST_FOR_13 = 22;

/** better-sqlite3's class of connections, once it has opened one. */
let proven: typeof import('better-sqlite3') | undefined;

/** better-sqlite3's class of connections; throws a DriverError if it cannot be loaded, or is not to be. */
export async function betterSqlite(): Promise<typeof import('better-sqlite3')> {
  if (!takesBetterSqlite) throw new Error('better-sqlite3 is not used from Node 24 on');
  if (proven !== undefined) return proven;
  if (Number.parseInt(nodeVersion, 10) < FIRST_FOR_13 && (await installedMajor()) >= 13)
    throw new DriverError('too-new');
  try {
    const { default: Database } = await import('better-sqlite3');
    // The native part is loaded by the first connection, not by the import: only this proves that it works.
    new Database(':memory:').close();
    proven = Database;
    return Database;
  } catch (cause) {
    throw new DriverError(isNotInstalled(cause) ? 'missing' : 'unbuilt', { cause });
  }
}

/** Whether an import failed because there is no such package, and not within it. */
const isNotInstalled = (cause: unknown) =>
  cause instanceof Error && /^Cannot find (?:package|module) 'better-sqlite3/.test(cause.message);

/** The major version of better-sqlite3 that is installed. Throws a DriverError if there is none. */
async function installedMajor(): Promise<number> {
  try {
    const { default: manifest } = await import('better-sqlite3/package.json', { with: { type: 'json' } });
    return Number.parseInt(manifest.version, 10);
  } catch (cause) {
    throw new DriverError('missing', { cause });
  }
}

async function loadBetterSqlite(): Promise<(path: string) => SqliteDatabase> {
  const Database = await betterSqlite();
  return (path) => connectionOf(new Database(path));
}

/** A connection of better-sqlite3 as ours, which keeps its statements. */
export const connectionOf = (database: BetterSqlite): SqliteDatabase => ({
  driver: 'better-sqlite3',
  prepare: keepingStatements((sql) => database.prepare<[readonly unknown[]]>(sql)),
  exec: (sql) => void database.exec(sql),
  close: () => void database.close(),
});

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

async function openBuiltIn(path: string, unloaded?: unknown): Promise<SqliteDatabase> {
  let module: BuiltInModule;
  try {
    module = withoutItsWarning(() => loadBuiltIn());
  } catch (cause) {
    throw new SqliteUnavailableError(unloaded ?? cause);
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
