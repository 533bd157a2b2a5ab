import type * as Pg from 'pg';
import { errorCode } from '../../platform/process/process-status.ts';
import type { ExpectedQuery } from '../workspace.ts';

/** How the server reports a statement that met another number of rows than was expected: it divides by zero. */
const DIVISION_BY_ZERO = '22012';

const textOf = (value: unknown) => (value === null || value === undefined ? null : String(value));

/** The statement, which fails if it returns another number of rows than is expected. */
const checked = ({ query: { sql }, expected }: ExpectedQuery) =>
  expected === undefined ? sql : `with met as (${sql}) select 1 / (count(*) = ${expected})::integer from met`;

/**
 * Statements sent at once, with one Sync behind the last: to the server they are one transaction, which it commits there,
 * or rolls back whole after the first failure. The driver calls it as it calls its own queries.
 */
class Together implements Pg.Submittable {
  readonly ended: Promise<void>;
  readonly #statements: readonly ExpectedQuery[];
  #resolve = () => {};
  #reject = (_error: unknown) => {};

  constructor(statements: readonly ExpectedQuery[]) {
    this.#statements = statements;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Pg.Connection): void {
    connection.stream.cork();
    for (const statement of this.#statements) {
      connection.parse({ name: '', text: checked(statement), types: [] }, true);
      connection.bind({ values: statement.query.parameters.map(textOf) }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }

  /** After the commit; an error before has rejected it already. */
  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

/**
 * Runs statements in one transaction and one round trip; false, and nothing has changed, if one of them returned another
 * number of rows than was expected. Rejects with the driver's error.
 */
export async function runTogether(pool: Pg.Pool, statements: readonly ExpectedQuery[]): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query(new Together(statements)).ended;
    client.release();
    return true;
  } catch (error) {
    const isUnexpected = errorCode(error) === DIVISION_BY_ZERO;
    // As the pool does itself with its own queries.
    client.release(isUnexpected ? undefined : true);
    if (isUnexpected) return false;
    throw error;
  }
}
