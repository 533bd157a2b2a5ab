import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { fieldsIn } from '../../domain/json/values.ts';

/** The type of a mirrored column; each SQL dialect has its own word for it. */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'number' | 'time' | 'json';

/** A column that holds one value of a record. */
export interface MirrorColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** What the contract says about the field. */
  readonly description: string;
  /** Unit of a number, if it has one. */
  readonly unit?: string | undefined;
  /** The path of the field in the record. */
  readonly path: readonly string[];
}

/** A part of a record that becomes rows of a table of its own: a list of records, or an address. */
export interface Part {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** A record schema, split into the columns of its table and the parts that have tables of their own. */
export interface Flattened {
  readonly columns: readonly MirrorColumn[];
  readonly lists: readonly Part[];
  readonly addresses: readonly Part[];
}

const nameOf = (path: readonly string[]): string =>
  path.reduce((name, step) => (name === '' || step.startsWith(`${name}_`) ? step : `${name}_${step}`), '');

function typeOf({ type, format }: JsonSchema): ColumnType {
  if (format === 'date-time') return 'time';
  if (type === 'integer') return 'integer';
  if (type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'text';
}

/**
 * Derives columns from a declared record. Nested records become columns with the name of the field before their own
 * (`shipping_cod_amount`); a list of values or a map becomes a column with JSON. `apart` names the lists, and with
 * `addresses` the addresses, that have tables of their own; `without` is left out.
 */
export function flatten(
  schema: JsonSchema,
  { apart, addresses, without = [] }: { apart: readonly string[]; addresses: boolean; without?: readonly string[] },
): Flattened {
  const columns: MirrorColumn[] = [];
  const lists: Part[] = [];
  const found: Part[] = [];
  const visit = (path: readonly string[], name: string, field: JsonSchema) => {
    if (without.includes(path.join('.'))) return;
    const isList = field.type === 'array' && field.items !== undefined && apart.includes(name);
    if (isList) lists.push({ path, schema: field.items ?? field });
    else if (field.properties === undefined) columns.push(columnOf(path, field));
    else if (addresses && name.endsWith('_address')) found.push({ path, schema: field });
    else visitAll(field, path);
  };
  const visitAll = (fields: JsonSchema, before: readonly string[]) => {
    for (const [name, field] of Object.entries(fields.properties ?? {})) visit([...before, name], name, field);
  };
  visitAll(schema, []);
  return { columns, lists, addresses: found };
}

function columnOf(path: readonly string[], field: JsonSchema): MirrorColumn {
  const { description = '', unit, type } = field;
  return {
    name: nameOf(path),
    type: type === 'array' || type === 'object' ? 'json' : typeOf(field),
    description,
    unit,
    path,
  };
}

/** The value at a path of a record; undefined where a step is missing. */
export function at(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (const step of path) value = fieldsIn(value)[step];
  return value;
}

/** How the service writes moments, which is how they are stored. */
const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
/** One that is certainly a moment: whether a month has more days needs a calendar. */
const SURE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/**
 * A moment as it is stored: ISO 8601, UTC, with a fraction only if it has one. null for a text that is not a moment.
 */
export function momentText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string' && SURE.test(value)) return value;
  const moment = value instanceof Date ? value.getTime() : Date.parse(String(value));
  if (typeof value === 'string' && STORED.test(value) && !Number.isNaN(moment)) return value;
  return Number.isNaN(moment) ? null : new Date(moment).toISOString().replace('.000Z', 'Z');
}

/** Milliseconds since 1970 of a stored moment; undefined if there is none. */
export function momentOf(value: unknown): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const moment = value instanceof Date ? value.getTime() : Date.parse(String(value));
  return Number.isNaN(moment) ? undefined : moment;
}
