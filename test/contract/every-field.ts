import type { JsonSchema } from '../../src/contract/schema/json-schema.ts';

/** A field with its path, for example `lines[].quantity`. */
export interface Field {
  readonly path: string;
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Every field of a schema at any depth. */
export function everyField(schema: JsonSchema, at = ''): Field[] {
  if (schema.items !== undefined) return everyField(schema.items, `${at}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return [{ path, name, schema: field }, ...everyField(field, path)];
  });
}
