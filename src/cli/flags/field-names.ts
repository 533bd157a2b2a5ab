import { RequestError, ServiceError } from '../../client/errors.ts';
import type { FieldError } from '../../contract/operation.ts';
import { contractTexts, say as sayOfContract } from '../../contract/texts.ts';
import { saysHowToWrite } from '../../domain/amounts/money.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Flag, Given } from './command.ts';

/** A request field as given on the command line; its path if there is no flag for it. */
export function asFlag(path: string, flags: readonly Flag[]): string {
  const named = (wanted: string) => flags.find((flag) => flag.path?.join('.') === wanted);
  // A list's filters and paging are flags of their own names.
  const exact = named(path) ?? named(path.replace(/^(?:filter|paging)\./, ''));
  if (exact !== undefined) return `--${exact.name}`;
  const [, list = '', index = '', rest = ''] = /^([\w.]+)\[(\d+)\](?:\.(.+))?$/.exec(path) ?? [];
  const flag = named(list);
  if (flag === undefined) return path;
  return [`--${flag.name}`, `(${Number(index) + 1})`, rest].filter(Boolean).join(' ');
}

/** Respells the field names in a rule's message, but only in lists of names, since "id" is an ordinary word too. */
export function spelledIn(message: string, spell: (name: string) => string): string {
  // A service says it in English, whatever the run speaks.
  const before = `${contractTexts.rules.beforeNames}|${sayOfContract().rules.beforeNames}`;
  const lists = new RegExp(`(?<=${before})[\\w.]+(?:, [\\w.]+)*`, 'g');
  return message.replaceAll(lists, (names) => names.split(', ').map(spell).join(', '));
}

const textOf = (errors: readonly FieldError[]) =>
  errors.map(({ path, label, message }) => `${label ?? path} ${message}`).join('; ');

/** A text in which a field is called by the name that it was given by. */
export function respelled(text: string, path: string, label: string | undefined): string {
  if (label === undefined || label === path || path === '') return text;
  const literal = path.replaceAll(/[.[\]]/g, '\\$&');
  return text.replaceAll(new RegExp(`(?<![\\w.])${literal}(?![\\w[]|\\.\\w)`, 'g'), () => label);
}

/** Adds to the field that a service refused the flag by which it was given, if there is one. */
function nameRefusedField(error: ServiceError, flags: readonly Flag[]): void {
  error.fieldErrors = error.fieldErrors.map((refused) => ({ ...refused, label: asFlag(refused.path, flags) }));
}

/** What the flags take that were given an empty text and refused: each as the help describes it, with its examples. */
function takenByEmpty(
  labelled: readonly FieldError[],
  flags: readonly Flag[],
  { flags: given }: Given,
): string | undefined {
  const named = labelled.flatMap(({ label, message }) => {
    const flag = flags.find(({ name }) => label === `--${name}`);
    const isEmpty = flag !== undefined && [given[flag.name]].flat().includes('');
    return !isEmpty || saysHowToWrite(message) ? [] : [flag];
  });
  const lines = named.map(
    ({ name, type, placeholder = type.toUpperCase(), description }) => `--${name} ${placeholder}: ${description}`,
  );
  return lines.length === 0 ? undefined : lines.join('; ');
}

/**
 * Replaces field paths in a request error by the flags that were given, and adds the flag to a service's refusal; a
 * request from a file keeps the paths used there. Any other error is returned unchanged.
 */
export function namedByFlags(error: unknown, flags: readonly Flag[], given: Given): unknown {
  if (given.flags.input !== undefined) return error;
  if (error instanceof ServiceError) nameRefusedField(error, flags);
  if (!(error instanceof RequestError) && !(error instanceof UsageError)) return error;
  const { fieldErrors, message } = error;
  if (fieldErrors.length === 0) return error;
  const labelled = fieldErrors.map((each) => ({
    path: each.path,
    message: spelledIn(each.message, (name) => asFlag(name, flags)),
    label: each.label ?? asFlag(each.path, flags),
  }));
  const hint = error.hint ?? takenByEmpty(labelled, flags, given);
  if (error instanceof RequestError) return new RequestError(error.operation ?? '', labelled, hint);
  // A message that was already worded for a person is kept.
  const reported = message.startsWith(textOf(fieldErrors))
    ? message.replace(textOf(fieldErrors), textOf(labelled))
    : message;
  return new UsageError(reported, { hint, fieldErrors: labelled });
}
