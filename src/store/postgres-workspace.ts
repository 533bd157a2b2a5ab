import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import type * as Pg from 'pg';
import { type Clock, systemClock } from '../platform/process/clock.ts';
import { errorCode } from '../platform/process/error-code.ts';
import { InterruptedError, pause, type Waiting, waitedFor } from '../platform/process/interruptible.ts';
import { newId } from '../platform/process/new-id.ts';
import { say } from '../platform/terminal/texts.ts';
import { beginEpoch } from './epoch.ts';
import type { Migration, SchemaWords } from './event-tables-schema.ts';
import { sqlOf } from './kysely-sql.ts';
import { migrate, migrations, stepsTaken } from './migrations.ts';
import { postgresAddress } from './postgres-address.ts';
import { incarnationOf, type Restoring, rowsRestored, wentBack } from './restored.ts';
import type { Sql } from './sql.ts';
import type { Tables, WorkspaceTables } from './tables.ts';
import { asWorkspaceError, isAway, isCollision, runTogether } from './together.ts';
import { type ExpectedQuery, type Workspace, WorkspaceError } from './workspace.ts';

/** How long a server may be unavailable, for example during a restart, before a read or a write gives up. */
const PATIENCE_MS = 60_000;

/** How often, and after how long, it is looked whether a lock is free now. */
const MOST_LOOKUPS = 10;
const LOOK_STEP_MS = 20;
const FIRST_STEP_MS = 50;
const LONGEST_STEP_MS = 2_000;
const HOLD_STEP_MS = 500;
const CONNECT_MS = 10_000;
/** After so long without an answer, the system asks whether the server is still there: it says nothing where it is unplugged. */
const SILENCE_MS = 10_000;
const MOST_CONNECTIONS = 6;

/**
 * A commit returns only once it is on the server's disk, whatever the server's own setting is. A client that stops in
 * the middle of a transaction, or is cut off, does not block others with its locks.
 */
const SESSION = [
  'synchronous_commit=on',
  'idle_in_transaction_session_timeout=10s',
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

const INT8 = 20;

const words: SchemaWords = {
  key: 'serial primary key',
  async alone(database) {
    // Polls a try-lock: a blocking lock would occupy one of the pool's few connections.
    for (;;) {
      const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(7317030) as held`.execute(
        database,
      );
      if (rows[0]?.held === true) return;
      await sql`select pg_sleep(0.05)`.execute(database);
    }
  },
};

/** Parses a 64-bit integer: amounts and counts fit into a number; anything else throws instead of being rounded. */
function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is too large for a number`);
  return number;
}

function poolOf(pg: typeof Pg.default, setting: string, { patienceMs = CONNECT_MS }: Waiting): Pg.Pool {
  const { connectionString, tls } = postgresAddress(setting);
  const types = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? wholeNumber : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
  };
  const pool = new pg.Pool({
    connectionString,
    types,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: Math.min(CONNECT_MS, patienceMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENCE_MS,
    application_name: 'shopctl',
    options: SESSION,
    ...(tls ? { ssl: { rejectUnauthorized: true } } : {}),
  });
  // An idle connection breaks: the next use opens a new one.
  pool.on('error', () => {});
  // A connection breaks in use: the query fails, and the event adds nothing.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/** How long the mark of a write whose process was killed is kept. */
const MARK_AGE_S = 86_400;

/** The server's time so many seconds ago, in ISO 8601: a machine whose clock is ahead removes nobody's marks. */
const serverDate = (seconds: number) =>
  sql<string>`to_char(timezone('utc', clock_timestamp()) - make_interval(secs => ${sql.lit(seconds)}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const DUPLICATE = '23505';

/**
 * Marks of transactions: the mark tells whether one whose answer was lost was committed. The server's own
 * pg_xact_status would be wrong after a crash: an uncommitted transaction id is assigned again.
 */
class Marks {
  #over: string[] = [];

  /**
   * The statement that marks an attempt at a write, and removes the marks of writes that were answered. Two attempts at
   * one write exclude each other.
   */
  statement(database: WorkspaceTables, { id, attempt }: { id: string; attempt: number }) {
    const over = `{${this.#over.join(',')}}`;
    this.#over = [];
    return sql`with over as (delete from write_marks where id = any(${over}::text[]))
      insert into write_marks (id, attempt, written_at)
      values (${id}, ${attempt}, ${serverDate(0)})`.compile(database);
  }

  /** The answer arrived: the mark can be removed with a later one. */
  answered(id: string): void {
    this.#over.push(id);
  }

  /** Which attempt at a write was committed. */
  async attemptOf(database: WorkspaceTables, id: string): Promise<number | undefined> {
    const found = await database.selectFrom('write_marks').select('attempt').where('id', '=', id).executeTakeFirst();
    return found?.attempt;
  }

  /** Removes the marks that killed processes left. */
  async prune(database: WorkspaceTables): Promise<void> {
    await database.deleteFrom('write_marks').where('written_at', '<', serverDate(MARK_AGE_S)).execute();
  }
}

/** Opens a workspace in a PostgreSQL database; missing tables are created. Throws a WorkspaceError. */
export async function openPostgresWorkspace(
  setting: string,
  clock: Clock = systemClock,
  { steps = migrations, waiting = {}, ...restoring }: Restoring & { readonly steps?: readonly Migration[] } = {},
): Promise<Workspace> {
  const { place } = postgresAddress(setting);
  const { default: pg } = await import('pg');
  // Nothing is there yet that would have to be put away.
  if (waiting.signal?.aborted === true) throw new InterruptedError();
  const pool = poolOf(pg, setting, waiting);
  const server: Server = {
    place,
    pool,
    clock,
    waiting,
    isAbandoned: false,
    database: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
  };
  try {
    await patiently(server, () => requireDurable(server));
    if (!(await patiently(server, () => isCurrent(server, steps)))) {
      const write = <Result>(work: (database: WorkspaceTables) => Promise<Result>) =>
        patiently(server, () => server.database.transaction().execute(work));
      await migrate(write, place, words, steps);
    }
    const marks = new Marks();
    const incarnation = await patiently(server, () => incarnationOf(sqlOf(server.database, true)));
    const workspace = workspaceOn(server, marks, { ...restoring, incarnation });
    const restored = await restoredOn(server, workspace, { ...restoring, incarnation });
    // A read-only role leaves this to others.
    await marks.prune(server.database).catch(() => {});
    return { ...workspace, restored };
  } catch (error) {
    await close(server);
    throw error;
  }
}

/** Closes the connections; those of a server that was not waited for may hang, and end with the process. */
async function close({ database, isAbandoned }: Server): Promise<void> {
  const closed = database.destroy();
  if (isAbandoned) closed.catch(() => {});
  else await closed;
}

/** A server with the workspace's database. */
interface Server {
  readonly place: string;
  readonly pool: Pg.Pool;
  readonly clock: Clock;
  readonly waiting: Waiting;
  readonly database: Kysely<Tables>;
  /** Whether a wait for it was broken off. */
  isAbandoned: boolean;
}

const isPassing = (error: unknown) => isAway(error) || isCollision(error);

/** Retries while the server is unavailable, until the patience runs out. */
async function patiently<Result>(
  server: Server,
  work: () => Promise<Result>,
  again: (error: unknown) => boolean = isPassing,
): Promise<Result> {
  const { place, clock, waiting } = server;
  const stepMs = (round: number) => Math.min(FIRST_STEP_MS * 2 ** round, LONGEST_STEP_MS);
  const what = say().workspace.databaseAt({ host: hostOf(place) });
  try {
    return await waitedFor(clock, waiting, { what, mostMs: PATIENCE_MS, stepMs, work, again });
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw asWorkspaceError(error, place);
    server.isAbandoned = true;
    throw error;
  }
}

/** The host of a server, and its port where it is given; the directory of its socket on this machine. */
function hostOf(place: string): string {
  const { host, searchParams } = new URL(place);
  return searchParams.get('host') ?? (host || say().workspace.thisMachine);
}

/** Refuses a server that loses commits in a power cut, and one that takes none. Throws a WorkspaceError. */
async function requireDurable({ database, place }: Server): Promise<void> {
  const { rows } = await sql<{ fsync: string; standby: boolean }>`
    select current_setting('fsync') as fsync, pg_is_in_recovery() as standby`.execute(database);
  const [{ fsync, standby } = {}] = rows;
  const texts = say().workspace;
  if (standby === true)
    throw new WorkspaceError('workspace_unusable', texts.standby({ place }), { hint: texts.primary });
  if (fsync === 'off')
    throw new WorkspaceError('workspace_unusable', texts.notDurable({ place }), { hint: texts.turnOn });
}

/** Whether nothing has to be created or migrated: then a read-only role can open it, too. */
async function isCurrent({ database, place }: Server, steps: readonly Migration[]): Promise<boolean> {
  const { rows } = await sql<{ t: string | null }>`select to_regclass('schema_steps')::text as t`.execute(database);
  return typeof rows[0]?.t === 'string' && (await stepsTaken(database, place, steps)).size === steps.length;
}

/** What a database was when it was opened. */
interface OpenedAs extends Restoring {
  readonly incarnation: string;
}

/** How many rows may have been sent since the backup that the database is; undefined if it is none. */
async function restoredOn(
  server: Server,
  { write }: Workspace,
  { incarnation, ...of }: OpenedAs,
): Promise<number | undefined> {
  const run = sqlOf(server.database, true);
  const inSql = (work: (sql: Sql) => Promise<number | undefined>) =>
    write((transaction) => work(sqlOf(transaction, true)));
  return patiently(server, () => rowsRestored(run, inSql, of, incarnation));
}

/** One attempt at a write. */
interface Attempt<Result> {
  /** The statement that marks it. */
  mark(): CompiledQuery;
  /** Says what its result is before it can be committed. */
  committing(result: Result): void;
  /** Whether the server may still hold an attempt before this one, which ends without anybody who hears of it. */
  readonly isBesideLost: boolean;
}

/**
 * One transaction. If the connection breaks during the commit, its mark tells whether it was committed: a write is
 * neither lost nor applied twice. An attempt that the server still holds cannot commit beside the next one.
 */
async function writeOnce<Result>(
  server: Server,
  marks: Marks,
  transact: (attempt: Attempt<Result>) => Promise<Result>,
): Promise<Result> {
  const { database } = server;
  const id = newId();
  const results: Result[] = [];
  let lost = false;
  const attemptOnce = async () => {
    const committed = lost ? await marks.attemptOf(database, id) : undefined;
    if (committed !== undefined) return results[committed] as Result;
    const attempt = results.length;
    try {
      const result = await transact({
        mark: () => marks.statement(database, { id, attempt }),
        committing: (value) => {
          results[attempt] = value;
        },
        isBesideLost: lost,
      });
      // A lost attempt that comes late must meet the mark.
      if (!lost) marks.answered(id);
      return result;
    } catch (error) {
      lost ||= results.length > attempt && isAway(error);
      throw error;
    }
  };
  return patiently(server, attemptOnce, (error) => isPassing(error) || (lost && errorCode(error) === DUPLICATE));
}

async function tryHold(server: Server, name: string): Promise<(() => void) | undefined> {
  const client = await patiently(server, () => server.pool.connect(), isAway);
  try {
    // The lock of one who has just ended goes with its connection, which the server notices a moment later.
    for (let lookups = 0; lookups < MOST_LOOKUPS; lookups += 1) {
      if (lookups > 0) await pause(server.clock, LOOK_STEP_MS, server.waiting.signal);
      const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as held', [name]);
      // Releasing the hold closes the connection, and with it the lock ends.
      if (rows[0]?.held === true) return () => client.release(true);
    }
  } catch (error) {
    client.release(true);
    if (isAway(error)) return undefined;
    throw asWorkspaceError(error, server.place);
  }
  client.release();
  return undefined;
}

/** Throws for a server that was away and is another one now: it may lack what was committed last. */
async function inSame<Result>(server: Server, incarnation: string, result: Result): Promise<Result> {
  const now = await patiently(server, () => incarnationOf(sqlOf(server.database, true)));
  if (now !== incarnation) throw wentBack(server.place);
  return result;
}

/** The workspace over a database that has its schema. */
function workspaceOn(server: Server, marks: Marks, { epochs = [], incarnation }: OpenedAs): Workspace {
  const { place, clock, database } = server;
  const serverTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  const read: Workspace['read'] = (work) => patiently(server, () => work(database));
  const write: Workspace['write'] = (work) =>
    writeOnce(server, marks, ({ mark, committing }) =>
      database.transaction().execute(async (transaction) => {
        const value = await work(transaction);
        await transaction.executeQuery(mark());
        committing(value);
        return value;
      }),
    );
  const writeTogether = (statements: readonly ExpectedQuery[]) =>
    writeOnce<boolean>(server, marks, async ({ mark, committing, isBesideLost }) => {
      committing(true);
      const isDone = await runTogether(server.pool, [...statements, { query: mark() }]);
      if (isDone || !isBesideLost) return isDone;
      // What the statements met may be the work of a lost attempt, or it may be to come: marked, this one excludes it.
      committing(false);
      await database.executeQuery(mark());
      return false;
    });
  const nextEpoch = () => beginEpoch((work) => write((transaction) => work(sqlOf(transaction, true))), epochs);
  return {
    place,
    serverTime,
    beginEpoch: nextEpoch,
    keepEpoch: () => nextEpoch().then((epoch) => inSame(server, incarnation, epoch)),
    isAlive: (owner) =>
      read(async (reading) => {
        const worker = reading.selectFrom('batch_workers').select('id').where('id', '=', owner);
        return (await worker.where('lease_until', '>', serverTime).execute()).length > 0;
      }),
    write,
    async writeAll(statements) {
      await writeTogether(statements(database).map((query) => ({ query })));
    },
    writeIf: async (statements) => writeTogether(statements(database)),
    async alone(transaction, name) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`alone ${name}`}, 0))`.execute(transaction);
    },
    read,
    tryHold: (name) => tryHold(server, name),
    async hold(name, { signal, onWait }) {
      for (let waited = false; ; waited = true) {
        signal?.throwIfAborted();
        const release = await tryHold(server, name);
        if (release !== undefined) return release;
        if (!waited) await onWait?.();
        signal?.throwIfAborted();
        await pause(clock, HOLD_STEP_MS, signal);
      }
    },
    close: () => close(server),
  };
}
