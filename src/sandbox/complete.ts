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

/** What stands for a value that is not set (decisions, section 2). */
function unset(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodArray) return [];
  return schema.meta()?.format === 'int64' ? '0' : null;
}

/**
 * An answer as the wire shows it: every field that the schema declares, in that order, with null, `[]` or `"0"` for what
 * is not set; fields that the schema does not know are dropped (decisions, section 2).
 */
export function complete(schema: z.ZodType, value: unknown): unknown {
  const inner = bare(schema);
  if (value === undefined || value === null) return unset(inner);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => complete(inner.element as z.ZodType, item));
  }
  if (!(inner instanceof z.ZodObject)) return value;
  const given = value as Readonly<Record<string, unknown>>;
  const whole: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(inner.shape as Shape)) {
    if (leftOutWhenEmpty.has(field) && isEmpty(given[name])) continue;
    whole[name] = complete(field, given[name]);
  }
  return whole;
}
