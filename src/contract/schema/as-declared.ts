import * as z from 'zod';
import { isRecord } from '../../domain/json/values.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import type { FieldError } from '../operation.ts';
import { say } from '../texts.ts';
import { fieldPath } from './hint.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';
import { lacks, type Schema, structureOf } from './structure.ts';

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
    return [{ path: fieldPath(here), message: say().noField({ nearest: meant }) }];
  });
}

/** Whether a value is exactly as declared: it can be returned as received, and has no field or value of another contract. */
export type AsDeclared = (given: unknown) => boolean;

/** Which schemas were used to read a value; one that is used again gets a compiled check. */
const read = new WeakMap<Schema, 'once' | AsDeclared>();

/**
 * The compiled check of a schema, which takes a fraction of a full walk; undefined on first use, since most commands
 * read one response and exit.
 */
export function asDeclared(schema: Schema): AsDeclared | undefined {
  const known = read.get(schema);
  if (typeof known === 'function') return known;
  if (known === undefined) {
    read.set(schema, 'once');
    return undefined;
  }
  const made = checkOf(schema);
  read.set(schema, made);
  return made;
}

function checkOf(schema: Schema): AsDeclared {
  const structure = structureOf(schema);
  switch (structure.kind) {
    case 'around':
      return checkOf(structure.inner);
    case 'record':
      return ofRecord(structure.fields, structure.required);
    case 'list': {
      const fits = checkOf(structure.item);
      return (given) => Array.isArray(given) && given.every(fits);
    }
    case 'map': {
      const fits = checkOf(structure.values);
      return (given) => isRecord(given) && Object.values(given).every(fits);
    }
    case 'name':
      return ofName(structure.values);
    default: {
      const { fits, isFaithful } = structure;
      if (isFaithful !== undefined) return (given) => fits(given) && isFaithful(given);
      return (given) => fits(given) || isTakenByZod(schema, given);
    }
  }
}

function ofName(values: readonly string[]): AsDeclared {
  const known = new Set<unknown>(values);
  return (given) => known.has(given);
}

/** The schema itself judges what its structure does not cover. */
function isTakenByZod(schema: Schema, given: unknown): boolean {
  const result = z.safeParse(schema, given);
  return result.success && result.data === given;
}

/**
 * Absent and null pass, unless required; a field that is not declared does not. The fields that came are walked, not those
 * declared: one look finds both a wrong value and an unknown name, so that comparing costs no more than reading did.
 */
function ofRecord(declared: Readonly<Record<string, Schema>>, required: readonly string[]): AsDeclared {
  const checks: Record<string, AsDeclared> = Object.create(null);
  for (const [name, schema] of Object.entries(declared)) checks[name] = checkOf(schema);
  return (given) => {
    if (!isRecord(given)) return false;
    for (const name in given) {
      const fits = checks[name];
      if (fits === undefined) return false;
      const field = given[name];
      if (field !== null && field !== undefined && !fits(field)) return false;
    }
    return required.length === 0 || !lacks(required, given);
  };
}
