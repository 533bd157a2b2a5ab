import { formatMoney, readAmountText } from '../domain/amounts/money.ts';

const UNIT = `(?:k|tr(?:iệu|ieu)?|nghìn|nghin|ngàn|ngan|vnđ|vnd|đồng|đ|₫)`;
/** Digits, in groups of three with blanks or with other marks. */
const NUMBER = `(?:\\d{1,3}(?: \\d{3})+(?!\\d)|\\d(?:[\\d.,]*\\d)?)`;
/** A number that may have a unit, as in "350k", "350.000đ", "1tr2", "1 triệu rưỡi". */
const AMOUNT = `${NUMBER}(?:\\s*${UNIT}\\d*(?:\\s*(?:rưỡi|rưởi|ruoi))?)?`;

/** Words that say that the carrier collects the amount behind them, unless they are denied. */
const COLLECT = `(?<![\\p{L}\\d])(?<!(?<![\\p{L}\\d])(?:không|khong|ko|k|chưa|chua|đừng|dung|miễn|mien)\\s*)(?:ship\\s*)?(?:thu\\s*hộ|thu\\s*ho|thu|cod)(?:\\s*(?:tiền|tien|khách|khach|hộ|ho|cod))?\\s*[:=]?\\s*`;

/** "Thu 12/3" and "Thu 0901234567" are a name with a house or a phone number. */
const collected = new RegExp(`${COLLECT}((?!0\\d)${AMOUNT})(?![\\p{L}\\d]|/\\d)`, 'giu');
/** The same with an amount that nobody can read: "cod 1tr2k", "thu -350k". */
const unreadable = new RegExp(`${COLLECT}(?!\\d+/\\d)[-−+~]?\\d[^\\s,;]*`, 'giu');
const paid =
  /(?<![\p{L}\d])(?:(?:đã|da)\s*(?:ck|chuyển\s*khoản|chuyen\s*khoan|thanh\s*toán|thanh\s*toan|trả\s*tiền|tra\s*tien)|(?:không|khong|ko|k)\s*(?:thu|cod)(?:\s*(?:tiền|tien|hộ|ho|cod))?|cod\s*[:=]?\s*0\s*[đk]?)(?![\p{L}\d])/giu;
const DEPOSITED = '(?<![\\p{L}\\d])(?:(?:đã|da)\\s*)?(?:(?:đặt|dat)\\s*)?(?:cọc|coc)';
/** "Đã ck 100.000" says what was paid, and not that it was all. */
const paidPart = new RegExp(
  `(?:${paid.source}|${DEPOSITED})\\s*(?:trước|truoc|trc|cọc|coc)?\\s*[:=]?\\s*((?!0\\d)${AMOUNT})(?![\\p{L}\\d]|/\\d)`,
  'giu',
);
/** What a message says that everything costs together. */
const totalled = new RegExp(
  `(?<![\\p{L}\\d])(?:tổng|tong|total)(?:\\s*\\p{L}+){0,2}\\s*[:=]?\\s*((?!0\\d)${AMOUNT})(?![\\p{L}\\d]|/\\d)`,
  'iu',
);
/** What makes an amount more than its number: the fee of the shipment on top. */
const onTop =
  /^\s*(?:\+|cộng|cong|chưa(?:\s*(?:có|tính|gồm|kể))?|chua(?:\s*(?:co|tinh|gom|ke))?)\s*(?:tiền\s*|tien\s*|phí\s*|phi\s*)?ship(?!\p{L})/iu;
/** An amount without a word that says what it is for. */
const money = new RegExp(`(?<![\\p{L}\\d/])\\d[\\d.,]*\\s*${UNIT}\\d*(?![\\p{L}\\d])`, 'giu');

const THOUSAND = 1_000;
const MILLION = 1_000_000;
const HALF_A_MILLION = 500_000;
/** Less than this is no cash that anybody has collected: "thu 350" may mean 350,000. */
const LEAST = 1_000;
/** Nor is less than this without a unit: "thu 1.200" may mean 1,200,000. */
const LEAST_WITHOUT_UNIT = 10_000;

/** The number in "350", "12,5" or "1.250"; groups of three are thousands. */
function numberIn(text: string): number {
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(text);
  return isGrouped ? Number(text.replaceAll(/[.,]/g, '')) : Number(text.replace(',', '.'));
}

/** An amount as people write it in a message; undefined where it could mean two. */
export function cashIn(text: string): number | undefined {
  const bare = text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, '');
  if (/^0(?:k|vnđ|vnd|đồng|đ|₫)?$/.test(bare)) return 0;
  const [, thousands] = /^(\d[\d.,]*)(?:k|nghìn|nghin|ngàn|ngan)$/.exec(bare) ?? [];
  const [, millions, hundreds, half] = /^(\d[\d.,]*)tr(?:iệu|ieu)?(?:(\d{1,3})|(rưỡi|rưởi|ruoi))?$/.exec(bare) ?? [];
  let amount: number | undefined;
  if (thousands !== undefined) amount = numberIn(thousands) * THOUSAND;
  else if (millions !== undefined && hundreds === undefined && half === undefined)
    amount = numberIn(millions) * MILLION;
  else if (millions !== undefined && /^\d+$/.test(millions)) {
    amount = Number(`${millions}.${hundreds ?? 0}`) * MILLION + (half === undefined ? 0 : HALF_A_MILLION);
  } else {
    const reading = readAmountText(bare);
    amount = reading.ok ? reading.amount : undefined;
  }
  const least = /\d$/.test(bare) && millions === undefined ? LEAST_WITHOUT_UNIT : LEAST;
  if (amount === undefined || !(amount >= least) || amount > Number.MAX_SAFE_INTEGER) return undefined;
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

/** What is doubtful about the amounts to collect. */
function cashDoubts(found: readonly { whole: string; amount: number | undefined; after: string }[], isPaid: boolean) {
  const [first] = found;
  if (first === undefined) return [];
  const { whole, amount } = first;
  if (found.some((one) => one.amount !== amount)) {
    return [`several amounts to collect: ${found.map((one) => one.whole).join(', ')}`];
  }
  if (amount === undefined) return [`${whole}: the amount can be read in more than one way`];
  if (amount > 0 && isPaid) return [`${whole}: the message says that it is paid, too`];
  return found.some(({ after }) => onTop.test(after)) ? [`${whole}: the fee on top is not named`] : [];
}

/** What a part that is paid leaves of a total: never nothing, and never a guess. */
function leftOf(paidAmount: number, total: number | undefined): string {
  return total === undefined || total <= paidAmount
    ? 'how much is left to collect is not said'
    : `${formatMoney(total - paidAmount)} of ${formatMoney(total)} may be left to collect`;
}

/** The parts of a total that a text says are paid, each with what may be left; none if it says that all is. */
export function paidPartsIn(
  text: string,
  given?: number,
): readonly { readonly whole: string; readonly left: string }[] {
  const total = cashIn(totalled.exec(text)?.[1] ?? '') ?? given;
  return [...text.matchAll(paidPart)].flatMap(([whole, amount = '']) => {
    const part = cashIn(amount) ?? 0;
    return part > 0 ? [{ whole, left: leftOf(part, total) }] : [];
  });
}

/** How the cash of a message is read. */
export interface CashReading {
  /** Whether an amount without a word that says what it is for is part of a street: "12 Đ. Nguyễn Trãi". */
  readonly isAddress?: boolean | undefined;
  /** What its order costs, if that is known. */
  readonly total?: number | undefined;
}

/** Reads the cash to collect from a message without its phone numbers. */
export function readCash(text: string, { isAddress = false, total }: CashReading = {}): MessageCash {
  const found = [...text.matchAll(collected)].map(({ 0: whole, 1: amount = '', index }) => ({
    whole: whole.trim(),
    amount: cashIn(amount),
    after: text.slice(index + whole.length),
  }));
  const parts = paidPartsIn(text, total);
  const paidParts = parts.map(({ whole, left }) => `${whole.trim()}: ${left}`);
  const isPaid = [...text.matchAll(paid)].length > 0;
  const unpaid = parts.reduce((left, { whole }) => left.replace(whole, ' ; '), text);
  const readable = unpaid.replaceAll(paid, ' ; ').replaceAll(collected, ' ; ');
  const unread = [...readable.matchAll(unreadable)].map(([whole]) => `${whole.trim()}: the amount cannot be read`);
  const without = readable.replaceAll(unreadable, ' ; ');
  const unclear = isAddress ? [] : [...without.matchAll(money)];
  const others = unclear.map(([whole]) => `${whole.trim()}: what it is for is not clear`);
  const rest = isAddress ? without : without.replaceAll(money, ' ');
  const ofCash = cashDoubts(found, isPaid);
  const amount = found[0]?.amount ?? (isPaid ? 0 : undefined);
  const isSure = ofCash.length === 0 && paidParts.length === 0 && amount !== undefined;
  return { ...(isSure ? { amount } : {}), doubts: [...ofCash, ...paidParts, ...unread, ...others], rest };
}
