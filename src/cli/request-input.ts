import { jsonSchema } from '../contract/json-schema.ts';
import type { Operation } from '../contract/operation.ts';
import { checkRequest } from '../contract/parse.ts';
import { nearestName } from '../domain/nearest-name.ts';
import { askMissing, lacksRequired } from './ask-missing.ts';
import type { Flag, Invocation } from './command.ts';
import { canAsk } from './interaction.ts';
import { parseDocumentText } from './read-document.ts';
import { applyFlags, type Draft, setAt } from './read-flags.ts';
import { skeletonFlags } from './skeleton.ts';
import { type TextSource, textSource } from './text-source.ts';
import { UsageError } from './usage-error.ts';

/** The flags that every command with a request has. */
export const requestFlags: readonly Flag[] = [
  {
    name: 'input',
    type: 'string',
    placeholder: 'FILE',
    description: 'take the request from a JSON or YAML file, - for stdin; flags override it',
  },
  ...skeletonFlags,
];

/** The one text of a flag, or undefined when it was not given. */
export function textFlag(invocation: Invocation, name: string): string | undefined {
  const given = invocation.given.flags[name];
  return Array.isArray(given) ? given.at(-1) : undefined;
}

/** The object that a file or stdin (`-`) holds. */
export async function readObject(name: string, source: TextSource): Promise<Draft> {
  const text = name === '-' ? await source.stdin() : await source.file(name);
  const value = await parseDocumentText(name === '-' ? 'stdin' : name, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${name === '-' ? 'stdin' : name} must hold one object, a request`);
  }
  return value as Draft;
}

/** A flag that only another family's operation of the command has. */
function refuseForeign(invocation: Invocation, operation: Operation, flags: readonly Flag[]): void {
  const own = new Set([...flags, ...requestFlags].map(({ name }) => name));
  const foreign = Object.keys(invocation.given.flags).find((name) => !own.has(name));
  if (foreign === undefined) return;
  const near = nearestName(foreign, [...own]);
  throw new UsageError(
    `--${foreign} is not known to ${operation.id}`,
    near === undefined ? {} : { hint: `did you mean --${near}?` },
  );
}

/** The check's own errors, with a hint that names all missing flags at once. */
function missing(operation: Operation, draft: Draft, flags: readonly Flag[]): UsageError {
  const checked = checkRequest(operation, draft);
  const errors = checked.ok ? [] : checked.errors;
  const absent = new Set(errors.filter(({ message }) => message === 'is required').map(({ path }) => path));
  const named = flags.filter(({ path }) => absent.has(path?.join('.') ?? '')).map(({ name }) => `--${name}`);
  const told = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new UsageError(told, {
    fieldErrors: errors,
    hint: `give ${named.join(', ')}, or the whole request with --input`,
  });
}

/** The request of a command: from `--input`, then the positional, then the flags. */
export async function readRequest(
  invocation: Invocation,
  operation: Operation,
  flags: readonly Flag[],
): Promise<Draft> {
  const { context, given } = invocation;
  refuseForeign(invocation, operation, flags);
  const source = textSource(context);
  const input = textFlag(invocation, 'input');
  const draft = input === undefined ? {} : await readObject(input, source);
  const [positional] = given.arguments;
  if (positional !== undefined && operation.positional !== undefined) {
    setAt(draft, [operation.positional], positional);
  }
  await applyFlags(draft, flags, given.flags, source);
  const schema = jsonSchema(operation.request);
  if (!lacksRequired(schema, draft)) return draft;
  if (canAsk(context, invocation.session)) return askMissing(context.prompter, schema, draft);
  throw missing(operation, draft, flags);
}
