import type { JsonSchema } from '../contract/json-schema.ts';

const blanks: Readonly<Record<string, unknown>> = { string: '', integer: 0, number: 0, boolean: false };

/** A request with every field of its schema, to be filled in: empty texts, zeros, the first of the known names. */
export function skeletonOf(schema: JsonSchema): unknown {
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, skeletonOf(field)]));
  }
  // A list that must stay empty is empty.
  if (schema.type === 'array')
    return schema.items === undefined || schema.maxItems === 0 ? [] : [skeletonOf(schema.items)];
  if (schema.type === 'object') return {};
  return schema.default ?? schema.enum?.find((value) => value !== '' && value !== 'unknown') ?? blanks[schema.type];
}
