import type { JsonSchema } from '../../contract/schema/json-schema.ts';
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

/** Parses a file or stdin (`-`), JSON or YAML; the amounts in it are read as its schema declares them. */
export async function readValue(name: string, source: TextSource, schema: JsonSchema): Promise<unknown> {
  const text = name === '-' ? await source.stdin() : await source.file(name);
  const { value, written } = await readDocumentText(name === '-' ? 'stdin' : name, text, source.signal);
  return readWritten(schema, value, written);
}

/** Parses the object in a file or stdin (`-`). */
export async function readObject(name: string, source: TextSource, schema: JsonSchema): Promise<Draft> {
  const value = await readValue(name, source, schema);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${name === '-' ? 'stdin' : name} must hold one object, a request`);
  }
  return value as Draft;
}
