import * as z from 'zod';
import { words as wordsOf } from '../../contract/schema/hint.ts';
import { amountWithUnit } from '../../domain/amounts/money.ts';
import { gramsIn } from '../../domain/amounts/weight.ts';
import { isRecord } from '../../domain/json/values.ts';
import type { Answers } from '../account/questions.ts';
import { type Cell, SheetError } from '../formats/sheet.ts';
import { shownNumber } from '../ruined-number.ts';
import { normalForm } from '../service/layout.ts';
import { say } from '../texts.ts';
import type { Statuses } from './export-statuses.ts';

/**
 * The units that a column may have in place of the contract's: kilograms for grams, thousands for amounts, metres for
 * centimetres.
 */
const factors = { kg: 1000, thousand: 1000, m: 100 } as const;

/** The layouts in which people write dates. */
export const dateLayouts = [
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'YYYY-MM-DD',
  'DD-MM-YYYY',
  'DD.MM.YYYY',
  'DD/MM/YY',
  'MM/DD/YY',
  'MM-DD-YYYY',
  'DD-MM-YY',
  'MM-DD-YY',
] as const;

/** How one column is written in a mapping. */
export const columnMapping = z.strictObject({
  field: z.string().min(1),
  unit: z.enum(['kg', 'thousand', 'm']).optional(),
  words: z.record(z.string(), z.string()).optional(),
  dates: z.enum(dateLayouts).optional(),
  /** Put between the text of an earlier column of the same field and this one's. */
  join: z.string().optional(),
  /** Divides a cell: what is before it belongs to the field, the rest to another one. */
  between: z.string().min(1).optional(),
  rest: z.string().min(1).optional(),
  /** The words of other columns in whose lines it is read; in any other line it is `otherwise`. */
  when: z
    .record(
      z.string(),
      z.union([z.string().transform((word) => [word]), z.array(z.string())], {
        error: () => say().mapping.words,
      }),
    )
    .optional(),
  otherwise: z
    .union([z.string(), z.number().transform(String)], { error: () => say().mapping.textOrNumber })
    .optional(),
});

const readOrSkip = z.enum(['read', 'skip']).optional();
const shipOrSkip = z.enum(['ship', 'skip']);

/** The answers to questions about files with these columns, as a mapping keeps them. */
const answersShape = {
  sheet: z.string().min(1).optional(),
  all_sheets: z.boolean().optional(),
  hidden_rows: readOrSkip,
  struck_rows: readOrSkip,
  equal_rows: z.enum(['once', 'each']).optional(),
  line_cash: z.enum(['once', 'each']).optional(),
  same_recipient: z.enum(['one', 'each']).optional(),
  blank_cash: z.enum(['total', 'zero']).optional(),
  pieces: z.enum(['quantity', 'ask']).optional(),
  status: z.record(z.string(), shipOrSkip).optional(),
  tracked: shipOrSkip.optional(),
  payment: z.record(z.string(), z.enum(['cash', 'paid'])).optional(),
  unit: z.enum(['thousand', 'one']).optional(),
  new_wards: z.enum(['ask', 'same-name']).optional(),
  // What is sent again is said each time anew.
  resend_ended: z.record(z.string(), z.literal('skip')).optional(),
  ignore_columns: z.array(z.string()).optional(),
};

const mappingSchema = z.strictObject({
  command: z.string().min(1).optional(),
  columns: z.record(z.string(), z.union([z.string().min(1), columnMapping, z.null()])).default({}),
  constants: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  leave_out: z.record(z.string(), z.array(z.string())).default({}),
  ...answersShape,
});

const keptAnswers = z.object(answersShape);

/** How one column is read: its dotted field, and how its cells are converted to the field's values. */
export type ColumnMapping = z.output<typeof columnMapping>;

/** How the columns of a third-party sheet are read; null ignores a column. */
export interface Mapping {
  /** The command it was made for, in words. */
  readonly command?: string | undefined;
  /** By column name, as in the header. */
  readonly columns: Readonly<Record<string, ColumnMapping | null>>;
  /** Fields that are the same for every row, dotted. */
  readonly constants: Readonly<Record<string, string | number | boolean>>;
  /** Lines that are left out: those with one of these words in the column. */
  readonly leaveOut?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The closed lists of words by which the lines of an export are sent, asked about or left out. */
  readonly statuses?: Statuses | undefined;
  /** What was answered about such files before. */
  readonly answers?: Answers | undefined;
}

/** What is wrong with a value of several forms: with that of the one that it is nearest to, in place of "Invalid input". */
function explained(issue: z.core.$ZodIssue): readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[] {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return [issue];
  const within = issue.errors.find((errors) =>
    errors.some(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  );
  return within === undefined
    ? [{ path: issue.path, message: say().mapping.field }]
    : within.flatMap((one) => explained({ ...one, path: [...issue.path, ...one.path] }));
}

/** What is wrong with a mapping, in the words of requests. */
const mappingWords: z.core.$ZodErrorMap = (issue) => {
  // What is wrong with the form that it is nearest to says it.
  if (issue.code === 'invalid_union') return undefined;
  if (issue.code === 'unrecognized_keys') return say().mapping.unknownKeys({ keys: issue.keys });
  return issue.code === 'too_small' ? say().mapping.empty : wordsOf(issue);
};

/** A value with its texts and names in composed form (NFC), in which headers are compared. */
function composed(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (Array.isArray(value)) return value.map(composed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.normalize('NFC'), composed(inner)]));
}

/** Checks a mapping that was parsed from YAML. Throws a SheetError that names what is wrong with it. */
export function mappingOf(value: unknown, name: string): Mapping {
  const parsed = mappingSchema.safeParse(composed(value ?? {}), { error: mappingWords });
  if (!parsed.success) {
    const reported = parsed.error.issues.flatMap(explained).map(({ path, message }) => {
      if (path.length === 0) return say().mapping.faultOfFile({ message });
      return say().mapping.fault({ path: path.join('.'), message });
    });
    throw new SheetError(say().mapping.none({ name, faults: reported }), { hint: say().mapping.hint });
  }
  const { command, columns, constants, leave_out: leaveOut } = parsed.data;
  const entries = Object.entries(columns).map(
    ([column, to]) => [column, typeof to === 'string' ? { field: to } : to] as const,
  );
  const answers: Answers = keptAnswers.parse(parsed.data);
  const kept = Object.keys(answers).length === 0 ? {} : { answers };
  return { command, columns: Object.fromEntries(entries), constants, leaveOut, ...kept };
}

/** A mapping as it is written to a file: just the field name if there is nothing else to say about a column. */
export function mappingContent({ command, columns, constants, leaveOut = {}, answers = {} }: Mapping): object {
  const short = Object.entries(columns).map(([column, to]) => {
    const rest = to === null ? [] : Object.entries(to).filter(([key, value]) => key !== 'field' && value !== undefined);
    return [column, to === null || rest.length > 0 ? to : to.field] as const;
  });
  return {
    ...(command === undefined ? {} : { command }),
    columns: Object.fromEntries(short),
    ...(Object.keys(constants).length === 0 ? {} : { constants }),
    ...(Object.keys(leaveOut).length === 0 ? {} : { leave_out: leaveOut }),
    ...answers,
  };
}

/** The result of mapping a cell, or why it cannot be mapped. */
export type MappedCell =
  | { readonly ok: true; readonly cell: Cell; readonly note?: string }
  | { readonly ok: false; readonly message: string };

/** Stands in `words` for every word that is not named. */
const ANY_WORD = '*';

const DECIMAL = /^(-?)(\d{1,15})(?:[.,](\d{1,9}))?$/;

/** The base unit of the fields that each unit is converted to. */
const counted = { kg: 'g', m: 'cm', thousand: 'currency units' } as const;

/** How each unit is written behind a number: 1.2m may be metres, and in thousands of an amount it is a million. */
const suffixes = { kg: /\s*kg$/i, m: /\s*m$/i, thousand: /\s*k$/i } as const;

/** What a unit that is written behind a number counts, in the base unit of its field, as a decimal factor. */
const written: Readonly<Record<'kg' | 'm', Readonly<Record<string, readonly [by: number, per: number]>>>> = {
  kg: {
    g: [1, 1],
    gr: [1, 1],
    gram: [1, 1],
    grams: [1, 1],
    kg: [1_000, 1],
    kgs: [1_000, 1],
    ký: [1_000, 1],
    kí: [1_000, 1],
  },
  m: { mm: [1, 10], cm: [1, 1], m: [100, 1] },
};

/** A number with its own unit, in the base unit of a field: "300g" is 300 g, whatever the column is in; undefined without one. */
function inOwnUnit(text: string, unit: 'kg' | 'm'): string | undefined {
  const [, number = '', name = ''] = /^([\d.,]+)\s*(\p{L}+)\.?$/u.exec(text.normalize('NFC').toLowerCase()) ?? [];
  const [by, per] = Object.hasOwn(written[unit], name) ? (written[unit][name] ?? []) : [];
  if (by === undefined || per === undefined) return undefined;
  const base = scaled(number, by);
  return base === undefined || Number(base) % per !== 0 ? undefined : String(Number(base) / per);
}

/** From here on a number of thousands may be an amount with all its digits: 30000 is 30,000 or 30,000,000. */
const LEAST_DOUBTED = 10_000;
/** No amount with all its digits is larger, in thousands: 100,000. */
const MOST_THOUSANDS = 100_000;
/** No parcel is as heavy, in kilograms, or as long, in metres, unless its unit is beside the number. */
const mostMeant = { kg: 100, m: 10 } as const;

/** Why the number of a cell without its own unit may be one of the field's unit; undefined for one that is surely the column's. */
function twoUnits(number: string, unit: keyof typeof counted): string | undefined {
  const written = Math.abs(Number(number)) / factors[unit];
  if (unit !== 'thousand') {
    if (written < mostMeant[unit]) return undefined;
    return say().cell.twoWeights({ number: written, base: counted[unit], unit });
  }
  if (written < LEAST_DOUBTED || (written % 500 !== 0 && written < MOST_THOUSANDS)) return undefined;
  return say().cell.twoAmounts({ one: Math.trunc(written), other: written * factors.thousand });
}

/** Why a cell cannot be converted to its field's unit. */
function notScaled(text: string, unit: keyof typeof counted): string {
  const isNumber = DECIMAL.test(text);
  if (unit === 'thousand') return isNumber ? say().cell.notWholeAmount : say().cell.numberOfThousands;
  return isNumber ? say().cell.notWholeOf({ base: counted[unit] }) : say().cell.numberOf({ unit });
}

/** A decimal multiplied by a power of ten, without rounding: "1,25" kg is "1250". */
function scaled(text: string, factor: number): string | undefined {
  const [, sign = '', whole, decimals = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(whole + decimals) * BigInt(factor);
  const scale = 10n ** BigInt(decimals.length);
  return digits % scale === 0n ? `${sign}${digits / scale}` : undefined;
}

const parts: Readonly<Record<string, 'day' | 'month' | 'year'>> = { D: 'day', M: 'month', Y: 'year' };

/**
 * A date in a layout such as DD/MM/YYYY, as 2026-11-21; undefined if it is not a date. A year of two digits (YY) is one
 * of this century.
 */
export function dayOf(text: string, layout: string): string | undefined {
  const order = [...layout.matchAll(/D+|M+|Y+/g)].map(([run]) => parts[run.charAt(0)]);
  const numbers = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})$/.exec(text)?.slice(1).map(Number);
  if (numbers === undefined) return undefined;
  const [written = 0, month = 0, day = 0] = (['year', 'month', 'day'] as const).map(
    (part) => numbers[order.indexOf(part)],
  );
  const isShort = !layout.includes('YYYY');
  if (isShort && written > 99) return undefined;
  const year = isShort ? 2000 + written : written;
  const date = new Date(Date.UTC(year, month - 1, day));
  const same = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return same && year >= 1000 ? date.toISOString().slice(0, 10) : undefined;
}

/** Converts a cell for its field: first by words, then by unit, then by date layout. */
export function mappedCell(cell: Cell, { field, unit, words, dates }: ColumnMapping): MappedCell {
  const text = String(cell ?? '').trim();
  if (text === '') return { ok: true, cell };
  if (words !== undefined) {
    const [own, all] = [normalForm(text), Object.keys(words)];
    const exact = all.find((one) => one.normalize('NFC').toLowerCase() === text.normalize('NFC').toLowerCase());
    const word = exact ?? all.find((one) => own !== '' && normalForm(one) === own);
    const known = words[word ?? ''];
    if (known !== undefined) return { ok: true, cell: known };
    const meant = words[ANY_WORD];
    if (meant !== undefined) return { ok: true, cell: meant, note: say().cell.readAsText({ text: meant }) };
    if (unit === undefined && dates === undefined) {
      return { ok: false, message: say().cell.oneOf({ values: Object.keys(words) }) };
    }
  }
  const weight = /(?:^|\.)(?:gross|chargeable)_weight$/.test(field);
  const grams = weight ? gramsIn(text) : undefined;
  if (grams !== undefined) return { ok: true, cell: grams, note: say().cell.readAsAmount({ amount: grams }) };
  if (unit !== undefined) {
    // 1tr2 says its own unit, whatever that of the column is.
    const own = unit === 'thousand' ? amountWithUnit(text) : undefined;
    if (own !== undefined) return { ok: true, cell: own, note: say().cell.readAsAmount({ amount: own }) };
    const meant = unit === 'thousand' ? undefined : inOwnUnit(text, unit);
    if (meant !== undefined) return { ok: true, cell: meant };
    const bare = typeof cell === 'number' ? String(shownNumber(cell)) : text.replace(suffixes[unit], '');
    // 1.200 thousand may be 1.2 thousand or 1,200 thousand.
    const isDoubtful = unit === 'thousand' && /[.,]\d{3}$/.test(bare);
    const number = isDoubtful ? undefined : scaled(bare, factors[unit]);
    if (number === undefined) return { ok: false, message: isDoubtful ? say().cell.doubtful : notScaled(bare, unit) };
    const doubt = suffixes[unit].test(text) ? undefined : twoUnits(number, unit);
    return doubt === undefined ? { ok: true, cell: number } : { ok: false, message: doubt };
  }
  const own = weight
    ? inOwnUnit(text, 'kg')
    : /(?:^|\.)(?:length|width|height)$/.test(field)
      ? inOwnUnit(text, 'm')
      : undefined;
  if (own !== undefined) return { ok: true, cell: own };
  if (dates !== undefined) {
    // A spreadsheet returns its date cells in this layout.
    const day = /^\d{4}-\d\d-\d\d/.test(text) ? dayOf(text.slice(0, 10), 'YYYY-MM-DD') : dayOf(text, dates);
    return day === undefined ? { ok: false, message: say().cell.dayLike({ layout: dates }) } : { ok: true, cell: day };
  }
  return { ok: true, cell };
}
