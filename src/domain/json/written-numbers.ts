import { decimalsOrThousands } from '../amounts/money.ts';
import { say } from '../texts.ts';
import { fieldsIn, isRecord } from './values.ts';

/** The steps to a value in a document. */
type Path = readonly (string | number)[];

/** How the number at a path of a document was written there; undefined if it is written as any program writes it. */
export type WrittenAt = (path: Path) => string | undefined;

/** Of a document in which every number is written plainly, or where it is not known. */
export const plainlyWritten: WrittenAt = () => undefined;

/**
 * A whole number that JSON writes with a fraction or an exponent, so that its text matters; a fraction that a program
 * rounds away has more digits than it keeps.
 */
const maySay = /\d\.0+(?!\.?\d)|(?=[\d.]{17})\d{1,16}\.\d|\d[eE][-+]?\d/;

/** A string, or a number with a fraction or an exponent. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+(?:[eE][-+]?\d+)?|[eE][-+]?\d+)/g;

/** No string of a document begins so by chance. */
const MARK = '\0written as ';

function at(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value)) return at(value[Number(step)], rest);
  return isRecord(value) && Object.hasOwn(value, step) ? at(value[step], rest) : undefined;
}

/** How the numbers of a valid JSON text were written, those with a fraction or an exponent. */
export function writtenInJson(text: string): WrittenAt {
  if (!maySay.test(text)) return plainlyWritten;
  const marked = text.replace(stringOrNumber, (token) =>
    token.startsWith('"') ? token : JSON.stringify(`${MARK}${token}`),
  );
  const document: unknown = JSON.parse(marked.replace(/^\uFEFF/, ''));
  return (path) => {
    const found = at(document, path);
    return typeof found === 'string' && found.startsWith(MARK) ? found.slice(MARK.length) : undefined;
  };
}

/** A value with the texts of its numbers that a program reads otherwise than a person: 350.000, 0912. */
export function asWritten(value: unknown, written: WrittenAt, path: Path = []): unknown {
  const text = written(path);
  if (text !== undefined) return text;
  if (Array.isArray(value)) return value.map((item, index) => asWritten(item, written, [...path, index]));
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, asWritten(inner, written, [...path, name])]);
  return Object.fromEntries(fields);
}

/** The first number of a document of texts whose decimals could be thousands, and why it is doubtful. */
export function doubtfulIn(
  value: unknown,
  written: WrittenAt,
  path: Path = [],
): { readonly path: Path; readonly message: string } | undefined {
  if (typeof value === 'number') {
    const text = written(path) ?? String(value);
    const doubt = decimalsOrThousands(text);
    if (doubt === undefined) return undefined;
    return { path, message: say().json.doubtful({ written: text, ...doubt }) };
  }
  const steps = Array.isArray(value) ? value.map((item, at) => [at, item] as const) : Object.entries(fieldsIn(value));
  for (const [step, inner] of steps) {
    const found = doubtfulIn(inner, written, [...path, step]);
    if (found !== undefined) return found;
  }
  return undefined;
}
