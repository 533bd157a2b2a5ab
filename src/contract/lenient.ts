import * as z from 'zod';

/** What a lenient reader finds: any field may be absent or null, and an enum is any text. */
export type Lenient<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? Lenient<Item>[]
    : Value extends object
      ? string extends keyof Value
        ? { [Key in keyof Value]: Lenient<Value[Key]> }
        : { [Key in keyof Value]?: Lenient<Value[Key]> | null | undefined }
      : Value;

type Schema = z.core.$ZodType;

const made = new WeakMap<Schema, Schema>();

function readerOf(schema: Schema): Schema {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const derived = derive(schema);
  made.set(schema, derived);
  return derived;
}

function fieldReader(field: Schema): Schema {
  return z.optional(z.nullable(readerOf(field)));
}

/** The only place that looks at how a schema is built; scalars, and ids with them, are read as they are declared. */
function derive(schema: Schema): Schema {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return z.looseObject(
        Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, fieldReader(field)])),
      );
    case 'array':
      return z.array(readerOf(def.element));
    case 'record':
      return z.record(z.string(), readerOf(def.valueType));
    case 'optional':
    case 'nullable':
    case 'default':
      return readerOf(def.innerType);
    case 'enum':
      return z.string();
    default:
      return schema;
  }
}

/**
 * The reader's schema of a declared response (decisions, opening and section 1): unknown fields pass, every field may
 * be absent or null, an unknown enum value passes as its text, an id may come as a number; a wrong type fails.
 */
export function lenient<Declared extends z.ZodType>(schema: Declared): z.ZodType<Lenient<z.output<Declared>>> {
  return readerOf(schema) as z.ZodType<Lenient<z.output<Declared>>>;
}
