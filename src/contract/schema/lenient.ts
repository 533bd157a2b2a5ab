import * as z from 'zod';
import { isRecord } from '../../domain/json/value-at.ts';
import type { FieldError, Parsed } from '../operation.ts';
import { asDeclared } from './as-declared.ts';
import { fieldErrors, words, wrongType } from './field-errors.ts';
import { lacks, mayBeNull, type Schema, type Structure, structureOf } from './structure.ts';

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
  #record({ fields, required }: RecordStructure, given: Readonly<Record<string, unknown>>): unknown {
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
export type Read<Value> = Parsed<Value> & { readonly deviates?: boolean };

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
