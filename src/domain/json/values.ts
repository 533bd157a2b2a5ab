/** The fields of a record, whatever they are. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts a value that was parsed with bigint integers: those that a JavaScript number cannot hold exactly become
 * strings of their digits.
 */
export function exactIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (Array.isArray(value)) return value.map(exactIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, exactIntegers(inner)]));
}

/** More levels than any record has; beyond some thousands, whoever walks through a value runs out of stack. */
const MOST_LEVELS = 200;

/** Whether a JSON text, or one that may be, nests its lists and objects deeper than any record of the contract. */
export function isTooDeep(text: string): boolean {
  let level = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x5b || code === 0x7b) {
      level += 1;
      if (level > MOST_LEVELS) return true;
    } else if (code === 0x5d || code === 0x7d) level -= 1;
  }
  return false;
}

/**
 * Like JSON.stringify, for values that came from JSON, but at any depth: JSON.stringify throws a RangeError when the
 * nesting overflows the stack. `indent` is the number of spaces per level; values nested that deep are written on one
 * line.
 */
export function writeJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return writeDeep(value);
  }
}

/** Text that is written verbatim, queued among the values still to be written. */
class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function writeDeep(value: unknown): string {
  const pieces: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (next instanceof Written) pieces.push(next.text);
    else if (typeof next !== 'object' || next === null) pieces.push(JSON.stringify(next) ?? 'null');
    else for (const part of partsOf(next).reverse()) left.push(part);
  }
  return pieces.join('');
}

/** The parts of a container: its punctuation, and between it the values it holds. */
function partsOf(container: object): unknown[] {
  const isArray = Array.isArray(container);
  const parts: unknown[] = [new Written(isArray ? '[' : '{')];
  for (const [name, inner] of Object.entries(container)) {
    if (!isArray && inner === undefined) continue;
    const comma = parts.length === 1 ? '' : ',';
    parts.push(new Written(isArray ? comma : `${comma}${JSON.stringify(name)}:`), inner);
  }
  parts.push(new Written(isArray ? ']' : '}'));
  return parts;
}

/**
 * The value at a dotted path; arrays on the way are mapped (`lines.quantity` returns a list). Undefined when absent.
 */
export function valueAt(value: unknown, path: string): unknown {
  return follow(value, path.split('.'));
}

/** `valueAt` with a fixed path, for many values. */
export function readerOf(path: string): (value: unknown) => unknown {
  const steps = path.split('.');
  const [key = ''] = steps;
  if (steps.length > 1) return (value) => follow(value, steps);
  return (value) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : follow(value, steps));
}

function follow(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => follow(item, path));
  return isRecord(value) && Object.hasOwn(value, key) ? follow(value[key], rest) : undefined;
}

/** Whether the value is an object with named fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NO_FIELDS: Readonly<Record<string, unknown>> = {};

/** The fields of a value; empty if it is not a record. */
export const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : NO_FIELDS);

/** The records in a list; empty if the value is not a list. */
export const recordsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** A JSON text that this program wrote itself, of a value of that type: it is trusted. Throws a SyntaxError. */
export const readOwn = <Value>(json: string): Value => JSON.parse(json);

/** The fields of a record stored as JSON. Throws a SyntaxError. */
export const readFields = (json: string): Readonly<Record<string, unknown>> => fieldsIn(JSON.parse(json));

/**
 * The entries of a list, or those of a record of records with what each is called there as its `key`; undefined for any
 * other value.
 */
export function entriesOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, entry]) => (isRecord(entry) ? [{ key, ...entry }] : []));
  return entries.length > 0 && entries.length === Object.keys(value).length ? entries : undefined;
}

/**
 * Sets a field of an object as its own, whatever it is named: assigning to `__proto__` would replace the prototype, and
 * the fields inherited from there would count as given.
 */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
  } else target[name] = value;
}

/** Depth and size of a JSON text. */
export interface JsonExtent {
  /** Levels of nested arrays and objects. */
  readonly depth: number;
  /** Approximate number of values, containers and fields included: one for each opening bracket and comma. */
  readonly values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Index of the quote that closes the string whose first character is at `from`, or the text's length. */
function endOfString(text: string, from: number): number {
  let position = from;
  for (;;) {
    const code = text.charCodeAt(position);
    if (code === QUOTE || Number.isNaN(code)) return position;
    position += code === BACKSLASH ? 2 : 1;
  }
}

/**
 * Whether a text is certainly within the limits because it has so few characters and opening brackets, those in strings
 * included. Most texts are, and need not be measured.
 */
export function isSurelyWithin(text: string, { depth, values }: JsonExtent): boolean {
  // Each value but the first takes at least one bracket or comma.
  if (text.length >= values) return false;
  let openings = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      openings += 1;
      if (openings > depth) return false;
    }
  }
  return true;
}

/**
 * Whether a parsed JSON value has more than this many levels of nested arrays and objects. The walk ends at the first
 * level too many, so it goes no deeper than that.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(levels - 1, item)) return true;
    return false;
  }
  if (!isRecord(value)) return false;
  for (const name in value) {
    const field = value[name];
    if (typeof field === 'object' && isDeeperThan(levels - 1, field)) return true;
  }
  return false;
}

/**
 * Measures a JSON text without parsing it: a short text can expand to many times its size in memory, and a recursive
 * walk over deep nesting would overflow the stack. One pass, no allocation; text that is not JSON is measured too.
 */
export function jsonExtent(text: string): JsonExtent {
  let level = 0;
  let depth = 0;
  let values = 1;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      position = endOfString(text, position + 1);
    } else if (code === COMMA) {
      values += 1;
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      values += 1;
      level += 1;
      if (level > depth) depth = level;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      level -= 1;
    }
  }
  return { depth, values };
}
