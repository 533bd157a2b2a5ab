import { lookAtPhone, nationalDigits } from '../domain/likeness.ts';
import { foldedName } from '../domain/places/place-name.ts';
import { guessPlaces } from '../domain/places/place-suggest.ts';
import { type LocationTree, placeLabel } from '../domain/places/places.ts';
import {
  type CashReading,
  freeDeliveryIn,
  type MessageCash,
  type MessageSum,
  readCash,
  sumIn,
} from './message-cash.ts';
import { beginsGoods, countsBefore, goodsIn, type MessageGoods } from './message-goods.ts';
import {
  beginsStreet,
  beginsUnit,
  foldedWord,
  isTalk,
  ours,
  PHONE_HERE,
  PHONE_MARK,
  type Piece,
  type PlacedWord,
  piecesOf,
  placedWords,
  withKinds,
} from './message-pieces.ts';
import {
  type MessagePlace,
  type PlaceReading,
  placesIn,
  placesNamed,
  shortProvinceIn,
  textOf,
  type Word,
  wordsIn,
} from './message-place.ts';
import {
  attributes,
  goodsWords,
  measures,
  moneyTalk,
  notGoods,
  notNames,
  ordering,
  people,
  streets,
  surnames,
  takenBack,
  titles,
} from './message-words.ts';
import { say } from './texts.ts';

/** What a message of a buyer says, as far as it is understood: nothing in it is a guess. */
export interface PastedMessage {
  readonly full_name: string | undefined;
  readonly phone: string | undefined;
  /** The phone numbers, where the message has several of which one is the recipient's. */
  readonly phones?: readonly string[];
  readonly address1: string | undefined;
  readonly ward: string | undefined;
  readonly district: string | undefined;
  readonly province: string | undefined;
  /** The places that may be meant, where none is sure. */
  readonly places: readonly string[];
  readonly goods: readonly MessageGoods[];
  readonly cod_amount: number | undefined;
  /** The words that say that all or a part is paid. */
  readonly paid: string | undefined;
  /** The words that say that the buyer pays no delivery. */
  readonly free_delivery?: string | undefined;
  /** What the buyer pays for the delivery, where the message adds it up. */
  readonly delivery_fee?: number | undefined;
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
/** A number of one line; what stands behind eight digits and a blank is a house: "09123456 12 Hàng Gai". */
const PHONE =
  /(?<![\d.]|\d\/|\S\/)(?!\d{8,9}\p{Zs})(?:\+?84[\p{Zs}.-]?(?:\(0\)\p{Zs}?)?|0\p{Zs}?)(?:[35789](?:[\p{Zs}.-]?\d){8}|2(?:[\p{Zs}.-]?\d){9})(?!\d|\/\S)/gu;
/** A number with too few digits or too many, for a message without another. */
const ODD_PHONE = /(?<![\p{L}\d./-])0[35789](?:\d{6,7}|(?:[.-]?\d){6,7}|\d{9,10})(?![\p{L}\d%]|[./-]\S)/gu;

const NOTE = /^\s*(?:ghi\s*chú|ghi\s*chu|note|lưu\s*ý|luu\s*y)\s*[:：]/iu;
const GOODS = /^(?:sp|sản\s*phẩm|san\s*pham|hàng|hang|đơn(?:\s*hàng)?|don(?:\s*hang)?|mua|đặt|dat)\s*[:：]/iu;
const ANY_LABEL =
  /^(?:(?:họ\s*)?tên(?:\s*người\s*nhận)?|(?:ho\s*)?ten|người\s*nhận|sđt|sdt|đt|dt|(?:số\s*)?điện\s*thoại|đ\/?c|d\/c|dc|địa\s*chỉ|dia\s*chi|address|add)\s*[:：]/iu;

/** What a ward is called today, in brackets behind the former one, which is the one that the service's list has; and the other way round. */
const CALLED_TODAY = /\s*\((?:hiện )?nay(?: là)?\s*:?\s*([^()]+)\)/giu;
const FORMER_UNIT = '[^()]*(?<!\\p{L})(?:phường|xã|thị trấn|quận|huyện|p\\.|q\\.)[^()]*';
const CALLED_BEFORE = new RegExp(
  `\\s*\\((?:(?:cũ|trước(?: đây)?(?: là)?)\\s*:?\\s*(${FORMER_UNIT})|(${FORMER_UNIT}?)\\s+cũ)\\)`,
  'giu',
);
const FORMER = /\s+cũ(?=\s*(?:,|$))/gu;

/** A phone number in an address with the words that lead to it: "sđt phụ: 0977…". */
const LABELLED_PHONE = new RegExp(
  `(?:(?<!\\p{L})(?:sđt|sdt|số đt|(?:số )?điện thoại|đt|dt|tel|phone|zalo|liên hệ|lh|gọi|hoặc)(?: (?:phụ|khác|dự phòng|thứ 2|2|mới|nhận))?\\s*[:.]?\\s*)*${PHONE_MARK}`,
  'giu',
);

const COMMAS = /[,;|\n\t]+/u;
const partsOf = (text: string): string[] =>
  text
    .split(COMMAS)
    .map((part) => part.replaceAll(/^[\s.:-]+|[\s:-]+$/gu, '').trim())
    .filter((part) => part !== '');

const tooLong = (message: string) =>
  message.length > LONGEST ? [say().doubt.tooLong({ length: message.length, most: LONGEST })] : [];

/** What is doubtful about the place of a message, and which places may be meant. */
function placeDoubts(
  tree: LocationTree,
  places: readonly MessagePlace[],
  near: readonly MessagePlace[],
  text: string,
): { readonly doubts: readonly string[]; readonly places: readonly string[] } {
  const named = places.map(placeLabel);
  const [only] = places;
  if (places.length > 1) return { doubts: [say().doubt.place({ names: named })], places: named };
  if (only?.isPartial === true) return { doubts: [say().doubt.formerWard({ place: placeLabel(only) })], places: [] };
  if (only !== undefined) return { doubts: [], places: [] };
  const parts = partsOf(text);
  const short = shortProvinceIn(tree, parts);
  if (short !== undefined) {
    const { written, provinces, places: inDistrict } = short;
    const meant = (near.length > 0 ? near : inDistrict).map(placeLabel);
    const doubt = say().doubt.short({ written: JSON.stringify(written), names: provinces, meant: meant.slice(0, 2) });
    return { doubts: [doubt], places: meant };
  }
  const last = parts.slice(-3).join(', ');
  const meant = (near.length > 0 ? near.slice(0, 2) : last === '' ? [] : guessPlaces(tree, last, 2)).map(placeLabel);
  return { doubts: meant.length === 0 ? [] : [say().doubt.noProvince({ names: meant })], places: meant };
}

/** The wards that a text names beside a place, and that lie in another district: "xã Thới Thạnh, Cờ Đỏ, Cần Thơ". */
function strayWards(tree: LocationTree, place: MessagePlace | undefined, text: string): string[] {
  if (place?.district === undefined || place.ward !== undefined) return [];
  const { province, district } = place;
  const parts = partsOf(text).filter((part) => beginsUnit(part.split(' ')));
  return parts.flatMap((part) => {
    const found = onlyPlace(placesIn(tree, wordsIn(`${part}, ${province}`)));
    if (found?.ward === undefined || found.district === undefined || found.district === district) return [];
    return [say().doubt.strayWard({ ward: found.ward, district: found.district, named: district })];
  });
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

/** The one place that is named for sure; undefined if it may be another one. */
const onlyPlace = ([only, another]: readonly MessagePlace[]) =>
  another !== undefined || only?.isPartial === true ? undefined : only;

/** Where several places stand that the same words may mean. */
function spanOf([first, ...others]: readonly MessagePlace[]): MessagePlace | undefined {
  return others.every(({ from, to }) => from === first?.from && to === first.to) ? first : undefined;
}

/** A message by lines: its notes, and the cash to collect wherever else it is named; phone numbers are marked. */
function dividedMessage(message: string, how: MessageReading) {
  const lines = message
    .slice(0, LONGEST)
    .normalize('NFC')
    .split('\n')
    .map((line) => line.replaceAll(ours, '').trim())
    .filter((line) => line !== '');
  const note = lines.filter((line) => NOTE.test(line)).map((line) => line.replace(NOTE, '').trim());
  const text = lines.filter((line) => !NOTE.test(line)).join('\n');
  const number = how.isAddress === true || text.search(PHONE) >= 0 ? PHONE : ODD_PHONE;
  const phones = [...text.matchAll(number)].map(([phone]) => phone.replace('(0)', ''));
  const marked = text.replaceAll(number, PHONE_MARK);
  const sum = how.isAddress === true ? undefined : sumIn(marked);
  const cash = readCash(sum?.rest ?? marked, how);
  return { note: note.join('\n'), phones, text, sum, cash: sum === undefined ? cash : { ...cash, amount: sum.total } };
}

/** Goods with the prices that a sum has of them, if it has one for each, and they agree. */
function priced(goods: readonly MessageGoods[], sum: MessageSum | undefined): readonly MessageGoods[] {
  if (sum === undefined || sum.goods.length !== goods.length) return goods;
  const prices = goods.map(({ quantity }, at) => {
    const { amount = Number.NaN, each } = sum.goods[at] ?? {};
    const price = amount / quantity;
    return Number.isInteger(price) && (each ?? price) === price ? price : undefined;
  });
  return prices.includes(undefined) ? goods : goods.map((one, at) => ({ ...one, retail_price: prices[at] ?? 0 }));
}

/** The one phone number of some; others are doubtful, as is one that nobody can have. */
function onePhone(phones: readonly string[]) {
  const odd = phones.flatMap((phone) => {
    const look = lookAtPhone(phone);
    return look.kind === 'unusual' && look.code === 'unusual_phone' ? [`${phone} ${look.note}`] : [];
  });
  if (odd.length > 0) return { phone: undefined, phones: [], doubts: odd };
  const numbers = new Set(phones.map(nationalDigits));
  const [first] = numbers;
  if (numbers.size < 2) return { phone: first, phones: [], doubts: [] };
  return { phone: undefined, phones: [...numbers], doubts: [say().doubt.phones({ phones })] };
}

/** An address whose name is known: what is no place, phone, cash, goods or note by its label is the street. */
function readAddress(tree: LocationTree, message: string, how: MessageReading): PastedMessage {
  const { note, phones, cash } = dividedMessage(message, how);
  const lines = cash.rest
    .replaceAll(LABELLED_PHONE, '\n')
    .split('\n')
    .map((line) => line.trim());
  const labelled = lines.filter((line) => GOODS.test(line)).flatMap((line) => partsOf(line.replace(GOODS, '')));
  const rest = lines.flatMap((line) => (GOODS.test(line) ? [] : [line.replace(ANY_LABEL, '').trim()])).join('\n');
  const { phone, doubts } = onePhone(phones);
  const called = [...rest.matchAll(CALLED_TODAY)].map(([, name = '']) => `nay là ${name.trim()}`);
  const former = rest
    .replaceAll(CALLED_TODAY, '')
    .replaceAll(CALLED_BEFORE, (_, one?: string, other = '') => `, ${(one ?? other).replaceAll(FORMER, '')}`);
  const words = wordsIn(former);
  const { places, near } = placesNamed(tree, words, how);
  const place = onlyPlace(places);
  const { from = words.length, to = words.length } = place ?? spanOf(places) ?? {};
  const goods = goodsIn(labelled.map((text) => ({ ...NO_PIECE, words: text.split(/\s+/u), kind: 'goods' as const })));
  const meant = placeDoubts(tree, places, near, rest);
  const street = [
    ...partsOf(textOf(words, 0, from)),
    ...partsOf(textOf(words, behindCountry(words, to), words.length)),
    ...called,
    ...goods.rest,
  ];
  return {
    full_name: undefined,
    phone,
    goods: goods.goods,
    cod_amount: cash.amount,
    paid: cash.paid,
    note: note || undefined,
    doubts: [...tooLong(message), ...doubts, ...meant.doubts, ...cash.doubts, ...goods.doubts],
    rest: [],
    places: meant.places,
    ...placed(place, street.join(', ')),
  };
}

const NO_PIECE = { line: 0, from: 0, to: 0, isQuestion: false, isLabel: false, isEnd: false, isHead: false };

/** A place and its street, which ends with the ward of today where the former one of its name is taken. */
function placed(place: MessagePlace | undefined, street: string) {
  const { province, district, ward, wardOfToday } = place ?? {};
  const line = [street, wardOfToday ?? ''].filter((part) => part !== '').join(', ');
  return { address1: street === '' ? undefined : line, ward, district, province, wardOfToday };
}

/** Words behind a name that are none: "Phúc đây ạ", "Vy nè chị", "Vân Anh nhận giúp em". */
const BEHIND_NAME =
  /\s(?:đây|day|nè|ne|nha|nhé|nhe|nhận(?:\s+hàng)?(?:\s+(?:giúp|hộ|giùm))?|nhan\s+hang|ở|và)(?:\s+(?:em|e|chị|c|anh|a|shop))*$/iu;
const LETTERS = /^[\p{L}\p{M}.'’-]+$/u;
const MOST_WORDS_OF_NAME = 6;

/** Words with a name among them: what stands before and behind it. */
interface Named {
  readonly isInParens?: boolean;
  readonly before: readonly string[];
  readonly name: readonly string[];
  readonly behind: readonly string[];
}

const isCapital = (word: string) => /^\p{Lu}/u.test(word);
/** Whether one word that people say of themselves without diacritics may be a name: "Minh", "Chi". */
const isNameAlone = ([word = '', ...others]: readonly string[]) =>
  others.length === 0 && isCapital(word) && people.has(word) && !people.is(word);
/** Words that begin with the unit of a place are no name; without diacritics "phuong" may be one. */
const isUnitFirst = ([word = '']: readonly string[]) => /^(?:phường|xã|quận|huyện|tỉnh)$/iu.test(word);

/** Where a name begins behind words that are none: "Nghệ nhân Phan Thị Thuận". */
function startOfName(words: readonly string[]): number {
  const at = words.findIndex(
    (word, index) => index > 0 && isCapital(word) && surnames.has(word) && !isCapital(words[index - 1] ?? ''),
  );
  const before = words.slice(0, at);
  if (!before.every((word, index) => LETTERS.test(word) && streets.at(before, index) === 0)) return 0;
  return at > 0 && !titles.has(words[at - 1] ?? '') && words.length - at > 1 && words.slice(at).every(isCapital)
    ? at
    : 0;
}

/** The name among words; undefined if they hold none. */
function nameOf(words: readonly string[], isLabelled = false): Named | undefined {
  const line = words.join(' ');
  const cut = BEHIND_NAME.exec(line)?.index;
  const end = cut === undefined ? words.length : line.slice(0, cut).split(' ').length;
  const start = startOfName(words.slice(0, end));
  const name = words.slice(start, end);
  const last = name.length - 1;
  const isFamily = surnames.has(name[0] ?? '') && last > 0;
  const isOther = (word: string, at: number) =>
    notNames.at(name, at) > 0 &&
    !(at === 0 && last > 0 && titles.has(word)) &&
    !(isFamily && at > 0 && foldedWord(word) === word) &&
    !(isCapital(word) && (isFamily || isLabelled)) &&
    !(at === last && at > 0 && (isFamily || isCapital(word)));
  const isName =
    name.length > 0 &&
    name.length <= MOST_WORDS_OF_NAME &&
    name.every((word) => LETTERS.test(word)) &&
    !(isLabelled && isStreetFirst(name)) &&
    !name.some(isOther) &&
    !(name.every((word) => titles.has(word)) && !(last > 0 && name.every(isCapital))) &&
    !(name.every((word) => people.has(word)) && !name.some((word, at) => at > 0 && isCapital(word))) &&
    !isUnitFirst(name) &&
    !(last === 0 && (attributes.has(name[0] ?? '') || (name[0] ?? '').length < 2));
  return isName || isNameAlone(name) ? { before: words.slice(0, start), name, behind: words.slice(end) } : undefined;
}

/** How surely a piece is the name where its label says whose. */
const byLabel: Partial<Record<NonNullable<Piece['kind']>, number>> = { recipient: 7, name: 6, to: 6 };

/** How surely a piece is the name of the recipient; 0 if it is none. */
function nameStrength(piece: Piece, name: readonly string[], isBeside: boolean, isAlone: boolean): number {
  const isOfLabel = piece.kind === 'address' && !piece.isHead;
  if (piece.kind !== undefined && !isOfLabel) return byLabel[piece.kind] ?? 0;
  const [first = '', second = ''] = name;
  const isTitled = titles.has(first) && second !== '';
  const isFamily = surnames.has(first) && second !== '';
  const isGoods = goodsWords.at(name, 0) > 0;
  if (isNameAlone(name)) return Number(isBeside);
  if (isBeside) {
    const isCalled = isTitled || (isFamily && (name.every(isCapital) || foldedWord(first) === first));
    return isGoods && !isCalled && !name.every(isCapital) ? 0 : strengthBeside(isTitled || isFamily, name);
  }
  if (isOfLabel || piece.isLabel || streets.at(name, 0) > 0) return 0;
  return isGoods && !(isFamily && name.every(isCapital)) ? 0 : strengthApart(name, { isTitled, isFamily, isAlone });
}

const strengthBeside = (isCalled: boolean, name: readonly string[]) => (isCalled ? 5 : name.length <= 5 ? 3 : 0);

/** How surely words are the name without a phone number beside them. */
function strengthApart(
  name: readonly string[],
  { isTitled, isFamily, isAlone }: { isTitled: boolean; isFamily: boolean; isAlone: boolean },
): number {
  if (!isAlone) return Number(isTitled);
  if ((isFamily && name.length > 2) || (isTitled && isCapital(name[1] ?? ''))) return 4;
  return isTitled || isFamily ? 2 : Number(name.length <= 5 && name.every(isCapital));
}

interface Found extends Named {
  readonly piece: Piece;
  readonly strength: number;
}

const isPhone = (piece: Piece | undefined) => piece?.words[0] === PHONE_HERE;

/** Whether words are a street rather than a name: "chung cư", "thôn Hạ"; without diacritics "to" may be a family. */
const isStreetFirst = (words: readonly string[]) => {
  const count = streets.at(words, 0);
  return count > 1 || (count === 1 && (!surnames.has(words[0] ?? '') || /\d/.test(words[1] ?? '')));
};

/** Whether a phone number stands beside a piece: on its line, or alone on the next one. */
function isBesidePhone(pieces: readonly Piece[], at: number): boolean {
  const countOn = (line: number | undefined) => pieces.filter((piece) => piece.line === line).length;
  const line = pieces[at]?.line;
  return [pieces[at - 1], pieces[at + 1]].some(
    (each) => isPhone(each) && (each?.line === line || (countOn(line) === 1 && countOn(each?.line) === 1)),
  );
}

/** The name in the parentheses behind what somebody is called: "Mẹ Gạo (Đinh Ngọc Diệp)". */
function calledIn(words: readonly string[]): Named | undefined {
  const [, called = '', inner = ''] = /^([^()\d]+)\s\(([^()]+)\)$/u.exec(words.join(' ')) ?? [];
  const name = inner.split(' ');
  const isName = name.length > 2 && surnames.has(name[0] ?? '') && name.every(isCapital) && nameOf(name) !== undefined;
  return isName ? { before: called.split(' '), name, behind: [], isInParens: true } : undefined;
}

/** How many words of a piece may be a name: those before a number, a street or parentheses. */
function lengthOfName(words: readonly string[]): number {
  const isEnd = (word: string, at: number) =>
    /\d/.test(word) || word.startsWith('(') || (streets.at(words, at) > 0 && /^\d/.test(words[at + 1] ?? ''));
  const end = words.findIndex((word, at) => at > 0 && isEnd(word, at));
  return end < 0 ? words.length : end;
}

/** The pieces that may be the name, with how surely they are. */
function namesIn(pieces: readonly Piece[], streetLine: number): Found[] {
  return pieces.flatMap((piece, at): Found[] => {
    if (
      isPhone(piece) ||
      piece.isQuestion ||
      ((piece.kind === undefined || piece.kind === 'address') && isStreetFirst(piece.words))
    )
      return [];
    const words = unwrapped(piece.words.join(' ')).split(' ');
    const end = lengthOfName(words);
    const named = calledIn(words) ?? nameOf(words.slice(0, end), byLabel[piece.kind ?? 'note'] !== undefined);
    const ofLine = pieces.filter((each) => each.line === piece.line);
    const isAlone = piece === ofLine[0] || (piece.line !== streetLine && end === words.length);
    const strength = named === undefined ? 0 : nameStrength(piece, named.name, isBesidePhone(pieces, at), isAlone);
    if (named === undefined || strength === 0) return [];
    const behind = named.isInParens === true ? named.behind : [...named.behind, ...words.slice(end)];
    return [{ ...named, behind, piece, strength }];
  });
}

/** The one name that is surest; several are doubtful. */
function pickName(
  pieces: readonly Piece[],
  names: readonly Found[],
): { readonly found: Found | undefined; readonly doubts: readonly string[] } {
  const isUnread = ({ kind, words, isHead }: Piece) =>
    (kind === 'recipient' || kind === 'name') && !isHead && !names.some(({ piece }) => piece.words === words);
  // What a label calls the name is it, or no other is.
  if (pieces.some(isUnread)) return { found: undefined, doubts: [] };
  const most = Math.max(0, ...names.map(({ strength }) => strength));
  const best = names.filter(({ strength }) => strength === most);
  const texts = new Set(best.map(({ name }) => foldedName(name.join(' '))));
  if (texts.size < 2) return { found: best[0], doubts: [] };
  return { found: undefined, doubts: [say().doubt.name({ names: best.map(({ name }) => name.join(' ')) })] };
}

/** Whether a piece is about goods: by its label, by what is said before it, or by its words. */
function isGoods({ words, kind, isQuestion }: Piece): boolean {
  if (isQuestion) return false;
  if (kind !== undefined) return kind === 'goods' || kind === 'goods said' || kind === 'quantity';
  const [first = '', second = '', third = ''] = words;
  const isHouse = isCapital(second) && isCapital(third) && third.toLowerCase() === third.toUpperCase();
  if (/^\(?\d{1,3}\)?x?$/iu.test(first)) {
    return (
      second === '' ||
      /^[x×]$/iu.test(second) ||
      first.startsWith('(') ||
      (goodsWords.at(words, 1) > 0 && !isHouse) ||
      attributes.has(second)
    );
  }
  return beginsGoods(words) || attributes.has(first) || words.some((word) => /^[x×]\d/iu.test(word));
}

/** Whether the next piece counts what a piece names: "Robot hút bụi – 1", "Bát đĩa gốm: 1 set". */
function hasCount(pieces: readonly Piece[], piece: Piece): boolean {
  const next = pieces[pieces.indexOf(piece) + 1];
  const isCounted = next !== undefined && next.line === piece.line && countsBefore(next);
  const isName =
    /^\p{L}/u.test(piece.words[0] ?? '') && !piece.words.some((word) => ordering.has(word) || people.has(word));
  return piece.kind === undefined && isCounted && isName;
}

/** Whether a piece is one more of counted goods: "1 áo len, 1 chân váy". */
function goesOnCounting(pieces: readonly Piece[], piece: Piece): boolean {
  const before = pieces[pieces.indexOf(piece) - 1];
  const [first = '', second = ''] = piece.words;
  const isCount =
    /^\d{1,2}$/.test(first) && LETTERS.test(second) && !isCapital(second) && !beginsStreet(piece.words.slice(1));
  return piece.kind === undefined && isCount && before?.line === piece.line && isGoods(before);
}

/** Whether a piece counts something by its colour or size, where it is no street: "2 ô gấp xanh". */
const countsByColour = ({ words, kind, isQuestion }: Piece): boolean =>
  kind === undefined &&
  !isQuestion &&
  words.length > 2 &&
  /^[1-9]$/.test(words[0] ?? '') &&
  words.slice(1, -1).every((word) => LETTERS.test(word) && !isCapital(word)) &&
  attributes.has(words.at(-1) ?? '') &&
  [surnames, notGoods, measures].every((list) => !list.has(words[1] ?? '')) &&
  streets.at(words, 1) === 0;

/** Goods beyond doubt, also before a place: "2 áo thun, p. Bến Nghé". */
const isSurelyGoods = (piece: Piece) => {
  const [first = '', second = ''] = piece.words;
  if (piece.kind !== undefined) return piece.kind.startsWith('goods') || piece.kind === 'quantity';
  return /^\d{1,3}x?$/i.test(first) && goodsWords.at(piece.words, 1) > 0 && !isCapital(second);
};

/** The pieces before a place that are its street, on its line and on the one above. */
function streetBefore(pieces: readonly Piece[], line: number, isOther: (piece: Piece) => boolean): Piece[] {
  const own: Piece[] = [];
  for (const piece of pieces.toReversed()) {
    const isOfLine = piece.line === line;
    const isNext = isOfLine || (own.length === 0 && line - piece.line === 1);
    const isLabelled = piece.kind === 'address';
    const goesOn = isNext && !isOther(piece) && !(piece.isEnd && own.length > 0);
    const isCount =
      /^\d{1,2}$/.test(piece.words[0] ?? '') && !isCapital(piece.words[1] ?? '') && streets.at(piece.words, 1) === 0;
    if (isCount && own.length > 0 && !isLabelled) break;
    if (!goesOn || (!isLabelled && !beginsStreet(piece.words) && (!isOfLine || isTalk(piece.words)))) break;
    own.unshift(piece);
    if (!isOfLine || piece.isHead) break;
  }
  return own;
}

/** The pieces that are the street: before the place, where a label says so, and behind it. */
function streetOf(
  pieces: readonly Piece[],
  span: { from: number; to: number; line: number },
  isTaken: (piece: Piece) => boolean,
): Piece[] {
  const isOther = (piece: Piece) =>
    isPhone(piece) ||
    piece.isQuestion ||
    isTaken(piece) ||
    isSurelyGoods(piece) ||
    takenBackIn(piece) ||
    (piece.kind !== undefined && piece.kind !== 'address');
  const own = streetBefore(
    pieces.filter((piece) => piece.to <= span.from),
    span.line,
    isOther,
  );
  const labelled = pieces.filter(
    (piece) =>
      piece.kind === 'address' &&
      !own.includes(piece) &&
      !isOther(piece) &&
      beginsStreet(piece.words) &&
      !(piece.from >= span.to && beginsUnit(piece.words)),
  );
  const behind = pieces.filter((piece) => {
    const [first = '', ...others] = piece.words;
    const text = [first.replace('(', ''), ...others];
    const begins = streets.at(text, 0) > 0 || (own.length + labelled.length === 0 && beginsStreet(text));
    return (
      piece.from >= span.to &&
      piece.line === span.line &&
      piece.kind === undefined &&
      !isOther(piece) &&
      begins &&
      !beginsUnit(piece.words)
    );
  });
  return [...labelled, ...own, ...behind].toSorted((one, other) => one.from - other.from);
}

const takenBackIn = ({ words }: Piece) => words.some((_, at) => takenBack.at(words, at) > 0);

/** The pieces without what the next one of their line takes back: "2 tô phở (giỡn thôi)", "p An Hòa, à nhầm". */
const withoutTakenBack = (pieces: readonly Piece[]) =>
  pieces.filter((piece, at) => {
    const next = pieces[at + 1];
    return !takenBackIn(piece) && !(next?.line === piece.line && takenBackIn(next));
  });

const unwrapped = (text: string) => text.replaceAll(/^\(([^()]*)\)$/gu, '$1').replaceAll(/^[\s.:-]+|[\s:.-]+$/gu, '');
const textIn = (words: readonly string[]) => unwrapped(words.filter((word) => word !== PHONE_HERE).join(' '));

/** The phone numbers of whom the message names as its sender, and all others. */
function ownPhones(pieces: readonly Piece[], phones: readonly string[]) {
  const here = pieces.filter(isPhone);
  const isSaid = here.some(({ kind }) => kind === 'sender') && here.some(({ kind }) => kind !== 'sender');
  const senders = new Set(pieces.filter(({ kind }) => kind === 'sender').map(({ line }) => line));
  const isSenders = (piece: Piece | undefined) =>
    piece !== undefined && (isSaid ? piece.kind === 'sender' : senders.has(piece.line));
  const others = phones.filter((_, at) => !isSenders(here[at]));
  return others.length === 0
    ? { own: phones, sender: [] }
    : { own: others, sender: phones.filter((phone) => !others.includes(phone)) };
}

/** The place that a message names, or may mean, and where it stands. */
function placeOf(tree: LocationTree, words: readonly PlacedWord[], how: MessageReading) {
  const { places, near } = placesNamed(tree, words, how);
  const place = onlyPlace(places);
  const named = place ?? spanOf(places) ?? spanOf(near);
  const from = named?.from ?? words.length;
  const to = named === undefined ? from : behindCountry(words, named.to);
  return {
    places,
    near,
    place,
    isNamed: named !== undefined,
    span: { from, to, line: words[from]?.line ?? -1 },
  };
}

/** A whole message, whose parts may come in any order. */
function readParts(tree: LocationTree, message: string, how: MessageReading): PastedMessage {
  const { note, phones, cash, sum, text } = dividedMessage(message, how);
  const delivery = freeDeliveryIn(text);
  const words = placedWords(delivery.words === undefined ? cash.rest : cash.rest.replace(delivery.words, ' ; '));
  const { places, near, place, isNamed, span } = placeOf(tree, words, how);
  const pieces = withKinds(piecesOf(words, span), beginsGoods, span.to);
  const kept = withoutTakenBack(pieces);
  const names = namesIn(kept, span.line);
  const { found, doubts: ofName } = pickName(kept, names);
  const isSureName = (piece: Piece) => names.some((each) => each.piece === piece && each.strength > 2);
  const street = isNamed ? streetOf(kept, span, (piece) => piece === found?.piece || isSureName(piece)) : [];
  const left = pieces.filter((piece) => !isPhone(piece) && !street.includes(piece) && piece !== found?.piece);
  const isAboutGoods = (piece: Piece) =>
    isGoods(piece) ||
    hasCount(pieces, piece) ||
    goesOnCounting(pieces, piece) ||
    (street.length > 0 && countsByColour(piece));
  const aboutGoods = left.filter((piece) => kept.includes(piece) && isAboutGoods(piece) && !isSureName(piece));
  const { goods, doubts: ofGoods, rest } = goodsIn(aboutGoods);
  const others = left.filter((piece) => !aboutGoods.includes(piece)).map((piece) => piece.words);
  const { own, sender } = ownPhones(pieces, phones);
  const { phone, phones: several, doubts } = onePhone(own);
  const meant = placeDoubts(tree, places, near, partsText(pieces));
  return {
    full_name: found === undefined ? undefined : textIn(found.name),
    phone,
    phones: several,
    goods: priced(goods, sum),
    cod_amount: cash.amount,
    paid: cash.paid,
    free_delivery: delivery.words,
    delivery_fee: sum?.fee,
    note: note || undefined,
    places: meant.places,
    doubts: [
      ...tooLong(message),
      ...doubts,
      ...ofName,
      ...meant.doubts,
      ...strayWards(tree, place, partsText(pieces)),
      ...cash.doubts,
      ...(delivery.doubt === undefined ? [] : [delivery.doubt]),
      ...ofGoods,
    ],
    rest: [...rest, ...unread([found?.before ?? [], found?.behind ?? [], ...others], cash), ...sender],
    ...placed(place, street.map((piece) => textIn(piece.words)).join(', ')),
  };
}

/** What was not understood: all that is no talk, and no word beside an amount that is read or shown. */
function unread(texts: readonly (readonly string[])[], { amount, doubts }: MessageCash): string[] {
  const isOfMoney = amount !== undefined || doubts.length > 0;
  const isSaid = (words: readonly string[]) =>
    isTalk(words) || (isOfMoney && words.every((word) => moneyTalk.has(word)));
  return texts
    .filter((words) => !isSaid(words))
    .map(textIn)
    .filter((text) => text !== '');
}

const partsText = (pieces: readonly Piece[]) => pieces.map(({ words }) => textIn(words)).join('\n');

/**
 * Reads a message as buyers write it: "Chị Lan 0901234567 12/3 Lê Lợi p.Bến Nghé q1 hcm, 2 áo thun, thu 350k". What may
 * mean several things is doubtful, and what is not understood is left over: neither is used.
 */
export const readMessage = (tree: LocationTree, message: string, how: MessageReading = {}): PastedMessage =>
  how.isAddress === true ? readAddress(tree, message, how) : readParts(tree, message, how);

/** Whether a text that was given for a name holds more than one: a phone number or a whole address. */
export function isWholeMessage(text: string): boolean {
  return (
    /\d(?:[ .-]?\d){7}/.test(text) ||
    text.split(/[,;\t\n]/).length > 2 ||
    /[;\n]/.test(text) ||
    foldedName(text).split(' ').length > 12
  );
}
