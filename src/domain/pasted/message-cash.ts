import { readAmountText } from '../amounts/amount-text.ts';

/** Digits that may have groups, decimals and a unit, as in "350k", "350.000đ", "1tr2". */
const AMOUNT = `\\d[\\d.,]*\\s*(?:k|tr(?:iệu|ieu)?|nghìn|nghin|ngàn|ngan|vnđ|vnd|đồng|đ|₫)?\\d*`;

/** Words that say that the carrier collects the amount behind them. */
const COLLECT = `(?:thu\\s*hộ|thu\\s*ho|thu|cod)(?:\\s*(?:tiền|tien|khách|khach|hộ|ho|cod))?`;

const collected = new RegExp(`(?<![\\p{L}\\d])(?:ship\\s*)?${COLLECT}\\s*[:=]?\\s*(${AMOUNT})(?![\\p{L}\\d])`, 'giu');
const paid =
  /(?<![\p{L}\d])(?:(?:đã|da)\s*(?:ck|chuyển\s*khoản|chuyen\s*khoan|thanh\s*toán|thanh\s*toan|trả\s*tiền|tra\s*tien)|(?:không|khong|ko)\s*thu(?:\s*(?:tiền|tien|hộ|ho|cod))?|cod\s*[:=]?\s*0\s*[đk]?)(?![\p{L}\d])/giu;
/** An amount without a word that says what it is for. */
const money =
  /(?<![\p{L}\d/])\d[\d.,]*\s*(?:k|tr(?:iệu|ieu)?|nghìn|nghin|ngàn|ngan|vnđ|vnd|đồng|đ|₫)\d*(?![\p{L}\d])/giu;

const THOUSAND = 1_000;
const MILLION = 1_000_000;
/** Less than this is no cash that anybody has collected: "thu 350" may mean 350,000. */
const LEAST = 1_000;

/** The number in "350", "12,5" or "1.250"; groups of three are thousands. */
function numberIn(text: string): number {
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(text);
  return isGrouped ? Number(text.replaceAll(/[.,]/g, '')) : Number(text.replace(',', '.'));
}

/** An amount as people write it in a message; undefined where it could mean two. */
export function cashIn(text: string): number | undefined {
  const bare = text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, '');
  const [, thousands] = /^(\d[\d.,]*)(?:k|nghìn|nghin|ngàn|ngan)$/.exec(bare) ?? [];
  const [, millions, hundreds] = /^(\d[\d.,]*)tr(?:iệu|ieu)?(\d{1,3})?$/.exec(bare) ?? [];
  let amount: number | undefined;
  if (thousands !== undefined) amount = numberIn(thousands) * THOUSAND;
  else if (millions !== undefined && hundreds === undefined) amount = numberIn(millions) * MILLION;
  else if (millions !== undefined && /^\d+$/.test(millions)) amount = Number(`${millions}.${hundreds}`) * MILLION;
  else {
    const reading = readAmountText(bare);
    amount = reading.ok ? reading.amount : undefined;
  }
  if (amount === undefined || !(amount >= LEAST) || amount > Number.MAX_SAFE_INTEGER) return undefined;
  return Number.isSafeInteger(Math.round(amount)) && Math.abs(amount - Math.round(amount)) < 1e-6
    ? Math.round(amount)
    : undefined;
}

/** The cash to collect that a message names, and the message without it. */
export interface MessageCash {
  readonly amount?: number;
  /** What about money was not understood; nothing of it is used. */
  readonly doubts: readonly string[];
  readonly rest: string;
}

/** Reads the cash to collect from a message. */
export function readCash(text: string): MessageCash {
  const found = [...text.matchAll(collected)].map(([whole, amount = '']) => ({ whole, amount: cashIn(amount) }));
  const amounts = new Set(found.map(({ amount }) => amount));
  const [amount] = amounts;
  const isPaid = [...text.matchAll(paid)].length > 0;
  const without = text.replaceAll(paid, ' ; ').replaceAll(collected, ' ; ');
  const others = [...without.matchAll(money)].map(([whole]) => whole.trim());
  const rest = without.replaceAll(money, ' ');
  const unread = others.map((one) => `${one}: what it is for is not clear`);
  if (amounts.size > 1) {
    const all = found.map(({ whole }) => whole.trim()).join(', ');
    return { doubts: [`several amounts to collect: ${all}`, ...unread], rest };
  }
  if (found.length > 0 && amount === undefined) {
    return { doubts: [`${found[0]?.whole.trim()}: the amount can be read in more than one way`, ...unread], rest };
  }
  const cash = amount ?? (isPaid ? 0 : undefined);
  return { ...(cash === undefined ? {} : { amount: cash }), doubts: unread, rest };
}
