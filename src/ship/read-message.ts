import { nationalDigits } from '../domain/likeness.ts';
import { foldedName } from '../domain/places/place-name.ts';
import { guessPlaces } from '../domain/places/place-suggest.ts';
import { type LocationTree, placeLabel } from '../domain/places/places.ts';
import { type CashReading, readCash } from './message-cash.ts';
import { type MessagePlace, type PlaceReading, placesIn, textOf, type Word, wordsIn } from './message-place.ts';

/** Goods of a message. */
export interface MessageGoods {
  readonly product_name: string;
  readonly quantity: number;
}

/** What a message of a buyer says, as far as it is understood: nothing in it is a guess. */
export interface PastedMessage {
  readonly full_name: string | undefined;
  readonly phone: string | undefined;
  readonly address1: string | undefined;
  readonly ward: string | undefined;
  readonly district: string | undefined;
  readonly province: string | undefined;
  readonly goods: readonly MessageGoods[];
  readonly cod_amount: number | undefined;
  readonly note: string | undefined;
  /** What may mean several things: none of them is used. */
  readonly doubts: readonly string[];
  /** What was not understood. */
  readonly rest: readonly string[];
  /** The ward of today that was written, where the former one of its name is taken: the street ends with it. */
  readonly wardOfToday: string | undefined;
}

/** How a text is read. */
export interface MessageReading extends PlaceReading, CashReading {
  /** Whether the name is known: what is no place, phone or cash then belongs to the street. */
  readonly isAddress?: boolean | undefined;
}

const LONGEST = 4_000;
const PHONE = /(?<![\d/.])(?:\+?84[\s.-]?|0)(?:[35789](?:[\s.-]?\d){8}|2(?:[\s.-]?\d){9})(?![\d/])/gu;

type Label = 'name' | 'phone' | 'address' | 'goods' | 'note';

/** The words in front of a colon that say what follows. */
const labels: readonly (readonly [Label, RegExp])[] = [
  [
    'name',
    /^(?:(?:họ\s*)?tên(?:\s*người\s*nhận)?|(?:ho\s*)?ten(?:\s*nguoi\s*nhan)?|người\s*nhận|nguoi\s*nhan|khách(?:\s*hàng)?|khach(?:\s*hang)?|name)\s*[:：]/iu,
  ],
  ['phone', /^(?:sđt|sdt|đt|dt|tel|phone|(?:số\s*)?điện\s*thoại|(?:so\s*)?dien\s*thoai)\s*[:：]/iu],
  ['address', /^(?:đ\/?c|d\/c|dc|địa\s*chỉ|dia\s*chi|address|add)\s*[:：]/iu],
  ['goods', /^(?:sp|sản\s*phẩm|san\s*pham|hàng|hang|đơn(?:\s*hàng)?|don(?:\s*hang)?|mua|đặt|dat)\s*[:：]/iu],
  ['note', /^(?:ghi\s*chú|ghi\s*chu|note|lưu\s*ý|luu\s*y)\s*[:：]/iu],
];

/** A line without its label, and what the label says. */
function labelled(line: string): { readonly label?: Label; readonly text: string } {
  for (const [label, pattern] of labels) {
    if (pattern.test(line)) return { label, text: line.replace(pattern, '').trim() };
  }
  return { text: line };
}

/** Words with which a street begins. */
const STREET =
  /^(?:số|so|ngõ|ngo|ngách|hẻm|hem|kiệt|đường|duong|phố|pho|thôn|thon|ấp|ap|xóm|xom|tổ|to|khu|kđt|kdt|kcn|kdc|kp|ktx|khóm|khom|khối|bản|đội|chợ|chung|cc|cty|tòa|toà|toa|lầu|tầng|sạp|nhà|lô|lo|căn|p\.?\d+|k\d+)$/iu;
/** Units of places, which no name of a person begins with. */
const UNIT = /^(?:[pqhx]\.|(?:tp|tx|tt|phường|quận|huyện|xã|thị|tỉnh)[.\s])/iu;
const TITLE = /^(?:chị|chi|anh|em|cô|co|chú|chu|bác|bac|bà|ông|ong|mr|ms|mrs|c|a)\.?$/iu;
const MOST_WORDS_OF_NAME = 6;

/** A name at the beginning of a text, and what follows; undefined if it does not begin like one. */
function nameFirst(text: string): { readonly name: string; readonly rest: string } | undefined {
  const words = text.split(/\s+/u);
  const end = words.findIndex((word, at) => /\d/.test(word) || (at > 0 && STREET.test(word)));
  const name = words.slice(0, end < 0 ? words.length : end);
  const isName =
    name.length > 0 &&
    name.length <= MOST_WORDS_OF_NAME &&
    !STREET.test(name[0] ?? '') &&
    !UNIT.test(text) &&
    name.every((word) => /^[\p{L}\p{M}.()'’-]+$/u.test(word)) &&
    !name.every((word) => TITLE.test(word));
  return isName ? { name: name.join(' '), rest: words.slice(name.length).join(' ') } : undefined;
}

const MANY = /^(\d{1,3})\s*(?:x\s+|×\s*)?(?=\p{L})(.+)$/iu;
const TIMES = /^(\p{L}.*?)\s*(?:x|×|sl\s*[:=]?|\*)\s*(\d{1,3})$/iu;

/** Goods as "2 áo thun" or "áo thun x2"; undefined for anything else. */
function goodsIn(text: string): MessageGoods | undefined {
  const [, before, after] = MANY.exec(text) ?? [];
  if (before !== undefined && after !== undefined) return { product_name: after.trim(), quantity: Number(before) };
  const [, name, count] = TIMES.exec(text) ?? [];
  return name === undefined ? undefined : { product_name: name.trim(), quantity: Number(count) };
}

const BETWEEN = /[,;|\n\t]+/u;
/** Between goods there may be words, too. */
const BETWEEN_GOODS = /[,;|\n\t]+|\s(?:và|va|\+|&)\s(?=\d)/u;

const piecesOf = (text: string, between = BETWEEN): string[] =>
  text
    .split(between)
    .map((piece) => piece.replaceAll(/^[\s.:-]+|[\s:-]+$/gu, '').trim())
    .filter((piece) => piece !== '');

/** The one phone number of a text; others are doubtful. */
function readPhone(text: string) {
  const found = [...text.matchAll(PHONE)].map(([phone]) => phone);
  const numbers = new Set(found.map(nationalDigits));
  const [first] = numbers;
  const doubts = numbers.size > 1 ? [`several phone numbers: ${found.join(', ')}`] : [];
  return { phone: numbers.size === 1 ? first : undefined, doubts, rest: text.replaceAll(PHONE, '\n') };
}

const tooLong = (message: string) =>
  message.length > LONGEST ? [`has ${message.length} characters, of which ${LONGEST} can be read`] : [];

/** What is doubtful about the place of a message. */
function placeDoubts(tree: LocationTree, places: readonly MessagePlace[], text: string): string[] {
  if (places.length > 1) return [`the place may be ${places.map(placeLabel).join(' or ')}`];
  if (places.length === 1) return [];
  const last = piecesOf(text).slice(-3).join(', ');
  const near = last === '' ? [] : guessPlaces(tree, last, 2);
  return near.length === 0 ? [] : [`no province is named; did you mean ${near.map(placeLabel).join(' or ')}?`];
}

/** Finds the name among pieces of a text: the first one that begins like a name. */
function takeName(pieces: readonly string[], isWanted: (piece: string) => boolean) {
  const at = pieces.findIndex((piece) => isWanted(piece) && nameFirst(piece) !== undefined);
  const found = nameFirst(pieces[at] ?? '');
  if (at < 0 || found === undefined) return { name: undefined, rest: pieces };
  return { name: found.name, rest: pieces.toSpliced(at, 1, ...(found.rest === '' ? [] : [found.rest])) };
}

const COUNTRY = /^(?:việt nam|viet nam|vietnam|vn)\.?$/iu;

/** The word behind a place and its country. */
function behindCountry(words: readonly Word[], to: number): number {
  const isCountry = (end: number) => {
    const text = words.slice(to, end).map((word) => word.text);
    return text.length === end - to && COUNTRY.test(text.join(' ')) && words[end]?.begins !== false;
  };
  return [to + 1, to + 2].find(isCountry) ?? to;
}

/** A line that is about goods, between the others. */
const GOODS_LINE = '\u0001';
/** A phone number, which is no cash: "Minh Thu 0901234567". */
const PHONE_HERE = '\u0002';
const ours = new RegExp(`[${GOODS_LINE}${PHONE_HERE}]`, 'g');

/** A message by what its labels say, and the cash to collect, wherever it is named. */
function sectionsOf(message: string, how: MessageReading) {
  const lines = message.slice(0, LONGEST).normalize('NFC').split('\n');
  const all = lines.map((line) => labelled(line.replaceAll(ours, '').trim()));
  const textFor = (label: Label) => all.flatMap((line) => (line.label === label ? [line.text] : [])).join('\n');
  const open = all.flatMap(({ label, text }) => {
    if (label === 'note' || label === 'name') return [];
    return [label === 'goods' ? `${GOODS_LINE}${text}` : text];
  });
  const text = open.join('\n');
  const phones = [...text.matchAll(PHONE)].map(([phone]) => phone);
  const cash = readCash(text.replaceAll(PHONE, PHONE_HERE), how);
  const rest = cash.rest.replaceAll(PHONE_HERE, () => phones.shift() ?? '').split('\n');
  const goods = rest.filter((line) => line.startsWith(GOODS_LINE)).map((line) => line.slice(1));
  const others = [textFor('name'), ...rest.filter((line) => !line.startsWith(GOODS_LINE))];
  return { note: textFor('note'), cash, goods: goods.join('\n'), others: others.join('\n') };
}

const isTitled = (piece: string) => TITLE.test(piece.split(/\s+/u)[0] ?? '');

/** Where several places stand that the same words may mean. */
function spanOf([first, ...others]: readonly MessagePlace[]): MessagePlace | undefined {
  return others.every(({ from, to }) => from === first?.from && to === first.to) ? first : undefined;
}

/** Name and street before a place, and the pieces behind it; without a place there is no street. */
function aroundPlace(words: readonly Word[], place: MessagePlace | undefined, isAddress: boolean) {
  const [from, to] = [place?.from ?? words.length, behindCountry(words, place?.to ?? words.length)];
  const [first, last] = [piecesOf(textOf(words, 0, from)), textOf(words, to, words.length)];
  if (isAddress) return { name: undefined, street: [...first, ...piecesOf(last)].join(', '), unplaced: [], after: [] };
  const before = takeName(first, () => true);
  const after = piecesOf(last, BETWEEN_GOODS);
  const behind = before.name === undefined ? takeName(after, isTitled) : { name: undefined, rest: after };
  // Before a place "12 ngõ 5" is a street: without one, it is no goods either.
  const [street, unplaced] = place === undefined ? ['', before.rest] : [before.rest.join(', '), []];
  return { name: before.name ?? behind.name, street, unplaced, after: behind.rest };
}

/**
 * Reads a message as buyers write it: "Chị Lan 0901234567 12/3 Lê Lợi p.Bến Nghé q1 hcm, 2 áo thun, thu 350k". What may
 * mean several things is doubtful, and what is not understood is left over: neither is used.
 */
export function readMessage(tree: LocationTree, message: string, how: MessageReading = {}): PastedMessage {
  const { isAddress = false } = how;
  const { note, cash, goods, others } = sectionsOf(message, how);
  const { phone, doubts, rest } = readPhone(others);
  const words = wordsIn(rest);
  const places = placesIn(tree, words, how);
  const place = places.length === 1 ? places[0] : undefined;
  const { name, street, unplaced, after } = aroundPlace(words, place ?? spanOf(places), isAddress);
  const read = [...piecesOf(goods, BETWEEN_GOODS), ...after].map((piece) => ({ piece, goods: goodsIn(piece) }));
  const other = [...unplaced, ...read.filter((one) => one.goods === undefined).map(({ piece }) => piece)];
  const line = [street, ...(isAddress ? other : [])].filter((piece) => piece !== '').join(', ');
  const { province, district, ward, wardOfToday } = place ?? {};
  return {
    full_name: name,
    phone,
    address1: line === '' ? undefined : [line, ...(wardOfToday === undefined ? [] : [wardOfToday])].join(', '),
    ward,
    district,
    province,
    cod_amount: cash.amount,
    note: note || undefined,
    goods: read.flatMap((one) => one.goods ?? []),
    doubts: [...tooLong(message), ...doubts, ...placeDoubts(tree, places, rest), ...cash.doubts],
    rest: isAddress ? [] : other,
    wardOfToday,
  };
}

/** Whether a text that was given for a name holds more than one: a phone number or a whole address. */
export function isWholeMessage(text: string): boolean {
  return (
    /\d(?:[ .-]?\d){7}/.test(text) ||
    text.split(/[,;\t\n]/).length > 2 ||
    text.includes(';') ||
    foldedName(text).split(' ').length > 12
  );
}
