import type { Action } from '../action/action.ts';
import { consequencesOf } from '../action/effects.ts';
import { invalidInput, Refusal } from '../client/refusal.ts';
import { findOperation } from '../contract/areas.ts';
import type { Hint } from '../contract/schema/hint.ts';
import { type JsonSchema, jsonSchema, wholeSchema } from '../contract/schema/json-schema.ts';
import { type Fields, isRecord } from '../domain/json/values.ts';
import { nearestName } from '../domain/nearest-name.ts';
import { foldedName } from '../domain/places/place-name.ts';
import { jsonSafe } from '../platform/terminal/text-safety.ts';

const CUT = '…';
/** The longest text of a record that is passed on, in characters. */
const MOST_TEXT = 1_000;
/** The longest sentence of an error. */
const MOST_SENTENCE = 400;

const email = /[\p{L}\p{N}._%+-]+@([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/gu;
/** A number as it is dialled, with whatever separates its digits. */
const phone = /(?<![\p{L}\p{N}_])(?:\+\p{Nd}|0|84)(?:[ .()-]{0,2}\p{Nd}){8,14}(?![\p{L}\p{N}_])/gu;
const ofPhone = /phone|mobile|hotline|fax|(?:^|_)tel(?:_|$)/i;
/** Names of fields whose digits name a record, and nobody. */
const ofName = /(?:^|_)(?:ids?|codes?|cursor)$/i;

const lastDigits = (text: string) => {
  const digits = text.match(/\p{Nd}/gu) ?? [];
  return digits.length === 0 ? text : `***${digits.slice(-3).join('')}`;
};

/** A text in which phone numbers keep their last three digits, and e-mail addresses their domain. */
export const maskedText = (text: string): string => text.replace(email, '***@$1').replace(phone, lastDigits);

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most).trimEnd()}${CUT}`);

/** A sentence that may repeat what somebody wrote: masked, and cut to size. */
export const maskedSentence = (text: string, isMasked: boolean): string =>
  cut(isMasked ? maskedText(text) : text, MOST_SENTENCE);

function maskedField(name: string, text: string): string {
  if (ofPhone.test(name)) return lastDigits(text.replace(email, '***@$1'));
  return ofName.test(name) ? text.replace(email, '***@$1') : maskedText(text);
}

/** A value of a record as an agent gets it: masked where asked for, and its texts cut to size. */
export function maskedValue(value: unknown, isMasked: boolean, name = ''): unknown {
  if (typeof value === 'string') return cut(isMasked ? maskedField(name, value) : value, MOST_TEXT);
  if (typeof value === 'number' && isMasked && ofPhone.test(name)) return lastDigits(String(value));
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, isMasked, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskedValue(item, isMasked, key)]));
}

/** The JSON of a result; what a terminal or a reader would not show is escaped. */
export const jsonOf = (value: unknown): string => jsonSafe(JSON.stringify(value));

/** What of all actions agents may use. */
export interface ClosedSet {
  readonly actions: readonly Action[];
  /** Whether personal data are shown. */
  readonly isPersonal: boolean;
}

/** The command of an action, without the program's name. */
export const commandOf = ({ words }: Pick<Action, 'words'>): string => words.join(' ');

/** What an agent does with an action; undefined if nothing. */
export function useOf({ agents = 'none' }: Action, { isPersonal }: Pick<ClosedSet, 'isPersonal'>) {
  if (agents === 'read-personal') return isPersonal ? 'read' : undefined;
  return agents === 'none' ? undefined : agents;
}

/** The action of a command that agents may use. Throws a Refusal otherwise. */
export function actionCalled(command: string, use: 'read' | 'plan' | undefined, set: ClosedSet): Action {
  const words = command
    .trim()
    .replace(/^shopctl\s+/, '')
    .replaceAll(/\s+/g, ' ');
  const found = set.actions.find((action) => commandOf(action) === words);
  const own = found === undefined ? undefined : useOf(found, set);
  if (found !== undefined && own !== undefined && (use === undefined || own === use)) return found;
  if (own !== undefined) {
    const message = own === 'plan' ? 'it changes something: plan it, then apply the plan' : 'it only reads: use read';
    throw new Refusal('tool_wrong', message);
  }
  if (found !== undefined)
    throw new Refusal('command_not_offered', 'agents cannot use this command; the user can run it', { kind: 'policy' });
  const names = set.actions.filter((action) => useOf(action, set) !== undefined).map(commandOf);
  const near = nearestName(words, names);
  const hint = near === undefined ? ': find names those that fit a task' : `; did you mean ${near}?`;
  throw new Refusal('no_such_command', `there is no command of that name${hint}`);
}

/** Whether a field names a file, a url or a program, or is no part of an input. */
function isHidden({ page, placeholder = '', from, hidden, aside }: Hint): boolean {
  const isOfMachine = page === 'upload' || page === 'never' || (typeof page === 'object' && 'download' in page);
  const isPath = from === 'path' && /FILE|DIR|PATH|URL|PROGRAM|PLAN/.test(placeholder);
  return isOfMachine || isPath || from === 'stdin' || hidden === true || aside === true;
}

function hintOf({ hints }: Action, name: string): Hint {
  const known: Readonly<Record<string, Hint | undefined>> = hints ?? {};
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? {};
}

/** Throws a Refusal for an input that gives what agents are never offered. */
export function refuseHidden(action: Action, input: Fields): void {
  const given = Object.keys(input).filter((name) => isHidden(hintOf(action, name)));
  if (given.length > 0) throw invalidInput(given.map((path) => ({ path, message: 'cannot be given here' })));
}

/** The field that holds the whole request of an action, such as the order of a parcel; undefined if the input is that. */
export const documentField = (action: Action): string | undefined =>
  Object.keys(action.input.shape).find((name) => hintOf(action, name).from === 'document');

/** The input of an action for an agent: for one that is planned, of one row. */
async function inputSchema(action: Action, use: 'read' | 'plan'): Promise<JsonSchema> {
  const field = use === 'plan' ? documentField(action) : undefined;
  const { shape } = action.input;
  if (field !== undefined && shape[field] !== undefined) return wholeSchema(shape[field]);
  const schema = jsonSchema(action.input);
  const isOwn = (name: string) => !isHidden(hintOf(action, name)) && !(use === 'plan' && hintOf(action, name).beside);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => isOwn(name));
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: (schema.required ?? []).filter(isOwn),
  };
}

/** A schema in fewer words: without descriptions below a depth, and without fields below another. */
function shorter(schema: JsonSchema, described: number, shown: number): Fields {
  const { description, properties, items, required, type, unit, format, additionalProperties } = schema;
  const values = schema.enum ?? schema.examples;
  const inner = Object.entries(properties ?? {}).map(([name, field]) => [
    name,
    shorter(field, described - 1, shown - 1),
  ]);
  return {
    type,
    ...(described > 0 && description !== undefined ? { description } : {}),
    ...(unit === undefined ? {} : { unit }),
    ...(format === undefined ? {} : { format }),
    ...(values === undefined || values.length > 40
      ? {}
      : { [schema.enum === undefined ? 'examples' : 'enum']: values }),
    ...(properties === undefined || shown <= 0 ? {} : { properties: Object.fromEntries(inner) }),
    ...(required === undefined || required.length === 0 || shown <= 0 ? {} : { required }),
    ...(items === undefined ? {} : { items: shorter(items, described, shown) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: true }),
  };
}

/** A value that a schema takes, with what it requires. */
function exampleOf(schema: JsonSchema): unknown {
  const { type, format, properties = {}, required = [], items } = schema;
  const [known] = schema.enum ?? schema.examples ?? [];
  if (known !== undefined) return known;
  if (format === 'int64') return '1234567890123456789';
  if (format === 'date-time') return '2026-01-31T08:00:00Z';
  if (type === 'array') return items === undefined ? [] : [exampleOf(items)];
  if (type === 'object')
    return Object.fromEntries(
      required.flatMap((name) => (properties[name] ? [[name, exampleOf(properties[name])]] : [])),
    );
  return type === 'boolean' ? true : type === 'string' ? 'text' : 1;
}

/** The most of a description, in characters: 2,000 tokens. */
const MOST_DESCRIPTION = 7_600;
/** How a schema is said, the fullest first: depth of descriptions, depth of fields. */
const fits: readonly (readonly [number, number])[] = [
  [9, 9],
  [3, 9],
  [2, 9],
  [1, 9],
  [1, 3],
  [1, 2],
  [0, 2],
  [0, 1],
];

const isShort = (value: unknown) => jsonOf(value).length <= MOST_DESCRIPTION;

/** What of a plan's options there is, by the action that plans rows. */
export const planOptions = ['pick', 'carrier', 'by', 'max_fee', 'max_total', 'blank', 'equal_rows'] as const;

function optionsSchema(planner: Action): Fields {
  const { properties = {} } = jsonSchema(planner.input);
  return Object.fromEntries(
    planOptions.flatMap((name) => (properties[name] ? [[name, shorter(properties[name], 1, 1)]] : [])),
  );
}

/** A command as an agent reads it: input, effect and an example, and what it answers where that is asked for. */
export async function described(
  command: string,
  set: ClosedSet,
  { planner, hasOutput }: { readonly planner: Action; readonly hasOutput: boolean },
): Promise<Fields> {
  const action = actionCalled(command, undefined, set);
  const use = useOf(action, set) ?? 'read';
  const operations = await Promise.all((action.operations ?? []).map(findOperation));
  const { effect, effects, undo, why_not } = consequencesOf(
    [action],
    operations.flatMap((operation) => operation ?? []),
  );
  const input = await inputSchema(action, use);
  const { summary, description = '' } = action;
  const base = { command: commandOf(action), tool: use, summary, effect, effects, undo, why_not };
  const example = {
    command: commandOf(action),
    [use === 'plan' ? 'rows' : 'input']: use === 'plan' ? [exampleOf(input)] : exampleOf(input),
  };
  if (hasOutput) {
    const answered = jsonSchema(action.output);
    const outputs = fits.map(([words, depth]) => ({ ...base, output: shorter(answered, words, depth) }));
    return outputs.find(isShort) ?? base;
  }
  const options = use === 'plan' && documentField(action) !== undefined ? { options: optionsSchema(planner) } : {};
  const named = use === 'plan' ? 'row' : 'input';
  const texts = fits.flatMap(([words, depth]) =>
    [description.slice(0, 1_200), ''].map((about) => ({
      ...base,
      ...(about === '' ? {} : { description: about }),
      [named]: shorter(input, words, depth),
      ...options,
      example,
    })),
  );
  return texts.find(isShort) ?? { ...base, example };
}

/** The most commands that a search answers. */
const MOST_FOUND = 12;

/** The commands that fit a text best, with one line each. */
export function foundCommands(text: string, set: ClosedSet): Fields[] {
  const query = foldedName(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
  const weigh = (where: string, weight: number) => {
    const folded = foldedName(where);
    return query.reduce((sum, word) => sum + (folded.includes(word.replace(/s$/, '')) ? weight : 0), 0);
  };
  const rated = set.actions.flatMap((action) => {
    const use = useOf(action, set);
    if (use === undefined) return [];
    const { summary, description = '' } = action;
    const exact = query.filter((word) => action.words.includes(word)).length;
    const score = exact * 6 + weigh(commandOf(action), 6) + weigh(summary, 3) + weigh(description, 1);
    return score > 0 || query.length === 0
      ? [{ score, shown: { command: commandOf(action), tool: use, summary } }]
      : [];
  });
  return rated
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ shown }) => shown);
}
