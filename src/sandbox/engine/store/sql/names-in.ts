import { isRecord } from '../../../../domain/json/value-at.ts';

/** The column `name` of rows as SQLite returns them. */
export function namesIn(rows: readonly unknown[]): string[] {
  return rows.flatMap((row) => (isRecord(row) && typeof row.name === 'string' ? [row.name] : []));
}
