import { join } from 'node:path';
import * as z from 'zod';
import type { Choice, Person, Ports } from '../../action/ports.ts';
import { labels } from '../../contract/labels.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { readOwn } from '../../domain/json/values.ts';
import { foldedName } from '../../domain/places/place-name.ts';
import { presetOf } from '../../sheets/account/questions.ts';
import { fieldNamed, fieldNames } from '../../sheets/fields.ts';
import { type ColumnQuestion, questionsOf, wordsWith } from '../../sheets/mapping/column-questions.ts';
import { type ColumnMapping, dateLayouts } from '../../sheets/mapping/mapping.ts';
import {
  behindName,
  byUse,
  isRunningNumber,
  meaningsOf,
  otherNamesOf,
  type ProposedColumn,
  proposeMapping,
} from '../../sheets/mapping/propose-mapping.ts';
import { dispatchOf } from '../../sheets/rows/held-back.ts';
import { StateColumn } from '../../sheets/rows/status-rule.ts';
import { say } from '../texts.ts';

/** What was answered about the columns of a sheet before somebody left. */
interface Begun {
  readonly of: { readonly command: string; readonly header: readonly string[] };
  readonly columns: readonly ProposedColumn[];
}

const pathIn = ({ places }: Ports) => join(places.state, 'begun-mapping.json');

/** The columns of this header that were answered before; none if another one was mapped last. */
export async function begunColumns(of: Begun['of'], ports: Ports): Promise<readonly ProposedColumn[]> {
  const stored = await ports.files.read(pathIn(ports)).catch(() => '{}');
  const begun = readOwn<Partial<Begun>>(stored);
  return JSON.stringify(begun.of) === JSON.stringify(of) ? (begun.columns ?? []) : [];
}

/**
 * Runs questions that add each answered column to a list; whoever leaves before the last one answers only the others
 * the next time.
 */
export async function rememberingColumns<Result>(
  of: Begun['of'],
  columns: readonly ProposedColumn[],
  ports: Ports,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await ask();
    await ports.files.remove(pathIn(ports)).catch(() => {});
    return result;
  } catch (error) {
    if (columns.length > 0) {
      const begun: Begun = { of, columns };
      await ports.files.write(pathIn(ports), JSON.stringify(begun), 0o600);
      await ports.person.tell(say().columns.stored({ count: columns.length, all: of.header.length }));
    }
    throw error;
  }
}

const MOST_EXAMPLES = 3;

/** The entry of texts by a name; the name itself where they have none. */
const named = (texts: Readonly<Record<string, string>>, name: string) => texts[name] ?? name;

const examplesOf = (texts: readonly string[]) =>
  texts.length === 0
    ? say().columns.blank
    : texts
        .slice(0, MOST_EXAMPLES)
        .map((text) => JSON.stringify(text.slice(0, 30)))
        .join(', ');

const leaveOut = (): Choice => ({ name: say().columns.leaveOut, value: '' });

const titleOf = (schema: JsonSchema, name: string) => fieldNamed(schema, name)?.schema.title;

/** A field as a person reads it: by the title of its schema, else by what its name is called everywhere. */
export function fieldInWords(schema: JsonSchema, name: string): string {
  const { field, titled } = say().columns;
  const title = titleOf(schema, name);
  if (title !== undefined) return titled({ name, title });
  return field({ name, label: labels().heading(name.split('.').at(-1) ?? name) });
}

/** The fields not assigned yet, filtered by words of their names, Vietnamese or English; common ones come first. */
function fieldsLike(schema: JsonSchema, taken: ReadonlySet<string>): (typed: string) => readonly Choice[] {
  const free = [...new Set(fieldNames(schema))].filter((name) => !taken.has(name)).sort(byUse);
  const words = new Map(
    free.map((name) => [name, ` ${foldedName([name, titleOf(schema, name) ?? '', ...otherNamesOf(name)].join(' '))}`]),
  );
  const titles = new Map(free.map((name) => [name, ` ${foldedName(titleOf(schema, name) ?? '')} `]));
  return (typed) => {
    const wanted = foldedName(typed)
      .split(' ')
      .filter((word) => word !== '');
    const exact = typed.trim().toLowerCase();
    // What is called just so stands first.
    const isCalled = (name: string) => wanted.every((word) => titles.get(name)?.includes(` ${word} `));
    const rank = (name: string) => (name === exact ? 2 : Number(isCalled(name)));
    const fitting = free
      .filter((name) => wanted.every((word) => words.get(name)?.includes(` ${word}`)))
      .sort((one, other) => rank(other) - rank(one));
    const { help } = say().columns;
    const description = (name: string) => help({ text: fieldNamed(schema, name)?.schema.description ?? '' });
    const choices = fitting.map((name) => ({
      name: fieldInWords(schema, name),
      value: name,
      ...(description(name) === '' ? {} : { description: description(name) }),
    }));
    return wanted.length === 0 ? [leaveOut(), ...choices] : [...choices, leaveOut()];
  };
}

/** Asks one question about a column, and returns the resulting mapping. */
async function answered(
  column: string,
  texts: readonly string[],
  mapping: ColumnMapping,
  schema: JsonSchema,
  question: ColumnQuestion,
  person: Person,
): Promise<ColumnMapping> {
  const name = column;
  const asked = say().columns;
  const about = { column, examples: examplesOf(texts) };
  if (question.about === 'unit') {
    const { own, other, likely } = question;
    const choices = [other, own].map((value) => ({ name: named(asked.units, value), value }));
    const unit = await person.ask({
      name,
      message: asked.numbers(about),
      schema: z.string(),
      choices,
      initial: likely ? other : own,
    });
    return unit === other ? { ...mapping, unit: other } : mapping;
  }
  if (question.about === 'dates') {
    const [only] = question.layouts;
    if (question.layouts.length === 1 && only !== undefined) return { ...mapping, dates: only };
    const choices = question.layouts.map((layout) => ({ name: layout, value: layout }));
    const dates = await person.ask({
      name,
      message: asked.dates(about),
      schema: z.enum(dateLayouts),
      choices,
    });
    return { ...mapping, dates };
  }
  const choices = question.choices.map((value) => ({
    name: titleOf(schema, value) === undefined ? value : fieldInWords(schema, value),
    value,
  }));
  // A word of a kind is one of its headers as well.
  const [like] = proposeMapping([question.word], schema);
  const initial = question.choices.find((value) => value === like?.mapping?.field);
  const meant = await person.ask({
    name,
    message: asked.word({ column, word: question.word }),
    schema: z.string(),
    choices,
    ...(initial === undefined ? {} : { initial }),
  });
  return { ...mapping, words: wordsWith(schema, mapping, { ...mapping.words, [question.word]: meant }) };
}

/** Who is asked about columns, and the fields that others are. */
interface Asking {
  readonly schema: JsonSchema;
  readonly person: Person;
}

/** Asks which field a column is; of an amount that may be several, no header tells. Empty for one that is left out. */
function askField(
  column: string,
  texts: readonly string[],
  { schema, person, taken }: Asking & { taken: ReadonlySet<string> },
): Promise<string> {
  const asked = say().columns;
  const about = { column, examples: examplesOf(texts) };
  const meanings = meaningsOf(column, schema).filter((field) => !taken.has(field));
  const how =
    meanings.length === 0
      ? { message: asked.whichField(about), search: fieldsLike(schema, taken) }
      : {
          message: asked.amount(about),
          choices: [...meanings.map((field) => ({ name: named(asked.meanings, field), value: field })), leaveOut()],
        };
  return person.ask({ name: column, schema: z.string(), ...how });
}

const TRAIT_VALUE = 'lines.attributes.value';

/** Asks once where colours, sizes and the like go, if they are in columns of their own. */
async function askTraits(
  proposed: readonly ProposedColumn[],
  { schema, person }: Asking,
): Promise<readonly ProposedColumn[]> {
  const traits = proposed.flatMap(({ column, mapping }) => (mapping === behindName ? [column] : []));
  if (traits.length === 0) return proposed;
  const asked = say().columns;
  const names = { name: asked.behindName, attribute: asked.attribute, '': asked.leaveOut };
  const hasAttributes = fieldNamed(schema, TRAIT_VALUE) !== undefined;
  const places = hasAttributes ? (['name', 'attribute', ''] as const) : (['name', ''] as const);
  const place = await person.ask({
    name: 'traits',
    message: asked.traits({ columns: traits.map((column) => JSON.stringify(column)) }),
    schema: z.enum(places),
    choices: places.map((value) => ({ name: names[value], value })),
  });
  if (place === 'name') return proposed;
  return proposed.map((one) => {
    if (one.mapping !== behindName) return one;
    const join = one.column === traits[0] ? {} : { join: ' / ' };
    return place === '' ? { column: one.column } : { column: one.column, mapping: { field: TRAIT_VALUE, ...join } };
  });
}

const MOST_WORDS = 12;

/** Asks which words of a column of statuses are to be shipped; undefined for any other column. */
async function askStatuses(
  column: string,
  texts: readonly string[],
  { schema, person }: Asking,
): Promise<ProposedColumn['status']> {
  if (fieldNamed(schema, 'lines.product_name') === undefined) return undefined;
  const state = new StateColumn(column, 0);
  for (const text of texts) state.see(text);
  if (!state.isMeant || texts.length === 0) return undefined;
  const status: Record<string, 'ship' | 'skip'> = {};
  for (const word of texts.slice(0, MOST_WORDS)) {
    status[word] = await person.ask({
      name: column,
      message: say().columns.status({ column, word }),
      schema: z.enum(['ship', 'skip']),
      choices: [
        { name: say().columns.shipThem, value: 'ship' },
        { name: say().columns.leaveThemOut, value: 'skip' },
      ],
      initial: presetOf(word) ?? 'skip',
    });
  }
  return status;
}

/** Asks what a filled cell of a column of dispatch means, once a sheet; undefined for any other column. */
async function askTracked(
  column: string,
  texts: readonly string[],
  { schema, person, reported }: Asking & { readonly reported: readonly ProposedColumn[] },
): Promise<ProposedColumn['tracked']> {
  const saysSent = dispatchOf(column);
  const isOfOrders = fieldNamed(schema, 'lines.product_name') !== undefined;
  // One of fees has marks of other kinds at most.
  const isOfFees = saysSent !== undefined && meaningsOf(column, schema).length > 0 && !texts.every(saysSent);
  if (!isOfOrders || saysSent === undefined || isOfFees || !texts.some(saysSent)) return undefined;
  const said = reported.find(({ tracked }) => tracked !== undefined)?.tracked;
  return (
    said ??
    (await person.ask({
      name: column,
      message: say().columns.tracked({ column, examples: examplesOf(texts) }),
      schema: z.enum(['skip', 'ship']),
      choices: [
        { name: say().columns.wasSent, value: 'skip' },
        { name: say().columns.saysNothing, value: 'ship' },
      ],
      initial: 'skip',
    }))
  );
}

/** Asks what one column is, if its header does not tell, and what its cells leave open; undefined if it is left out. */
async function askMapping(
  column: string,
  texts: readonly string[],
  known: ColumnMapping | undefined,
  { schema, person, taken }: Asking & { readonly taken: Set<string> },
): Promise<ColumnMapping | undefined> {
  let mapping = known;
  if (mapping === undefined && column.trim() !== '' && !isRunningNumber(column)) {
    const field = await askField(column, texts, { schema, person, taken });
    if (field !== '') mapping = { field };
    taken.add(field);
  }
  if (mapping === undefined) return undefined;
  for (const question of questionsOf(schema, mapping, texts)) {
    mapping = await answered(column, texts, mapping, schema, question, person);
  }
  return mapping;
}

/** The columns with traits as the first one of them was answered before. */
function withTraitsOf(proposed: readonly ProposedColumn[], before: readonly (ProposedColumn | undefined)[]) {
  const first = proposed.findIndex(({ mapping }, index) => mapping === behindName && before[index] !== undefined);
  const said = before[first]?.mapping;
  return proposed.map((one) => {
    if (one.mapping !== behindName || said?.field === behindName.field) return one;
    return said === undefined
      ? { column: one.column }
      : { column: one.column, mapping: { field: said.field, join: ' / ' } };
  });
}

/** A column as it was answered before; of the words of its cells only new ones are asked about. */
async function askNewWords(one: ProposedColumn, texts: readonly string[], { schema, person }: Asking) {
  let { mapping } = one;
  const questions = mapping === undefined ? [] : questionsOf(schema, mapping, texts);
  for (const question of questions) {
    if (mapping === undefined || question.about !== 'word' || mapping.words?.[question.word] !== undefined) continue;
    mapping = await answered(one.column, texts, mapping, schema, question, person);
  }
  return mapping === undefined ? one : { ...one, mapping };
}

/**
 * Asks a person what the headers do not tell: unknown columns, and ambiguous units, words and dates. Each column is added
 * to `reported`; `before` has those that were answered already, at their places.
 */
export async function askColumns(
  proposed: readonly ProposedColumn[],
  texts: readonly (readonly string[])[],
  { schema, person }: Asking,
  reported: ProposedColumn[] = [],
  before: readonly (ProposedColumn | undefined)[] = [],
): Promise<ProposedColumn[]> {
  const taken = new Set([...proposed, ...before].flatMap((one) => one?.mapping?.field ?? []));
  const isAnswered = proposed.some(({ mapping }, index) => mapping === behindName && before[index] !== undefined);
  const meant = isAnswered ? withTraitsOf(proposed, before) : await askTraits(proposed, { schema, person });
  for (const [index, { column, mapping: known }] of meant.entries()) {
    const own = texts[index] ?? [];
    const earlier = before[index];
    if (earlier !== undefined) {
      reported.push(await askNewWords(earlier, own, { schema, person }));
      continue;
    }
    const asking = { schema, person, taken };
    const tracked = known === undefined ? await askTracked(column, own, { ...asking, reported }) : undefined;
    const isOpen = known === undefined && tracked === undefined;
    const status = isOpen ? await askStatuses(column, own, asking) : undefined;
    const isSaid = tracked !== undefined || status !== undefined;
    const mapping = isSaid ? undefined : await askMapping(column, own, known, asking);
    reported.push({
      column,
      ...(tracked === undefined ? {} : { tracked }),
      ...(mapping === undefined ? {} : { mapping }),
      ...(status === undefined ? {} : { status }),
    });
  }
  return reported;
}

/** The answers about words of a column, each of which can be corrected alone. */
function wordsOf({ column, mapping }: ProposedColumn, texts: readonly string[], schema: JsonSchema) {
  if (mapping === undefined) return [];
  return questionsOf(schema, { field: mapping.field }, texts).flatMap((question) => {
    const meant = question.about === 'word' ? mapping.words?.[question.word] : undefined;
    if (question.about !== 'word' || meant === undefined) return [];
    const { word } = question;
    return [
      {
        question,
        mapping,
        name: say().columns.correctWord({
          column,
          word,
          meant: titleOf(schema, meant) === undefined ? meant : fieldInWords(schema, meant),
        }),
        value: `word ${word}`,
      },
    ];
  });
}

/**
 * Asks whether columns are right, and about the column or the word that is not, whatever its header says; undefined if all are.
 * Whoever corrects an answer need not give the others again.
 */
export async function correctColumn(
  columns: readonly ProposedColumn[],
  texts: readonly (readonly string[])[],
  { schema, person }: Asking,
): Promise<ProposedColumn[] | undefined> {
  const asked = say().columns;
  const corrections = columns.flatMap((one, index) => {
    const { column, mapping } = one;
    const of = (value: string) => `${index} ${value}`.trim();
    const name =
      mapping === undefined
        ? asked.correctLeftOut({ column })
        : asked.correctReadAs({ column, field: fieldInWords(schema, mapping.field) });
    const words = wordsOf(one, texts[index] ?? [], schema);
    const choices = [{ name, value: '', word: undefined }, ...words.map((word) => ({ ...word, word }))];
    return choices.map(({ name, value, word }) => ({ name, value: of(value), index, one, word }));
  });
  const chosen = await person.ask({
    name: 'columns',
    message: asked.areRight,
    schema: z.string(),
    choices: [{ name: asked.allRight, value: '' }, ...corrections.map(({ name, value }) => ({ name, value }))],
  });
  const wrong = corrections.find(({ value }) => value === chosen);
  if (wrong === undefined) return undefined;
  const { index, word, one } = wrong;
  const own = texts[index] ?? [];
  if (word !== undefined) {
    const mapping = await answered(one.column, own, word.mapping, schema, word.question, person);
    return columns.with(index, { ...one, mapping });
  }
  const taken = new Set(columns.flatMap(({ mapping }, at) => (at === index ? [] : (mapping?.field ?? []))));
  const mapping = await askMapping(one.column, own, undefined, { schema, person, taken });
  return columns.with(index, { column: one.column, ...(mapping === undefined ? {} : { mapping }) });
}
