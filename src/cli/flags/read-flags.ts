import { fieldPath } from '../../contract/schema/hint.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { readAmountText } from '../../domain/amounts/money.ts';
import { parseUnrepeated } from '../../domain/json/repeated-key.ts';
import { fieldsIn, isRecord } from '../../domain/json/values.ts';
import { asWritten, doubtfulIn } from '../../domain/json/written-numbers.ts';
import { FileError } from '../../platform/files/files.ts';
import { say } from '../errors/texts.ts';
import { UsageError } from '../errors/usage-error.ts';
import {
  plainScalar,
  type ReadDocument,
  readDocumentText,
  readWritten,
  type TextSource,
} from '../input/written-values.ts';
import type { Flag, Invocation } from './command.ts';
import { kebab } from './skeleton.ts';

/** A request under construction. */
export type Draft = Record<string, unknown>;

/** Strips what an editor adds to a text: a byte-order mark, and the final line break. */
const bare = (text: string) => text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');

/** Reads `@file`, `-` (stdin) and `@@text` (a text that begins with @); any other text is taken literally. */
async function textOf(raw: string, source: TextSource): Promise<string> {
  if (raw === '-') return bare(await source.stdin());
  if (raw.startsWith('@@')) return raw.slice(1);
  if (!raw.startsWith('@')) return raw;
  try {
    return bare(await source.file(raw.slice(1)));
  } catch (error) {
    throw error instanceof FileError && error.code === 'ENOENT'
      ? Object.assign(error, { hint: say().line.atFile })
      : error;
  }
}

/** An amount as people write it; an ambiguous one is refused here, while its original text is available. */
function amountOf(name: string, text: string, path: readonly string[]): number {
  const reading = readAmountText(text);
  if (reading.ok) return reading.amount;
  const { message } = reading;
  throw new UsageError(`${name} ${JSON.stringify(text)} ${message}`, {
    fieldErrors: [{ path: path.join('.'), message }],
  });
}

/** Parses one text by the flag's type; a text that does not fit is kept, for the contract's check to report. */
function scalarOf({ type, amount, path = [] }: Pick<Flag, 'type' | 'amount' | 'path'>, text: string, name: string) {
  if (amount === true) return amountOf(name, text, path);
  return type === 'integer' || type === 'number' || type === 'boolean' ? plainScalar(type, text) : text;
}

/** A whole number with a fraction or an exponent outside the texts of JSON: 150.000 may mean 150 or 150,000. */
function doubtfulNumber(json: string): string | undefined {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d+(?:\.0+(?!\d)|(?:\.\d+)?[eE][-+]?\d+)/)?.[0];
}

function jsonOf(flag: Flag, text: string): unknown {
  const doubtful = doubtfulNumber(text);
  if (doubtful !== undefined) {
    throw new UsageError(`--${flag.name}: ${say().line.doubtfulNumber({ number: doubtful })}`);
  }
  try {
    return parseUnrepeated(text);
  } catch (error) {
    throw new UsageError(`--${flag.name}: ${error instanceof Error ? error.message : say().line.notJson}`);
  }
}

/** What follows a comma within an amount: the next three digits, optionally with decimal places or the currency. */
const THOUSANDS = /^\d{3}(?!\d)[^=]*$/;

/** Splits at commas, but keeps an amount with comma separators in one part. */
function partsOf({ entries = [] }: Flag, text: string): string[] {
  const isAmount = (part: string) =>
    entries.some(({ name, amount }) => amount === true && name === kebab(part.split('=', 1)[0]?.trim() ?? ''));
  const parts: string[] = [];
  for (const [part] of text.matchAll(/(?:\\.|[^,\\])+/gs)) {
    const before = parts.at(-1);
    if (before !== undefined && THOUSANDS.test(part) && isAmount(before)) parts[parts.length - 1] = `${before},${part}`;
    else parts.push(part);
  }
  return parts;
}

/** Splits `a=1,b=2`; a literal comma or backslash is escaped with a backslash. */
function pairsOf(flag: Flag, text: string): [string, string][] {
  const parts = partsOf(flag, text);
  return parts.map((part) => {
    const at = part.indexOf('=');
    if (at <= 0) throw new UsageError(`--${flag.name}: ${say().line.noPair({ part })}`);
    return [part.slice(0, at).trim(), part.slice(at + 1).replace(/\\(.)/gs, '$1')];
  });
}

function isLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Sets a value at a path of a draft, creating objects on the way. */
export function setAt(draft: Draft, path: readonly string[], value: unknown): void {
  const [head, ...rest] = path;
  if (head === undefined) return;
  if (rest.length === 0) {
    Object.defineProperty(draft, head, { value, enumerable: true, writable: true, configurable: true });
    return;
  }
  const inner = Object.hasOwn(draft, head) ? draft[head] : undefined;
  const next: Draft = isRecord(inner) ? { ...inner } : {};
  setAt(draft, [head], next);
  setAt(next, rest, value);
}

function objectOf(flag: Flag, text: string): unknown {
  if (isLikeJson(text)) return jsonOf(flag, text);
  const object: Draft = {};
  const seen = new Set<string>();
  for (const [key, value] of pairsOf(flag, text)) {
    const entry = flag.entries?.find(({ name }) => name === kebab(key));
    if (flag.entries !== undefined && entry === undefined) {
      const names = flag.entries.map(({ path }) => path?.join('.') ?? '');
      throw new UsageError(`--${flag.name}: ${say().line.noField({ name: key })}`, {
        hint: say().line.fields({ names }),
      });
    }
    const path = entry?.path ?? [key];
    const name = path.join('.');
    if (seen.has(name)) throw new UsageError(`--${flag.name}: ${say().line.twice({ name })}`);
    seen.add(name);
    setAt(object, path, entry === undefined ? value : scalarOf(entry, value, `--${flag.name}: ${key}`));
  }
  return object;
}

/** The fields of several texts together; two different values of one of them are refused. */
function mergedFields(flag: Flag, texts: readonly string[]): Draft {
  const merged: Draft = {};
  for (const [name, value] of texts.flatMap((text) => Object.entries(fieldsIn(objectOf(flag, text))))) {
    if (Object.hasOwn(merged, name) && JSON.stringify(merged[name]) !== JSON.stringify(value))
      throw new UsageError(`--${flag.name}: ${say().line.twoValues({ name })}`);
    setAt(merged, [name], value);
  }
  return merged;
}

/** Parses the texts of one field by its type. */
export function readTexts(flag: Flag, texts: readonly string[]): unknown {
  const last = texts.at(-1) ?? '';
  switch (flag.type) {
    case 'ids':
      return texts.join(',');
    case 'list':
      return texts.flatMap((text) => {
        if (flag.verbatim !== true && text.trimStart().startsWith('[')) return jsonOf(flag, text);
        return flag.commas === true ? text.split(',').map((item) => item.trim()) : [text];
      });
    case 'objects':
      return texts.flatMap((text) => objectOf(flag, text));
    case 'map':
    case 'object':
      return texts.length === 1 ? objectOf(flag, last) : mergedFields(flag, texts);
    default:
      return scalarOf(flag, last, `--${flag.name}`);
  }
}

async function flagValue(flag: Flag, given: readonly string[] | boolean, source: TextSource) {
  if (typeof given === 'boolean') return given && flag.optionalValue === true ? '' : given;
  const texts = flag.verbatim === true ? given : await Promise.all(given.map((raw) => textOf(raw, source)));
  return readTexts(flag, texts);
}

/** Applies the given flags to a request; they override existing values. */
export async function applyFlags(
  draft: Draft,
  flags: readonly Flag[],
  given: Readonly<Record<string, readonly string[] | boolean>>,
  source: TextSource,
): Promise<void> {
  // An object's own flag comes before the flags of its fields, so that a field given separately takes precedence.
  for (const flag of flags) {
    const texts = given[flag.name];
    if (texts !== undefined && flag.path !== undefined) setAt(draft, flag.path, await flagValue(flag, texts, source));
  }
}

/** The single text of a flag, or undefined if it was not given. */
export function textFlag(invocation: Invocation, name: string): string | undefined {
  const given = invocation.given.flags[name];
  return Array.isArray(given) ? given.at(-1) : undefined;
}

/** No request is as long as that; to parse a longer one takes too long for a command that is to end on Ctrl-C. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Parses a file or stdin (`-`), JSON or YAML. Throws a UsageError if it is longer than any request, unless it may be long. */
async function readDocument(name: string, source: TextSource, isLong = false): Promise<ReadDocument> {
  const text = name === '-' ? await source.stdin() : await source.file(name);
  const called = name === '-' ? 'stdin' : name;
  if (!isLong && text.length > MOST_CHARACTERS) throw new UsageError(say().line.longRequest({ name: called }));
  const document = await readDocumentText(called, text, source.signal);
  return document.value === null && isUntouched(text) ? { ...document, value: {} } : document;
}

/** Whether a text has comments alone, like a skeleton of which nothing was filled in: a request without fields. */
function isUntouched(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every((line) => /^\s*#/.test(line));
}

/**
 * Parses texts in a file or stdin (`-`): a number among them is the text that it is written as. Throws a UsageError where its
 * decimals could be thousands.
 */
export async function readValue(name: string, source: TextSource): Promise<unknown> {
  const { value, written } = await readDocument(name, source);
  const doubtful = doubtfulIn(value, written);
  if (doubtful !== undefined) {
    const { message } = doubtful;
    const path = fieldPath(doubtful.path);
    throw new UsageError(`${name === '-' ? 'stdin' : name}: ${path} ${message}`, { fieldErrors: [{ path, message }] });
  }
  return asWritten(value, written);
}

/** Parses the object in a file or stdin (`-`); the amounts in it are read as its schema declares them. */
export async function readObject(
  name: string,
  source: TextSource,
  schema: JsonSchema,
  isLong?: boolean,
): Promise<Draft> {
  const { value: given, written } = await readDocument(name, source, isLong);
  const value = readWritten(schema, given, written);
  if (isRecord(value)) return value;
  throw new UsageError(say().line.oneObject({ name: name === '-' ? 'stdin' : name }));
}
