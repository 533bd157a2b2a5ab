import * as z from 'zod';
import { type Fields, isRecord } from '../../domain/json/values.ts';
import type { CheckedRequestOf, FieldError, Operation, Parsed, ResponseOf } from '../operation.ts';
import { asDeclared, unknownFields } from './as-declared.ts';
import { fieldErrors, words, wrongType } from './hint.ts';
import { type Bounds, lacks, mayBeNull, type Schema, type Structure, structureOf } from './structure.ts';

type Taken = (given: unknown) => boolean;

const made = new WeakMap<Schema, Taken>();

/**
 * Whether a request is certainly valid as it is: it is complete, and every value is as declared. Where only the schema
 * itself can decide (null, an id written as a number, a rule of its own) the answer is no. It takes a fraction of the
 * time of the schema, which matters when thousands of rows are checked.
 */
export function isSurelyTaken<Value>(schema: z.ZodType<Value>, given: unknown): given is Value {
  let taken = made.get(schema);
  if (taken === undefined) {
    taken = takenBy(schema);
    made.set(schema, taken);
  }
  return taken(given);
}

const never: Taken = () => false;

function takenBy(schema: Schema): Taken {
  const structure = structureOf(schema);
  switch (structure.kind) {
    case 'around':
      return takenBy(structure.inner);
    case 'record':
      return structure.isPlain ? ofRecord(structure.fields) : never;
    case 'list':
      return ofList(structure.item, structure.bounds);
    case 'map': {
      const taken = takenBy(structure.values);
      return (given) => isRecord(given) && Object.values(given).every(taken);
    }
    case 'name':
      return (given) => typeof given === 'string' && structure.values.includes(given);
    default:
      return structure.fits;
  }
}

function ofList(item: Schema, { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Bounds): Taken {
  const taken = takenBy(item);
  return (given) =>
    Array.isArray(given) && given.length >= minItems && given.length <= maxItems && given.every((one) => taken(one));
}

/** Whether the schema supplies a default for an absent value, which is left to the schema. */
function isFilled(schema: Schema): boolean {
  const structure = structureOf(schema);
  return structure.kind === 'around' && (structure.otherwise !== undefined || isFilled(structure.inner));
}

function ofRecord(declared: Readonly<Record<string, Schema>>): Taken {
  const fields = Object.entries(declared).map(([name, schema]) => {
    return { name, mayBeAbsent: schema._zod.optout === 'optional' && !isFilled(schema), taken: takenBy(schema) };
  });
  return (given) => {
    if (!isRecord(given)) return false;
    for (const { name, mayBeAbsent, taken } of fields) {
      const field = Object.hasOwn(given, name) ? given[name] : undefined;
      if (!(field === undefined ? mayBeAbsent : taken(field))) return false;
    }
    return true;
  };
}

/**
 * The type of a leniently read value: any field may be absent or null, any entry of a list or map that is no object may
 * be null, and an enum is any text.
 */
export type Lenient<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? (Item extends object ? Lenient<Item> : Lenient<Item> | null)[]
    : Value extends object
      ? string extends keyof Value
        ? { [Key in keyof Value]: Lenient<Value[Key]> | null }
        : { [Key in keyof Value]?: Lenient<Value[Key]> | null | undefined }
      : Value;

/** Reading stops after so many faults, since each costs time and memory. */
const MOST_ERRORS = 100;

type RecordStructure = Extract<Structure, { readonly kind: 'record' }>;

/** The state of reading one response: the current path, and the errors so far. */
class Reading {
  readonly errors: FieldError[] = [];
  /** Whether something can be read and is not as declared. */
  deviates = false;
  readonly #path: PropertyKey[] = [];

  value(schema: Schema, given: unknown): unknown {
    const structure = structureOf(schema);
    switch (structure.kind) {
      case 'around':
        return this.value(structure.inner, given);
      case 'record':
        return isRecord(given) ? this.#record(structure, given) : this.#wrong('object', given);
      case 'list':
        if (!Array.isArray(given)) return this.#wrong('array', given);
        return this.#list(structure.item, given);
      case 'map':
        if (!isRecord(given)) return this.#wrong('record', given);
        return Object.fromEntries(
          Object.entries(given).map(([name, value]) => [name, this.#entry(name, structure.values, value)]),
        );
      case 'name':
        if (typeof given !== 'string') return this.#wrong('string', given);
        this.deviates ||= !structure.values.includes(given);
        return given;
      default:
        if (!structure.fits(given)) return this.#scalar(schema, given);
        this.deviates ||= structure.isFaithful?.(given) === false;
        return given;
    }
  }

  #at(step: PropertyKey, schema: Schema, given: unknown): unknown {
    if (this.errors.length >= MOST_ERRORS) return given;
    this.#path.push(step);
    const read = this.value(schema, given);
    this.#path.pop();
    return read;
  }

  /** An entry of a list or map; one that is null can be read, unless it stands for an object. */
  #entry(step: PropertyKey, schema: Schema, given: unknown): unknown {
    if (given !== null || !mayBeNull(schema)) return this.#at(step, schema, given);
    this.deviates = true;
    return given;
  }

  /** Copied only if an item was converted, which is rare. */
  #list(item: Schema, given: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (const [index, value] of given.entries()) {
      const read = this.#entry(index, item, value);
      if (read === value) continue;
      copy ??= [...given];
      copy[index] = read;
    }
    return copy ?? given;
  }

  /** Errors come in the order of the declaration, fields in the order received; copied like a list. */
  #record({ fields, required }: RecordStructure, given: Fields): unknown {
    let copy: Record<string, unknown> | undefined;
    let known = 0;
    for (const name in fields) {
      const isThere = Object.hasOwn(given, name);
      if (isThere) known += 1;
      const field = isThere ? given[name] : undefined;
      const schema = fields[name];
      if (field === undefined || field === null || schema === undefined) continue;
      const read = this.#at(name, schema, field);
      if (read === field) continue;
      copy ??= { ...given };
      copy[name] = read;
    }
    this.deviates ||= Object.keys(given).length > known || lacks(required, given);
    return copy ?? given;
  }

  /** Scalars, ids included, are read as declared. */
  #scalar(schema: Schema, given: unknown): unknown {
    const result = z.safeParse(schema, given, { error: words });
    if (result.success) {
      this.deviates ||= result.data !== given;
      return result.data;
    }
    this.errors.push(...fieldErrors(result.error, this.#path));
    return given;
  }

  #wrong(expected: string, given: unknown): unknown {
    this.errors.push(wrongType(expected, given, this.#path));
    return given;
  }
}

/** A response that was read, and whether it differs from the contract in a way that can be read nevertheless. */
type Read<Value> = Parsed<Value> & { readonly deviates?: boolean };

/**
 * Reads a response leniently by its declaration (decisions, opening and section 1): unknown fields pass, every field
 * may be absent or null, an unknown enum value passes as its text, an id may arrive as a number; a wrong type fails.
 */
export function readLeniently<Declared extends Schema>(
  schema: Declared,
  answer: unknown,
): Read<Lenient<z.output<Declared>>> {
  const reading = new Reading();
  const isDeclared = asDeclared(schema)?.(answer) === true;
  const value = (isDeclared ? answer : reading.value(schema, answer)) as Lenient<z.output<Declared>>;
  if (reading.errors.length > 0) return { ok: false, errors: reading.errors };
  return reading.deviates ? { ok: true, value, deviates: true } : { ok: true, value };
}

function parse<Declared extends z.ZodType>(schema: Declared, input: unknown): Parsed<z.output<Declared>> {
  const result = schema.safeParse(input, { error: words });
  return result.success ? { ok: true, value: result.data } : { ok: false, errors: fieldErrors(result.error) };
}

/** Treats null as absent (decisions, section 2). Runs on what a schema accepted, which bounds its depth. */
function withoutNulls<Value>(value: Value): Value;
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (field === null ? [] : [[name, withoutNulls(field)]])),
  );
}

/**
 * Parses a request by its declaration only: unknown fields are dropped, nulls count as absent, ids become text. Rules
 * between fields are not checked, nor are unknown fields refused; `checkRequest` does both.
 */
export function parseRequest<O extends Operation>(operation: O, input: unknown): Parsed<CheckedRequestOf<O>> {
  const parsed = parse<O['request']>(operation.request, input);
  return parsed.ok ? { ok: true, value: withoutNulls(parsed.value) } : parsed;
}

/** Parses a request strictly, as it should be before it is sent: its declaration, unknown fields, and its rules. */
export function checkRequest<O extends Operation>(operation: O, input: unknown): Parsed<CheckedRequestOf<O>> {
  const parsed = parseRequest(operation, input);
  const unknown = unknownFields(operation.request, input);
  if (!parsed.ok) return { ok: false, errors: [...parsed.errors, ...unknown] };
  const errors = [...unknown, ...(operation.rules?.(parsed.value) ?? [])];
  return errors.length === 0 ? parsed : { ok: false, errors };
}

/**
 * The errors of `checkRequest`, for callers that send the request unchanged; cheap for most requests, which have none.
 */
export function requestErrors(operation: Operation, input: unknown): readonly FieldError[] {
  if (isSurelyTaken(operation.request, input)) {
    return [...unknownFields(operation.request, input), ...(operation.rules?.(input) ?? [])];
  }
  const checked = checkRequest(operation, input);
  return checked.ok ? [] : checked.errors;
}

/** Parses a response leniently, keeping the order of its fields; errors have the path of the invalid field. */
export function parseResponse<O extends Operation>(operation: O, body: unknown): Read<Lenient<ResponseOf<O>>> {
  return readLeniently<O['response']>(operation.response, body);
}
