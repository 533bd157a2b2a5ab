import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteConnection } from '../platform/sqlite/sqlite-connection.ts';

/** Retries while another connection holds the lock. */
export type Patiently = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lets its users have the only connection in turns, in the order in which they ask. */
export class Turns {
  /** Settles when the last of those that asked has released it. */
  #free: Promise<void> = Promise.resolve();

  /** Waits for one's turn; it ends with a call of what this returns. */
  async take(): Promise<() => void> {
    const before = this.#free;
    let release = () => {};
    this.#free = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}

/** The only connection, as Kysely calls it. */
class OnlyConnection implements DatabaseConnection {
  readonly run: SqliteConnection['run'];

  constructor({ run }: SqliteConnection) {
    this.run = run;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await this.run(sql, parameters);
    return { rows: rows as Row[], ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }) };
  }

  // biome-ignore lint/correctness/useYield: there is nothing to stream from a thread, and nobody asks for it.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new TypeError('the workspace is read in pieces, not as a stream');
  }
}

/**
 * A driver with one connection, which its users get in turns. Its transactions take the write lock when they begin: one
 * that reads first and writes later would fail if another process wrote in between, and waiting would not help.
 */
class WritingFirstDriver implements Driver {
  readonly #connection: OnlyConnection;
  readonly #patiently: Patiently;
  readonly #turns: Turns;
  #release = () => {};

  constructor(connection: SqliteConnection, turns: Turns, patiently: Patiently) {
    this.#connection = new OnlyConnection(connection);
    this.#turns = turns;
    this.#patiently = patiently;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#release = await this.#turns.take();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(): Promise<void> {
    await this.#patiently(() => this.#connection.run('begin immediate'));
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.run('commit');
  }

  async rollbackTransaction(): Promise<void> {
    // SQLite ends a transaction by itself if the disk is full: what it said then is the error to tell, not that there is
    // none to end.
    await this.#connection.run('rollback').catch(() => {});
  }

  async destroy(): Promise<void> {}
}

/** Kysely's SQLite dialect over one connection, with transactions that begin as writers (BEGIN IMMEDIATE). */
export class WritingFirstDialect implements Dialect {
  readonly #connection: SqliteConnection;
  readonly #turns: Turns;
  readonly #patiently: Patiently;

  constructor(connection: SqliteConnection, turns: Turns, patiently: Patiently) {
    this.#connection = connection;
    this.#turns = turns;
    this.#patiently = patiently;
  }

  createDriver(): Driver {
    return new WritingFirstDriver(this.#connection, this.#turns, this.#patiently);
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new SqliteAdapter();
  }

  createIntrospector(database: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(database);
  }
}
