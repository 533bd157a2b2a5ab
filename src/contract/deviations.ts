import * as z from 'zod';
import { type Fields, isRecord } from '../domain/json/values.ts';
import { inEnglish } from '../domain/language.ts';
import { missingNeeds } from './needs.ts';
import type { Operation } from './operation.ts';
import { fieldErrors, words } from './schema/hint.ts';
import { lacks, mayBeNull, type Schema, type Structure, structureOf } from './schema/structure.ts';

/**
 * What a deviation means: `breaks`, shopctl cannot use the answer; `may break others`, shopctl reads it and a stricter
 * program may not; `added`, a field that the contract lacks; `unknown value`, of an enumeration.
 */
export const deviationKinds = ['breaks', 'may break others', 'added', 'unknown value'] as const;

export type DeviationKind = (typeof deviationKinds)[number];

/** The kinds of a finding of everyday answers: `unchecked` says that something was no longer compared. */
export const driftKinds = [...deviationKinds, 'unchecked'] as const;

export type DriftKind = (typeof driftKinds)[number];

/** One difference between an answer and the contract. Holds no value of a person: types, lengths and names only. */
export interface Deviation {
  /** Path with field names; `[]` is any item of a list. Empty for the whole body. */
  readonly path: string;
  readonly kind: DeviationKind;
  /** What the contract says, as words. */
  readonly expected: string;
  /** What came, as words: its type, never its content. */
  readonly seen: string;
}

/** Comparing stops after so many different deviations of one answer, or so many in all. */
const MOST_DEVIATIONS = 200;
const MOST_IN_ALL = 5000;

/** A word that a program writes, such as the name of a state; anything else may be about a person. */
const NAME = /^[A-Za-z][A-Za-z_-]{0,30}$/;

/** What a value is, without its content: `text of 12 characters`, `an integer`, `a list of 3`. */
export function typeInWords(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return value === '' ? 'an empty text' : `text of ${value.length} characters`;
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number with a fraction';
  return typeof value === 'boolean' ? 'true or false' : 'an object';
}

/** A field's name; one that could be an id or a phone is not repeated. */
const nameOf = (name: string) => (/\d{4}|[^\w.-]/.test(name) || name.length > 60 ? '(a name with digits)' : name);

const expectedOf: Readonly<Record<string, string>> = {
  'date-time': 'a date with time and zone',
  int64: 'an id as text',
};

type Found = Generator<Deviation, void, undefined>;

const reported = (path: string, kind: DeviationKind, expected: string, given: unknown): Deviation => ({
  path,
  kind,
  expected,
  seen: typeInWords(given),
});

const under = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** Every deviation of a value, as it is met. */
function* differences(schema: Schema, given: unknown, path: string): Found {
  const structure = structureOf(schema);
  switch (structure.kind) {
    case 'around':
      yield* differences(structure.inner, given, path);
      break;
    case 'record':
      if (isRecord(given)) yield* ofRecord(structure, given, path);
      else yield reported(path, 'breaks', 'an object', given);
      break;
    case 'list':
      if (!Array.isArray(given)) yield reported(path, 'breaks', 'a list', given);
      else for (const item of given) yield* ofEntry(structure.item, item, `${path}[]`);
      break;
    case 'map':
      if (!isRecord(given)) yield reported(path, 'breaks', 'an object', given);
      else for (const value of Object.values(given)) yield* ofEntry(structure.values, value, `${path}.*`);
      break;
    case 'name':
      yield* ofName(structure.values, given, path);
      break;
    default:
      yield* ofScalar(schema, structure, given, path);
  }
}

function* ofEntry(schema: Schema, given: unknown, path: string): Found {
  if (given === null && mayBeNull(schema)) yield reported(path, 'may break others', 'a value', given);
  else yield* differences(schema, given, path);
}

function* ofRecord(
  { fields, required }: Extract<Structure, { readonly kind: 'record' }>,
  given: Fields,
  path: string,
): Found {
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (schema === undefined) yield reported(under(path, nameOf(name)), 'added', 'no such field', value);
    else if (value !== null) yield* differences(schema, value, under(path, name));
  }
  for (const name of required) {
    if (!lacks([name], given)) continue;
    yield reported(under(path, name), 'may break others', 'a value', Object.hasOwn(given, name) ? null : undefined);
  }
}

function* ofName(values: readonly string[], given: unknown, path: string): Found {
  if (typeof given !== 'string') yield reported(path, 'breaks', 'text', given);
  else if (!values.includes(given)) {
    const seen = NAME.test(given) ? JSON.stringify(given) : typeInWords(given);
    yield { path, kind: 'unknown value', expected: values.filter((value) => value !== '').join(', '), seen };
  }
}

function* ofScalar(
  schema: Schema,
  { fits, isFaithful }: Extract<Structure, { readonly kind: 'scalar' }>,
  given: unknown,
  path: string,
): Found {
  const format = z.globalRegistry.get(schema)?.format;
  const expected = typeof format === 'string' ? expectedOf[format] : undefined;
  if (format === 'int64' && typeof given === 'number' && Number.isInteger(given)) {
    yield { path, kind: 'may break others', expected: 'an id as text', seen: 'an id as a number' };
  } else if (fits(given)) {
    if (isFaithful?.(given) === false) yield reported(path, 'may break others', expected ?? 'another form', given);
  } else {
    const message = messageOf(schema, given);
    if (message === undefined) return;
    yield reported(path, 'breaks', expected ?? message.replace(/^must be /, ''), given);
  }
}

/** Why a value is not as declared, in English, since it is kept and read by programs; undefined if it is. */
const messageOf = (schema: Schema, given: unknown): string | undefined =>
  inEnglish(() => {
    const result = z.safeParse(schema, given, { error: words });
    return result.success ? undefined : (fieldErrors(result.error)[0]?.message ?? 'is wrong');
  });

/** How a response differs from its declaration, and whether it was compared to its end. */
export interface Comparison {
  readonly deviations: readonly Deviation[];
  readonly isWhole: boolean;
}

/**
 * How a response differs from its declaration: each path and kind once, however many records have it. `answer` is the
 * response as JSON.parse reads it, so that an id written as a number is one.
 */
export const deviationsOf = (operation: Operation, answer: unknown): readonly Deviation[] =>
  compared(operation, answer).deviations;

/** The same, with whether comparing was given up. */
export function compared(operation: Operation, answer: unknown): Comparison {
  const found = new Map<string, Deviation>();
  const add = (one: Deviation) => {
    const key = `${one.path} ${one.kind}`;
    if (!found.has(key)) found.set(key, one);
  };
  let conflict = 0;
  let isWhole = true;
  for (const one of differences(operation.response, answer, '')) {
    add(one);
    conflict += 1;
    isWhole = found.size < MOST_DEVIATIONS && conflict < MOST_IN_ALL;
    if (!isWhole) break;
  }
  for (const path of missingNeeds(operation, answer)) {
    add({ path: path.replaceAll(/\[\d+\]/g, '[]'), kind: 'breaks', expected: 'a value', seen: 'nothing' });
  }
  return { deviations: [...found.values()], isWhole };
}
