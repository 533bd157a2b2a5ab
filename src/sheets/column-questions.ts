import type { JsonSchema } from '../contract/json-schema.ts';
import { fieldNamed } from './fields.ts';
import { type ColumnMapping, dateLayouts, dayOf } from './mapping.ts';
import type { Cell } from './sheet.ts';
import { readCell } from './values.ts';

/** What of a column nobody but a person can tell. */
export type ColumnQuestion =
  /** Whether its numbers are in the field's own unit, or in another one; `likely` where they look so. */
  | {
      readonly about: 'unit';
      readonly own: string;
      readonly other: NonNullable<ColumnMapping['unit']>;
      readonly likely: boolean;
    }
  /** What a word of it means. */
  | { readonly about: 'word'; readonly word: string; readonly choices: readonly string[] }
  /** In which of these layouts its days are written. */
  | { readonly about: 'dates'; readonly layouts: readonly (typeof dateLayouts)[number][] };

const MOST_WORDS = 12;
/** Whoever ships weighs in grams from here on; below it may be kilograms. */
const SURELY_GRAMS = 50;
const SURELY_CENTIMETRES = 4;
/** No goods cost less, and no parcel collects less, than so many of the currency. */
const SURELY_WHOLE_AMOUNT = 10_000;

const numberOf = (text: string) => Number(text.replace(/\s*(?:kg|g|m|cm|k)$/i, '').replace(',', '.'));

/** The other unit in which the numbers of a field may stand, where they do not rule it out. */
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
  if (schema.unit === 'currency units' && numbers.every((number) => number < SURELY_WHOLE_AMOUNT)) {
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
  if (schema.looks !== 'birthday' || texts.every((text) => /^\d{4}-\d\d-\d\d/.test(text))) return [];
  const layouts = dateLayouts.filter((layout) => texts.every((text) => dayOf(text, layout) !== undefined));
  return layouts.length === 0 ? [] : [{ about: 'dates', layouts }];
}

/** What has to be asked about a column that is to be this field, by what stands in it. */
export function questionsOf(
  schema: JsonSchema,
  mapping: ColumnMapping,
  texts: readonly string[],
): readonly ColumnQuestion[] {
  const field = fieldNamed(schema, mapping.field);
  if (field === undefined || mapping.unit !== undefined) return [];
  return [...unitQuestion(field, texts), ...wordQuestions(field, texts), ...dateQuestion(field, texts)];
}

/** The words of a field with what a person said of those that it does not know: the known ones stay as they are. */
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

/** The different texts of each column, of the first lines of a table. */
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
