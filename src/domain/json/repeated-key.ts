import { say } from '../texts.ts';
import { JsonSyntaxError, parseJson } from './json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (WHITE_SPACE.has(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

/** The first key that an object of a valid JSON text has twice, and the offset of the second one; undefined if none. */
export function repeatedKey(text: string): { readonly key: string; readonly offset: number } | undefined {
  const objects: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OPEN) objects.push(new Set());
    else if (code === CLOSE) objects.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, at);
      if (isKey(text, end)) {
        const written = text.slice(at, end);
        const key = written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1);
        const keys = objects.at(-1);
        if (keys?.has(key)) return { key, offset: at };
        keys?.add(key);
      }
      at = end - 1;
    }
  }
  return undefined;
}

const MOST_CHARACTERS_REPORTED = 80;

/**
 * Like `parseJson`, for what a person gives to be sent: an object that has a key twice is refused, of which JSON.parse
 * takes the last one. Throws a JsonSyntaxError.
 */
export function parseUnrepeated(text: string): unknown {
  const value = parseJson(text);
  const repeated = repeatedKey(text);
  if (repeated === undefined) return value;
  const before = text.slice(0, repeated.offset).split(/\r\n|\r|\n/);
  const reported = JSON.stringify(repeated.key.slice(0, MOST_CHARACTERS_REPORTED));
  throw new JsonSyntaxError(say().json.twice({ key: reported }), before.length, (before.at(-1) ?? '').length + 1);
}
