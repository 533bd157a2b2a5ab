import * as z from 'zod';
import { LEAST_PREFIX } from '../../domain/named-by.ts';
import { say } from '../texts.ts';
import type { LikenessKind } from './json-schema.ts';

// Without zod's generated parsers, which cost more than they save in a process that parses once.
z.config({ jitless: true });

/** Describes a schema created for this very field: `meta` would create each one twice. */
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

/** Whether a text is an id that a record can have: digits alone, above 0. */
export function isRecordId(text: string): boolean {
  return isInt64(text) && BigInt(text) > 0n;
}

/** How a caller may write an id; as a number only if it is safe, so that no digit is lost. */
export type IdInput = string | number | bigint;

/** Converts an integer to its digits; anything else is left to the check that follows. */
function digitsOf(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return value;
}

/** What is wrong with a value that is not text; the message for an absent one is in field-errors.ts. */
function wrongId({ input }: { readonly input?: unknown }): string | undefined {
  if (input === undefined || input === null) return undefined;
  return typeof input === 'number' && Number.isInteger(input) ? say().ids.lostDigits : say().ids.none;
}

/** A 64-bit identifier: a string of digits on the wire and in memory, never a number (contract, "Conventions"). */
export const id = (description: string) =>
  described(
    z.preprocess(
      (value: IdInput) => digitsOf(value),
      z.string({ error: wrongId }).refine(isInt64, { error: () => say().ids.none }),
    ),
    { description, format: 'int64', type: 'string' },
  );

/** A 64-bit identifier that an update can clear: with `""`, as with 0 (decisions, section 2). */
export const clearableId = (description: string) =>
  described(
    z.preprocess((value: IdInput) => (value === '' ? '0' : value), id(description)),
    { description, format: 'int64', type: 'string' },
  );

/**
 * An id that the contract declares as plain text, so that refusing a wrong one is up to the service; integers are
 * accepted.
 */
export const idText = (description: string) =>
  described(
    z.preprocess((value: IdInput) => digitsOf(value), z.string({ error: wrongId })),
    { description, type: 'string' },
  );

/** How a caller may write an IDs filter: `1,2,3`, one id, or a list of ids. */
export type IdsFilterInput = IdInput | readonly IdInput[];

const noIds = () => say().ids.list;

/**
 * Joins a filter into one string without spaces. Blanks and empty lists stay, since joined they would mean "no filter".
 */
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
  return filter === '' || filter.split(',').every(isRecordId);
}

/**
 * A filter by ids: after validation a string like `1,2,3`, without spaces; the empty string means no filter (contract,
 * "Paging"; decisions, section 4, which also lists what is refused: 0, an empty item, an empty list, other text).
 */
export const idsFilter = (description: string) =>
  described(
    z.preprocess(
      (value: IdsFilterInput) => joinedIds(value),
      z.string({ error: noIds }).refine(areIds, { error: noIds }),
    ),
    { description, format: 'int64-list', type: 'string' },
  );

/** Free text. */
export const text = (description: string) => described(z.string(), { description });

/** The name of something stored, or so much of its beginning that it was meant. */
export const namePrefix = (description: string) =>
  described(
    z.string().refine((given) => given === '' || given.length >= LEAST_PREFIX, {
      error: () => say().ids.prefix({ least: LEAST_PREFIX }),
    }),
    { description },
  );

/** A text that can be checked before it is sent; the service takes any (src/contract/schema/likeness.ts). */
export const lookedAt = (likeness: LikenessKind, description: string) =>
  described(z.string(), { description, likeness });

/** zod reports text as "not a number" and 1.5 as "not an integer"; both get the same message. */
function wrongInteger({ code, input }: { readonly code: string; readonly input?: unknown }): string | undefined {
  const absent = input === undefined || input === null;
  return code === 'invalid_type' && !absent ? say().must.int : undefined;
}

/** An integer with its unit, such as an amount, a count, grams or centimetres. */
export const int = (description: string, unit: string) =>
  described(z.int({ error: wrongInteger }), { description, unit });

/** The unit that distinguishes amounts of money from other integers. */
export const AMOUNT_UNIT = 'currency units';

/** A unit as people read it: the contract does not name the one currency of its amounts. */
export const unitText = (unit: string): string => (unit === AMOUNT_UNIT ? '₫' : unit);

/** An amount of money: an integer in the one implied currency (decisions, section 1). */
export const money = (description: string) => int(description, AMOUNT_UNIT);

export const grams = (description: string) => int(description, 'g');

export const centimetres = (description: string) => int(description, 'cm');

export const flag = (description: string) => described(z.boolean(), { description });

/** A timestamp: ISO 8601, for example `2026-01-31T08:00:00Z` (contract, "Conventions"). */
export const time = (description: string) => described(z.string(), { description, format: 'date-time' });

/** A decimal number, used only for coordinates. */
export const decimal = (description: string, unit: string) =>
  described(z.number(), { description, unit, format: 'float' });

/** A list of values of one type. */
export const list = <Item extends z.ZodType>(item: Item, description: string) =>
  described(z.array(item), { description });

/** A map from text to text. */
export const textMap = (description: string) => described(z.record(z.string(), z.string()), { description });

/** One of the values in the contract. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
  likeness?: LikenessKind,
) => described(z.enum(values), { description, ...(likeness === undefined ? {} : { likeness }) });

/** A text of which the contract knows only some values; all others pass. */
export const openName = (known: readonly string[], description: string) =>
  described(z.string(), { description, examples: [...known] });

/** The schemas of the fields of a record, by name. */
export type FieldSchemas = Readonly<Record<string, z.ZodType>>;
type Nullish<Shape extends FieldSchemas> = { [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>> };

function nullish<Shape extends FieldSchemas>(shape: Shape): Nullish<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, z.optional(z.nullable(field))]),
  ) as Nullish<Shape>;
}

/**
 * A record of the service, or a request without required fields: every field may be absent or null (decisions, section
 * 2).
 */
export const record = <Shape extends FieldSchemas>(shape: Shape) => z.object(nullish(shape));

/** A record with required and optional fields. */
export const requiring = <Required extends FieldSchemas, Optional extends FieldSchemas>(
  required: Required,
  optional: Optional,
) => z.object({ ...required, ...nullish(optional) });

/** A nested record. */
export const nested = <Inner extends z.ZodType>(inner: Inner, description: string) => inner.meta({ description });

/** A request or response without fields: an empty JSON object. */
export const empty = z.object({});
