import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { isRecord } from '../../domain/json/value-at.ts';
import { UsageError } from '../errors/usage-error.ts';
import { readDocumentText } from '../input/read-document.ts';
import type { TextSource } from '../input/text-source.ts';
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

/**
 * Parses a file or stdin (`-`), JSON or YAML; the amounts in it are read as its schema declares them. Throws a UsageError if
 * it is longer than any request, unless it may be long.
 */
export async function readValue(
  name: string,
  source: TextSource,
  schema: JsonSchema,
  isLong = false,
): Promise<unknown> {
  const text = name === '-' ? await source.stdin() : await source.file(name);
  const called = name === '-' ? 'stdin' : name;
  if (!isLong && text.length > MOST_CHARACTERS) throw new UsageError(`${called} is longer than any request`);
  const { value, written } = await readDocumentText(called, text, source.signal);
  return readWritten(schema, value, written);
}

/** Parses the object in a file or stdin (`-`). */
export async function readObject(
  name: string,
  source: TextSource,
  schema: JsonSchema,
  isLong?: boolean,
): Promise<Draft> {
  const value = await readValue(name, source, schema, isLong);
  if (isRecord(value)) return value;
  throw new UsageError(`${name === '-' ? 'stdin' : name} must hold one object, a request`);
}
