import type { Statement } from './statement.ts';
import type { Database } from './tables.ts';

/** So many answers are remembered. */
const MOST_READS = 5000;

/**
 * A database that answers a question about one table once, until that table is written: orders that are planted by the
 * thousand ask for the same customers and variants. Only for one transaction, whose writes all go through it.
 */
export function rememberReads(database: Database): Database {
  const remembered = new Map<string, { readonly rows: unknown[]; readonly version: number }>();
  const versions = new Map<string, number>();
  const versionOf = (table: string) => versions.get(table) ?? 0;

  const all = <Given extends object, Row>(statement: Statement<Given, Row>, given: Given): Row[] => {
    const { sql, reads, bind } = noted(statement, given);
    if (reads === undefined) return database.all(statement, given);
    const question = questionOf(sql, bind(given));
    const version = versionOf(reads);
    const known = remembered.get(question);
    if (known?.version === version) return known.rows as Row[];
    const rows = database.all(statement, given);
    if (remembered.size >= MOST_READS) remembered.clear();
    remembered.set(question, { rows, version });
    return rows;
  };

  /** The statement for these values; what it writes is to be asked anew. */
  function noted<Given extends object, Row>(statement: Statement<Given, Row>, given: Given) {
    const compiled = statement.compiled(given);
    if (compiled.writes === 'any') remembered.clear();
    else if (compiled.writes !== undefined) versions.set(compiled.writes, versionOf(compiled.writes) + 1);
    return compiled;
  }

  return {
    all,
    first: (statement, given) => all(statement, given)[0],
    run(statement, given) {
      noted(statement, given);
      return database.run(statement, given);
    },
  };
}

/** A statement with its values, told apart by their types and lengths. */
function questionOf(sql: string, values: readonly unknown[]): string {
  let question = sql;
  for (const value of values) {
    question += typeof value === 'string' ? `\n${value.length}:${value}` : `\n${JSON.stringify(value)}`;
  }
  return question;
}
