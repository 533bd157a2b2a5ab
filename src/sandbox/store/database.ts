import type { SqliteDatabase } from '../../platform/sqlite.ts';
import type { Statement } from './statement.ts';
import type { Database } from './tables.ts';

/** Runs statements on a connection, whose driver keeps what it has prepared. */
export function createDatabase(sqlite: SqliteDatabase): Database {
  const all = <Given extends object, Row>(statement: Statement<Given, Row>, given: Given): Row[] => {
    const { sql, bind } = statement.compiled(given);
    return sqlite.prepare(sql).all(bind(given)) as Row[];
  };
  return {
    all,
    first: (statement, given) => all(statement, given)[0],
    run(statement, given) {
      const { sql, bind } = statement.compiled(given);
      return Number(sqlite.prepare(sql).run(bind(given)).changes);
    },
  };
}
