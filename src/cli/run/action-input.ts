import type { Action } from '../../action/action.ts';
import { RequestError } from '../../client/errors.ts';
import { invalidInput } from '../../client/refusal.ts';
import type { FieldError } from '../../contract/operation.ts';
import { unknownFields } from '../../contract/schema/as-declared.ts';
import { fieldErrors, isOfMissing, words } from '../../contract/schema/hint.ts';
import { type JsonSchema, jsonSchema, wholeSchema } from '../../contract/schema/json-schema.ts';
import { lookAt } from '../../contract/schema/likeness.ts';
import { isRecordId } from '../../contract/schema/scalars.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { plainlyWritten } from '../../domain/json/written-numbers.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import { FileError } from '../../platform/files/files.ts';
import { shellWord } from '../errors/advice.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Flag, Invocation } from '../flags/command.ts';
import { asFlag } from '../flags/field-names.ts';
import { flagsOfAction, listsRecords, positionalFlag, toFlag, wholeFlags } from '../flags/fields.ts';
import { applyFlags, type Draft, readObject, readTexts, readValue, setAt, textFlag } from '../flags/read-flags.ts';
import { kebab } from '../flags/skeleton.ts';
import { readOrders } from '../input/order-file.ts';
import { readWritten, type TextSource, textSource } from '../input/written-values.ts';
import { diagnosticsOf } from '../print/diagnostics.ts';
import { canAsk } from '../session/interaction.ts';
import { askMissing, lacksRequired } from './ask-missing.ts';
import { refuseBlankSelectors } from './blank-selectors.ts';
import { isPreview } from './ports.ts';
import { say } from './texts.ts';

/**
 * The format of the file that a field of records was read from; a document may contain one record instead of a list.
 */
export interface ReadAs {
  readonly format: string;
  readonly isList: boolean;
}

/** The input of an action. */
export interface GivenInput {
  readonly input: Draft;
  readonly readAs: ReadAs | undefined;
  /** What stands in the place of an id and may be another name of its record, which the input does not have yet. */
  readonly called?: Called | undefined;
}

/** A name of a record in the place of its id. */
export interface Called {
  readonly field: string;
  readonly text: string;
}

/** Refuses a flag that only another action of the command has. */
function refuseForeign({ given }: Invocation, action: Action, flags: readonly Flag[]): void {
  const ofList = listsRecords(action) ? [toFlag] : [];
  const own = new Set([...flags, ...ofList, ...wholeFlags].map(({ name }) => name));
  const foreign = Object.keys(given.flags).find((name) => !own.has(name));
  if (foreign === undefined) return;
  const near = nearestName(foreign, [...own]);
  throw new UsageError(
    say().input.foreign({ flag: `--${foreign}`, action: action.id }),
    near === undefined ? {} : { hint: say().input.didYouMean({ flag: `--${near}` }) },
  );
}

/** Validates the input with the action's own check, otherwise with its schema; throws all errors at once. */
export function checked(action: Action, draft: Draft): Draft {
  if (action.check !== undefined) return action.check(draft);
  const read = action.input.safeParse(draft, { error: words });
  const strange = unknownFields(action.input, draft);
  if (!read.success) throw invalidInput([...fieldErrors(read.error), ...strange]);
  if (strange.length > 0) throw invalidInput(strange);
  return read.data;
}

/** The given fields of an input, if one of them replaces the missing ones. */
function partly({ input }: Action, draft: Draft): Draft {
  const read = input.partial().safeParse(draft, { error: words });
  if (!read.success) throw invalidInput(fieldErrors(read.error));
  return read.data;
}

/** The list command that finds a record of the action's group by any of its names; undefined if there is none. */
async function listByName({ words: [group] }: Action, { ui }: Invocation, text: string): Promise<string[]> {
  const actions = await ui.actionsOf(group);
  const list = actions.find(({ words }) => words.length === 2 && words[1] === 'list');
  const matches = text.trim() !== '' && list !== undefined && Object.hasOwn(list.input.shape, 'match');
  return matches ? [say().input.search({ command: `shopctl ${group} list --match ${shellWord(text)}` })] : [];
}

/** A number of so many digits is an id: nobody types one that is anything else without saying so. */
const DIGITS_OF_AN_ID = 17;

/** What stands in the place of an id, where it may be another name of the record; undefined if it is an id. */
function calledOtherwise({ find, positional = [], effect }: Action, invocation: Invocation): Called | undefined {
  const [field] = positional;
  const [text] = invocation.given.arguments;
  if (find === undefined || field === undefined || text === undefined || text.trim() === '') return undefined;
  // A read of a number finds out by itself whether that is an id, and a preview takes it for one.
  const isTaken = effect === 'read' || isPreview(invocation) || text.length >= DIGITS_OF_AN_ID;
  const isId = isRecordId(text) && isTaken;
  return isId ? undefined : { field, text };
}

/** Refuses what cannot be an id in the position of one: people have a code or a phone number at hand. */
async function refuseOtherName(action: Action, invocation: Invocation, schema: JsonSchema): Promise<void> {
  const { positional = [] } = action;
  const texts = invocation.given.arguments;
  const isId = (index: number) => schema.properties?.[positional[index] ?? '']?.format === 'int64';
  const at = texts.findIndex((text, index) => isId(index) && !isRecordId(text));
  const [name, text] = [positional[at], texts[at]];
  if (name === undefined || text === undefined) return;
  const message = say().input.noId;
  const ways = [say().input.digits, ...(at === 0 ? await listByName(action, invocation, text) : [])];
  throw new UsageError(say().input.field({ field: `${name} ${JSON.stringify(text)}`, what: message }), {
    fieldErrors: [{ path: name, message }],
    hint: ways.join('; '),
  });
}

/**
 * Checks what is to be sent to a service as far as it can be here: throws a UsageError for impossible values, and returns
 * what is unusual, a text each, in the words of the flags.
 */
export async function looked(
  action: Action,
  { clock }: Pick<Invocation['context'], 'clock'>,
  input: Draft,
  flags: readonly Flag[] = flagsOfAction(action),
): Promise<readonly string[]> {
  if (!action.needs.includes('key')) return [];
  const schema = jsonSchema(action.input);
  const { errors, notes } = await lookAt(schema, input, {
    today: new Date(clock.now()).toISOString().slice(0, 10),
    places: async () => (await import('../../domain/places/place-data.ts')).locationTree,
  });
  const reported = (seen: readonly FieldError[]) =>
    seen.map(({ path, message }) => say().input.field({ field: asFlag(path, flags), what: message }));
  if (errors.length > 0) throw new UsageError(reported(errors).join('; '), { fieldErrors: errors });
  return reported(notes);
}

/** Whether a field was given that replaces all others; throws a UsageError if any of the others was given too. */
function isReplaced({ hints = {} }: Action, { given }: Invocation, draft: Draft, flags: readonly Flag[]): boolean {
  const [replacing] = Object.entries(hints).find(([name, hint]) => hint?.instead === true && name in draft) ?? [];
  if (replacing === undefined) return false;
  const beside = new Set(
    flags.filter(({ path: [name = ''] = [] }) => hints[name]?.beside === true).map(({ name }) => name),
  );
  // The document itself may be what replaces the rest.
  const isOfDocument = given.flags[kebab(replacing)] === undefined;
  const other = Object.keys(given.flags).find((name) => !beside.has(name) && !(isOfDocument && name === 'input'));
  if (other === undefined) return true;
  throw new UsageError(say().input.replaced({ replacing: `--${kebab(replacing)}`, other: `--${other}` }));
}

/** Errors of the rules between fields for a draft in which only texts are missing, which are assumed to be given. */
function ruleErrors(action: Action, draft: Draft, absent: ReadonlySet<string>): readonly FieldError[] {
  const properties = jsonSchema(action.input).properties ?? {};
  if (action.check === undefined || [...absent].some((path) => properties[path]?.type !== 'string')) return [];
  const filled = Object.fromEntries([...absent].map((path) => [path, properties[path]?.enum?.[0] ?? '1']));
  try {
    action.check({ ...draft, ...filled });
  } catch (error) {
    if (error instanceof RequestError) return error.fieldErrors.filter(({ path }) => !absent.has(path));
    throw error;
  }
  return [];
}

/** Reports everything that is missing at once, a confirmation too, with a hint that names the flags. */
function missing(action: Action, draft: Draft, flags: readonly Flag[], agreed: boolean): Error {
  const read = action.input.safeParse(draft, { error: words });
  const errors = read.success ? [] : fieldErrors(read.error);
  const absent = new Set(errors.filter(isOfMissing).map(({ path }) => path));
  if (action.whole !== true) return invalidInput(errors);
  const all = [...errors, ...(errors.length === absent.size ? ruleErrors(action, draft, absent) : [])];
  const named = flags.filter(({ path }) => absent.has(path?.join('.') ?? '')).map(({ name }) => `--${name}`);
  const needed = agreed ? named : [...named, '--yes'];
  const reported = all.map(({ path, message }) => say().input.field({ field: path, what: message })).join('; ');
  const hint = say().input.give({ flags: needed });
  return new UsageError(agreed ? reported : say().confirm.addYesToo({ fault: reported }), {
    fieldErrors: all,
    hint,
  });
}

/** Like `checked`, without an agreement: an error also says that the confirmation is missing. */
function unagreed(action: Action, draft: Draft): Draft {
  try {
    return checked(action, draft);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const hint = [error.hint, say().confirm.addYes].filter(Boolean).join('; ');
    throw new RequestError(error.operation ?? '', error.fieldErrors, hint);
  }
}

/** Adds the positional arguments to the draft; returns the format of a file that a field was read from. */
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
      refuseBlankSelectors(action, { [name]: text });
      const file = await readOrders(text, source, given.flags.csv === true || /\.csv$/i.test(text));
      setAt(draft, [name], file.orders);
      readAs = { format: file.format === 'document' ? 'json' : file.format, isList: file.isList };
    } else {
      setAt(draft, [name], readTexts(positionalFlag(action, name), texts));
    }
  }
  return readAs;
}

/** Of a file that is not there, which words could have stood in its place. */
function orLiteral(error: unknown, flag: string, words: string): unknown {
  if (!(error instanceof FileError) || error.code !== 'ENOENT') return error;
  return new UsageError(say().input.noFile({ flag, words, path: error.path }), { usage: '' });
}

/** Replaces file names by the files' content, and reads stdin where requested. */
async function readDocuments({ hints, input }: Action, draft: Draft, source: TextSource): Promise<void> {
  const schemaOf = async (name: string): Promise<JsonSchema> =>
    (await wholeSchema(input)).properties?.[name] ?? { type: 'object' };
  for (const [name, hint] of Object.entries(hints ?? {})) {
    const text = draft[name];
    if (hint?.from === 'stdin') setAt(draft, [name], text === true ? await source.stdin() : undefined);
    if (hint?.from === 'rows' && typeof text === 'string')
      setAt(draft, [name], (await readOrders(text, source)).orders);
    if (hint?.from === 'value' && typeof text === 'string') setAt(draft, [name], await readValue(text, source));
    if (hint?.from !== 'document' || typeof text !== 'string' || hint.literal?.form.test(text) === true) continue;
    const object = await readObject(text, source, await schemaOf(name), hint.isLong).catch((error: unknown) => {
      throw hint.literal === undefined ? error : orLiteral(error, `--${kebab(name)}`, hint.literal.names);
    });
    setAt(draft, [name], object);
  }
}

/** Fills the fields that a setting supplies; a name is looked up by whom it is sent to, not among those of the profile. */
export function withSettings(action: Action, { session }: Pick<Invocation, 'session'>, draft: Draft): void {
  for (const [name, hint] of Object.entries(action.hints ?? {})) {
    const inForce = hint?.setting === undefined ? undefined : session.settings[hint.setting];
    if (hint?.setting === undefined || inForce === undefined) continue;
    const value = inForce.written ?? inForce.value;
    if (draft[name] === undefined) setAt(draft, [name], value);
    else if (inForce.origin === 'flag' && draft[name] !== value)
      throw new UsageError(say().input.twoNamed({ flag: `--${kebab(name)}`, other: `--${hint.setting}` }));
  }
}

/** Refuses a flag whose value differs from the positional argument for the same field. */
function refuseOtherThanPlaced({ positional = [] }: Action, { given }: Invocation, placed: Draft, draft: Draft): void {
  const other = positional
    .slice(0, given.arguments.length)
    .find((name) => placed[name] !== undefined && placed[name] !== draft[name]);
  if (other === undefined) return;
  const values = [placed[other], draft[other]].map((value) => JSON.stringify(value));
  throw new UsageError(say().input.twice({ field: other, values }), { hint: say().input.leaveOneOut });
}

/** Refuses a blank name of a file in the flags that every command of a kind has. */
function refuseBlankFiles({ given }: Invocation): void {
  for (const { name } of [toFlag, ...wholeFlags]) {
    const texts = given.flags[name];
    if (!Array.isArray(texts) || texts.every((text) => text.trim() !== '')) continue;
    throw invalidInput([{ path: `--${name}`, message: say().input.emptyOrOut }]);
  }
}

/** The fields whose flags were given without a value, which means something of its own. */
function givenBare({ given }: Invocation, flags: readonly Flag[]): ReadonlySet<string> {
  const bare = flags.filter(({ name, optionalValue }) => optionalValue === true && given.flags[name] === true);
  return new Set(bare.flatMap(({ path = [] }) => path.slice(0, 1)));
}

/** The given input, before checking for missing fields: from `--input`, then positional arguments, then flags. */
export async function readGiven(
  action: Action,
  invocation: Invocation,
  flags: readonly Flag[],
  source: TextSource = textSource(invocation.context),
): Promise<{ readonly draft: Draft; readonly readAs: ReadAs | undefined }> {
  refuseForeign(invocation, action, flags);
  refuseBlankFiles(invocation);
  const file = action.whole === true ? textFlag(invocation, 'input') : undefined;
  const schema = jsonSchema(action.input);
  const document = file === undefined ? {} : await readObject(file, source, schema);
  const draft = { ...(action.readDocument?.(document) ?? document) };
  const readAs = await readPositionals(action, invocation, draft, source);
  const placed = { ...draft };
  await applyFlags(draft, flags, invocation.given.flags, source);
  refuseOtherThanPlaced(action, invocation, placed, draft);
  refuseBlankSelectors(action, draft, givenBare(invocation, flags));
  // JSON in a flag has amounts as text, too.
  return { draft: { ...fieldsIn(readWritten(schema, draft, plainlyWritten)) }, readAs };
}

/** The input of an action: from `--input`, then positional arguments, then flags, then the settings in force. */
export async function readInput(
  action: Action,
  invocation: Invocation,
  flags: readonly Flag[] = flagsOfAction(action),
): Promise<GivenInput> {
  const { context, session } = invocation;
  const source = textSource(context);
  const { draft, readAs } = await readGiven(action, invocation, flags, source);
  await readDocuments(action, draft, source);
  withSettings(action, invocation, draft);
  if (isReplaced(action, invocation, draft, flags)) return { input: partly(action, draft), readAs };
  const schema = jsonSchema(action.input);
  const called = calledOtherwise(action, invocation);
  // Whatever else is wrong is told before anything is looked up.
  if (called !== undefined) setAt(draft, [called.field], '1');
  else await refuseOtherName(action, invocation, schema);
  const asks = canAsk(context, session);
  const agreed = asks || action.destructive !== true || session.globals.yes === true || isPreview(invocation);
  const isMissing = lacksRequired(schema, draft);
  if (isMissing && (!asks || action.suggests !== undefined)) throw missing(action, draft, flags, agreed);
  const whole = isMissing ? await askMissing(context.prompter, schema, draft) : draft;
  const input = agreed ? checked(action, whole) : unagreed(action, whole);
  const notes = await looked(action, context, input, flags);
  if (session.globals.quiet === true) return { input, readAs, called };
  const diagnostics = diagnosticsOf(context);
  for (const message of notes) await diagnostics.warning({ message, about: { code: 'unusual_value' } });
  return { input, readAs, called };
}
