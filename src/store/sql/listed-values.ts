import { sql } from 'kysely';

/**
 * Lines of values as a table `listed`, with the column names that both dialects give it; the first value of a line is
 * the number of the row that the others are for.
 */
export function listedValues(lines: readonly (readonly unknown[])[]) {
  const values = lines.map((line) => sql`(${sql.join(line)})`);
  // Both dialects take an untyped parameter here as text.
  return sql<{ readonly column1: number }>`(values ${sql.join(values)})`.as('listed');
}

/** The row that a line of values is for. */
export const listedRow = sql<number>`cast(listed.column1 as integer)`;
