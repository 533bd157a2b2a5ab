import * as z from 'zod';
import type { LooksLike } from './json-schema.ts';

// The generated-code parsers of zod cost more than they save in a process that parses once.
z.config({ jitless: true });

/** Describes a schema that was made for this very field: `meta` would make each one twice. */
function described<Schema extends z.ZodType>(schema: Schema, meta: z.core.GlobalMeta): Schema {
  z.globalRegistry.add(schema, meta);
  return schema;
}

const INT64_DIGITS = /^(?:0|-?[1-9][0-9]{0,18})$/;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

function isInt64(text: string): boolean {
  if (!INT64_DIGITS.test(text)) return false;
  const value = BigInt(text);
  return value >= INT64_MIN && value <= INT64_MAX;
}

/** How a caller may write an id; a number only where it is safe, so that no digit is lost. */
export type IdInput = string | number | bigint;

/** Writes an integer out as digits; whatever else arrives is left for the check that follows. */
function digitsOf(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return value;
}

const NO_ID = 'is not a 64-bit integer id';
const LOST_DIGITS = 'is too large for a JSON number to carry exactly: write the id as a string';

/** What is wrong with a value that is not a text; what is absent gets its words in field-errors.ts. */
function wrongId({ input }: { readonly input?: unknown }): string | undefined {
  if (input === undefined || input === null) return undefined;
  return typeof input === 'number' && Number.isInteger(input) ? LOST_DIGITS : NO_ID;
}

/** A 64-bit identifier: a string of digits on the wire and here, never a number (contract, "Conventions"). */
export const id = (description: string) =>
  described(
    z.preprocess((value: IdInput) => digitsOf(value), z.string({ error: wrongId }).refine(isInt64, NO_ID)),
    { description, format: 'int64', type: 'string' },
  );

/** A 64-bit identifier that an update clears: with `""`, as with 0 (decisions, section 2). */
export const clearableId = (description: string) =>
  described(
    z.preprocess((value: IdInput) => (value === '' ? '0' : value), id(description)),
    { description, format: 'int64', type: 'string' },
  );

/** An id that the contract declares as plain text, so that a wrong one is the service's to refuse; an integer is accepted. */
export const idText = (description: string) =>
  described(
    z.preprocess((value: IdInput) => digitsOf(value), z.string({ error: wrongId })),
    { description, type: 'string' },
  );

/** How a caller may write an IDs filter: `1,2,3`, one id, or a list of ids. */
export type IdsFilterInput = IdInput | readonly IdInput[];

const NO_IDS = 'must be ids separated by commas, for example 1,2,3';

/** Puts a filter into one string without spaces. Blanks and a list without ids stay: joined they would read as "no filter". */
function joinedIds(value: unknown): unknown {
  const items: unknown[] = Array.isArray(value) ? value.map(digitsOf) : [digitsOf(value)];
  if (!items.every((item) => typeof item === 'string')) return value;
  const joined = items
    .join(',')
    .split(',')
    .map((item) => item.trim())
    .join(',');
  return joined === '' ? value : joined;
}

function areIds(filter: string): boolean {
  return filter === '' || filter.split(',').every((item) => isInt64(item) && BigInt(item) > 0n);
}

/**
 * A filter by ids: after the check a string like `1,2,3`, without spaces; the empty string means no filter (contract,
 * "Paging"; decisions, section 4, which also says what is refused: 0, an empty item, an empty list, other text).
 */
export const idsFilter = (description: string) =>
  described(
    z.preprocess((value: IdsFilterInput) => joinedIds(value), z.string({ error: NO_IDS }).refine(areIds, NO_IDS)),
    { description, format: 'int64-list', type: 'string' },
  );

/** Free text. */
export const text = (description: string) => described(z.string(), { description });

/** A text that can be looked at before it is sent; the service takes any (src/contract/looks.ts). */
export const lookedAt = (looks: LooksLike, description: string) => described(z.string(), { description, looks });

/** zod takes text for no number and 1.5 for not an integer; both are no integer. */
function wrongInteger({ code, input }: { readonly code: string; readonly input?: unknown }): string | undefined {
  const absent = input === undefined || input === null;
  return code === 'invalid_type' && !absent ? 'must be an integer' : undefined;
}

/** A whole number with its unit: amounts, counts, grams and centimetres are integers. */
export const int = (description: string, unit: string) =>
  described(z.int({ error: wrongInteger }), { description, unit });

/** The unit that tells an amount of money from other integers. */
export const AMOUNT_UNIT = 'currency units';

/** An amount of money: an integer of the one implied currency (decisions, section 1). */
export const money = (description: string) => int(description, AMOUNT_UNIT);

export const grams = (description: string) => int(description, 'g');

export const centimetres = (description: string) => int(description, 'cm');

export const flag = (description: string) => described(z.boolean(), { description });

/** A moment: ISO 8601, for example `2026-01-31T08:00:00Z` (contract, "Conventions"). */
export const time = (description: string) => described(z.string(), { description, format: 'date-time' });

/** A decimal number. Only coordinates have one. */
export const decimal = (description: string, unit: string) =>
  described(z.number(), { description, unit, format: 'float' });

/** A list of values of one kind. */
export const list = <Item extends z.ZodType>(item: Item, description: string) =>
  described(z.array(item), { description });

/** A map of text to text. */
export const textMap = (description: string) => described(z.record(z.string(), z.string()), { description });

/** One of the names that the contract knows. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
  described(z.enum(values), { description });

/** A text of which only some of the values are known to the contract; every other one passes. */
export const openName = (known: readonly string[], description: string) =>
  described(z.string(), { description, examples: [...known] });

export type Fields = Readonly<Record<string, z.ZodType>>;
type Nullish<Shape extends Fields> = { [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>> };

function nullish<Shape extends Fields>(shape: Shape): Nullish<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, z.optional(z.nullable(field))]),
  ) as Nullish<Shape>;
}

/** A record of the service, or a request without required fields: every field may be absent or null (decisions, section 2). */
export const record = <Shape extends Fields>(shape: Shape) => z.object(nullish(shape));

/** A record with fields that must be given, and fields that may be. */
export const requiring = <Required extends Fields, Optional extends Fields>(required: Required, optional: Optional) =>
  z.object({ ...required, ...nullish(optional) });

/** A record inside another one. */
export const nested = <Inner extends z.ZodType>(inner: Inner, description: string) => inner.meta({ description });

/** The request or the response without fields: an empty JSON object. */
export const empty = z.object({});
