import * as z from 'zod';
import { type Schema, structureOf } from './structure.ts';

/** Types of a value. */
export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/** Checks that can be applied to a text; the service itself takes any text. */
export type LikenessKind = 'phone' | 'email' | 'birthday' | 'province' | 'district' | 'ward' | 'customer-type';

/**
 * A declared schema as plain data, from which flags, skeletons, completion, the reference and OpenAPI are derived. "May
 * be null" is left out, since it holds for every field that is not required (decisions, section 2).
 */
export interface JsonSchema {
  readonly type: JsonType;
  /** One line; every field has one. */
  readonly title?: string;
  readonly description?: string;
  /** Unit of a number, for example `g`, `cm` or `currency units`. */
  readonly unit?: string;
  /** `int64` for an id, `int64-list` for a filter by ids, `date-time` for a moment, `float` for a decimal number. */
  readonly format?: string;
  /** The kind of text, if it can be checked before it is sent. */
  readonly likeness?: LikenessKind;
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
interface Notes extends Pick<JsonSchema, 'description' | 'unit' | 'format' | 'examples' | 'likeness'> {
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

/** The documented schema of a value that is accepted unchecked. */
interface Likeness {
  /** Whether any of the fields may be missing. */
  readonly partial: boolean;
  /** Loaded only for display. */
  load(): Promise<Schema>;
}

const likenesses = new WeakMap<Schema, Likeness>();

/** Documents a schema that accepts any object with the schema that the object should match. */
export function documentedAs<Documented extends Schema>(schema: Documented, likeness: Likeness): Documented {
  likenesses.set(schema, likeness);
  return schema;
}

/** A declared schema as plain data, with the fields of the values in it that are accepted unchecked. */
export async function wholeSchema(schema: Schema): Promise<JsonSchema> {
  const likeness = likenesses.get(schema);
  if (likeness !== undefined) return jsonSchema(await likeness.load());
  const structure = structureOf(schema);
  if (structure.kind === 'around') return wholeSchema(structure.inner);
  if (structure.kind === 'list') return { ...jsonSchema(schema), items: await wholeSchema(structure.item) };
  if (structure.kind !== 'record') return jsonSchema(schema);
  const fields = Object.entries(structure.fields);
  const whole = fields.map(async ([name, field]) => [name, await wholeSchema(field)] as const);
  return { ...jsonSchema(schema), properties: Object.fromEntries(await Promise.all(whole)) };
}

/** A JSON Schema as it is printed. */
type PrintedSchema = Readonly<Record<string, unknown>>;

/** A copy in which no field is required, at any depth. */
function withoutRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRequired);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, inner]) => name !== 'required' || !Array.isArray(inner));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutRequired(inner)]));
}

async function ofLikeness({ partial, load }: Likeness): Promise<PrintedSchema> {
  const { properties } = await fullSchema(await load());
  return { properties: partial ? withoutRequired(properties) : properties };
}

/** Details of a value that the plain schema leaves open. */
async function detailsOf(schema: Schema): Promise<PrintedSchema> {
  const structure = structureOf(schema);
  switch (structure.kind) {
    case 'around':
      return detailsOf(structure.inner);
    case 'record': {
      const fields = Object.entries(structure.fields);
      const full = fields.map(async ([name, field]) => [name, await fullSchema(field)] as const);
      return { properties: Object.fromEntries(await Promise.all(full)) };
    }
    case 'list':
      return { items: await fullSchema(structure.item) };
    case 'map':
      return { additionalProperties: await fullSchema(structure.values) };
    case 'scalar': {
      const likeness = likenesses.get(schema);
      if (likeness !== undefined) return ofLikeness(likeness);
      // An alternative given as text, such as a name or a path, is shown as text.
      if (structure.options === undefined || jsonSchema(schema).type !== 'object') return {};
      return { type: undefined, anyOf: await Promise.all(structure.options.map(fullSchema)) };
    }
    case 'name':
      return {};
  }
}

/**
 * A schema as `schema` prints it: the plain data of `jsonSchema`, plus the fields of values that are accepted unchecked
 * (`documentedAs`) and the alternatives of a union.
 */
export async function fullSchema(schema: Schema): Promise<PrintedSchema> {
  return { ...jsonSchema(schema), ...(await detailsOf(schema)) };
}
