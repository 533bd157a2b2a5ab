import * as z from 'zod';
import { type Schema, structureOf } from './structure.ts';

/** Types of a value. */
export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/** Checks that can be applied to a text; the service itself takes any text. */
export type LooksLike = 'phone' | 'email' | 'birthday' | 'province' | 'district' | 'ward' | 'customer-type';

/**
 * A declared schema as plain data, from which flags, skeletons, completion, the reference and OpenAPI are derived. "May
 * be null" is left out, since it holds for every field that is not required (decisions, section 2).
 */
export interface JsonSchema {
  readonly type: JsonType;
  /** One line; every field has one. */
  readonly description?: string;
  /** Unit of a number, for example `g`, `cm` or `currency units`. */
  readonly unit?: string;
  /** `int64` for an id, `int64-list` for a filter by ids, `date-time` for a moment, `float` for a decimal number. */
  readonly format?: string;
  /** The kind of text, if it can be checked before it is sent. */
  readonly looks?: LooksLike;
  readonly enum?: readonly string[];
  /** Known values of a text that may have others, too. */
  readonly examples?: readonly string[];
  /** The default value that is sent. */
  readonly default?: unknown;
  /** The fields of a record, in the contract's order; a map of text has none. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The required fields of a record. */
  readonly required?: readonly string[];
  /** The items of a list. */
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The values of a map; absent for a record. */
  readonly additionalProperties?: JsonSchema;
}

const typeOfScalar: Readonly<Record<string, JsonType>> = { string: 'string', number: 'number', boolean: 'boolean' };

/** Metadata of a schema: its description, and unit, format or type if it has them. */
interface Notes extends Pick<JsonSchema, 'description' | 'unit' | 'format' | 'examples' | 'looks'> {
  readonly type?: JsonType;
}

function notesOn(schema: Schema): Notes {
  return (z.globalRegistry.get(schema) ?? {}) as Notes;
}

function scalarType(type: string, whole: boolean): JsonType {
  const known = whole ? 'integer' : typeOfScalar[type];
  if (known === undefined) throw new TypeError(`a schema of type ${type} does not say what it is in JSON`);
  return known;
}

function plainRecord(fields: Readonly<Record<string, Schema>>): Pick<JsonSchema, 'properties' | 'required'> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field._zod.optout === undefined).map(([name]) => name);
  return {
    properties: Object.fromEntries(entries.map(([name, field]) => [name, plain(field)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function plain(schema: Schema, outer: Notes & { readonly default?: unknown } = {}): JsonSchema {
  const structure = structureOf(schema);
  const { type: noted, ...notes } = { ...notesOn(schema), ...outer };
  switch (structure.kind) {
    case 'around':
      return plain(structure.inner, {
        ...notes,
        ...('otherwise' in structure ? { default: structure.otherwise } : {}),
      });
    case 'record':
      return { type: 'object', ...notes, ...plainRecord(structure.fields) };
    case 'list':
      return { type: 'array', ...notes, ...structure.bounds, items: plain(structure.item) };
    case 'map':
      return { type: 'object', ...notes, additionalProperties: plain(structure.values) };
    case 'name':
      return { type: 'string', ...notes, enum: structure.values };
    case 'scalar':
      return { type: noted ?? scalarType(structure.type, structure.whole), ...notes };
  }
}

const made = new WeakMap<Schema, JsonSchema>();

/** A declared schema as plain data. The same schema returns the same object, which must not be modified. */
export function jsonSchema(schema: Schema): JsonSchema {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const derived = plain(schema);
  made.set(schema, derived);
  return derived;
}
