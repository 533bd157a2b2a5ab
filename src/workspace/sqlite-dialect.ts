import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';

/**
 * A SQLite driver whose transactions take the write lock when they begin. A transaction that reads first and writes
 * later would fail if another process wrote in between, and waiting would not help.
 */
class WritingFirstDriver extends SqliteDriver {
  readonly #patiently: Patiently;

  constructor(config: SqliteDialectConfig, patiently: Patiently) {
    super(config);
    this.#patiently = patiently;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#patiently(() => connection.executeQuery(CompiledQuery.raw('begin immediate')));
  }
}

/** Retries while another connection holds the lock. */
export type Patiently = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Kysely's SQLite dialect with transactions that begin as writers (BEGIN IMMEDIATE). */
export class WritingFirstDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #patiently: Patiently;

  constructor(config: SqliteDialectConfig, patiently: Patiently) {
    super(config);
    this.#config = config;
    this.#patiently = patiently;
  }

  override createDriver(): Driver {
    return new WritingFirstDriver(this.#config, this.#patiently);
  }
}
