import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { querySqlite } from '../../platform/sqlite/sqlite-query.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { isPostgresAddress } from '../../store/postgres-address.ts';
import { WorkspaceError } from '../../store/workspace.ts';
import { say } from '../texts.ts';
import { damagedMirror } from './open-mirror.ts';
import { type Query, QueryError } from './query-error.ts';

/** What a text of SQL contains, as far as it matters for letting it read. */
interface StatementLook {
  /** The first words in lower case; `explain` and what it explains. */
  readonly words: readonly string[];
  /** Whether anything follows its first semicolon. */
  readonly isSeveral: boolean;
  /** What it does, besides reading: its own verb, or one within parentheses. */
  readonly writes: string | undefined;
}

/** A comment, a quoted text or name, or a dollar-quoted text; what is unfinished goes to the end. */
const SKIPPED =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|(\$[A-Za-z_]*\$)[\s\S]*?(?:\1|$)/g;

/** Looks at SQL without understanding it: its first words, and whether it is one statement. */
function lookAtStatement(sql: string): StatementLook {
  const bare = sql.replaceAll(SKIPPED, (found) => (found.startsWith('--') || found.startsWith('/*') ? ' ' : '?'));
  const [first = '', ...rest] = bare.split(';');
  const words = first.toLowerCase().match(/[a-z_]+/g) ?? [];
  return { words, isSeveral: rest.some((part) => part.trim() !== ''), writes: writingVerb(first) };
}

const VERBS = /\b(?:select|values|insert|update|delete|replace|merge)\b/i;
const WRITING = /^(?:insert|update|delete|replace|merge)$/i;

/** The verb with which a statement writes: its own, outside all parentheses, or that of a part in parentheses. */
function writingVerb(bare: string): string | undefined {
  const [, within] = /\(\s*(insert|update|delete|merge)\b(?!\s*\()/i.exec(bare) ?? [];
  if (within !== undefined) return within;
  let outside = bare;
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = outside.replaceAll(/\([^()]*\)/g, ' ');
  }
  const [own] = VERBS.exec(outside) ?? [];
  return own !== undefined && WRITING.test(own) ? own : undefined;
}

const READING = ['select', 'with', 'values'];

/** Why a text may not be run, undefined if it may: only one statement that reads, by its first word. */
function whyNotRead(sql: string): string | undefined {
  const { words, isSeveral, writes } = lookAtStatement(sql);
  if (words.length === 0) return say().query.empty;
  if (isSeveral) return say().query.several;
  const [first = '', second = '', third = ''] = words;
  // `explain` followed by a pragma would run it.
  const reported = first !== 'explain' ? first : second === 'query' && third === 'plan' ? (words[3] ?? '') : second;
  const explained =
    first === 'explain' && ['analyze', 'verbose'].includes(reported)
      ? (words[words.indexOf(reported) + 1] ?? '')
      : reported;
  if (READING.includes(explained))
    return writes === undefined ? undefined : say().query.has({ word: writes.toUpperCase() });
  return say().query.begins({
    words: `${first.toUpperCase()}${first === 'explain' ? ` ${explained.toUpperCase()}` : ''}`,
  });
}

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
      const message = say().query.unreadable({ place: makeSafe(place) });
      throw new WorkspaceError('workspace_unusable', message);
    }
    if (line.error === 'writes' || /readonly database/.test(line.message)) {
      throw new QueryError('sql_not_a_read', say().query.writes, say().query.giveOne);
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
    throw new QueryError('sql_not_a_read', say().query.notARead({ why }), say().query.giveOne);
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
    return new QueryError('timeout', say().query.late({ seconds: (timeoutMs ?? 0) / 1000 }));
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
