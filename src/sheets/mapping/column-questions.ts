import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { AMOUNT_UNIT } from '../../contract/schema/scalars.ts';
import { readAmountText } from '../../domain/amounts/money.ts';
import { fieldNamed } from '../fields.ts';
import type { Cell } from '../formats/sheet.ts';
import { readCell } from '../values.ts';
import { type ColumnMapping, dateLayouts, dayOf } from './mapping.ts';
import { meaningsOf, proposeMapping } from './propose-mapping.ts';

/** A question about a column that only a person can answer. */
export type ColumnQuestion =
  /** Whether its numbers are in the field's own unit or in another one; `likely` if they look like the other. */
  | {
      readonly about: 'unit';
      readonly own: string;
      readonly other: NonNullable<ColumnMapping['unit']>;
      readonly likely: boolean;
    }
  /** What a word in it means. */
  | { readonly about: 'word'; readonly word: string; readonly choices: readonly string[] }
  /** Which of these layouts its dates use. */
  | { readonly about: 'dates'; readonly layouts: readonly (typeof dateLayouts)[number][] };

const MOST_WORDS = 12;
/** At or above this a weight is surely in grams; below it may be in kilograms. */
const SURELY_GRAMS = 50;
const SURELY_CENTIMETRES = 4;
/** Below this a price or an amount to collect is too small to be in whole currency units. */
const SURELY_WHOLE_AMOUNT = 10_000;

const numberOf = (text: string) => Number(text.replace(/\s*(?:kg|g|m|cm|k)$/i, '').replace(',', '.'));

/** The other unit that a field's numbers may be in, unless the numbers rule it out. */
function unitQuestion(
  { schema, path }: { schema: JsonSchema; path: readonly string[] },
  texts: readonly string[],
): ColumnQuestion[] {
  const numbers = texts.map(numberOf).filter((number) => Number.isFinite(number) && number !== 0);
  if (numbers.length === 0) return [];
  const name = path.at(-1) ?? '';
  const isBroken = numbers.some((number) => !Number.isInteger(number));
  const below = (limit: number) => isBroken || numbers.every((number) => number < limit);
  if (name.endsWith('weight') && below(SURELY_GRAMS)) return [{ about: 'unit', own: 'g', other: 'kg', likely: true }];
  if (/^(?:length|width|height)$/.test(name) && below(SURELY_CENTIMETRES))
    return [{ about: 'unit', own: 'cm', other: 'm', likely: true }];
  // "25.000" and "30k" say themselves what they are.
  const amounts = texts.map((text) => readAmountText(text)).flatMap((read) => (read.ok ? [read.amount] : []));
  const isSmall = (number: number) => Math.abs(number) < SURELY_WHOLE_AMOUNT;
  if (schema.unit === 'currency units' && [...numbers, ...amounts].every(isSmall)) {
    return [{ about: 'unit', own: '₫', other: 'thousand', likely: true }];
  }
  return [];
}

/** Words that the field does not understand by itself. */
function wordQuestions(
  { schema, path }: { schema: JsonSchema; path: readonly string[] },
  texts: readonly string[],
): ColumnQuestion[] {
  const choices = schema.type === 'boolean' ? ['yes', 'no'] : (schema.enum ?? []).filter((one) => one !== '');
  if (choices.length === 0) return [];
  const unknown = texts.filter((text) => readCell(text, schema, path.at(-1) ?? '').kind === 'wrong');
  return unknown.slice(0, MOST_WORDS).map((word) => ({ about: 'word', word, choices }));
}

function dateQuestion({ schema }: { schema: JsonSchema }, texts: readonly string[]): ColumnQuestion[] {
  const isOfNow = schema.format === 'date';
  if ((schema.likeness !== 'birthday' && !isOfNow) || texts.every((text) => /^\d{4}-\d\d-\d\d/.test(text))) return [];
  // Nobody knows the century of a birthday with two digits.
  const ways = dateLayouts.filter((layout) => isOfNow || layout.includes('YYYY'));
  // Of layouts that read the same, the one that looks as it is written.
  const isAlike = (layout: string) => texts[0]?.includes(layout.replaceAll(/\w/g, '').charAt(0)) === true;
  const read = new Map<string, (typeof dateLayouts)[number]>();
  for (const layout of [...ways.filter(isAlike), ...ways]) {
    const days = texts.map((text) => dayOf(text, layout));
    const key = days.join();
    if (!days.includes(undefined) && !read.has(key)) read.set(key, layout);
  }
  const layouts = [...read.values()];
  return layouts.length === 0 ? [] : [{ about: 'dates', layouts }];
}

/** The questions to ask about a column that will be this field, judging by its contents. */
export function questionsOf(
  schema: JsonSchema,
  mapping: ColumnMapping,
  texts: readonly string[],
): readonly ColumnQuestion[] {
  const field = fieldNamed(schema, mapping.field);
  if (field === undefined || mapping.unit !== undefined) return [];
  const ofDates = mapping.dates === undefined ? dateQuestion(field, texts) : [];
  return [...unitQuestion(field, texts), ...wordQuestions(field, texts), ...ofDates];
}

/** A field's words, extended by what a person said about unknown ones: known words stay as they are. */
export function wordsWith(
  schema: JsonSchema,
  { field }: ColumnMapping,
  said: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = fieldNamed(schema, field)?.schema;
  const own =
    known?.type === 'boolean'
      ? ['có', 'không', 'yes', 'no', 'x', 'true', 'false']
      : (known?.enum ?? []).filter((one) => one !== '');
  return { ...Object.fromEntries(own.map((word) => [word, word])), ...said };
}

/** The distinct texts of each column, from the first lines of a table. */
export async function textsOf(
  lines: AsyncIterable<{ readonly cells: readonly Cell[] }>,
  columns: number,
  most = 1_000,
): Promise<readonly (readonly string[])[]> {
  const texts = Array.from({ length: columns }, () => new Set<string>());
  let count = 0;
  for await (const { cells } of lines) {
    cells.slice(0, columns).forEach((cell, index) => {
      const text = String(cell ?? '').trim();
      if (text !== '') texts[index]?.add(text);
    });
    count += 1;
    if (count === most) break;
  }
  return texts.map((own) => [...own]);
}

/** Whether a header names an amount of money that a record may have. */
export function isOfMoney(header: string, schema: JsonSchema): boolean {
  const [proposed] = proposeMapping([header], schema);
  const field = proposed?.mapping && fieldNamed(schema, proposed.mapping.field);
  return field?.schema.unit === AMOUNT_UNIT || meaningsOf(header, schema).length > 0;
}
