import type * as Pg from 'pg';
import { isRecord } from '../../domain/json/values.ts';
import { postgresAddress } from '../../store/postgres-address.ts';
import { asWorkspaceError } from '../../store/together.ts';
import { say } from '../texts.ts';
import { type Query, QueryError } from './query-error.ts';

const ROWS_AT_ONCE = 500;
const CONNECT_MS = 10_000;
const CANCEL_MS = 1_500;

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;
const DATES = [1082, 1114];

/** A number whose digits all survive; otherwise its text. */
function wholeNumber(text: string): number | string {
  const number = Number(text);
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(number) ? number : text;
  return text.replace(/^-?0*|\.?0*$/g, '').replace('.', '').length <= 15 ? number : text;
}

const moment = (text: string) => {
  const at = Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00'));
  return Number.isNaN(at) ? text : new Date(at).toISOString().replace('.000Z', 'Z');
};

function parserOf(pg: typeof Pg.default): typeof Pg.types.getTypeParser {
  const own: Readonly<Record<number, (text: string) => unknown>> = {
    [TIMESTAMPTZ]: moment,
    [INT8]: wholeNumber,
    [NUMERIC]: wholeNumber,
    ...Object.fromEntries(DATES.map((oid) => [oid, (text: string) => text])),
  };
  return ((oid: number, format?: 'text' | 'binary') =>
    own[oid] ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;
}

const reported = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);

/** What the server says about a statement that would write. */
function worded(error: unknown, place: string): unknown {
  if (error instanceof QueryError || !isRecord(error) || typeof error.code !== 'string') return error;
  const { code, message } = error;
  const text = typeof message === 'string' ? message : code;
  if (code === '25006' || (code === '0A000' && text.includes('data-modifying'))) {
    return new QueryError('sql_not_a_read', say().query.writesSo({ message: text }));
  }
  const isOfQuery = /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|28|3D|53|57P|58|XX)/.test(code);
  return isOfQuery ? new QueryError('sql_error', text) : asWorkspaceError(error, place);
}

/**
 * Runs a query in a read-only transaction of a connection of its own, which is closed afterwards; what is aborted is
 * cancelled at the server. Yields once when the columns are known, then the rows.
 */
export async function* fromPostgres(
  { place, sql, timeoutMs, signal }: Query,
  heading: (columns: string[]) => void,
): AsyncGenerator<readonly unknown[] | undefined, void, undefined> {
  const address = postgresAddress(place);
  const { default: pg } = await import('pg');
  const settings = {
    connectionString: address.connectionString,
    types: { getTypeParser: parserOf(pg) },
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'shopctl',
    ...(address.tls ? { ssl: { rejectUnauthorized: true } } : {}),
  };
  const client = new pg.Client(settings);
  client.on('error', () => {});
  let backend: number | undefined;
  const cancel = () => {
    void cancelAt(pg, settings, backend).finally(() => client.end().catch(() => {}));
  };
  signal.addEventListener('abort', cancel, { once: true });
  // Two statements in one text are refused by this mode, whatever they are.
  const extended = { rowMode: 'array', queryMode: 'extended' } as const;
  const ask = (text: string) => client.query({ text, ...extended });
  try {
    await client.connect();
    signal.throwIfAborted();
    const { rows } = await ask('select pg_backend_pid()');
    backend = Number(rows[0]?.[0]);
    await ask('begin isolation level repeatable read read only');
    await ask('set local search_path = mirror');
    // After the first query a transaction cannot be made one that writes.
    await ask(`set local statement_timeout = ${Math.max(0, Math.ceil(timeoutMs ?? 0))}`);
    const { rows: found } = await ask("select to_regnamespace('mirror') is not null");
    if (found[0]?.[0] !== true) throw new QueryError('mirror_missing', say().nothingTo({ reading: 'ask' }));
    if (/^\s*explain\b/i.test(sql)) {
      const explained = await ask(sql);
      heading(explained.fields.map(({ name }) => name));
      yield undefined;
      yield* explained.rows;
      return;
    }
    await ask(`declare question no scroll cursor for ${sql.replace(/;\s*$/, '')}`);
    for (let isFirst = true; ; isFirst = false) {
      const page = await ask(`fetch ${ROWS_AT_ONCE} from question`);
      if (isFirst) {
        heading(page.fields.map(({ name }) => name));
        yield undefined;
      }
      for (const row of page.rows) yield row.map(reported);
      if (page.rows.length < ROWS_AT_ONCE) return;
    }
  } catch (error) {
    throw worded(error, address.place);
  } finally {
    signal.removeEventListener('abort', cancel);
    await client.end().catch(() => {});
  }
}

/** Cancels what a backend is doing, from another connection. */
async function cancelAt(pg: typeof Pg.default, settings: Pg.ClientConfig, backend: number | undefined): Promise<void> {
  if (backend === undefined) return;
  const other = new pg.Client({ ...settings, connectionTimeoutMillis: CANCEL_MS, query_timeout: CANCEL_MS });
  other.on('error', () => {});
  try {
    await other.connect();
    await other.query('select pg_cancel_backend($1)', [backend]);
  } catch {
    // The server ends it by itself once it notices that nobody is there.
  } finally {
    await other.end().catch(() => {});
  }
}
