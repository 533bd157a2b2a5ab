import { RequestError } from '../client/errors.ts';
import type { FieldError } from '../contract/operation.ts';
import type { Flag, Given } from './command.ts';
import { UsageError } from './usage-error.ts';

/** A field of a request as somebody gives it on the command line; its path where no flag is made for it. */
export function asFlag(path: string, flags: readonly Flag[]): string {
  const named = (wanted: string) => flags.find((flag) => flag.path?.join('.') === wanted);
  const exact = named(path);
  if (exact !== undefined) return `--${exact.name}`;
  const [, list = '', index = '', rest = ''] = /^([\w.]+)\[(\d+)\](?:\.(.+))?$/.exec(path) ?? [];
  const flag = named(list);
  if (flag === undefined) return path;
  return [`--${flag.name}`, `(${Number(index) + 1})`, rest].filter(Boolean).join(' ');
}

/** The names that a rule speaks of, as they are spelled for a person: only where it lists names, for "id" is a word as well. */
export function spelledIn(message: string, spell: (name: string) => string): string {
  return message.replaceAll(/(?<=together with |exactly one of |at least one of )[\w.]+(?:, [\w.]+)*/g, (names) =>
    names.split(', ').map(spell).join(', '),
  );
}

const textOf = (errors: readonly FieldError[]) =>
  errors.map(({ path, label, message }) => `${label ?? path} ${message}`).join('; ');

/**
 * What is wrong with a request, named by the flags that it was given with; a request from a file keeps its paths, for
 * there they stand. Any other error is given back as it is.
 */
export function namedByFlags(error: unknown, flags: readonly Flag[], given: Given): unknown {
  if (given.flags.input !== undefined) return error;
  if (!(error instanceof RequestError) && !(error instanceof UsageError)) return error;
  const { fieldErrors, hint, message } = error;
  if (fieldErrors.length === 0) return error;
  const labelled = fieldErrors.map((each) => ({
    path: each.path,
    message: spelledIn(each.message, (name) => asFlag(name, flags)),
    label: asFlag(each.path, flags),
  }));
  if (error instanceof RequestError) return new RequestError(error.operation ?? '', labelled, hint);
  // What was worded for a person already stays as it is.
  const told = message.startsWith(textOf(fieldErrors))
    ? message.replace(textOf(fieldErrors), textOf(labelled))
    : message;
  return new UsageError(told, { hint, fieldErrors: labelled });
}
