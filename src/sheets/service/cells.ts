import { isFree, readAmountText } from '../../domain/amounts/money.ts';
import { gramsIn } from '../../domain/amounts/weight.ts';
import { damageOf, withoutUnseen } from '../../domain/damaged-text.ts';
import { isDecimal, lookAtPhone, withoutDecimals } from '../../domain/likeness.ts';
import { say as domainSay } from '../../domain/texts.ts';
import type { Cell } from '../formats/sheet.ts';
import { isFormulaError, isRuined, notWhole, shownNumber } from '../ruined-number.ts';
import { say } from '../texts.ts';
import { normalForm } from './layout.ts';

/**
 * The result of reading a cell of one of the service's sheets: nothing, a value with an optional note, or what is
 * wrong.
 */
export type Read<Value> =
  | { readonly kind: 'blank' }
  | { readonly kind: 'value'; readonly value: Value; readonly note?: string }
  | { readonly kind: 'wrong'; readonly message: string };

const blank = { kind: 'blank' } as const;
const wrong = (message: string) => ({ kind: 'wrong', message }) as const;

/** An exact decimal: `digits` times ten to the power of minus `places`. */
export interface Exact {
  readonly digits: bigint;
  readonly places: number;
}

/** The text of a cell, trimmed and in composed form (NFC). */
export function textOf(cell: Cell | undefined): string {
  return withoutUnseen(String(cell ?? ''))
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .normalize('NFC');
}

/** A text that is not blank. */
export function readText(cell: Cell | undefined): Read<string> {
  const value = textOf(cell);
  if (value === '') return blank;
  if (isFormulaError(value)) return wrong(say().cell.formulaError);
  if (isRuined(cell, value)) return wrong(say().cell.ruined);
  const damage = damageOf(value);
  if (damage !== undefined) return wrong(damage);
  return value === String(cell).trim().normalize('NFC') || withoutUnseen(String(cell)) === String(cell)
    ? { kind: 'value', value }
    : { kind: 'value', value, note: domainSay().damage.unseenRemoved };
}

/** An amount, a non-negative integer; a dash means none. */
export function readMoney(cell: Cell | undefined): Read<number> {
  const text = textOf(cell);
  if (text === '' || text === '-') return blank;
  if (typeof cell === 'number') {
    const value = shownNumber(cell);
    if (isRuined(cell, text)) return wrong(say().cell.ruined);
    const fraction = notWhole(cell);
    if (fraction !== undefined) return wrong(fraction);
    return value < 0 ? wrong(say().service.negative) : { kind: 'value', value };
  }
  // The importer also takes a d for đ.
  const amount = readAmountText(text.replace(/(?<=\d)\s*d$/i, ''));
  if (!amount.ok) return wrong(amount.message);
  if (amount.amount < 0) return wrong(say().service.negative);
  return { kind: 'value', value: amount.amount, ...(amount.note !== undefined && { note: amount.note }) };
}

/** A fee, which may be said to be none. */
export function readFee(cell: Cell | undefined): Read<number> {
  if (!isFree(textOf(cell))) return readMoney(cell);
  return { kind: 'value', value: 0, note: say().cell.readAs({ value: 0 }) };
}

/** A count of items. */
export function readCount(cell: Cell | undefined): Read<number> {
  const text = textOf(cell);
  if (text === '' || text === '-') return blank;
  const number =
    typeof cell === 'number'
      ? shownNumber(cell)
      : /^\d{1,15}(?:[.,]0{1,2})?$/.test(text)
        ? Number.parseInt(text, 10)
        : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? { kind: 'value', value: number } : wrong(say().cell.wholeNumber);
}

/** The digits of a decimal as written by a person or a spreadsheet; both `.` and `,` are decimal signs. */
function exactOf(text: string): Exact | undefined {
  const [, whole, decimals = ''] = /^(\d{1,15})(?:[.,](\d{1,17}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : { digits: BigInt(whole + decimals), places: decimals.length };
}

function exactNumber(number: number): Exact | undefined {
  const rounded = shownNumber(number);
  return exactOf(rounded < 1e-6 ? rounded.toFixed(15) : String(rounded));
}

/** A weight in kilograms, returned in grams; a fraction of a gram is rounded up. */
export function readKilograms(cell: Cell | undefined): Read<number> {
  const text = textOf(cell);
  if (text === '' || text === '-') return blank;
  const said = gramsIn(text);
  if (said !== undefined) return { kind: 'value', value: said, note: say().cell.readAsAmount({ amount: said }) };
  const exact = typeof cell === 'number' ? exactNumber(cell) : exactOf(text.replace(/\s*kg$/i, ''));
  if (exact === undefined) return wrong(say().service.kilograms);
  const scale = 10n ** BigInt(exact.places);
  const grams = (exact.digits * 1000n + scale - 1n) / scale;
  const note = (exact.digits * 1000n) % scale === 0n ? {} : { note: say().service.rounded({ grams }) };
  return { kind: 'value', value: Number(grams), ...note };
}

/** A percentage: `35%`, `12,5 %`, or the number in a cell with a percent format (0.35). */
export function readPercent(cell: Cell | undefined): Read<Exact> {
  const text = textOf(cell);
  if (text === '' || text === '-') return blank;
  if (typeof cell === 'number') {
    const share = exactNumber(cell);
    if (share === undefined || cell > 1) return wrong(say().service.share);
    return { kind: 'value', value: { digits: share.digits * 100n, places: share.places } };
  }
  const exact = /%$/.test(text) ? exactOf(text.replace(/\s*%$/, '')) : undefined;
  if (exact === undefined || exact.digits > 100n * 10n ** BigInt(exact.places)) {
    return wrong(say().service.share);
  }
  return { kind: 'value', value: exact };
}

/** A percentage of an amount, rounded down; `percent` is as `readPercent` returns it. */
export function shareOf(amount: number, { digits, places }: Exact): number {
  return Number((BigInt(amount) * digits) / (100n * 10n ** BigInt(places)));
}

/** The values that the service may compute for a percentage with binary fractions: 35 % of 350,000 is 122,499 there. */
export function shareAtTheService(amount: number, { digits, places }: Exact): readonly number[] {
  const share = Number(digits) / 10 ** places / 100;
  return [Math.trunc(share * amount), Math.trunc(Math.fround(share) * amount)];
}

/** Yes or no, in the sheet's words. */
export function readYes(cell: Cell | undefined): Read<boolean> {
  const text = normalForm(textOf(cell));
  if (text === '' && typeof cell !== 'boolean') return blank;
  if (text === 'co' || cell === true) return { kind: 'value', value: true };
  if (text === 'khong' || cell === false) return { kind: 'value', value: false };
  return wrong(say().service.yesOrNo);
}

/** A phone number: a leading 84 becomes 0, and nine digits get back the leading 0 that a spreadsheet dropped. */
export function readPhone(cell: Cell | undefined): Read<string> {
  const whole = textOf(cell);
  if (whole === '') return blank;
  const [text = '', suffix = ''] = withoutDecimals(whole).split(/(?=-test$)/);
  const bare = text.replaceAll(/[\s()./-]/g, '');
  if (!/^\d+$/.test(bare) ? typeof cell === 'number' : isDecimal(text)) return wrong(say().cell.ruined);
  const scientific = /^(\d(?:\.\d+)?)e\+?(\d)$/i.test(bare) ? String(Number(bare)) : bare;
  const local = scientific.replace(/^\+?84(?=\d{9}$)/, '0');
  const phone = /^[1-9]\d{8}$/.test(local) ? `0${local}` : local;
  const impossible = [scientific === bare ? text : phone, phone]
    .map(lookAtPhone)
    .find(({ kind }) => kind === 'impossible');
  if (impossible?.kind === 'impossible') return wrong(impossible.message);
  const value = `${phone}${suffix}`;
  return value === whole ? { kind: 'value', value } : { kind: 'value', value, note: say().service.sentAs({ value }) };
}

const tryOnWords: Readonly<Record<string, string>> = {
  'khong cho xem hang': 'none',
  khongchoxemhang: 'none',
  none: 'none',
  'cho xem hang khong thu': 'open',
  choxemhangkhongthu: 'open',
  open: 'open',
  'cho thu hang': 'try',
  chothuhang: 'try',
  try: 'try',
};

/** What the buyer may do before paying (contract, TryOn), from the sheet's words. */
export function readTryOn(cell: Cell | undefined): Read<string> {
  const text = normalForm(textOf(cell));
  if (text === '') return blank;
  const value = tryOnWords[text];
  return value === undefined ? wrong(say().service.tryOn) : { kind: 'value', value };
}
