import { isRecord } from './value-at.ts';
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
