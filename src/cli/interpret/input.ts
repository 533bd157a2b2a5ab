import type { Action } from '../../actions/action.ts';
import { invalidInput } from '../../actions/refusal.ts';
import { fieldErrors, words } from '../../contract/field-errors.ts';
import { jsonSchema } from '../../contract/json-schema.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import { askMissing, lacksRequired } from '../ask-missing.ts';
import type { Flag, Invocation } from '../command.ts';
import { canAsk } from '../interaction.ts';
import { readOrders } from '../order-file.ts';
import { applyFlags, type Draft, readTexts, setAt } from '../read-flags.ts';
import { readObject, textFlag } from '../request-input.ts';
import { type TextSource, textSource } from '../text-source.ts';
import { UsageError } from '../usage-error.ts';
import { flagsOfAction, positionalFlag, wholeFlags } from './fields.ts';

/** How the file was written that a field of records was read from; a document may hold one record instead of a list. */
export interface ReadAs {
  readonly format: string;
  readonly isList: boolean;
}

/** What an action is given. */
export interface GivenInput {
  readonly input: Draft;
  readonly readAs: ReadAs | undefined;
}

/** A flag that only another action of the command has. */
function refuseForeign({ given }: Invocation, action: Action, flags: readonly Flag[]): void {
  const own = new Set([...flags, ...wholeFlags].map(({ name }) => name));
  const foreign = Object.keys(given.flags).find((name) => !own.has(name));
  if (foreign === undefined) return;
  const near = nearestName(foreign, [...own]);
  throw new UsageError(
    `--${foreign} is not known to ${action.id}`,
    near === undefined ? {} : { hint: `did you mean --${near}?` },
  );
}

/** What the input is, judged by the action's own check, else by its schema; throws all that is wrong at once. */
function checked(action: Action, draft: Draft): Draft {
  if (action.check !== undefined) return action.check(draft);
  const read = action.input.safeParse(draft, { error: words });
  if (!read.success) throw invalidInput(fieldErrors(read.error));
  return read.data;
}

/** The check's own errors, with a hint that names all missing flags at once. */
function missing(action: Action, draft: Draft, flags: readonly Flag[]): Error {
  const read = action.input.safeParse(draft, { error: words });
  const errors = read.success ? [] : fieldErrors(read.error);
  const absent = new Set(errors.filter(({ message }) => message === 'is required').map(({ path }) => path));
  const named = flags.filter(({ path }) => absent.has(path?.join('.') ?? '')).map(({ name }) => `--${name}`);
  if (action.whole !== true) return invalidInput(errors);
  const told = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  const hint = `give ${named.join(', ')}, or the whole request with --input`;
  return new UsageError(told, { fieldErrors: errors, hint });
}

/** Puts what stands by its place into the draft; answers how the file was written that a field was read from. */
async function readPositionals(
  action: Action,
  { given }: Invocation,
  draft: Draft,
  source: TextSource,
): Promise<ReadAs | undefined> {
  const { positional = [], hints } = action;
  let readAs: ReadAs | undefined;
  for (const [index, name] of positional.entries()) {
    const end = index === positional.length - 1 ? undefined : index + 1;
    const texts = given.arguments.slice(index, end);
    const [text] = texts;
    if (text === undefined) continue;
    if (hints?.[name]?.from === 'rows') {
      const file = await readOrders(text, source, given.flags.csv === true || /\.csv$/i.test(text));
      setAt(draft, [name], file.orders);
      readAs = { format: file.format === 'document' ? 'json' : file.format, isList: file.isList };
    } else {
      setAt(draft, [name], readTexts(positionalFlag(action, name), texts));
    }
  }
  return readAs;
}

/** Takes what a file holds in the place of its name, and what stdin holds where it was asked for. */
async function readDocuments({ hints }: Action, draft: Draft, source: TextSource): Promise<void> {
  for (const [name, hint] of Object.entries(hints ?? {})) {
    const text = draft[name];
    if (hint?.from === 'stdin') setAt(draft, [name], text === true ? await source.stdin() : undefined);
    if (hint?.from !== 'document' || typeof text !== 'string' || hint.names?.includes(text) === true) continue;
    setAt(draft, [name], await readObject(text, source));
  }
}

function withSettings(action: Action, { session }: Invocation, draft: Draft): void {
  for (const [name, hint] of Object.entries(action.hints ?? {})) {
    if (hint?.setting === undefined || draft[name] !== undefined) continue;
    const inForce = session.settings[hint.setting]?.value;
    if (inForce !== undefined) setAt(draft, [name], inForce);
  }
}

/** The input of an action: from `--input`, then what stands by its place, then the flags, then the settings in force. */
export async function readInput(
  action: Action,
  invocation: Invocation,
  flags: readonly Flag[] = flagsOfAction(action),
): Promise<GivenInput> {
  const { context, given, session } = invocation;
  refuseForeign(invocation, action, flags);
  const source = textSource(context);
  const file = action.whole === true ? textFlag(invocation, 'input') : undefined;
  const draft = file === undefined ? {} : await readObject(file, source);
  const readAs = await readPositionals(action, invocation, draft, source);
  await applyFlags(draft, flags, given.flags, source);
  await readDocuments(action, draft, source);
  withSettings(action, invocation, draft);
  const schema = jsonSchema(action.input);
  if (!lacksRequired(schema, draft)) return { input: checked(action, draft), readAs };
  if (!canAsk(context, session)) throw missing(action, draft, flags);
  return { input: checked(action, await askMissing(context.prompter, schema, draft)), readAs };
}
