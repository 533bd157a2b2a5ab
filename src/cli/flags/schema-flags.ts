import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { AMOUNT_UNIT } from '../../contract/schema/scalars.ts';
import type { Flag, FlagType } from './command.ts';

/** A field name as a flag: kebab-case. */
export function kebab(name: string): string {
  return name.replaceAll('_', '-');
}

function typeOf(schema: JsonSchema): FlagType {
  if (schema.type === 'array') return schema.items?.properties === undefined ? 'list' : 'objects';
  if (schema.properties !== undefined) return 'object';
  if (schema.type === 'object') return 'map';
  if (schema.format === 'int64') return 'id';
  if (schema.format === 'int64-list') return 'ids';
  return schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean' ? schema.type : 'string';
}

function describe(schema: JsonSchema): string {
  const unit = schema.unit === undefined ? '' : ` (${schema.unit})`;
  return `${schema.description ?? ''}${unit}`;
}

function flagOf(schema: JsonSchema, path: readonly string[], required: boolean): Flag {
  const values = schema.enum ?? schema.items?.enum;
  const entries = schema.items?.properties ?? schema.properties;
  return {
    name: path.map(kebab).join('.'),
    type: typeOf(schema),
    description: describe(schema),
    path,
    required,
    ...(schema.type === 'integer' && schema.unit === AMOUNT_UNIT ? { amount: true } : {}),
    ...(schema.items !== undefined && (schema.items.enum ?? schema.items.format) !== undefined ? { commas: true } : {}),
    // `unknown` is a value for reading; nobody wants to send it.
    ...(values === undefined ? {} : { values: values.filter((value) => value !== '' && value !== 'unknown') }),
    ...(entries === undefined ? {} : { entries: fieldFlags(schema.items ?? schema, []) }),
  };
}

/** The flags of a request's fields, in the contract's order; an object gets its own flag, followed by its fields. */
export function fieldFlags(schema: JsonSchema, path: readonly string[] = []): Flag[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = [...path, name];
    const flag = flagOf(field, here, required.has(name));
    return field.properties === undefined ? [flag] : [flag, ...fieldFlags(field, here)];
  });
}
