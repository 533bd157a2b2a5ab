import { type Compilable, CompiledQuery, sql } from 'kysely';
import type { WorkspaceTables } from './tables.ts';

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

/** At most so many texts: those of other lengths are compiled each time. */
const MOST_TEXTS = 64;

/**
 * The texts of statements that differ only in their parameters. Building and compiling a statement of thousands of
 * values takes longer than running it.
 */
export class CachedSql {
  readonly #texts = new Map<string, string>();

  /** Runs a statement as `compiled` has it, and returns the rows that it returns. */
  async run<Row>(
    database: WorkspaceTables,
    key: string,
    parameters: readonly unknown[],
    build: () => Compilable<Row>,
  ): Promise<readonly Row[]> {
    return (await database.executeQuery(this.compiled(key, parameters, build))).rows;
  }

  /**
   * A statement that can be run; `key` is equal only for statements with the same text, and `parameters` are in the order
   * in which `build` uses them.
   */
  compiled<Row>(key: string, parameters: readonly unknown[], build: () => Compilable<Row>): CompiledQuery<Row> {
    const known = this.#texts.get(key);
    if (known !== undefined) return CompiledQuery.raw(known, [...parameters]) as CompiledQuery<Row>;
    const query = build().compile();
    const isSame =
      query.parameters.length === parameters.length &&
      query.parameters.every((value, index) => value === parameters[index]);
    if (!isSame) throw new TypeError(`the parameters of ${key} are in another order`);
    if (this.#texts.size < MOST_TEXTS) this.#texts.set(key, query.sql);
    return query;
  }
}

/** A value that both dialects take as a parameter. */
export type SqlValue = string | number | null;

/** A row, by column. */
export type SqlRow = Readonly<Record<string, unknown>>;

/**
 * Runs one statement of a transaction, with `?` for each value, and returns its rows. Throws the driver's own error.
 * The ledger writes its SQL by hand: a single command must not load a query builder.
 */
export type Sql = (text: string, values?: readonly SqlValue[]) => Promise<readonly SqlRow[]>;

/** What runs statements in transactions. Throws a WorkspaceError. */
export interface SqlStore {
  /** Reads; data may change between several statements. */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** One transaction: all of it is on the disk when this resolves, none of it if it rejects. */
  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
}

/** A text column; throws a TypeError if the row has none. */
export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new TypeError(`the ledger's column ${column} holds no text`);
}

/** A text column that may be null. */
export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : textOf(row, column);
}

/** A whole number, however the driver returns it. */
export function numberOf(row: SqlRow, column: string): number {
  return Number(row[column]);
}

/** A whole number that may be null. */
export function numberOrNull(row: SqlRow, column: string): number | null {
  return row[column] === null || row[column] === undefined ? null : Number(row[column]);
}

/** `(?, ?), (?, ?)`: placeholders for so many rows of so many values. */
export function placeholders(rows: number, columns: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
  return Array.from({ length: rows }, () => row).join(', ');
}

/** The same statement with numbered placeholders, as PostgreSQL writes them. The ledger's texts contain no other `?`. */
export function numberedPlaceholders(text: string): string {
  let number = 0;
  return text.replaceAll('?', () => {
    number += 1;
    return `$${number}`;
  });
}

/** Values in pieces that fit into one statement: SQLite allows 32,766 parameters, PostgreSQL 65,535. */
export function pieces<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
