import type { Database } from '../../src/sandbox/engine/store/statement.ts';
import { type Query, statement } from '../../src/sandbox/engine/store/statement.ts';

/** The rows of a query that only a test runs. */
export function rows<Row>(database: Database, query: Query<Row>): Row[] {
  return database.all(
    statement(() => query),
    {},
  );
}
