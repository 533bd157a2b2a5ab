import { readAmountText } from '../domain/amounts/money.ts';
import { say } from './texts.ts';

/** Blanks within a line: what stands on the next one is another thing. */
const GAP = '[^\\S\\n]*';
const UNIT = `(?:k|tr(?:iệu|ieu)?|nghìn|nghin|ngàn|ngan|vnđ|vnd|đồng|đ|₫)`;
/** Digits, in groups of three with blanks or with other marks. */
const NUMBER = `(?:\\d{1,3}(?: \\d{3})+(?!\\d)|\\d(?:[\\d.,]*\\d)?)`;
/** A number that may have a unit, as in "350k", "350.000đ", "1tr2", "1 triệu rưỡi". */
const AMOUNT = `${NUMBER}(?:${GAP}${UNIT}\\d*(?:${GAP}(?:rưỡi|rưởi|ruoi))?)?`;
/** Nothing follows that would make the amount another one: "2 triệu 350". */
const ENDS = `(?![\\p{L}\\d%]|/\\d|[^\\S\\n]+\\d{2,3}(?![\\d\\p{L}.,]|[^\\S\\n]*\\p{L}))`;

const SELF = 'em|e|mình|minh|m|anh|a|chị|chi|c|tớ|t|tui|tôi|cháu|chau|con|bác|chú|cô|khách|khach|kh';
/** Who, how and when, between the word and its amount: "thu em 260k", "thu tiền khi giao: 350k". */
const HOW = `(?:(?:${SELF}|giúp|giup|giùm|gium|dùm|thêm|them|nốt|đủ|du|tiền|tien|mặt|hộ|ho|cod|tổng|tong|luôn|nhé|nhe|nha|ạ|(?:khi|lúc|luc)${GAP}(?:giao|nhận|nhan)(?:${GAP}(?:hàng|hang))?)(?![\\p{L}\\d])${GAP}){0,4}`;
const NOT = `(?<!(?<![\\p{L}\\d])(?:không|khong|ko|k|chưa|chua|đừng|dung|miễn|mien|đã|da(?=${GAP}thu${GAP}(?:du|đủ)))${GAP})`;
const ON_DELIVERY = `(?:thanh${GAP}(?:toán|toan)|trả|tra|đưa|dua)(?:${GAP}(?:tiền|tien))?(?:${GAP}(?:mặt|mat))?${GAP}(?:khi|lúc|luc)${GAP}(?:nhận|nhan|giao)(?:${GAP}(?:hàng|hang))?|(?:nhận|nhan)${GAP}(?:hàng|hang)${GAP}(?:rồi${GAP})?(?:trả|tra)(?:${GAP}(?:tiền|tien))?`;
/** Words that say that the carrier collects the amount behind them, unless they are denied. */
const COLLECT = `(?<![\\p{L}\\d])${NOT}(?:(?:còn|con)(?:${GAP}(?:lại|lai))?${GAP})?(?:ship${GAP})?(?:thu${GAP}hộ|thu${GAP}ho(?!\\p{L})|thu(?!\\p{L})|cod|${ON_DELIVERY})${GAP}${HOW}[:=]?${GAP}`;

/** "Thu 12/3" and "Thu 0901234567" are a name with a house or a phone number. */
const collected = new RegExp(`${COLLECT}((?!0\\d)${AMOUNT})${ENDS}`, 'giu');
/** The same behind the amount: "390k cod", "còn 150k thu em nhé". */
const collectedBehind = new RegExp(
  `(?<![\\p{L}\\d./])(?:(?:còn|con)(?:${GAP}(?:lại|lai))?${GAP})?(${NUMBER}${GAP}${UNIT}\\d*)${GAP}(?:ship${GAP})?(?:cod|thu(?:${GAP}(?:hộ|ho))?)(?![\\p{L}\\d])(?:${GAP}(?:${SELF}|giúp|giup|nhé|nhe|nha)(?![\\p{L}\\d]))*(?!${GAP}[:=]?${GAP}\\d)`,
  'giu',
);
/** The same with an amount that nobody can read: "cod 1tr2k", "thu -350k". */
const unreadable = new RegExp(`${COLLECT}(?!\\d+/\\d)[-−+~]?\\d[^\\s,;]*`, 'giu');
const TRANSFER = `(?:ck|momo|zalo${GAP}pay|vnpay|shopee${GAP}pay|vietqr|qr|chuyển${GAP}khoản|chuyen${GAP}khoan|bank(?:ing)?|thanh${GAP}(?:toán|toan)|(?:trả|tra|nhận|nhan|chuyển|chuyen|thu)${GAP}(?:(?:đủ|du|hết|het|100%)${GAP})?(?:tiền|tien)|(?:nhận|nhan)${GAP}100%|tt)`;
/** How much of it, and when: "đã ck đủ r", "ck cọc rồi". */
const PAID_HOW = `(?:${GAP}(?:(?:cho${GAP})?shop|(?:tiền|tien)(?:${GAP}(?:hàng|hang))?|toàn${GAP}bộ|cọc|coc|đủ|du|full|hết|het|xong|rồi|roi|rùi|rui|r|luôn|luon)(?![\\p{L}\\d]))*`;
/** "0đ" by itself, or of the order: that of the shipment, or of a present, says nothing of the goods. */
const NOTHING = `(?<=(?:^|[,;.]|(?<!\\p{L})(?:đơn|don))${GAP})0${GAP}[đk](?=${GAP}(?:$|[,;.]))`;
const paid = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:đã|da)${GAP}(?:${TRANSFER}|(?:trả|tra)(?=${GAP}(?:đủ|du|full|hết|het|xong|rồi|roi)(?![\\p{L}\\d])))(?!${GAP}(?:chưa|chua))|(?<!(?:not|chưa|chua|part(?:ial(?:ly)?|ly)?)[ _-]*)paid|(?<!(?:mai|sẽ|se|chưa|chua|nếu|neu|khi|để|stk|tối|lát|lat)${GAP}(?:(?:${SELF})${GAP})?)${TRANSFER}${GAP}(?:\\p{L}+${GAP})??(?:rồi|roi|rùi|rui|r|đủ|du|full|hết|het|xong)|(?:không|khong|ko|k)${GAP}(?:(?:phải|phai|cần|can)${GAP})?(?:thu|cod|(?:lấy|lay)(?=${GAP}(?:tiền|tien)))(?:${GAP}(?:tiền|tien|hộ|ho|cod))?|cod${GAP}[:=]?${GAP}0${GAP}[đk]?|${NOTHING})(?![\\p{L}\\d])${PAID_HOW}`,
  'giu',
);
const ALL_OF_IT = /(?<!\p{L})(?:đủ|du|full|hết|het|toàn\s*bộ)(?!\p{L})/iu;
/** Beside an amount "hết" only says that this much was paid. */
const THE_WHOLE = /(?<!\p{L})(?:đủ|du|full|toàn\s*bộ)(?!\p{L})/iu;
const A_DEPOSIT = /(?<!\p{L})(?:cọc|coc)(?!\p{L})/iu;
const DEPOSITED = `(?<![\\p{L}\\d])(?:(?:đã|da)${GAP})?(?:(?:đặt|dat)${GAP})?(?:cọc|coc|ck)`;
/** That somebody has paid, where an amount follows: "khách đã chuyển 100k", "trả trước 50k". */
const PAID_SOME = `(?<![\\p{L}\\d])(?:(?:đã|da)${GAP}(?:trả|tra|chuyển|chuyen|đưa|dua|ứng|nhận|nhan|thu)|(?:trả|tra|chuyển|chuyen|đưa|dua|ứng|ung)${GAP}(?:trước|truoc|trc)|(?:khách|khach|kh)${GAP}(?:chuyển|chuyen|ck))`;
/** "Đã ck 100.000" says what was paid, and not that it was all. */
const paidPart = new RegExp(
  `(?:${paid.source}|${DEPOSITED}|${PAID_SOME})${GAP}(?:trước|truoc|trc|cọc|coc)?${GAP}(?:(?:tiền|tien|phí|phi)${GAP})?(?:ship${GAP})?[:=]?${GAP}((?!0\\d)${AMOUNT})${ENDS}`,
  'giu',
);
/** A bank in front of an amount: what was transferred to it. */
const banked = new RegExp(
  `(?<![\\p{L}\\d])(?:vcb|vietcombank|tcb|techcombank|mb(?:bank)?|acb|bidv|agribank|vietinbank|vpbank|tpbank|sacombank|momo)${GAP}[:=]?${GAP}(${NUMBER}${GAP}${UNIT}\\d*)${ENDS}`,
  'giu',
);
/** What a message says that everything costs together. */
const totalled = new RegExp(
  `(?<![\\p{L}\\d])(?:tổng|tong|total)(?:${GAP}\\p{L}+){0,2}${GAP}[:=]?${GAP}((?!0\\d)${AMOUNT})${ENDS}`,
  'iu',
);
/** A lower price is none that is left: "giảm còn 300k". */
const REDUCED = `(?<![\\p{L}\\d])(?:giảm|giam|hạ|ha|sale|bớt|bot|xuống|xuong)${GAP}(?:(?:giá|gia|xuống|xuong|chỉ|chi)${GAP}){0,2}`;
const reduced = new RegExp(`${REDUCED}(?:còn|con)${GAP}[:=]?${GAP}((?!0\\d)${AMOUNT})${ENDS}`, 'iu');
/** What is left of a total: "còn 300k". */
const remaining = new RegExp(
  `(?<![\\p{L}\\d])(?<!${REDUCED})(?:còn|con)(?:${GAP}(?:lại|lai|thiếu|thieu|nợ))?(?:${GAP}là)?${GAP}[:=]?${GAP}((?!0\\d)${AMOUNT})${ENDS}`,
  'giu',
);
const SAYS_REST = /^(?:còn|con)(?!\p{L})|(?<!\p{L})(?:thêm|them|nốt)(?!\p{L})/iu;
/** That it is paid on delivery, without the amount: "thanh toán COD", "(COD)". */
const onDelivery = new RegExp(
  `(?<![\\p{L}\\d])${NOT}(?:ship${GAP})?(?:cod|thu${GAP}hộ|${ON_DELIVERY})(?![\\p{L}\\d])`,
  'iu',
);
/** What makes an amount more than its number: the fee of the shipment on top. */
const onTop = new RegExp(
  `^\\s*(?:\\+|cộng|cong|chưa(?:\\s*(?:có|tính|gồm|kể))?|chua(?:\\s*(?:co|tinh|gom|ke))?)\\s*(?:${AMOUNT}\\s*)?(?:tiền\\s*|tien\\s*|phí\\s*|phi\\s*)?ship(?!\\p{L})`,
  'iu',
);
/** An amount without a word that says what it is for. */
const money = new RegExp(
  `(?<![\\p{L}\\d/])\\d[\\d.,]*${GAP}${UNIT}\\d*(?![\\p{L}\\d])|(?<![\\p{L}\\d/.,])\\d{1,3}(?:[.,]\\d{3})+(?![\\p{L}\\d]|[.,]\\d)`,
  'giu',
);

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
  /** The words that say that all or a part is paid; absent if none do. */
  readonly paid?: string;
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
    return [say().doubt.amounts({ amounts: found.map((one) => one.whole) })];
  }
  if (amount === undefined) return [say().doubt.ambiguous({ words: whole })];
  if (amount > 0 && isPaid) return [say().doubt.paidToo({ words: whole })];
  return found.some(({ after }) => onTop.test(after)) ? [say().doubt.feeOnTop({ words: whole })] : [];
}

/** What a part that is paid leaves of a total: never nothing, and never a guess. */
function leftOf(paidAmount: number, total: number | undefined): string {
  return total === undefined || total <= paidAmount
    ? say().doubt.leftUnsaid
    : say().doubt.left({ left: total - paidAmount, total });
}

/** What a text says that everything costs, perhaps at a lower price: nothing is collected by it alone. */
const totalIn = (text: string): number | undefined => cashIn((totalled.exec(text) ?? reduced.exec(text))?.[1] ?? '');

/** Whether words that say what was paid say that it was all: "đã ck đủ 450k". */
const isWhole = (words: string): boolean => THE_WHOLE.test(words) && !A_DEPOSIT.test(words);

/** The parts of a total that a text says are paid, each with what may be left; none if it says that all is. */
export function paidPartsIn(
  text: string,
  given?: number,
): readonly { readonly whole: string; readonly part: number; readonly left: string }[] {
  const total = totalIn(text) ?? given;
  const all = [...text.matchAll(paidPart)];
  return (all.length > 0 ? all : [...text.matchAll(banked)]).flatMap(([whole, amount = '']) => {
    const part = cashIn(amount) ?? 0;
    return part > 0 && !isWhole(whole) ? [{ whole, part, left: leftOf(part, total) }] : [];
  });
}

/** What is added to the cash: "thu thêm 20k ship". */
const added = new RegExp(
  `(?<![\\p{L}\\d])(?:thu|cod|lấy|lay)${GAP}(?:thêm|them)${GAP}(?:(?:tiền|tien|phí|phi|ship)${GAP}){0,2}((?!0\\d)${AMOUNT})${ENDS}`,
  'iu',
);
/** What is taken off it: "giảm 10%", "bớt 20k". */
const takenOff = new RegExp(
  `(?<![\\p{L}\\d])(?:giảm|giam|bớt|bot|trừ|tru)${GAP}(?:(?:giá|gia|thêm|them|cho|khách|khach|kh)${GAP}){0,3}(?:(\\d{1,2})${GAP}%|(${NUMBER}${GAP}${UNIT}\\d*)${ENDS})`,
  'iu',
);
/** That nothing is paid for the goods, or for the delivery. */
const forFree = /(?:^|[,;.(])\s*(free|miễn phí|0 đồng)\s*(?:$|[,;.)])/iu;
const freeDelivery = /(?<![\p{L}\d])(?:free\s?ship|miễn\s(?:phí\s)?ship|mien\s(?:phi\s)?ship)(?![\p{L}\d])/iu;

/** What makes words about free delivery a question, a wish or a condition. */
const NOT_GRANTED =
  /[?]|(?<![\p{L}\d])(?:không|khong|ko|k|hok|hông|hong|hem|chưa|chua|hết|het|nếu|neu|thì|thi|trên|tren|từ|tu|được|duoc|đc|dc|xin|chứ|chu|hay|sau)(?![\p{L}\d])/iu;
/** A fee for the delivery: "ship 30k", "thu thêm 30k ship". */
const deliveryFee = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:phí|phi|tiền|tien)${GAP})?ship${GAP}(?:là${GAP})?[:=]?${GAP}[1-9]|\\d${GAP}${UNIT}${GAP}(?:(?:phí|phi|tiền|tien)${GAP})?ship(?!\\p{L})`,
  'iu',
);

/** Whether a text says that the buyer pays no delivery: its words, or what is doubtful about them; neither if it does not. */
export function freeDeliveryIn(text: string): { readonly words?: string; readonly doubt?: string } {
  const clauses = text.split(/(?<=\?)|[,;.!\n]/u).filter((clause) => freeDelivery.test(clause));
  const words = freeDelivery.exec(clauses[0] ?? '')?.[0];
  if (words === undefined) return {};
  if (deliveryFee.test(text)) return { doubt: say().doubt.deliveryNamed({ words }) };
  return clauses.some((clause) => NOT_GRANTED.test(clause)) ? { doubt: say().doubt.notGranted({ words }) } : { words };
}

/** What a text says that changes the cash of an order, and the cash that agrees with it, of a total. */
export function cashOtherwiseIn(
  text: string,
  total: number,
): { readonly whole: string; readonly agreed: (cash: number) => boolean } | undefined {
  const [more, less, lower, free, delivery] = [added, takenOff, reduced, forFree, freeDelivery].map((words) =>
    words.exec(text),
  );
  if (more) return { whole: more[0], agreed: (cash) => cash === total + (cashIn(more[1] ?? '') ?? Number.NaN) };
  if (less) {
    const off = less[1] === undefined ? cashIn(less[2] ?? '') : (total * Number(less[1])) / 100;
    return { whole: less[0], agreed: (cash) => cash === total - (off ?? Number.NaN) };
  }
  if (lower) return { whole: lower[0], agreed: (cash) => cash === cashIn(lower[1] ?? '') };
  if (free) return { whole: free[1] ?? '', agreed: (cash) => cash === 0 };
  return delivery ? { whole: delivery[0], agreed: (cash) => cash <= total } : undefined;
}

/** That a deposit is paid, without what it is for sure: "đã cọc", "cọc rồi", "cọc 50%", "partially_paid"; "cọc 4" is a part of goods. */
const deposited = new RegExp(
  `${DEPOSITED}${GAP}(?:trước${GAP}|truoc${GAP})?[:=]?${GAP}[1-9]\\d{1,2}(?![\\p{L}\\d.,/%])|(?<![\\p{L}\\d])(?:${TRANSFER}|cọc|coc|trả|tra)${GAP}(?:(?:trước|truoc|trc)${GAP})?(?:\\d+${GAP}%|1/2|(?:(?:một|mot|1)${GAP})?(?:nửa|nua)(?!\\p{L}))|(?<![\\p{L}\\d])(?:cọc|coc)${GAP}(?:rồi|roi|trước|truoc|xong)(?![\\p{L}\\d])|(?<![\\p{L}\\d])(?:đã|da)${GAP}(?:đặt${GAP}|dat${GAP})?(?:cọc|coc)(?![\\p{L}\\d])|(?<![\\p{L}\\d])part(?:ial(?:ly)?|ly)?[ _-]*paid|(?:thanh${GAP}(?:toán|toan)|(?:trả|tra)|tt|ck)${GAP}(?:một|mot|1)${GAP}(?:phần|phan)(?!\\p{L})`,
  'iu',
);

/** A text that says a deposit is paid, and not how much; undefined for any other. */
export const depositIn = (text: string): string | undefined =>
  paidPartsIn(text).length > 0 ? undefined : deposited.exec(text)?.[0].trim();

/** How the cash of a message is read. */
export interface CashReading {
  /** Whether an amount without a word that says what it is for is part of a street: "12 Đ. Nguyễn Trãi". */
  readonly isAddress?: boolean | undefined;
  /** What its order costs, if that is known. */
  readonly total?: number | undefined;
}

/** Amounts that the carrier collects, with the words around them. */
function collectedIn(text: string) {
  return [...text.matchAll(collected), ...text.matchAll(collectedBehind)].map(
    ({ 0: whole, 1: amount = '', index }) => ({
      whole: whole.trim(),
      amount: cashIn(amount),
      after: text.slice(index + whole.length),
    }),
  );
}

/** What a text says is left to collect, if a deposit and its total, or its own words, say so too. */
function restIn(
  text: string,
  found: readonly { whole: string; amount: number | undefined }[],
  given: number | undefined,
): number | undefined {
  const rests = [...text.matchAll(remaining)].map(([, rest = '']) => cashIn(rest));
  const [amount, another] = [...new Set([...found.map((one) => one.amount), ...rests])];
  if (amount === undefined || another !== undefined) return undefined;
  const total = totalIn(text) ?? given;
  const parts = [...text.matchAll(paidPart)].map(([, part = '']) => cashIn(part));
  if (total !== undefined)
    return total - parts.reduce<number>((sum, part) => sum + (part ?? Number.NaN), 0) === amount ? amount : undefined;
  return rests.length > 0 || found.some(({ whole }) => SAYS_REST.test(whole)) ? amount : undefined;
}

const SHIP = `(?:(?:tiền|tien|phí|phi|cước|cuoc)${GAP}){0,2}(?:ship(?:ping)?|(?:vận|van)${GAP}(?:chuyển|chuyen)|vc|giao${GAP}(?:hàng|hang))`;
const EQUALS = `(?:(?:=+>?|→|[-–]+>)(?!${GAP}(?:tổng|tong|total|vị|tất))|(?:(?:=+>?|→|[-–]+>)${GAP}|(?<![\\p{L}\\d]))(?:vị${GAP}chi|vi${GAP}chi|tất${GAP}cả|tổng|tong|total|thành|thanh|là|la|hết|het)(?:${GAP}(?:cộng|cong|tiền|tien|đơn|don|là|la|hết|het|bill|all))*)`;
/** An amount of a sum, with the words that say which part of it that is. */
const summand = new RegExp(
  `(?:(?:[+&,;]|(?<!\\p{L})(?:cộng|cong|và|va))${GAP})?\\(?(?:(?<fee>(?<![\\p{L}\\d])${SHIP}(?:${GAP}(?:là|la|hết|het))?${GAP}(?::|(?<!\\d${UNIT}?${GAP}${SHIP}${GAP})=)?${GAP})|(?<total>${EQUALS}${GAP}(?:${COLLECT})?[:=]?${GAP}|${COLLECT})|(?:(?<factor>\\d{1,2})${GAP})?(?<each>(?:[x×*@]|(?<!\\p{L})(?:giá|gia))${GAP}))?\\(?(?<![\\p{L}\\d/.,])(?<amount>${NUMBER}${GAP}${UNIT}\\d*|\\d{1,3}(?:[.,]\\d{3})+|[1-9]\\d{0,4}000)(?![\\p{L}\\d%]|[.,]\\d)(?:(?<feeBehind>${GAP}\\(?${SHIP}(?!\\p{L})\\)?(?!${GAP}:?${GAP}\\d))|(?<eachBehind>${GAP}(?:/|1|một|mỗi)${GAP}(?:cái|cai|chiếc|bộ|đôi|hộp|c)(?!\\p{L}))|(?=${GAP}[x×*]${GAP}(?<times>\\d{1,2})(?![\\p{L}\\d.,]))|)(?:${GAP}(?:thu${GAP}(?:hộ|ho)|cod)(?![\\p{L}\\d]))?\\)?`,
  'giu',
);
/** How many of the goods in front of an amount: "2 váy", "váy x2". */
const countBefore = /(?<![\p{L}\d./-])[x×*]?(\d{1,2})(?=\s*\p{L}|\s*$)(?![\d.,/%])/iu;
/** What makes a sum another one, or its cash: that something is paid or taken off, a condition, a question. */
const otherwise =
  /[?]|(?<!\p{L})(?:không|khong|ko|k|hok|đừng|chưa|chua|miễn|mien|free|freeship|nếu|neu|hay|hoặc|hoac|hoàn|hoan|trả|tra|tặng|tang|chịu|chiu|bao|hỗ|giảm|giam|bớt|bot|trừ|tru|sale|voucher|mã|cọc|coc|ck|đã|rồi|roi|r|nợ|thiếu|thêm|them|còn|stk|bank|banking|momo|chuyển|chuyen)(?!\p{L})/iu;
const MOST_SUMMANDS = 7;

/** What the buyer of a message adds up: the goods, the fee of the delivery, and both together. */
export interface MessageSum {
  readonly fee: number;
  readonly total: number;
  /** What the goods cost, one kind after the other; `each` where that is said of one. */
  readonly goods: readonly { readonly amount: number; readonly each: number | undefined }[];
  /** The text without it. */
  readonly rest: string;
}

/** What an amount of goods may be in all: itself, or as many times as the words before it, since the last amount, have goods. */
function meantBy({ groups = {}, index, input = '' }: RegExpMatchArray): { amount: number; each: number | undefined }[] {
  const one = cashIn(groups.amount ?? '') ?? Number.NaN;
  const before =
    input
      .slice(0, index)
      .split(summand)
      .at(-1)
      ?.split(/[\n;:,.(+&]/u)
      .at(-1) ?? '';
  const count = Number(groups.factor ?? groups.times ?? countBefore.exec(before)?.[1] ?? 1);
  const all = { amount: one * count, each: one };
  const isOfOne = (groups.each ?? groups.eachBehind ?? groups.times) !== undefined;
  return isOfOne ? [all] : [{ amount: one, each: undefined }, ...(count > 1 ? [all] : [])];
}

/**
 * The sum of a message, "1 váy x 250k + ship 25k = 275k", if all of its amounts are of it, and add up in one way only. What a
 * buyer has paid already, or may not pay, is none.
 */
export function sumIn(text: string): MessageSum | undefined {
  const parts = [...text.matchAll(summand)];
  const rest = text
    // "váy 250k x 2" is so many of them.
    .replaceAll(summand, (...found) => (found.at(-1).times === undefined ? ' ; ' : ' '))
    .replaceAll(/\([\s;]*\)|;\s*(?:[+&]|cộng|và)(?=\s)/giu, ' ; ');
  if (parts.length > MOST_SUMMANDS || otherwise.test(rest) || rest.search(money) >= 0) return;
  const amountOf = ({ groups }: RegExpMatchArray) => cashIn(groups?.amount ?? '') ?? Number.NaN;
  const isFee = ({ groups }: RegExpMatchArray) => (groups?.fee ?? groups?.feeBehind) !== undefined;
  const [fee, another] = parts.filter(isFee);
  if (fee === undefined || another !== undefined) return;
  const others = parts.filter((part) => part !== fee);
  const totals = new Set(others.filter(({ groups }) => groups?.total !== undefined).map(amountOf));
  const found = [...totals].flatMap((total) => {
    const items = others.filter((part) => part.groups?.total === undefined || amountOf(part) !== total);
    let ways: MessageSum['goods'][] = items.length === 0 ? [] : [[]];
    for (const item of items) ways = ways.flatMap((way) => meantBy(item).map((meant) => [...way, meant]));
    const sums = ways.filter((way) => way.reduce((sum, { amount }) => sum + amount, amountOf(fee)) === total);
    return sums.map((goods) => ({ fee: amountOf(fee), total, goods, rest }));
  });
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The cash in a cell that has nothing else, in the words of a message: "COD 100k", "100k (COD)", "đã ck", "0 (đã ck)", "free", "-";
 * undefined for any other text.
 */
export function cashOfCell(cell: string): number | undefined {
  const text = cell.normalize('NFC').replaceAll(/[()]/g, ' ').trim();
  if (/^[-–—]$/u.test(text) || forFree.test(text)) return 0;
  const { amount, doubts, rest } = readCash(text);
  return doubts.length === 0 && /^[\s;,.:]*(?:0+\s*[đk]?)?[\s;,.:]*$/u.test(rest) ? amount : undefined;
}

/** Whether a text says that it is paid on delivery, with an amount or without. */
export const isOnDelivery = (text: string): boolean => onDelivery.test(text);

/** The total of a text that says, without another amount, that it is paid on delivery. */
const totalOnDelivery = (text: string, amounts: number): number | undefined =>
  amounts === 1 && onDelivery.test(text) ? cashIn(totalled.exec(text)?.[1] ?? '') : undefined;

/** "15 Đồng Khởi" is a street. */
const isMoney = ({ 0: whole, index, input }: RegExpExecArray) =>
  !(whole.endsWith('Đồng') && /^\s+\p{Lu}/u.test(input.slice(index + whole.length)));

/** What an amount without a word may be: behind "áo x2 =", of one or of all. */
const doubtOf = ({ 0: whole, index, input }: RegExpExecArray) => {
  const isOfGoods = /=\s*$/u.test(input.slice(0, index));
  const words = whole.trim();
  return isOfGoods ? say().doubt.ofOneOrAll({ words }) : say().doubt.forWhat({ words });
};

/** What a text says is paid, beside parts that it names: its words, and whether that is all. */
function paidIn(text: string, parts: readonly { readonly whole: string }[]) {
  const words = [...text.matchAll(paid)].map(([whole]) => whole.trim());
  const deposit = depositIn(text) ?? words.find((each) => A_DEPOSIT.test(each));
  const all = [...parts.map(({ whole }) => whole.trim()), ...words, ...(deposit === undefined ? [] : [deposit])];
  const distinct = [...new Set(all)].filter((one) => !all.some((other) => other !== one && other.includes(one)));
  const said: Pick<MessageCash, 'paid'> = distinct.length === 0 ? {} : { paid: distinct.join(', ') };
  const isPaid = parts.length === 0 && deposit === undefined && words.length > 0;
  const isAllPaid = isPaid && words.some((each) => ALL_OF_IT.test(each)) && text.search(remaining) < 0;
  return { said, deposit, isPaid, isAllPaid };
}

/** Reads the cash to collect from a message without its phone numbers. */
export function readCash(text: string, { isAddress = false, total }: CashReading = {}): MessageCash {
  const found = collectedIn(text);
  const parts = paidPartsIn(text, total);
  const { said, deposit, isPaid, isAllPaid } = paidIn(text, parts);
  const left = parts.length === 0 && deposit === undefined ? undefined : restIn(text, found, total);
  const paidParts =
    left === undefined ? parts.map((part) => say().doubt.paidPart({ words: part.whole.trim(), left: part.left })) : [];
  const unpaid = text.replaceAll(paidPart, (whole, amount) => (cashIn(amount) === undefined ? whole : ' ; '));
  const ofTotal = parts.length === 0 ? unpaid : unpaid.replace(totalled, ' ; ');
  const settled = left === undefined ? ofTotal : ofTotal.replaceAll(remaining, ' ; ');
  const readable = settled.replaceAll(paid, ' ; ').replaceAll(collected, ' ; ').replaceAll(collectedBehind, ' ; ');
  const unread = [...readable.matchAll(unreadable)].map(([whole]) => say().doubt.unread({ words: whole.trim() }));
  const without = readable.replaceAll(unreadable, ' ; ');
  const unclear = isAddress ? [] : [...without.matchAll(money)].filter(isMoney);
  const delivered =
    found.length + parts.length + unread.length > 0 || isPaid ? undefined : totalOnDelivery(text, unclear.length);
  const others = delivered === undefined ? unclear.map(doubtOf) : [];
  const rest = unclear.reduceRight(
    (text, { 0: whole, index }) => `${text.slice(0, index)} ${text.slice(index + whole.length)}`,
    without,
  );
  const beside = paidParts.length > 0 ? found.map(({ whole }) => say().doubt.leftOrAll({ words: whole })) : [];
  const isOnTop = left !== undefined && (totalIn(text) ?? total) === undefined && deliveryFee.test(without);
  const onTopOfRest = isOnTop ? [say().doubt.feeBeside({ amount: left })] : [];
  const ofCash = [...cashDoubts(found, isPaid), ...beside, ...onTopOfRest];
  const amount =
    left ?? found[0]?.amount ?? delivered ?? (isAllPaid || (isPaid && others.length === 0) ? 0 : undefined);
  const isSure = ofCash.length === 0 && paidParts.length === 0 && amount !== undefined;
  return { ...(isSure ? { amount } : {}), ...said, doubts: [...ofCash, ...paidParts, ...unread, ...others], rest };
}
