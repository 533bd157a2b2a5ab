import * as z from 'zod';
import { change } from '../contract/records/change.ts';
import { serviceError } from '../contract/records/error.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/** A schema without its "may be absent" and "may be null". */
function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

/** The fields of a record's schema; undefined for a schema of anything else. */
export function shapeOf(schema: z.ZodType): Shape | undefined {
  const inner = bare(schema);
  return inner instanceof z.ZodObject ? (inner.shape as Shape) : undefined;
}

/** The fields that are left out when they are empty: the one-of keys of a Change, and the meta of an error (decisions, section 2). */
const leftOutWhenEmpty: ReadonlySet<z.ZodType> = new Set<z.ZodType>([
  ...Object.values(shapeOf(change.shape.latest) ?? {}),
  ...Object.values(shapeOf(change.shape.changed) ?? {}),
  serviceError.shape.meta,
]);

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Completes a value of one schema. */
type Completer = (value: unknown) => unknown;

const made = new WeakMap<z.ZodType, Completer>();

/** The completer of a schema, made once: to ask a schema what it is costs more than to complete a value. */
function completerOf(schema: z.ZodType): Completer {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const completer = derive(bare(schema));
  made.set(schema, completer);
  return completer;
}

function derive(schema: z.ZodType): Completer {
  if (schema instanceof z.ZodArray) {
    const completeItem = completerOf(schema.element as z.ZodType);
    return (value) => (Array.isArray(value) ? value.map((item) => completeItem(item)) : (value ?? []));
  }
  if (schema instanceof z.ZodObject) return completerOfRecord(schema.shape as Shape);
  const unset = schema.meta()?.format === 'int64' ? '0' : null;
  return (value) => value ?? unset;
}

function completerOfRecord(shape: Shape): Completer {
  const fields = Object.entries(shape).map(([name, field]) => ({
    name,
    completeField: completerOf(field),
    leftOut: leftOutWhenEmpty.has(field),
  }));
  return (value) => {
    if (value === undefined || value === null) return null;
    const given = value as Readonly<Record<string, unknown>>;
    const whole: Record<string, unknown> = {};
    for (const { name, completeField, leftOut } of fields) {
      if (leftOut && isEmpty(given[name])) continue;
      whole[name] = completeField(given[name]);
    }
    return whole;
  };
}

/**
 * An answer as the wire shows it: every field that the schema declares, in that order, with null, `[]` or `"0"` for what
 * is not set; fields that the schema does not know are dropped (decisions, section 2).
 */
export function complete(schema: z.ZodType, value: unknown): unknown {
  return completerOf(schema)(value);
}
