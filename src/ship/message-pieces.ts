import { type Word, wordsIn } from './message-place.ts';
import { besideOrdering, ordering, people, streets, talk } from './message-words.ts';

/** What a label or the words before it say of a piece. */
export type Kind =
  | 'to'
  | 'recipient'
  | 'name'
  | 'sender'
  | 'phone'
  | 'address'
  | 'goods'
  | 'quantity'
  | 'note'
  | 'goods said';

/** A part of a message between commas, line ends and the like. */
export interface Piece {
  readonly words: readonly string[];
  readonly line: number;
  /** Its first word, and the one behind it, among all words of the message. */
  readonly from: number;
  readonly to: number;
  readonly kind?: Kind;
  /** The words were taken out of a question: "còn size L không?". */
  readonly isQuestion: boolean;
  /** A colon stands behind it. */
  readonly isLabel: boolean;
  /** A sentence ends with it. */
  readonly isEnd: boolean;
  /** Its own words say of what kind it is, and not a label before another piece. */
  readonly isHead: boolean;
}

/** A word with its line. */
export interface PlacedWord extends Word {
  readonly line: number;
}

/** A phone number, which is no cash, and stands between a name and a street. */
export const PHONE_HERE = '\u0002';
/** The same in a text: a word of its own. */
export const PHONE_MARK = '\u0006';
const COLON = '\u0004';
const QUESTION = '\u0003';
/** The end of a sentence. */
const STOP = '\u0007';
/** A comma within parentheses, which divides nothing. */
const INNER_COMMA = '\u0005';
export const ours = /[\u0001-\u0007]/gu;

const SELF =
  '(?:em|e|mình|mh|m|tôi|tui|tớ|t|chị|chi|c|ch|anh|a|cháu|chau|con|cô|co|chú|chu|bác|bac|bạn|ban|b|shop|sốp|ad|admin|mn)';
const VOCATIVE = new RegExp(
  `(?<![\\p{L}\\d])${SELF}\\s+(?:\\p{L}+\\s+)?(?:ơi|oi|ới|ui)(?:\\s+(?:ơi|ời))?(?![\\p{L}\\d])`,
  'giu',
);
const GREETING =
  /(?<=^\s*|[,;.!]\s+)(?:dạ|vâng|alo|hello|hi|hey|ê|chào)(?:\s+(?:shop|ad|bạn|chị|anh|em))?(?=\s|$|[!,.])/giu;
/** Written small: "Mường Nhé" is a place. */
const PARTICLE = /(?<![\p{L}\d])(?:ạ|nhé|nhá|nghen)(?![\p{L}\d])/gu;
/** Without diacritics "nha" may be a house: then it ends a piece, or stands before somebody. */
const PARTICLE_NHA = new RegExp(
  `(?<![\\p{L}\\d])(?:nha|nhe(?!\\s*,))(?![\\p{L}\\d])(?=\\s*(?:$|[,.;!\\u0007]|${SELF}(?![\\p{L}\\d])))`,
  'gimu',
);
const EMOJI = /\p{Extended_Pictographic}\uFE0F?/gu;
const BULLET = /^\s*(?:[-•*+✓✔]+|\d{1,2}[.)])\s+|^\s*\[[^\]\n]{1,12}\]/gmu;
const COLONS = /(?<!\d)\s*[:：](?!\/\/)|[:：](?=\s|$)/gmu;
const ABBREVIATED = /(?:^|[\s,;])(?:p|q|h|x|t|tp|tx|tt|d|đ|mr|ms|mrs|st|kp|f|n|ng|tdp)$/iu;
const SPACED_SLASH = /\s\/\s*|\/\s/gu;
const DASH = /\s[–—]+\s/gu;
const PLUS = /\s*\+\s*(?=\p{L}|\d)/gu;
const PARENS = /\([^()\n]*\)/gu;
/** Where another part of the message begins within a piece. */
const WITHIN = new RegExp(
  `\\s(?=(?:(?:em|e|mình|minh|cháu|chau)\\s+)?(?<!(?:họ|ho|họ\\s&|và|va)\\s)(?:tên|ten)\\s)` +
    `|\\s(?=(?:(?:địa|dia)\\s+(?:chỉ|chi)|đ\\/c|đc|số\\s+điện\\s+thoại|so\\s+dien\\s+thoai|sđt|sdt)(?![\\p{L}\\d]))` +
    `|\\s(?=(?:ở|về|tới|đến|o|ve)\\s+(?:\\d|p\\.|q\\.|x[ãa]\\s|ph[uư][oờ]+ng\\s|(?:ng[oõ]|h[eẻ]m|th[oô]n|[aấ]p|x[oó]m|s[oố]|t[oổ]|t[oò]a|[dđ][uư][oờ]ng)\\s))`,
  'giu',
);

/** "Em Mai lấy áo" is a name and an order, "Người đặt" a label. */
const ORDERS = /(?<=\s(?!Ng[ưu][ờo]i\s)\p{Lu}\p{L}*)\s(?=(?:lấy|đặt|mua|chốt|order|lay|dat)\s)/gu;

/** The text with its parts marked: what a person hears as a pause is a comma. */
function marked(text: string): string {
  return text
    .replaceAll(EMOJI, ' ; ')
    .replaceAll(BULLET, '')
    .replaceAll(PARENS, (inner) => inner.replaceAll(',', INNER_COMMA))
    .replaceAll(/\.{2,}|…|!+|=+/gu, ' ; ')
    .replaceAll(/\?+/gu, ` ${QUESTION} ; `)
    .replaceAll(COLONS, ` ${COLON} ; `)
    .replaceAll(/\.(?=\s|$)/gmu, (stop, at: number, whole: string) =>
      ABBREVIATED.test(whole.slice(0, at)) ? stop : ` ${STOP} ; `,
    )
    .replaceAll(VOCATIVE, ' ; ')
    .replaceAll(GREETING, ' ; ')
    .replaceAll(PARTICLE, ' ; ')
    .replaceAll(PARTICLE_NHA, ' ; ')
    .replaceAll(SPACED_SLASH, ' ; ')
    .replaceAll(DASH, ' ; ')
    .replaceAll(PLUS, ' ; ')
    .replaceAll(WITHIN, ' ; ')
    .replaceAll(ORDERS, ' ; ')
    .replaceAll(PHONE_MARK, ` ; ${PHONE_HERE} ; `);
}

/** The words of a message whose phone numbers are `PHONE_MARK`, with their lines. */
export const placedWords = (text: string): PlacedWord[] =>
  text.split('\n').flatMap((line, at) => wordsIn(marked(line)).map((word) => ({ ...word, line: at })));

/** The words of a message that are no place, in pieces. */
export function piecesOf(words: readonly PlacedWord[], span: { readonly from: number; readonly to: number }): Piece[] {
  const starts = words.flatMap((word, at) => {
    if (at >= span.from && at < span.to) return [];
    const before = words[at - 1];
    return at === 0 || at === span.to || word.begins || word.line !== before?.line ? [at] : [];
  });
  return starts.map((from, index) => {
    const next = starts[index + 1] ?? words.length;
    const to = from < span.from ? Math.min(next, span.from) : next;
    const own = words.slice(from, to).map(({ text }) => text.replaceAll(INNER_COMMA, ','));
    return {
      words: own.filter((word) => ![COLON, QUESTION, STOP].includes(word)),
      line: words[from]?.line ?? 0,
      from,
      to,
      isQuestion: own.includes(QUESTION),
      isLabel: own.includes(COLON),
      isEnd: own.includes(STOP) || own.includes(QUESTION),
      isHead: false,
    };
  });
}

/** A word without diacritics and marks, one for one: "Đ/c" is "d/c". */
export const foldedWord = (word: string): string =>
  word
    .toLowerCase()
    .replace(/^tôi$/u, 'tui')
    .replace(/^(?:tới|đến)$/u, 'dens')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('đ', 'd')
    .replaceAll(/[^a-z\d/]/gu, '') || '_';

const foldedLine = (words: readonly string[]) => `${words.map(foldedWord).join(' ')} `;

const P =
  '(?:em|e|minh|mh|m|toi|tui|to|t|chi|c|anh|a|chau|con|co|chu|bac|ba|ban|b|khach hang|khach|kh|nn|shop|nguoi nhan)';
/** The words before what a piece says, without diacritics. */
const heads: readonly (readonly [Kind, RegExp])[] = [
  ['goods', /^(?:ten )?(?:sp|san pham|hang hoa|mat hang|item|don gom) (?:gom |la )?/u],
  ['sender', /^(?:nguoi|ng) (?:dat|gui|mua) (?:hang )?(?:la )?/u],
  ['recipient', /^(?:(?:nguoi|ng|khach) (?:nhan|lay) (?:hang )?|nn )(?:la )?/u],
  ['quantity', /^(?:sl|so luong|qty) /u],
  [
    'phone',
    new RegExp(
      `^(?:so )?(?:sdt|dt|dien thoai|phone|tel|mob|mobile|di dong|dtdd|lien he|hotline|zalo) (?:(?:cua )?${P} )*(?:la )?|^so (?:cua )?${P} $`,
      'u',
    ),
  ],
  [
    'name',
    new RegExp(
      `^(?:${P} )?(?:ho (?:(?:va|_) )?)?ten (?:(?:that|day du|nguoi nhan|hang|khach|kh|nn) )*(?:${P} la )?(?:la )?|^${P} la `,
      'u',
    ),
  ],
  [
    'address',
    new RegExp(
      `^(?:dia chi|d/c|add|addr|address|noi nhan|noi giao) (?:(?:(?:cua )?${P}|nhan|giao|hang|o|la|nha) )*`,
      'u',
    ),
  ],
];
/** What is a label only if a colon stands behind it. */
const labels: readonly (readonly [Kind | undefined, RegExp])[] = [
  ['name', new RegExp(`^(?:order|don|don hang) cua (?!${P} $)`, 'u')],
  ['recipient', /^(?!noi |dia )(?:[a-z]+ ){1,4}nhan (?:hang )?$/u],
  ['name', new RegExp(`^(?:kh|khach|khach hang|khach quen|name|ten ${P}) $`, 'u')],
  ['phone', new RegExp(`^(?:so|lh|goi)(?: ${P})? $`, 'u')],
  [
    'address',
    /^(?:dc|dc (?:em|e|minh|nhan)|nha|nhan tai nha|giao dens|(?:ship|gui|giao)(?: [a-z]+){0,3} (?:ve|dens)(?: [a-z]+){0,4}) $/u,
  ],
  ['goods', new RegExp(`^(?:hang|don|don hang|dat|dat hang|mua|order|do|noi dung|gom)(?: cua ${P})? $`, 'u')],
  ['to', /^(?:dens|gui|gui dens|gui cho|giao cho|ship to|to) $/u],
  [undefined, /^(?:vui long giao|tt don hang|don \d+|thong tin) $/u],
];
/** "Ở", "về": a street follows, if what follows begins like one. */
const TO_STREET = new RegExp(
  `^(?:(?:${P} )?(?:nha )?(?:${P} )?(?:hien )?o (?:tai )?|(?:${P} )?nhan (?:hang )?(?:o |tai )|(?:ship|gui|giao)(?: hang)?(?: giup| cho)?(?: ${P})? (?:ve |dens |tai )?|(?:ve|dens|tai|dc|dc (?:em|e)) )`,
  'u',
);
const UNIT = /^(?:p|q|x|tp|phuong|quan|xa|huyen)\d*$/u;

/** Whether words begin with the unit of a place: "phường Mỹ Hải". */
export const beginsUnit = (words: readonly string[]): boolean =>
  UNIT.test(foldedWord((words[0] ?? '').replace(/\..*$/u, '')));

/** How many words of a piece a pattern for its beginning takes. */
const taken = (line: string, pattern: RegExp): number =>
  pattern.exec(line)?.[0].trim().split(' ').filter(Boolean).length ?? 0;

/** Whether words begin like a street. */
export const beginsStreet = (words: readonly string[]): boolean =>
  streets.at(words, 0) > 0 ||
  /^[a-z]{0,3}\d+[a-z]?(?:[/.-]\d+[a-z]?)*$/iu.test(words[0] ?? '') ||
  UNIT.test(foldedWord(words[0] ?? '').replace('.', ''));

/** How many words say that goods follow: "cho em đặt", "e lấy thêm"; 0 if none do. */
function orderingWords(words: readonly string[], isGoods: IsGoods): number {
  let isOrdered = false;
  for (const [at, word] of words.entries()) {
    if (isOrdered && isGoods(words, at)) return at;
    if (ordering.has(word)) isOrdered = true;
    else if (!besideOrdering.has(word) && !people.has(word)) return 0;
  }
  return 0;
}

/** Whether goods begin with a word of a text. */
type IsGoods = (words: readonly string[], at: number) => boolean;

/** "Gửi chị Mai Chi", "giao cho Lê Thị Cúc": somebody follows. */
const TO_SOMEBODY =
  /^(?:(?:shop|em|e|ad|nhờ)\s+)*(?:gửi|gui|giao|ship)\s+(?:(?:cho|tới|đến)\s+)?(?=(?:(?:chị|anh|cô|chú|bác|bà|ông|em|ms|mr)\.?\s+)?\p{Lu})/u;

/** A piece without the words before what it says, and what they say of it. */
function withoutHead(piece: Piece, isGoods: IsGoods): Piece {
  const { words } = piece;
  const line = foldedLine(words);
  for (const [kind, pattern] of piece.isLabel ? [...labels, ...heads] : heads) {
    const count = taken(line, pattern);
    if (count > 0 && (kind !== 'goods' || piece.isLabel || count < words.length))
      return { ...piece, ...(kind && { kind }), words: words.slice(count), isHead: true };
  }
  const [toSomebody] = TO_SOMEBODY.exec(words.join(' ').replace(/^\p{Lu}/u, (first) => first.toLowerCase())) ?? [];
  if (toSomebody !== undefined)
    return { ...piece, kind: 'to', words: words.slice(toSomebody.trim().split(' ').length), isHead: true };
  const toStreet = taken(line, TO_STREET);
  if (toStreet > 0 && beginsStreet(words.slice(toStreet)) && !isCounted(words.slice(toStreet), isGoods)) {
    return { ...piece, kind: 'address', words: words.slice(toStreet), isHead: true };
  }
  const count = orderingWords(words, isGoods);
  return count === 0 ? piece : { ...piece, kind: 'goods said', words: words.slice(count), isHead: true };
}

const isCounted = (words: readonly string[], isGoods: IsGoods) => /^\d{1,3}$/.test(words[0] ?? '') && isGoods(words, 1);

/** What of the kinds of a label lasts to the end of its line, and what is said at once. */
const LASTING: ReadonlySet<Kind | undefined> = new Set<Kind>(['goods', 'address', 'sender']);

/** The pieces with what labels and their own first words say of them; a label itself is none. */
export function withKinds(pieces: readonly Piece[], isGoods: IsGoods, placeEnd: number): Piece[] {
  let label: { readonly kind: Kind; readonly line: number } | undefined;
  return pieces.flatMap((each) => {
    const isBehind = label?.kind === 'address' && each.from >= placeEnd;
    if (label?.line !== each.line || isBehind) label = undefined;
    const piece = withoutHead(each, isGoods);
    const kind = piece.kind ?? label?.kind;
    if (piece.kind !== undefined) label = { kind: piece.kind, line: piece.line };
    if ((!LASTING.has(kind) && piece.words.length > 0) || piece.isEnd) label = undefined;
    return piece.words.length === 0 ? [] : [kind === undefined ? piece : { ...piece, kind }];
  });
}

/** Whether a piece says nothing of the order. */
export const isTalk = (words: readonly string[]): boolean => words.every((word) => talk.has(word));
