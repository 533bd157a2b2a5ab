import * as z from 'zod';

/** What a value may be. */
export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/**
 * A declared schema as plain data: what flags, skeletons, completion, the reference and OpenAPI are derived from.
 * "May be null" is left out, since every field that is not required may be (decisions, section 2).
 */
export interface JsonSchema {
  readonly type: JsonType;
  /** One line; every field has one. */
  readonly description?: string;
  /** Unit of a number, for example `g`, `cm` or `currency units`. */
  readonly unit?: string;
  /** `int64` for an id, `int64-list` for a filter by ids, `date-time` for a moment. */
  readonly format?: string;
  readonly enum?: readonly string[];
  /** The value that is sent when none is given. */
  readonly default?: unknown;
  /** The fields of a record, in the contract's order; a map of text has none. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The fields of a record that must be given. */
  readonly required?: readonly string[];
  /** What a list is made of. */
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The values of a map; a record has none. */
  readonly additionalProperties?: JsonSchema;
}

type Source = z.core.JSONSchema.BaseSchema;

const KEPT = ['type', 'description', 'unit', 'format', 'enum', 'default', 'minItems', 'maxItems'] as const;

function isSchema(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** "This or null" is this. */
function withoutNull(source: Source): Source {
  const [only, ...others] = (source.anyOf ?? []).filter((choice) => choice.type !== 'null');
  return only === undefined || others.length > 0 ? source : { ...source, ...only };
}

function plain(nullable: Source): JsonSchema {
  const source = withoutNull(nullable);
  const { items, properties, required, additionalProperties } = source;
  return {
    ...(Object.fromEntries(
      KEPT.flatMap((key) => (source[key] === undefined ? [] : [[key, source[key]]])),
    ) as unknown as JsonSchema),
    ...(properties === undefined ? {} : { properties: plainFields(properties) }),
    ...(required === undefined ? {} : { required }),
    ...(isSchema(items) ? { items: plain(items) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: plain(additionalProperties) } : {}),
  };
}

function plainFields(properties: Readonly<Record<string, unknown>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => (isSchema(field) ? [[name, plain(field)]] : [])),
  );
}

const made = new WeakMap<z.ZodType, JsonSchema>();

/** A declared schema as plain data. The same schema gives the same object, which is not to be changed. */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const derived = plain(z.toJSONSchema(schema, { io: 'output' }));
  made.set(schema, derived);
  return derived;
}
