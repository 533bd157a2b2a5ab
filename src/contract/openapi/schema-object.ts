import type { JsonSchema } from '../schema/json-schema.ts';
import { nameOfSchema } from './named-schemas.ts';

/** An OpenAPI 3.1 schema object, which is JSON Schema 2020-12. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema; a named record becomes a reference. */
export function schemaObject(schema: JsonSchema): SchemaObject {
  const name = nameOfSchema(schema);
  if (name === undefined) return wholeSchemaObject(schema);
  const { description } = schema;
  return { $ref: `#/components/schemas/${name}`, ...(description === undefined ? {} : { description }) };
}

/** A schema in full, even if it is named; the schemas in it become references. */
export function wholeSchemaObject(schema: JsonSchema): SchemaObject {
  const { unit, looks: _, properties, items, additionalProperties, required = [], ...plain } = schema;
  return {
    ...plain,
    ...(unit === undefined ? {} : { 'x-unit': unit }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([field, value]) => [
              field,
              required.includes(field) ? schemaObject(value) : orNull(schemaObject(value)),
            ]),
          ),
        }),
    ...(required.length > 0 ? { required } : {}),
    ...(items === undefined ? {} : { items: schemaObject(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: schemaObject(additionalProperties) }),
  };
}

/** A field that is not required may be null, which is the same as absent (decisions, section 2). */
function orNull(schema: SchemaObject): SchemaObject {
  const { $ref, description, type, enum: values } = schema;
  if ($ref !== undefined) {
    return { anyOf: [{ $ref }, { type: 'null' }], ...(description === undefined ? {} : { description }) };
  }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}
