import * as z from 'zod';
import { isRecord } from '../../domain/json/json-extent.ts';
import { lacks, type Schema, structureOf } from './structure.ts';

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
