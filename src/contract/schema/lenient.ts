import * as z from 'zod';
import { isRecord } from '../../domain/json/value-at.ts';
import type { FieldError, Parsed } from '../operation.ts';
import { asDeclared } from './as-declared.ts';
import { fieldErrors, words, wrongType } from './field-errors.ts';
import { type Schema, structureOf } from './structure.ts';

/** The type of a leniently read value: any field may be absent or null, and an enum is any text. */
export type Lenient<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? Lenient<Item>[]
    : Value extends object
      ? string extends keyof Value
        ? { [Key in keyof Value]: Lenient<Value[Key]> }
        : { [Key in keyof Value]?: Lenient<Value[Key]> | null | undefined }
      : Value;

/** Reading stops after so many faults, since each costs time and memory. */
const MOST_ERRORS = 100;

/** The state of reading one response: the current path, and the errors so far. */
class Reading {
  readonly errors: FieldError[] = [];
  readonly #path: PropertyKey[] = [];

  value(schema: Schema, given: unknown): unknown {
    const structure = structureOf(schema);
    switch (structure.kind) {
      case 'around':
        return this.value(structure.inner, given);
      case 'record':
        return isRecord(given) ? this.#record(structure.fields, given) : this.#wrong('object', given);
      case 'list':
        if (!Array.isArray(given)) return this.#wrong('array', given);
        return this.#list(structure.item, given);
      case 'map':
        if (!isRecord(given)) return this.#wrong('record', given);
        return Object.fromEntries(
          Object.entries(given).map(([name, value]) => [name, this.#at(name, structure.values, value)]),
        );
      case 'name':
        return typeof given === 'string' ? given : this.#wrong('string', given);
      default:
        return structure.fits(given) ? given : this.#scalar(schema, given);
    }
  }

  #at(step: PropertyKey, schema: Schema, given: unknown): unknown {
    if (this.errors.length >= MOST_ERRORS) return given;
    this.#path.push(step);
    const read = this.value(schema, given);
    this.#path.pop();
    return read;
  }

  /** Copied only if an item was converted, which is rare. */
  #list(item: Schema, given: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (const [index, value] of given.entries()) {
      const read = this.#at(index, item, value);
      if (read === value) continue;
      copy ??= [...given];
      copy[index] = read;
    }
    return copy ?? given;
  }

  /** Errors come in the order of the declaration, fields in the order received; copied like a list. */
  #record(fields: Readonly<Record<string, Schema>>, given: Readonly<Record<string, unknown>>): unknown {
    let copy: Record<string, unknown> | undefined;
    for (const name in fields) {
      const field = Object.hasOwn(given, name) ? given[name] : undefined;
      const schema = fields[name];
      if (field === undefined || field === null || schema === undefined) continue;
      const read = this.#at(name, schema, field);
      if (read === field) continue;
      copy ??= { ...given };
      copy[name] = read;
    }
    return copy ?? given;
  }

  /** Scalars, ids included, are read as declared. */
  #scalar(schema: Schema, given: unknown): unknown {
    const result = z.safeParse(schema, given, { error: words });
    if (result.success) return result.data;
    this.errors.push(...fieldErrors(result.error, this.#path));
    return given;
  }

  #wrong(expected: string, given: unknown): unknown {
    this.errors.push(wrongType(expected, given, this.#path));
    return given;
  }
}

/**
 * Reads a response leniently by its declaration (decisions, opening and section 1): unknown fields pass, every field
 * may be absent or null, an unknown enum value passes as its text, an id may arrive as a number; a wrong type fails.
 */
export function readLeniently<Declared extends z.ZodType>(
  schema: Declared,
  answer: unknown,
): Parsed<Lenient<z.output<Declared>>> {
  if (asDeclared(schema)?.(answer) === true) return { ok: true, value: answer as Lenient<z.output<Declared>> };
  const reading = new Reading();
  const value = reading.value(schema, answer) as Lenient<z.output<Declared>>;
  return reading.errors.length === 0 ? { ok: true, value } : { ok: false, errors: reading.errors };
}
