import { grouped } from '../language.ts';
import { say } from '../texts.ts';
import { readAmount } from './weight.ts';

/** The smallest number with two groups. */
const SHORTEST_GROUPED = 1000;

/**
 * Formats an integer amount with thousands separators: 1380000 → "1,380,000", in Vietnamese "1.380.000". No symbol and no decimal point, since the
 * contract names no currency (Resources, Conventions). Throws AmountError (field `amount`) for anything inexact.
 */
export function formatMoney(amount: number): string {
  if (Number.isInteger(amount) && Math.abs(amount) < SHORTEST_GROUPED) return String(amount === 0 ? 0 : amount);
  return grouped(readAmount(amount, 'amount'));
}

/** An amount parsed from text, or why it cannot be parsed unambiguously; the message follows the field's name. */
export type AmountReading =
  | { readonly ok: true; readonly amount: number; readonly note?: string }
  | { readonly ok: false; readonly message: string };

/** Longer than any amount, separators included. */
const LONGEST_TEXT = 64;

/**
 * Currency symbols people write beside an amount; there is only one, implied currency, so they are ignored (decisions,
 * section 1).
 */
const CURRENCY = /^(?:(?:vnđ|vnd|₫|đ)\s*)?(.*?)(?:\s*(?:vnđ|vnd|₫|đồng|đ))?$/u;

/** Thousands in groups of three, always with the same separator: 1.350.000, 1,350,000, 1 350 000, 1'350'000. */
const GROUPED = /^[1-9]\d{0,2}(?:([., '’])\d{3})(?:\1\d{3})*$/u;

/** Zero decimal places, as spreadsheets add them: 1350000.00, 1.350.000,0. */
const EMPTY_DECIMALS = /^(.*\d)([.,])0{1,2}$/u;

const THOUSANDS = /^(\d{1,9})(?:[.,](\d))?\s*(?:k|ng|ngàn|ngan|nghìn|nghin)$/u;
const MILLIONS = /^(\d{1,6})(?:[.,](\d{1,2}))?\s*(?:triệu|trieu|tr)(\d{1,3})?$/u;

/** The amount of a text in thousands or millions, such as 450k, 85.5k, 1tr2 and 1,2 triệu; undefined for any other. */
export function amountWithUnit(written: string): number | undefined {
  const text = written.normalize('NFC').toLowerCase();
  const [, thousands, hundreds = 0] = THOUSANDS.exec(text) ?? [];
  if (thousands !== undefined) return Number(thousands) * 1_000 + Number(hundreds) * 100;
  const [, millions, decimals, rest] = MILLIONS.exec(text) ?? [];
  if (millions === undefined || (decimals !== undefined && rest !== undefined)) return undefined;
  return Number(millions) * 1_000_000 + Number((decimals ?? rest ?? '').padEnd(6, '0'));
}

/** What says of a fee that there is none, behind its 0 or alone: free, 0đ (freeship), miễn phí. */
const FREE =
  /^(?:0+\s*(?:vnđ|vnd|₫|đ|d|k)?\s*)?\(?\s*(?:free(?: ?ship)?|(?:miễn|mien)(?: (?:phí|phi))?(?: (?:ship|giao hàng|giao hang|vận chuyển|van chuyen))?)\s*\)?$/iu;

/** Whether a text says of a fee that there is none. */
export const isFree = (text: string): boolean => FREE.test(text.normalize('NFC').replaceAll(/\s+/g, ' '));

/** Strips zero decimal places, unless their separator also separates the groups: then a digit may be missing. */
function withoutEmptyDecimals(text: string): string {
  const [, whole = text, mark] = EMPTY_DECIMALS.exec(text) ?? [];
  return mark !== undefined && whole.includes(mark) ? text : whole;
}

/** Why a text is refused, for a person who has to write it again. */
function doubt(text: string): string {
  const texts = say().amount;
  if (text === '') return texts.empty;
  if (/^[+-]?[\d.,]+e[+-]?\d+$/.test(text)) return texts.lostDigits;
  if (/^[-\d.,]+\s*%$/.test(text)) return texts.percentage;
  if (/\d\s*(?:k|tr|triệu|nghìn|ngàn|tỷ|tỉ|m)\d*$/u.test(text)) return texts.allDigits;
  if (!/^[-\d., '’]*$/u.test(text) || !/\d/.test(text)) return texts.none;
  return texts.unclear;
}

/** Whether a message says how an amount is written. */
export const saysHowToWrite = (message: string): boolean =>
  Object.values(say().amount).some((text) => message.includes(text));

/**
 * What a number may be whose decimals could be thousands, such as 12.345 or 350.000: it is never guessed. Undefined for any
 * other number.
 */
export function decimalsOrThousands(written: string): { readonly whole: number; readonly broken: number } | undefined {
  if (!/^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(written)) return undefined;
  return { whole: Number(written.replace('.', '')), broken: Number(written) };
}

/**
 * Parses an amount of money as people write it: digits, or groups of three with one consistent separator, with or
 * without the currency symbol, or in thousands and millions (450k, 1tr2, 1,2 triệu), which `note` reports. Anything that
 * could mean two amounts is refused: "1.35", "1350.000", "1.350,5", "1 triệu rưỡi".
 */
export function readAmountText(text: string): AmountReading {
  const bare = text
    .slice(0, LONGEST_TEXT + 1)
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
  const [, written = ''] = CURRENCY.exec(bare) ?? [];
  const unsigned = written.startsWith('-') ? written.slice(1) : written;
  const scaled = amountWithUnit(unsigned);
  if (scaled !== undefined) {
    const amount = unsigned === written ? scaled : -scaled;
    return { ok: true, amount, note: say().readAsAmount({ amount }) };
  }
  const whole = withoutEmptyDecimals(unsigned);
  if (bare.length > LONGEST_TEXT || !(/^\d+$/.test(whole) || GROUPED.test(whole))) {
    return { ok: false, message: doubt(written) };
  }
  const amount = Number(whole.replaceAll(/\D/g, ''));
  if (!Number.isSafeInteger(amount)) {
    return { ok: false, message: say().noSum.not_safe };
  }
  return { ok: true, amount: amount !== 0 && unsigned !== written ? -amount : amount };
}
