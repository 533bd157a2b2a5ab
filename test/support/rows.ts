import { type Query, statement } from '../../src/sandbox/store/statement.ts';
import type { Database } from '../../src/sandbox/store/tables.ts';

/** What a query answers that only a test asks. */
export function rows<Row>(database: Database, query: Query<Row>): Row[] {
  return database.all(
    statement(() => query),
    {},
  );
}
