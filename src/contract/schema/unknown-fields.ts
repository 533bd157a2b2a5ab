import type * as z from 'zod';
import { isRecord } from '../../domain/json/json-extent.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import type { FieldError } from '../operation.ts';
import { fieldPath } from './field-errors.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/**
 * The fields of a raw request that the contract does not know, at any depth. A service would silently ignore them, so a
 * misspelt `cod_amuont` would ship a parcel without its cash on delivery.
 */
export function unknownFields(schema: z.ZodType, input: unknown): FieldError[] {
  const declared = jsonSchema(schema);
  return isKnown(declared, input) ? [] : unknownIn(declared, input, []);
}

type Knows = (value: unknown) => boolean;

const knowing = new WeakMap<JsonSchema, Knows>();

/** Whether a value has no such field: most have none, and then no paths need to be built. */
function isKnown(schema: JsonSchema, value: unknown): boolean {
  let knows = knowing.get(schema);
  if (knows === undefined) {
    knows = knowingOf(schema);
    knowing.set(schema, knows);
  }
  return knows(value);
}

const always: Knows = () => true;

/** The check of a schema, prepared: it runs for every row of a batch. */
function knowingOf({ items, properties }: JsonSchema): Knows {
  const ofItem = items === undefined ? always : knowingOf(items);
  const ofFields = properties && new Map(Object.entries(properties).map(([name, inner]) => [name, knowingOf(inner)]));
  if (ofItem === always && ofFields === undefined) return always;
  return (value) => {
    if (typeof value !== 'object' || value === null) return true;
    if (Array.isArray(value)) return ofItem === always || value.every(ofItem);
    if (ofFields === undefined || !isRecord(value)) return true;
    for (const name of Object.keys(value)) {
      const knows = ofFields.get(name);
      if (knows === undefined) return false;
      if (knows !== always && !knows(value[name])) return false;
    }
    return true;
  };
}

function unknownIn(schema: JsonSchema, value: unknown, path: readonly PropertyKey[]): FieldError[] {
  const { items, properties } = schema;
  if (items !== undefined && Array.isArray(value)) {
    return value.flatMap((item, index) => unknownIn(items, item, [...path, index]));
  }
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const here = [...path, name];
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) return unknownIn(known, field, here);
    const meant = nearestName(name, Object.keys(properties));
    const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
    return [{ path: fieldPath(here), message: `is not a field of the contract${suggestion}` }];
  });
}
