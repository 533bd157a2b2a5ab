import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { querySqlite } from '../../../platform/sqlite/sqlite-query.ts';
import { makeSafe } from '../../../platform/terminal/text-safety.ts';
import { isPostgresAddress } from '../../../store/postgres/postgres-address.ts';
import { WorkspaceError } from '../../../store/workspace-error.ts';
import { damagedMirror } from '../open-mirror.ts';
import { whyNotRead } from './one-statement.ts';
import { type Query, QueryError } from './query-error.ts';

/** The names of a query's columns, followed by its rows. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly unknown[]>;
}

/** Column names that differ: a name that comes again gets a number. */
function different(columns: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return columns.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

const HINT = 'give one SELECT, WITH, VALUES or EXPLAIN statement';

/** Whether SQLite can make the files beside a database without which it does not read one with a write-ahead log. */
function mayWriteBeside(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function* fromSqlite({ place, sql, signal }: Query, heading: (columns: string[]) => void) {
  for await (const line of querySqlite(place, sql, signal)) {
    if ('columns' in line) {
      heading(different(line.columns));
      // The caller waits for the heading before it asks for rows.
      yield undefined;
    }
    if ('rows' in line) yield* line.rows;
    if (!('error' in line)) continue;
    if (/readonly database/.test(line.message) && !mayWriteBeside(place)) {
      const message = `${makeSafe(place)} cannot be read: SQLite writes beside it, and its directory cannot be written`;
      throw new WorkspaceError('workspace_unusable', message);
    }
    if (line.error === 'writes' || /readonly database/.test(line.message)) {
      throw new QueryError('sql_not_a_read', 'the statement writes; nothing was changed', HINT);
    }
    if (/not a database|malformed/.test(line.message)) throw damagedMirror(place, line.message);
    throw new QueryError('sql_error', line.message);
  }
}

/**
 * Runs one statement that reads. It cannot change anything: the connection has no right to write, and a statement that
 * would is refused. Throws a QueryError, and the signal's reason.
 */
export async function runQuery(query: Query): Promise<QueryResult> {
  const why = whyNotRead(query.sql);
  if (why !== undefined) {
    throw new QueryError('sql_not_a_read', `only a statement that reads can be run: ${why}; nothing was changed`, HINT);
  }
  const ending = new AbortController();
  const done = new AbortController();
  const end = () => ending.abort(query.signal.reason);
  query.signal.addEventListener('abort', end, { once: true });
  if (query.signal.aborted) end();
  let isLate = false;
  const { timeoutMs } = query;
  if (timeoutMs !== undefined) {
    query.clock
      .wait(timeoutMs, done.signal)
      .then(() => {
        isLate = true;
        ending.abort();
      })
      .catch(() => {});
  }
  const over = () => {
    done.abort();
    query.signal.removeEventListener('abort', end);
  };
  const worded = (error: unknown): unknown => {
    if (query.signal.aborted) return query.signal.reason;
    if (!isLate) return error;
    return new QueryError('timeout', `the query was ended after ${(timeoutMs ?? 0) / 1000} s; nothing was changed`);
  };
  let columns: readonly string[] = [];
  const heading = (names: string[]) => {
    columns = names;
  };
  const own = { ...query, signal: ending.signal };
  const found = isPostgresAddress(query.place)
    ? (await import('./postgres-query.ts')).fromPostgres(own, (names) => heading(different(names)))
    : fromSqlite(own, heading);
  try {
    await found.next();
  } catch (error) {
    over();
    throw worded(error);
  }
  return {
    get columns() {
      return columns;
    },
    rows: (async function* () {
      try {
        for await (const row of found) if (row !== undefined) yield row;
      } catch (error) {
        throw worded(error);
      } finally {
        over();
      }
    })(),
  };
}
