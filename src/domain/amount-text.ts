/** An amount as its text says it, or why no amount can be read from it for sure; the message goes behind the field's name. */
export type AmountReading =
  | { readonly ok: true; readonly amount: number }
  | { readonly ok: false; readonly message: string };

/** Longer than any amount with its marks. */
const LONGEST_TEXT = 64;

/** What people put beside an amount; the currency is one and implied, so it adds nothing (decisions, section 1). */
const CURRENCY = /^(?:(?:vnđ|vnd|₫|đ)\s*)?(.*?)(?:\s*(?:vnđ|vnd|₫|đồng|đ))?$/u;

/** Thousands in groups of three, always with the same mark between them: 1.350.000, 1,350,000, 1 350 000, 1'350'000. */
const GROUPED = /^[1-9]\d{0,2}(?:([., '’])\d{3})(?:\1\d{3})*$/u;

/** Decimal places that say nothing, as spreadsheets add them: 1350000.00, 1.350.000,0. */
const EMPTY_DECIMALS = /^(.*\d)([.,])0{1,2}$/u;

/** How an amount can be written so that nobody doubts it; ends the messages. */
const EXAMPLES = 'write it like 1350000, 1.350.000 or 1,350,000';

/** Takes empty decimal places off, unless their mark also stands between the groups, where a digit may have been lost. */
function withoutEmptyDecimals(text: string): string {
  const [, whole = text, mark] = EMPTY_DECIMALS.exec(text) ?? [];
  return mark !== undefined && whole.includes(mark) ? text : whole;
}

/** Why a text is refused, for a person who is to write it again. */
function doubt(text: string): string {
  if (text === '') return `is empty: ${EXAMPLES}`;
  if (/^[+-]?[\d.,]+e[+-]?\d+$/.test(text)) return `has lost digits, as spreadsheets do with long numbers: ${EXAMPLES}`;
  if (/\d\s*(?:k|tr|triệu|nghìn|ngàn|tỷ|tỉ|m)\d*$/u.test(text)) return `must have all its digits: ${EXAMPLES}`;
  if (!/^[-\d., '’]*$/u.test(text) || !/\d/.test(text)) return `is not an amount: ${EXAMPLES}`;
  return `can be read in more than one way: ${EXAMPLES}`;
}

/**
 * Reads an amount of money as people write it: digits, or groups of three with one kind of mark between them, with or
 * without the sign of the currency. What could mean two amounts is refused: "1.35", "1350.000", "1.350,5", "450k".
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
  const whole = withoutEmptyDecimals(unsigned);
  if (bare.length > LONGEST_TEXT || !(/^\d+$/.test(whole) || GROUPED.test(whole))) {
    return { ok: false, message: doubt(written) };
  }
  const amount = Number(whole.replaceAll(/\D/g, ''));
  if (!Number.isSafeInteger(amount)) {
    return { ok: false, message: 'is larger than a JSON number can carry exactly' };
  }
  return { ok: true, amount: amount !== 0 && unsigned !== written ? -amount : amount };
}
