import { readFields } from '../../../domain/json/value-at.ts';
import { writeJson } from '../../../domain/json/write-json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What JSON writes for a NUL character, and for half of a surrogate pair. */
const MARKS = ['\\u0000', '\\ud'];
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})/g;

/**
 * A record and its JSON as every database stores them. PostgreSQL takes no NUL character, and no database half of a
 * surrogate pair: the one is left out, the other becomes U+FFFD.
 */
export function storable(record: Fields): { readonly record: Fields; readonly json: string } {
  const json = writeJson(record);
  if (!MARKS.some((mark) => json.includes(mark))) return { record, json };
  const clean = json.replaceAll(
    UNSTORABLE,
    (_, before: string, code: string) => `${before}${code === '0000' ? '' : '\ufffd'}`,
  );
  return { record: readFields(clean), json: clean };
}
