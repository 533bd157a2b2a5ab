/** What a database driver says about a failure: its code and message, and SQLite's own number; empty for others. */
export function driverFacts(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly errcode: unknown;
} {
  const { message, errcode }: { message?: unknown; errcode?: unknown } = Object(error);
  return { code: errorCode(error) ?? '', message: typeof message === 'string' ? message : '', errcode };
}

/** The code of an error, for example `ENOENT` or `not_found`; undefined if it has none, or is not an error. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What SQLite could not do. */
type SqliteProblem = 'busy' | 'full' | 'io' | 'damaged' | 'unwritable';

/** SQLite's primary result codes, by name for better-sqlite3 and by number for node:sqlite. */
const problems: readonly (readonly [name: string, number: number, problem: SqliteProblem])[] = [
  ['SQLITE_BUSY', 5, 'busy'],
  ['SQLITE_READONLY', 8, 'unwritable'],
  ['SQLITE_IOERR', 10, 'io'],
  ['SQLITE_CORRUPT', 11, 'damaged'],
  ['SQLITE_FULL', 13, 'full'],
  ['SQLITE_CANTOPEN', 14, 'unwritable'],
  ['SQLITE_NOTADB', 26, 'damaged'],
];

/** The problem that a failure of either SQLite driver, or of the system below it, stands for; undefined for others. */
export function sqliteProblem(error: unknown): SqliteProblem | undefined {
  const { code, errcode } = driverFacts(error);
  // An extended result code has the primary one in its lowest byte.
  const primary = typeof errcode === 'number' ? errcode & 0xff : undefined;
  const found = problems.find(([name, number]) => code.startsWith(name) || primary === number);
  if (found !== undefined) return found[2];
  if (code === 'ENOSPC') return 'full';
  if (code === 'EIO') return 'io';
  return ['EACCES', 'EROFS', 'EPERM', 'ENOTDIR'].includes(code) ? 'unwritable' : undefined;
}

/** SQLite's primary result code for a row that a constraint refuses. */
const CONSTRAINT = 19;

/** Whether a database refused a row because another one has its key. */
export function isTaken(error: unknown): boolean {
  const { code, errcode } = driverFacts(error);
  const isOfSqlite =
    code.startsWith('SQLITE_CONSTRAINT') || (typeof errcode === 'number' && (errcode & 0xff) === CONSTRAINT);
  return isOfSqlite || code === '23505';
}
