import type { Piece } from './message-pieces.ts';
import {
  attributes,
  behindGoods,
  counters,
  goodsWords,
  measures,
  notGoods,
  numberWords,
  partsOfGoods,
  separateGoods,
} from './message-words.ts';
import { say } from './texts.ts';

/** Goods of a message. */
export interface MessageGoods {
  readonly product_name: string;
  readonly quantity: number;
  /** The price of one, where the message adds it up. */
  readonly retail_price?: number;
}

const COUNT = /^\(?(\d{1,3})\)?$/u;
const LETTER = /^\p{L}/u;
const GLUED = /^(\d{1,3})(\p{L}+)$/u;
const bareWord = (word: string) => word.replaceAll(/^[(]+|[)]+$/gu, '');

/** Whether goods begin with a word of a text: a number, or goods themselves. */
export const beginsGoods = (words: readonly string[], at = 0): boolean => {
  const word = words[at] ?? '';
  if (/^\(?\d/.test(word) || goodsWords.at(words, at) > 0) return true;
  if (/^[x×]\d{1,3}$/iu.test(word)) return goodsWords.at(words, at + 1) > 0;
  return numberWords[word.toLowerCase()] !== undefined && goodsWords.at(words, at + 1) > 0;
};

const isAttribute = (word: string) => attributes.has(bareWord(word)) || /^\d?x*[sml]$/iu.test(bareWord(word));

/** "size XL", "màu đen", "1 đen 1 be": they are of the goods before. */
const isAttributes = (words: readonly string[]) =>
  words.some((word) => isAttribute(word)) && words.every((word) => isAttribute(word) || /^\d+$/.test(word));

/** "2 cái", "(1)", "x2". */
function quantityOf(words: readonly string[]): number | undefined {
  const [first = '', second = '', third] = words.map(bareWord);
  const [, glued, unit = ''] = GLUED.exec(first) ?? [];
  if (second === '' && glued !== undefined && counters.has(unit)) return Number(glued);
  const [, times] = /^[x×*](\d{1,3})$/iu.exec(first) ?? [];
  if (times !== undefined && second === '') return Number(times);
  const count = COUNT.exec(first)?.[1];
  if (count === undefined || third !== undefined || (second !== '' && !counters.has(second))) return undefined;
  return Number(count);
}

/** Goods in a piece, without a quantity where it names none; `behind` is what is no goods. */
interface Item {
  readonly name: readonly string[];
  readonly quantity: number | undefined;
  readonly behind: readonly string[];
}

/** The quantity before goods: "2 áo", "2x áo", "3kg khô", "hai áo". */
function countedFirst(
  words: readonly string[],
): { readonly quantity: number; readonly name: readonly string[] } | undefined {
  const [first = '', second = '', ...others] = words;
  const [, glued, unit = ''] = GLUED.exec(first) ?? [];
  if (glued !== undefined && (/^x$/iu.test(unit) || goodsWords.has(unit) || counters.has(unit))) {
    return { quantity: Number(glued), name: /^x$/iu.test(unit) ? words.slice(1) : [unit, ...words.slice(1)] };
  }
  const [, times] = /^[x×](\d{1,3})$/iu.exec(first) ?? [];
  if (times !== undefined && goodsWords.at(words, 1) > 0) return { quantity: Number(times), name: [second, ...others] };
  const spelled = numberWords[first.toLowerCase()];
  if (spelled !== undefined && goodsWords.at(words, 1) > 0) return { quantity: spelled, name: [second, ...others] };
  const count = COUNT.exec(first)?.[1];
  if (count === undefined) return undefined;
  const name = /^[x×]$/iu.test(second) ? others : [second, ...others];
  return LETTER.test(name[0] ?? '') && !notGoods.has(name[0] ?? '') ? { quantity: Number(count), name } : undefined;
}

const NAMES_NUMBER = /^(?:size|sz|cỡ|co|số|so|mã|ma|mẫu|mau|loại|loai|màu|tầng|km)$/iu;

/** The quantity behind goods: "áo x2", "khô (2 chai)", "quạt 2 cái". */
function countedLast(
  words: readonly string[],
): { readonly quantity: number; readonly name: readonly string[] } | undefined {
  for (const size of [2, 1]) {
    const at = words.length - size;
    const last = words.slice(at);
    const before = words[at - 1] ?? '';
    const quantity = at > 0 ? quantityOf(last) : undefined;
    const isTimes = /^[x×*]$/iu.test(before) || /^sl$/iu.test(before);
    const isMarked = isTimes || size === 2 || !COUNT.test(bareWord(last[0] ?? '')) || last[0]?.startsWith('(') === true;
    if (quantity === undefined || !isMarked || NAMES_NUMBER.test(before)) continue;
    const name = words.slice(0, isTimes ? at - 1 : at);
    if (name.length > 0) return { quantity, name };
  }
  return undefined;
}

/** Whether the words of goods count something else besides: "2 áo đen 3 trắng". */
const countsMore = (name: readonly string[]) =>
  name.some(
    (word, at) =>
      at > 0 &&
      /^\d{1,2}$/.test(bareWord(word)) &&
      isAttribute(name[at + 1] ?? '') &&
      !NAMES_NUMBER.test(name[at - 1] ?? '') &&
      !word.startsWith('('),
  );

/** Words in parentheses at the end say which of the goods: "áo len x1 (xám)". */
function withoutParens(words: readonly string[]): readonly [readonly string[], readonly string[]] {
  const at = words.findLastIndex((word) => word.startsWith('('));
  const isOfGoods = at > 0 && words.at(-1)?.endsWith(')') === true && quantityOf(words.slice(at)) === undefined;
  return isOfGoods ? [words.slice(0, at), words.slice(at)] : [words, []];
}

/** Whether the words behind a quantity name no goods, or count them once more: "1 cái M", "5kg gạo (1 túi)". */
function isUnclear(name: readonly string[]): boolean {
  const isBare = name.every(
    (word) => counters.has(word) || measures.has(word) || isAttribute(word) || /^\d+$/.test(word),
  );
  const [inner = '', ...others] = withoutParens(name)[1].map(bareWord);
  return (
    isBare ||
    name.some((word) => /^nữa$/iu.test(word)) ||
    countsMore(name) ||
    (/^\d+$/.test(inner) && goodsWords.at(others, 0) > 0)
  );
}

/** Goods as "2 áo thun" or "áo thun x2"; undefined for anything else. */
function itemIn(all: readonly string[]): Item | undefined {
  const cut = all.findIndex((_, at) => at > 1 && (behindGoods.at(all, at) > 0 || /^["“]/u.test(all[at + 1] ?? '')));
  const [words, behind] = cut < 0 ? [all, []] : [all.slice(0, cut), all.slice(cut)];
  const first = countedFirst(words);
  if (first !== undefined) return isUnclear(first.name) ? undefined : { ...first, behind };
  const [before, parens] = withoutParens(words);
  const last = countedLast(before);
  if (last === undefined) return { name: words, quantity: undefined, behind };
  return countsMore(last.name) ? undefined : { ...last, name: [...last.name, ...parens], behind };
}

const AND = /^(?:và|va|với|vs|voi|\+|&)$/iu;

const isNumber = (word: string) => /^\d{1,2}$/.test(word);

const isCount = (word: string) => isNumber(word) || numberWords[word.toLowerCase()] !== undefined;

/** "1 combo 3 áo", "1 hộp 5 bánh": what is in it. */
const isHolder = (word: string) => counters.has(word) || /^combo$/iu.test(word);

/** Whether other goods begin with a number within counted ones: "1 áo M 1 quần L", "2 áo 1 quần"; "2 thùng 24 chai" are one. */
function beginsOthers(words: readonly string[], at: number, current: readonly string[]): boolean {
  const [next = '', head = ''] = [words[at + 1], current[1]];
  const isCounted = (/\d/.test(words[0] ?? '') || isCount(words[0] ?? '')) && current.length > 1;
  const isLast = at + 2 >= words.length;
  const isAgain = counters.has(next) && counters.has(head);
  return (
    isCounted &&
    isCount(words[at] ?? '') &&
    goodsWords.at(words, at + 1) > 0 &&
    // "Một váy hai dây trắng" is one.
    (isLast || !isNumber(words[at] ?? '') ? separateGoods.has(next) && !(isLast && isHolder(head)) : !isAgain) &&
    !(/^dây$/iu.test(next) && /^(?:áo|váy|đầm|yếm)$/iu.test(head)) &&
    !NAMES_NUMBER.test(words[at - 1] ?? '')
  );
}

/** Whether counted goods end with a number of others that may be a part of them, or goods of their own: "2 áo 1 túi". */
function isOneOrTwo(words: readonly string[]): boolean {
  const [count = '', head = ''] = words;
  const [before = '', number = '', last = ''] = words.slice(-3);
  const isOther =
    goodsWords.has(last) &&
    !measures.has(last) &&
    !partsOfGoods.has(last) &&
    (!counters.has(last) || /^túi$/iu.test(last)) &&
    !isHolder(head);
  return words.length > 3 && isCount(count) && isCount(number) && isOther && !NAMES_NUMBER.test(before);
}

/** Goods by their weight or volume, which may be in as many pieces or in one: "10kg cà phê", "5 lít mắm". */
const isWeighed = ([first = '', second = '']: readonly string[]) =>
  /^(?!1\D)[\d.,]+(?:kgs?|ký|kí|gr?|gram|lít|ml|l)$/iu.test(/^\d+$/.test(first) ? first + second : first);

/** Goods one by one: "2 áo và 1 quần", "1 áo M 1 quần L". */
function divided(words: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? '';
    const current = parts.at(-1) ?? [];
    if (AND.test(word) && (isNumber(next) || GLUED.test(next)) && current.length > 1) parts.push([]);
    else if (beginsOthers(words, at, current)) parts.push([word]);
    else current.push(word);
  }
  return parts.filter((part) => part.length > 0);
}

const tidy = (words: readonly string[]) => words.join(' ').replaceAll(/^[\s.:-]+|(?:\s[x×*])?[\s.:-]*$/giu, '');

/** Whether a piece says how many of the goods before it: "(2 cái)", "1 set 20 món". */
export const countsBefore = ({ words }: Piece): boolean =>
  quantityOf(words) !== undefined || counters.has(countedFirst(words)?.name[0] ?? '');

/** Goods as they are found, piece after piece. */
class GoodsFound {
  readonly #items: { name: string[]; quantity: number | undefined; line: number; isLabel: boolean }[] = [];
  /** A quantity that stands before its goods: "SL: 2, SP: nến". */
  #before: number | undefined;
  readonly #rest: string[] = [];
  readonly #doubts: string[] = [];

  add({ words, line, kind, isLabel }: Piece, next: Piece | undefined) {
    const quantity = quantityOf(words);
    const [last, open] = [this.#items.at(-1), this.#items.filter((item) => item.quantity === undefined)];
    const [only] = open.length === 1 ? open : [];
    const isNumberOfSize = COUNT.test(words.join(' ')) && next?.line === line && quantityOf(next.words) !== undefined;
    const counted = only?.line === line && only.isLabel ? countedFirst(words) : undefined;
    if (isNumberOfSize && last?.line === line) last.name.push(...words);
    else if (quantity !== undefined && only !== undefined && (kind === 'quantity' || only.line === line))
      only.quantity = quantity;
    else if (quantity !== undefined && kind === 'quantity' && this.#items.length === 0) this.#before = quantity;
    else if (quantity !== undefined) this.#rest.push(words.join(' '));
    else if (only !== undefined && counted !== undefined && counters.has(counted.name[0] ?? '')) {
      only.quantity = counted.quantity;
      only.name.push(...counted.name.slice(1));
    } else if (!isAttributes(words)) this.#addItems(words, line, isLabel);
    else if (last !== undefined && line - last.line <= 1 && !words.some((word) => /^\d$/.test(word)))
      last.name.push(...words);
    else this.#rest.push(words.join(' '));
  }

  #addItems(words: readonly string[], line: number, isLabel: boolean) {
    for (const part of divided(words)) {
      if (isOneOrTwo(part)) this.#doubts.push(say().doubt.goods({ words: part.join(' ') }));
      if (isWeighed(part)) this.#doubts.push(say().doubt.weighed({ words: part.join(' ') }));
      const item = itemIn(part);
      if (item === undefined) this.#rest.push(part.join(' '));
      else {
        this.#items.push({ name: [...item.name], quantity: item.quantity ?? this.#before, line, isLabel });
        this.#before = undefined;
      }
      if (item !== undefined && item.behind.length > 0) this.#rest.push(item.behind.join(' '));
    }
  }

  /** Goods with their quantities; those without one were not understood. */
  found() {
    const isCounted = ({ quantity }: { quantity: number | undefined }) => quantity !== undefined && quantity > 0;
    const goods = this.#items.flatMap(({ name, quantity = 0 }) =>
      quantity > 0 ? [{ product_name: tidy(name), quantity }] : [],
    );
    return {
      goods,
      doubts: this.#doubts,
      rest: [...this.#items.filter((item) => !isCounted(item)).map(({ name }) => tidy(name)), ...this.#rest],
    };
  }
}

/** What pieces about goods say; `rest` is what was not understood of them. */
export function goodsIn(pieces: readonly Piece[]): {
  readonly goods: readonly MessageGoods[];
  /** What may be one kind of goods, or two. */
  readonly doubts: readonly string[];
  readonly rest: readonly string[];
} {
  const found = new GoodsFound();
  for (const [at, piece] of pieces.entries()) found.add(piece, pieces[at + 1]);
  return found.found();
}
