import { fieldPath } from '../../contract/schema/field-errors.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { isRecord } from '../../domain/json/json-extent.ts';
import { asWritten, doubtfulIn } from '../../domain/json/written-numbers.ts';
import { UsageError } from '../errors/usage-error.ts';
import { type ReadDocument, readDocumentText } from '../input/read-document.ts';
import type { TextSource } from '../input/written-values.ts';
import { readWritten } from '../input/written-values.ts';
import type { Invocation } from './command.ts';
import type { Draft } from './read-flags.ts';

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
  if (!isLong && text.length > MOST_CHARACTERS) throw new UsageError(`${called} is longer than any request`);
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
  throw new UsageError(`${name === '-' ? 'stdin' : name} must hold one object, a request`);
}
