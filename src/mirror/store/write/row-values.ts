import { fieldsIn } from '../../../domain/json/value-at.ts';
import { at, type ColumnType, type MirrorColumn, momentText } from '../declared/columns.ts';
import type { MirrorDialect } from '../store/dialect.ts';

/** A value as a database stores it. */
export type Stored = string | number | boolean | null;

/** A value of a record that is storable as its column stores it; null for what the type cannot hold. */
export function columnValue(type: ColumnType, value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'time':
      return momentText(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'integer':
      return Number.isSafeInteger(value) ? Number(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'json':
      return JSON.stringify(value);
    default:
      return typeof value === 'string' ? value : String(value);
  }
}

/** Adds the values of a record for columns, in their order, to those of other rows. */
export function addRow(
  into: Stored[],
  columns: readonly MirrorColumn[],
  record: unknown,
  { bound }: MirrorDialect,
): void {
  for (const { type, path } of columns) {
    const [only = ''] = path;
    const found = path.length === 1 ? fieldsIn(record)[only] : at(record, path);
    const value = columnValue(type, found);
    into.push(value === null ? null : bound(type, value));
  }
}
