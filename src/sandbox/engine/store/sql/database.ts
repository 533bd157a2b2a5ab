import type { SqliteDatabase } from '../../../../platform/sqlite/sqlite.ts';
import { rowsOf } from '../../../../platform/sqlite/sqlite.ts';
import type { Database, Statement } from './statement.ts';

/**
 * Runs statements on a connection, whose driver caches prepared statements; calls `onWrite` with each table before it
 * is written, or with `any` if the table is unknown.
 */
export function createDatabase(sqlite: SqliteDatabase, onWrite: (table: string) => void = () => {}): Database {
  const prepared = <Given extends object, Row>(statement: Statement<Given, Row>, given: Given) => {
    const compiled = statement.compiled(given);
    if (compiled.writes !== undefined) onWrite(compiled.writes);
    return { run: sqlite.prepare(compiled.sql), values: compiled.bind(given) };
  };
  const all = <Given extends object, Row>(statement: Statement<Given, Row>, given: Given): Row[] => {
    const { run, values } = prepared(statement, given);
    return rowsOf<Row>(run, values);
  };
  return {
    all,
    first: (statement, given) => all(statement, given)[0],
    run(statement, given) {
      const { run, values } = prepared(statement, given);
      return Number(run.run(values).changes);
    },
  };
}
