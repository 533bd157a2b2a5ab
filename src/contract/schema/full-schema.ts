import { type JsonSchema, jsonSchema } from './json-schema.ts';
import { type Schema, structureOf } from './structure.ts';

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
export type PrintedSchema = Readonly<Record<string, unknown>>;

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
