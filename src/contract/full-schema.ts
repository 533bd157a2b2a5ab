import { jsonSchema } from './json-schema.ts';
import { type Schema, structureOf } from './structure.ts';

/** What a value that is taken as it comes is meant to match. */
interface Likeness {
  /** Whether any of the fields may be missing. */
  readonly partial: boolean;
  /** Loaded only to be shown. */
  load(): Promise<Schema>;
}

const likenesses = new WeakMap<Schema, Likeness>();

/** Documents a schema that takes any object by the one that the object is meant to match. */
export function documentedAs<Documented extends Schema>(schema: Documented, likeness: Likeness): Documented {
  likenesses.set(schema, likeness);
  return schema;
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

/** What the plain schema leaves open of a value. */
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
      // One that is given as a text, a name or a path for example, is shown as that text.
      if (structure.options === undefined || jsonSchema(schema).type !== 'object') return {};
      return { type: undefined, anyOf: await Promise.all(structure.options.map(fullSchema)) };
    }
    case 'name':
      return {};
  }
}

/**
 * A schema as `schema` prints it: the plain data of `jsonSchema`, with the fields of values that are taken as they come
 * (`documentedAs`) and the alternatives of a union.
 */
export async function fullSchema(schema: Schema): Promise<PrintedSchema> {
  return { ...jsonSchema(schema), ...(await detailsOf(schema)) };
}
