import type { JsonSchema } from '../contract/schema/json-schema.ts';
import { nearestName } from '../domain/nearest-name.ts';
import { say } from './texts.ts';

/** A field of a request that can be a column. */
export interface Field {
  /** Steps of the path; digits are a list index, `*` is the entry on the sheet's line. */
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** A column of a sheet, and how it is read. */
export type Column =
  | { readonly kind: 'field'; readonly name: string; readonly field: Field }
  /** Ignored: a result column of ours, a field that the command cannot set, a column that is unknown or unwanted. */
  | {
      readonly kind: 'left-out';
      readonly name: string;
      readonly why: 'result' | 'not-settable' | 'ignored' | 'unnamed';
    };

/** A column that is not a field, and what is wrong with it. */
export interface ColumnFault {
  readonly name: string;
  readonly message: string;
  /** Whether another column has its field. */
  readonly isTwice?: true;
}

/** The prefix of result columns, and that of those in a workbook for people who read Vietnamese. */
export const RESULT_PREFIX = 'result.';
export const VIETNAMESE_RESULT_PREFIX = 'Kết quả: ';

/** Whether a column was added by a result; such columns are ignored when a result file is read again. */
export function isOfResult(column: string): boolean {
  const name = column.normalize('NFC').trim().toLowerCase();
  return name.startsWith(RESULT_PREFIX) || name.startsWith(VIETNAMESE_RESULT_PREFIX.toLowerCase());
}

const PLACE_IN_LIST = /^(?:0|[1-9]\d{0,2})$/;

function isList({ items, type }: JsonSchema): boolean {
  return type === 'array' && items?.properties !== undefined;
}

function step(
  schema: JsonSchema,
  name: string,
): { readonly path: readonly string[]; readonly schema: JsonSchema } | undefined {
  const { properties, items, additionalProperties } = schema;
  if (isList(schema) && items !== undefined) {
    if (PLACE_IN_LIST.test(name)) return { path: [name], schema: items };
    const inner = step(items, name);
    return inner && { path: ['*', ...inner.path], schema: inner.schema };
  }
  if (properties !== undefined && Object.hasOwn(properties, name)) {
    const found = properties[name];
    return found && { path: [name], schema: found };
  }
  return additionalProperties && { path: [name], schema: additionalProperties };
}

/**
 * The field that a dotted name refers to: `shipping_address.phone`; `lines.quantity` for the entry on the sheet's line;
 * `lines.0.quantity` for an entry by index. Undefined if the schema has no such field.
 */
export function fieldNamed(schema: JsonSchema, name: string): Field | undefined {
  let at: Field = { path: [], schema };
  for (const part of name.split('.')) {
    const next = step(at.schema, part);
    if (next === undefined) return undefined;
    at = { path: [...at.path, ...next.path], schema: next.schema };
  }
  return at;
}

/** The dotted names of all fields, to suggest one when a name is mistyped. */
export function fieldNames(schema: JsonSchema, before = ''): string[] {
  const { properties, items } = schema;
  if (items?.properties !== undefined) return fieldNames(items, before);
  if (properties === undefined) return before === '' ? [] : [before];
  return Object.entries(properties).flatMap(([name, inner]) =>
    fieldNames(inner, before === '' ? name : `${before}.${name}`),
  );
}

/** What the columns of a header are checked against. */
export interface ColumnOptions {
  /** What the command sends. */
  readonly schema: JsonSchema;
  /** What the service returns for the same record: its fields are known, though they cannot be set. */
  readonly shown: readonly JsonSchema[];
  /** Names of columns to ignore, `*` for every one that is not a field. */
  readonly ignored: readonly string[];
  /** The field that a mapping assigns to a column; null for one it ignores, undefined for one it does not name. */
  readonly mapped?: ((column: string) => string | null | undefined) | undefined;
  /** Whether a column continues the text of an earlier one of the same field. */
  readonly joins?: ((column: string) => boolean) | undefined;
}

/** A column's name as fields are spelt. */
export const spelt = (name: string) => name.trim().toLowerCase().replaceAll(/[ -]/g, '_');

function noField(name: string, schema: JsonSchema): string {
  return say().column.noField({ nearest: nearestName(name, fieldNames(schema)) });
}

/** What each column of a header is, and the faults of those that cannot be used. */
export function columnsOf(
  header: readonly string[],
  { schema, shown, ignored, mapped, joins }: ColumnOptions,
): { readonly columns: readonly Column[]; readonly faults: readonly ColumnFault[] } {
  const faults: ColumnFault[] = [];
  const seen = new Set<string>();
  const columns = header.map((name): Column => {
    const bare = spelt(name);
    if (bare === '') return { kind: 'left-out', name, why: 'unnamed' };
    if (ignored.includes(name)) return { kind: 'left-out', name, why: 'ignored' };
    if (isOfResult(bare)) return { kind: 'left-out', name, why: 'result' };
    const meant = mapped?.(name);
    if (meant === null) return { kind: 'left-out', name, why: 'ignored' };
    const field =
      meant === undefined ? (fieldNamed(schema, name) ?? fieldNamed(schema, bare)) : fieldNamed(schema, meant);
    if (field !== undefined) {
      const path = field.path.join('.');
      if (seen.has(path) && joins?.(name) !== true) faults.push({ name, message: say().column.twice, isTwice: true });
      seen.add(path);
      return { kind: 'field', name, field };
    }
    if (meant !== undefined) {
      faults.push({ name, message: say().column.mappedTo({ field: meant, wrong: noField(meant, schema) }) });
      return { kind: 'left-out', name, why: 'ignored' };
    }
    if (shown.some((record) => fieldNamed(record, bare) !== undefined))
      return { kind: 'left-out', name, why: 'not-settable' };
    if (!ignored.includes('*')) {
      faults.push({ name, message: noField(bare, schema) });
    }
    return { kind: 'left-out', name, why: 'ignored' };
  });
  return { columns, faults };
}
