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
