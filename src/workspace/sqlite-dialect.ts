import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';

/**
 * SQLite whose transactions take the right to write as they begin. One that reads first and writes then would be refused
 * where another process wrote in between, and could not be waited for.
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

/** Does something again for as long as another connection stands in its way. */
export type Patiently = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Kysely's dialect of SQLite with transactions that begin as writers. */
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
