import { UsageError } from '../errors/usage-error.ts';
import { parseDocumentText } from '../input/read-document.ts';
import type { TextSource } from '../input/text-source.ts';
import type { Invocation } from './command.ts';
import type { Draft } from './read-flags.ts';

/** The single text of a flag, or undefined if it was not given. */
export function textFlag(invocation: Invocation, name: string): string | undefined {
  const given = invocation.given.flags[name];
  return Array.isArray(given) ? given.at(-1) : undefined;
}

/** Parses a file or stdin (`-`), JSON or YAML. */
export async function readValue(name: string, source: TextSource): Promise<unknown> {
  const text = name === '-' ? await source.stdin() : await source.file(name);
  return parseDocumentText(name === '-' ? 'stdin' : name, text);
}

/** Parses the object in a file or stdin (`-`). */
export async function readObject(name: string, source: TextSource): Promise<Draft> {
  const value = await readValue(name, source);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${name === '-' ? 'stdin' : name} must hold one object, a request`);
  }
  return value as Draft;
}
