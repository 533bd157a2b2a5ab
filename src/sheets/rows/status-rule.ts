import { paymentMethod } from '../../contract/enums.ts';
import type { RowQuestion } from '../account/account.ts';
import type { LineRule, LineVerdict } from '../account/judge-lines.ts';
import { type Answers, answerAbout, answerIn, presets, wordForm } from '../account/questions.ts';
import { roleOf } from '../account/questions-open.ts';
import type { Cell, SheetLine, TableSheet } from '../formats/sheet.ts';
import {
  exportStatuses,
  isOfState,
  ownStatuses,
  paymentWords,
  type Spoken,
  type Statuses,
  type StatusWords,
  spokenOf,
} from '../mapping/export-statuses.ts';
import { orderCommands } from '../mapping/exports.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { normalForm } from '../service/layout.ts';
import { say } from '../texts.ts';
import { isNote, numberIn } from '../values.ts';
import {
  agrees,
  amountSaidIn,
  dispatchOf,
  heldBackBy,
  isAfter,
  isLegendOfHeld,
  isOfNotes,
  isOfPayment,
  isTitleOfHeld,
  isUnsent,
  meaningOfUnread,
  otherPhoneIn,
  type SaidIn,
  type SaysSent,
  type UnreadMeaning,
} from './held-back.ts';
import type { FieldColumn, RowOptions } from './row-options.ts';

const textIn = (cell: Cell | undefined) => String(cell ?? '').trim();

/** The text of a cell that no field takes; a merged one speaks for all of its lines. */
const spokenIn = (line: SheetLine, index: number) => textIn(line.cells[index]) || (line.merged?.get(index)?.text ?? '');

type Meaning = 'not' | 'ask' | 'ship';

/** Whether a cell is one of the words of a list, of which `…` stands for anything. */
function fits(form: string, word: string): boolean {
  const wanted = normalForm(word);
  const [opens, ends] = [word.startsWith('…'), word.endsWith('…')];
  if (opens && ends) return form.includes(wanted);
  return ends ? form.startsWith(wanted) : form === wanted;
}

/** What the rules depend on. */
type RuleOptions = Pick<RowOptions, 'mapping' | 'account' | 'command' | 'today' | 'ignored'>;

/** What a cell says by the lists of its column; undefined for a word that is in none of them. */
export function meaningOf(text: string, words: StatusWords): Meaning | undefined {
  if (wordForm(text) === '') return words.blank ?? 'ship';
  const form = normalForm(text);
  const isIn = (list: readonly string[] = []) => list.some((word) => fits(form, word));
  if (isIn(words.not)) return 'not';
  if (isIn(words.ask)) return 'ask';
  return isIn(words.ship) ? 'ship' : words.others;
}

/** Judges the cells of a column with lists. */
function listed(sheet: TableSheet, words: StatusWords, options: RuleOptions): LineRule {
  const index = sheet.columns.indexOf(words.column);
  if (index < 0) return () => [];
  return (line, first) => {
    const text = textIn(line.cells[index]) || textIn(first.cells[index]);
    const answer = answerAbout(text, options.account.answers);
    const meaning = meaningOf(text, words);
    if (meaning === 'ship') return [];
    const cell = sheet.cellName(line.line, index);
    const { column } = words;
    const reason = text === '' ? say().reason.blank({ column }) : say().reason.word({ column, word: text });
    if (meaning === 'not') return [{ kind: 'leave', reason }];
    const question: RowQuestion = { id: 'status', name: text, cell, answer };
    return answer === 'skip' ? [{ kind: 'leave', reason, question }] : [{ kind: 'ask', question }];
  };
}

/** A column that says which orders a carrier has already, and the cells of it that say so. */
interface SentColumn {
  readonly index: number;
  readonly saysSent: SaysSent;
}

/** Asks about orders that a carrier has already. */
function tracked(
  sheet: TableSheet,
  columns: readonly SentColumn[],
  { account }: RuleOptions,
  isOfRecord?: true,
): LineRule {
  const answer = account.answers.tracked;
  return (line, first) => {
    const says = (one: SheetLine) =>
      columns.find(({ index, saysSent }) => spokenIn(one, index) !== '' && saysSent(spokenIn(one, index)));
    // On the first line of an order it is said of all.
    const [own, ofFirst] = [says(line), isOfRecord && says(first)];
    const column = own ?? ofFirst;
    if (column === undefined) return [];
    const cell = sheet.cellName((own === undefined ? first : line).line, column.index);
    const question: RowQuestion = { id: 'tracked', name: '', cell, answer };
    if (answer !== 'skip') return [{ kind: 'ask', question }];
    const reason = say().reason.filled({ column: sheet.columns[column.index] ?? '' });
    return [{ kind: 'leave', reason, question, ...(isOfRecord && { isOfRecord }) }];
  };
}

/** Leaves out lines of which all pieces came back; of which some did is asked. */
function returned(sheet: TableSheet, [back, sold]: readonly [string, string], options: RuleOptions): LineRule {
  const [at, of] = [sheet.columns.indexOf(back), sheet.columns.indexOf(sold)];
  if (at < 0 || of < 0) return () => [];
  return ({ line, cells }) => {
    const [text, count] = [textIn(cells[at]), Number(textIn(cells[of]))];
    if (text === '' || Number(text) === 0) return [];
    const name = `${text} of ${count} returned`;
    const answer = answerAbout(name, options.account.answers);
    const question: RowQuestion = { id: 'status', name, cell: sheet.cellName(line, at), answer };
    if (answer === 'ship') return [{ kind: 'ask', question }];
    const reason = say().reason.returned({ back: text, sold: count });
    if (Number(text) >= count) return [{ kind: 'leave', reason }];
    if (answer === 'skip') return [{ kind: 'leave', reason, question }];
    return [{ kind: 'ask', question }];
  };
}

const CASH_FIELD = 'shipping.cod_amount';
const OF_PRICE = /^(?:lines\.\*\.(?:retail|payment)_price|shipping\.cod_amount|total_amount)$/;
/** The words of a column of payment whose mapping names none: those of the field. */
const ownMethods = Object.fromEntries(paymentMethod.map((method) => [method, method]));
const onDelivery = new Set(paymentWords.cash.map(normalForm));

/** What the words of a payment column say of an order's cash; undefined for a word that nobody has explained. */
export interface PaymentColumn {
  readonly column: string;
  readonly saysOf: (text: string) => 'cash' | 'paid' | undefined;
}

/** Which words of which columns a mapping knows as cash, or as paid: it reads the payment from them, or its cash depends on them. */
function wordsOfPayment(mapping: Mapping | undefined) {
  const said: { readonly column: string; readonly means: 'cash' | 'paid'; readonly words: readonly string[] }[] = [];
  for (const [column, to] of Object.entries(mapping?.columns ?? {})) {
    const methods = to?.field === 'payment_method' ? Object.entries(to.words ?? ownMethods) : [];
    for (const [word, method] of methods)
      said.push({ column, means: method === 'cod' ? 'cash' : 'paid', words: [word] });
    for (const [other, words] of to?.field === CASH_FIELD ? Object.entries(to.when ?? {}) : [])
      if (isOfPayment(other) || words.some((word) => onDelivery.has(normalForm(word))))
        said.push({ column: other, means: 'cash', words });
  }
  return said;
}

/** The columns by which cash is collected or not. */
export function paymentColumns(mapping: Mapping | undefined, { payment }: Answers): readonly PaymentColumn[] {
  const said = wordsOfPayment(mapping);
  return [...new Set(said.map(({ column }) => column))].map((column) => {
    const formsOf = (means: 'cash' | 'paid') =>
      said.filter((one) => one.column === column && one.means === means).flatMap(({ words }) => words.map(normalForm));
    const cash = new Set(formsOf('cash'));
    const { field, words } = mapping?.columns[column] ?? {};
    const isBare = field === 'payment_method' && words === undefined;
    const others = isBare ? [] : paymentWords.paid.map(normalForm);
    const paid = new Set([...formsOf('paid'), ...others].filter((form) => form !== ''));
    return {
      column,
      saysOf: (text) => {
        const form = normalForm(text);
        const known = cash.has(form) || (isBare && form === '') ? 'cash' : paid.has(form) ? 'paid' : undefined;
        return answerIn(text, payment) ?? known;
      },
    };
  });
}

/** Asks about orders of whose payment nobody knows whether it leaves cash to collect. */
function paidBy(sheet: TableSheet, { mapping, account }: RuleOptions): LineRule {
  const columns = paymentColumns(mapping, account.answers).flatMap((one) => {
    const index = sheet.columns.indexOf(one.column);
    return index < 0 ? [] : [{ ...one, index }];
  });
  return (line, first) =>
    columns.flatMap(({ index, saysOf }): LineVerdict[] => {
      const name = spokenIn(line, index) || spokenIn(first, index);
      const answer = answerIn(name, account.answers.payment);
      if (answer === undefined && saysOf(name) !== undefined) return [];
      return [{ kind: 'ask', question: { id: 'payment', name, cell: sheet.cellName(line.line, index), answer } }];
    });
}

/** Words that say of a total that all of it, or a part, was paid. */
const ALL_PAID = /^(?:da (?:thanh toan|tra|tt|ck)(?: (?:du|het|toan bo|100))?|paid|thanh toan toan bo)$/;
const PART_PAID = /mot phan|1 phan|\bpart(?:ial|ially|ly)?\b|\bcoc\b/;

/** What an order says of its cash: what is to be collected, what it costs, what was paid of it, and how much that is in words. */
interface CashSaid {
  readonly collected: number | undefined;
  readonly whole: number | undefined;
  readonly part: number;
  readonly inWords: 'all' | 'part' | undefined;
}

/** What is left to collect of an order; undefined if nothing says it. */
function leftOf({ whole, part, inWords }: CashSaid): number | undefined {
  if (part > 0) return whole === undefined ? undefined : whole - part;
  return inWords === 'all' ? 0 : undefined;
}

/** Why the cash of an order is not what is left to pay; undefined if it may be. */
function doubtOfCash(said: CashSaid): string | undefined {
  const { collected, whole, part, inWords } = said;
  const rest = leftOf(said);
  const open = inWords === 'all' ? 0 : (whole ?? 0) - part;
  if (collected === undefined) return open > 0 ? say().line.cashBlank({ open }) : undefined;
  // Of a part that no column names, less than all may be what is left.
  const isBelow = rest === undefined && part === 0 && whole !== undefined && collected < whole;
  const isSilent = part === 0 && inWords === undefined;
  if (isSilent || isBelow || collected === 0 || collected === rest) return undefined;
  return say().line.cashUnlike({ paid: part, isAll: inWords === 'all', left: rest });
}

/** Refuses cash that is not what is left of a total of which a part was paid. */
function leftToPay(sheet: TableSheet, { cash, total, paid, state = '' }: NonNullable<Statuses['paid']>): LineRule {
  const [atCash = -1, atTotal = -1, atPaid = -1, atState = -1] = [cash, total, paid, state].map((column) =>
    sheet.columns.indexOf(column),
  );
  return (line, first) => {
    if (line !== first || atCash < 0) return [];
    const [collected, whole, part = 0] = [atCash, atTotal, atPaid].map((index) => numberIn(line.cells[index]));
    const word = normalForm(textIn(line.cells[atState]));
    const inWords = ALL_PAID.test(word) ? 'all' : PART_PAID.test(word) ? 'part' : undefined;
    const message = doubtOfCash({ collected, whole, part, inWords });
    if (message === undefined) return [];
    const cell = sheet.cellName(line.line, atCash);
    return [{ kind: 'fault', fault: { cell, value: textIn(line.cells[atCash]), message } }];
  };
}

/** Goods that are sold as usual, in a column that says so. */
const USUAL = /^(?:(?:don |hang )?(?:normal|thuong|binh thuong|co san|thong thuong)|no|khong|0|-*)$/;
/** Who comes to the shop for the parcel: the carrier. */
const BY_CARRIER = /^(?:don vi van chuyen|dvvc|doi tac|buu ta|shipper|hang van chuyen)\b/;

/** The columns of an export that no value is read from, and that speak of its orders, with what they speak of. */
function screenedIn({ columns }: Pick<TableSheet, 'columns'>, { mapping, account }: RuleOptions) {
  const said = new Set(account.answers.ignore_columns);
  return (mapping?.statuses?.screened ?? []).flatMap((header) => {
    const speaks = spokenOf(header);
    return speaks === undefined || said.has(header) ? [] : [{ header, index: columns.indexOf(header), speaks }];
  });
}

/** The columns of an export that nobody reads, and that have something like a note in a line. */
function textsOfExport(sheet: TableSheet, options: RuleOptions): (line: SheetLine) => readonly number[] {
  const columns = screenedIn(sheet, options).filter(({ speaks }) => ['note', 'state', 'method'].includes(speaks));
  const isCarriers = (text: string) => BY_CARRIER.test(normalForm(text));
  return (line) =>
    columns.flatMap(({ index, speaks }) => (speaks === 'method' && isCarriers(spokenIn(line, index)) ? [] : [index]));
}

/** What the columns of an export that nobody reads say of its orders: by its header, a cell as an answer names it, or nothing. */
function tellingIn(sheet: TableSheet, options: RuleOptions): readonly TellingColumn[] {
  const { today = '' } = options;
  const isFilled = (text: string) => !isUnsent(text) && numberIn(text) !== 0;
  const isUnusual = (text: string, header: string) =>
    /\bpre ?(?:orders?|sales?)\b|\bdat truoc\b/.test(normalForm(text)) ||
    (/\bpre ?order|dat truoc/.test(normalForm(header)) && !USUAL.test(normalForm(text)));
  const says: Partial<Record<Spoken, (text: string, header: string) => boolean>> = {
    filled: isFilled,
    paid: isFilled,
    appointment: (text) => today !== '' && isAfter(text, today),
    kind: isUnusual,
  };
  return screenedIn(sheet, options).flatMap(({ header, index, speaks }) => {
    const saysSo = says[speaks];
    if (saysSo === undefined) return [];
    const nameOf = (text: string) => (text !== '' && saysSo(text, header) ? header : undefined);
    return [{ index, header, meaning: { isOfPayment: speaks === 'paid', id: 'status', nameOf } }];
  });
}

/** Headers of marks that an order is agreed with its buyer. */
const CONFIRMED = /^(?:da )?(?:chot|duyet|xac nhan|xn|confirm(?:ed)?)(?: don| hang| chua)?$/;
const MOST_VALUES = 12;
const LONGEST_VALUE = 40;

const knownWords = (() => {
  let forms: ReadonlySet<string> | undefined;
  return () => {
    forms ??= new Set(
      [
        ...Object.values(exportStatuses).flatMap(({ words }) =>
          words.flatMap(({ not = [], ask = [], ship = [] }) => [...not, ...ask, ...ship]),
        ),
        ...Object.values(presets).flat(),
      ]
        // A part of a cell is no word: TikTok is where an order comes from as well.
        .filter((word) => !word.startsWith('…'))
        .map(normalForm),
    );
    return forms;
  };
})();

/** Words by which those lists say that an order was cancelled, or came back. */
const OF_ENDED = /\b(?:huy|hoan|tra hang|hang tra|bom|cancel\w*|return\w*|refund\w*)\b/;

/** Whether the name of a sheet says that its orders are not to be sent: "Khách hủy", "Đơn hoàn", "Đã gửi 28/11". */
export function isSheetOfHeld(name: string): boolean {
  if (isTitleOfHeld(name)) return true;
  const form = normalForm(name)
    .replace(/^(?:(?:cac|don|khach|hang|ds|danh sach|sheet|tab) )+/, '')
    .replace(/(?<=\S)(?: (?:hang|don|\d+))+$/, '');
  const listed = Object.values(exportStatuses).flatMap(({ words }) => words.flatMap(({ not = [] }) => not));
  const ended = listed.filter((word) => OF_ENDED.test(normalForm(word)));
  return [...presets.skip, ...ended].some((word) => normalForm(word) === form);
}

/** A column that the sheet is read without, and that may say which orders are done. */
export class StateColumn {
  readonly index: number;
  readonly #isByHeader: boolean;
  /** Whether it has a mark for each order that is to be sent: one without it may wait. */
  readonly #isOfMarks: boolean;
  readonly #seen = new Set<string>();
  #isOther = false;
  #hasKnown = false;

  constructor(header: string, index: number) {
    this.index = index;
    this.#isByHeader = isOfState(header);
    this.#isOfMarks = CONFIRMED.test(normalForm(header));
    // What it says of the payment is no state, and what it notes of one order none of the others.
    this.#isOther = isOfPayment(header) || (isOfNotes(header) && !this.#isByHeader);
  }

  /** Takes notice of a cell; returns whether the column may be one of states. */
  see(text: string): boolean {
    if (this.#isOther) return false;
    if (this.#isByHeader) return true;
    if (this.#isOfMarks) {
      const isSaid = text !== '' && !isUnsent(text);
      this.#hasKnown ||= isSaid;
      return !isSaid;
    }
    if (text !== '' && !this.#seen.has(text)) {
      this.#seen.add(text);
      this.#isOther = this.#seen.size > MOST_VALUES || text.length > LONGEST_VALUE;
      this.#hasKnown ||= knownWords().has(normalForm(text));
    }
    return !this.#isOther;
  }

  /** Whether it is one, as far as the sheet was read. */
  get isMeant(): boolean {
    return !this.#isOther && (this.#isByHeader || this.#hasKnown);
  }
}

/** A column of which nothing is read, and what its header says of its cells: that an order was cancelled, is paid, or waits for a day. */
interface TellingColumn {
  readonly index: number;
  readonly header: string;
  readonly meaning: UnreadMeaning | undefined;
}

/** A column that is read no value from. */
interface UnreadColumn extends TellingColumn {
  /** Whether a cell says that its order was sent; undefined for a column that is not about dispatch. */
  readonly saysSent: SaysSent | undefined;
  readonly state: StateColumn;
}

/** The columns that are read no value from, and that nobody has said to say nothing. */
function unreadColumns(
  sheet: TableSheet,
  { known }: ReadColumns,
  { account, ignored, today }: RuleOptions,
): readonly UnreadColumn[] {
  const said = new Set([...ignored, ...(account.answers.ignore_columns ?? [])]);
  return sheet.columns.flatMap((header, index) =>
    known.has(index) || (said.has(header) && header.trim() !== '')
      ? []
      : [
          {
            index,
            header,
            saysSent: dispatchOf(header, today),
            meaning: isOfState(header) && !isOfPayment(header) ? undefined : meaningOfUnread(header, today),
            state: new StateColumn(header, index),
          },
        ],
  );
}

/** Asks about the words of columns that may say which orders are done; none of them decides by itself. */
function stated(sheet: TableSheet, unread: readonly UnreadColumn[], options: RuleOptions): LineRule {
  const columns = unread.filter(({ header, saysSent }) => header.trim() !== '' && saysSent === undefined);
  const leftOut = new Map(
    Object.entries(options.mapping?.leaveOut ?? {}).map(([column, words]) => [column, new Set(words.map(wordForm))]),
  );
  return (line, first) =>
    columns.flatMap(({ index, header, state, meaning }): LineVerdict[] => {
      const text = spokenIn(line, index) || spokenIn(first, index);
      if (meaning?.nameOf(text) !== undefined || !state.see(text) || leftOut.get(header)?.has(wordForm(text)) === true)
        return [];
      const answer = answerAbout(text, options.account.answers);
      const cell = sheet.cellName(line.line, index);
      const question: RowQuestion = { id: 'status', name: text, cell, of: state, answer };
      if (answer === 'skip')
        return [
          { kind: 'leave', reason: say().reason.word({ column: header, word: text }), question, isOfRecord: true },
        ];
      return [{ kind: 'ask', question }];
    });
}

/** Whether a line, or the first one of its order, has cash that is collected; `otherwise` in a sheet without such a column. */
export function collecting(
  sheet: TableSheet,
  { cash }: Pick<ReadColumns, 'cash'>,
  { mapping, account }: RuleOptions,
  otherwise: boolean,
): (line: SheetLine, first: SheetLine) => boolean {
  const payments = paymentColumns(mapping, account.answers);
  return (line, first) =>
    (cash === undefined ? otherwise : /[1-9]/.test(textIn(line.cells[cash]) || textIn(first.cells[cash]))) &&
    payments.every(({ column, saysOf }) => {
      const index = sheet.columns.indexOf(column);
      return saysOf(spokenIn(line, index) || spokenIn(first, index)) !== 'paid';
    });
}

/**
 * Asks about what columns say by their headers: "Hủy", "Đã TT", "Hẹn giao". What is paid is asked where cash is collected, and where the
 * mapping does not ask that column itself.
 */
function meant(sheet: TableSheet, read: ReadColumns, unread: readonly TellingColumn[], options: RuleOptions): LineRule {
  const columns = unread.flatMap(({ index, header, meaning }) => {
    const isAsked = Object.values(options.mapping?.columns ?? {}).some((to) => to?.when?.[header] !== undefined);
    return meaning === undefined || (meaning.isOfPayment && isAsked) ? [] : [{ index, ...meaning }];
  });
  const wordIn = (line: SheetLine, first: SheetLine, index: number) => spokenIn(line, index) || spokenIn(first, index);
  const collects = collecting(sheet, read, options, true);
  return (line, first) =>
    columns.flatMap(({ index, nameOf, id, isOfPayment }): LineVerdict[] => {
      const name = nameOf(wordIn(line, first, index));
      if (name === undefined || (isOfPayment && !collects(line, first))) return [];
      const answer = answerIn<string>(name, options.account.answers[id]);
      const question: RowQuestion = { id, name, cell: sheet.cellName(line.line, index), answer };
      return answer === 'skip'
        ? [{ kind: 'leave', reason: JSON.stringify(name), question, isOfRecord: true }]
        : [{ kind: 'ask', question }];
    });
}

/** A longer text is named by the clause that matters. */
const LONGEST_NAME = 80;

/** A text of a line, where it stands, and what nobody has to be asked about for. */
interface Said {
  readonly text: string;
  readonly index: number;
  readonly where: SaidIn;
  /** Whether it is the street of an address whose phone number has a column. */
  readonly isStreet?: boolean;
  readonly of?: RowQuestion['of'];
}

/** A column of states asks about each of its words, and one of dispatch about all that say that it was. */
const withDoubt = ({ index, saysSent, meaning, state }: UnreadColumn) => ({
  index,
  saysSent,
  meaning,
  of: {
    get isMeant() {
      return saysSent !== undefined || !state.isMeant;
    },
  },
});

/** The words by which a text that is no note speaks of an amount which no cell of its row has: a price, a deposit, the cash. */
const moneyIn =
  ({ cash = -1, prices }: Pick<ReadColumns, 'cash' | 'prices'>) =>
  (text: string, where: SaidIn, { cells }: SheetLine, first: SheetLine): string | undefined => {
    const said = where === 'note' || where === 'column' ? undefined : amountSaidIn(text, where);
    if (said === undefined) return undefined;
    if (where === 'address' && !(numberIn(cells[cash]) ?? numberIn(first.cells[cash]))) return undefined;
    const numbersOf = (of: readonly Cell[]) => (index: number) => numberIn(of[index]) ?? [];
    const places = said.amount === 0 ? [...prices] : [...cells.keys()];
    const amounts = [...places.flatMap(numbersOf(cells)), ...places.flatMap(numbersOf(first.cells))];
    return agrees(said, amounts) ? undefined : said.words;
  };

/**
 * Asks about orders of which a note, a comment or any other text says that they are not to be sent, or not now, were sent, or go to
 * another place or phone. What is said on the first line of an order is said of all.
 */
function heldBack(
  sheet: TableSheet,
  { texts: known, cash, prices, streets }: ReadColumns,
  unread: readonly UnreadColumn[],
  options: RuleOptions,
): LineRule {
  const texts = [...known];
  const textsIn = textsOfExport(sheet, options);
  const wordsOfMoney = statusesOf(sheet, options) === undefined ? moneyIn({ cash, prices }) : () => undefined;
  const ofUnread = unread.map(withDoubt);
  const saidIn = (one: SheetLine): readonly Said[] => {
    const at = (index: number, where: SaidIn, of?: RowQuestion['of']) => {
      const text = spokenIn(one, index);
      const isStreet = streets.has(index);
      return text === '' ? [] : [{ text, index, where, isStreet, ...(of && { of }) }];
    };
    return [
      ...texts.flatMap(([index, where]) => at(index, where)),
      ...textsIn(one).flatMap((index) => at(index, 'note')),
      ...ofUnread.flatMap(({ index, saysSent, meaning, of }) => {
        const text = spokenIn(one, index);
        const isAsked =
          meaning?.nameOf(text) !== undefined ||
          (/^(?:pending|unpaid)$/i.test(text) && isOfPayment(sheet.columns[index] ?? ''));
        return isAsked || (saysSent !== undefined && (saysSent(text) || isUnsent(text))) ? [] : at(index, 'column', of);
      }),
      // What a colour means is asked about as a legend.
      ...[...(one.beside ?? [])]
        .filter(([, text]) => !isLegendOfHeld(text))
        .map(([index, text]) => ({ text, index, where: 'note' as const })),
    ];
  };
  const verdictsOf = (one: SheetLine, first: SheetLine) =>
    saidIn(one).flatMap(({ text, index, where, isStreet, of }): LineVerdict[] => {
      const isBeside = where === 'note' || isStreet === true || (where === 'name' && /\p{L}/u.test(text));
      const phone = isBeside ? otherPhoneIn(text, one.cells) : undefined;
      const clause = heldBackBy(text, where) ?? phone ?? wordsOfMoney(text, where, one, first);
      if (clause === undefined) return [];
      const name = text.length > LONGEST_NAME ? clause : text;
      const answer = answerAbout(name, options.account.answers);
      const cell = sheet.cellName(one.line, index);
      const question: RowQuestion = { id: 'status', name, cell, answer, ...(of && { of }) };
      if (answer !== 'skip') return [{ kind: 'ask', question }];
      return [{ kind: 'leave', reason: say().reason.heldBack({ names: [name] }), question, isOfRecord: true }];
    });
  return (line, first) => {
    const own = verdictsOf(line, first);
    return line === first || own.some(({ kind }) => kind === 'leave')
      ? own
      : [...own, ...verdictsOf(first, first).filter(({ kind }) => kind === 'leave')];
  };
}

/** Asks about orders with a colour in a cell that other orders do not have there: only their owner knows what it says. */
function filled(sheet: TableSheet, { account }: RuleOptions): LineRule {
  return ({ line, fills }) =>
    [...new Set(fills?.values())].map((name): LineVerdict => {
      const column = [...(fills ?? [])].find(([, one]) => one === name)?.[0] ?? 0;
      const answer = answerAbout(name, account.answers);
      const question: RowQuestion = { id: 'status', name, cell: sheet.cellName(line, column), answer };
      return answer === 'skip'
        ? { kind: 'leave', reason: name, question, isOfRecord: true }
        : { kind: 'ask', question };
    });
}

/** The lists that judge the lines of a sheet; undefined for one that is no known export. */
function statusesOf({ columns }: Pick<TableSheet, 'columns'>, { mapping }: RuleOptions): Statuses | undefined {
  if (mapping?.statuses !== undefined) return mapping.statuses;
  // A list of orders that we have written ourselves.
  const own = columns.find((column) => column.trim().toLowerCase() === ownStatuses.column);
  const isOurs = Object.keys(mapping?.columns ?? {}).length === 0 && own !== undefined;
  return isOurs ? { words: [{ ...ownStatuses, column: own }] } : undefined;
}

/** The columns in no field that say how an order is paid, and once that is answered those with its words; each with a cell as an answer names it. */
export const unreadPayments = (sheet: TableSheet, read: ReadColumns, options: RuleOptions): readonly UnreadPayment[] =>
  statusesOf(sheet, options) === undefined && orderCommands.includes(options.command)
    ? unreadColumns(sheet, read, options).flatMap(({ index, header, meaning }) =>
        meaning?.id === 'payment' && (isOfPayment(header) || options.account.answers.payment !== undefined)
          ? [{ index, nameOf: meaning.nameOf }]
          : [],
      )
    : [];

/** Such a column. */
export interface UnreadPayment extends Pick<UnreadMeaning, 'nameOf'> {
  readonly index: number;
}

/** The columns in no field that may say something of cash: notes of an export, and of any other sheet all that are not read. */
export const besideColumns = (sheet: TableSheet, read: ReadColumns, options: RuleOptions): readonly number[] =>
  (statusesOf(sheet, options) === undefined
    ? unreadColumns(sheet, read, options)
    : screenedIn(sheet, options).filter(({ speaks }) => speaks === 'note')
  ).map(({ index }) => index);

/** What the columns of a sheet are to the rules that say which orders are sent. */
export interface ReadColumns {
  /** The columns that are read, or known to say nothing of it. */
  readonly known: ReadonlySet<number>;
  /** Those of them with texts in which a person may say otherwise. */
  readonly texts: ReadonlyMap<number, SaidIn>;
  /** The one with the cash to collect, and those of what goods cost, and of the cash. */
  readonly cash: number | undefined;
  readonly prices: readonly number[];
  /** Those of streets. */
  readonly streets: ReadonlySet<number>;
}

/** The columns that are read, those of texts among them, and others that say nothing of which orders are sent. */
export function readColumnsOf(used: readonly FieldColumn[], silent: readonly number[] = []): ReadColumns {
  const texts = used.flatMap(({ index, field: { path, schema } }): (readonly [number, SaidIn])[] => {
    const name = path.join('.');
    if (isNote(path.at(-1) ?? '', schema)) return [[index, 'note']];
    const role = roleOf(name.replaceAll('.*', ''), schema);
    if (role === 'code' || role === 'recipient') return [[index, 'name']];
    return role === 'goods' || role === 'address' ? [[index, role]] : [];
  });
  return {
    known: new Set([...used.map(({ index }) => index), ...silent]),
    texts: new Map(texts),
    cash: used.find(({ field: { path } }) => path.join('.') === CASH_FIELD)?.index,
    streets: new Set(
      used.flatMap(({ index, field: { path } }) => (path.join('.') === 'shipping_address.address1' ? [index] : [])),
    ),
    prices: used.flatMap(({ index, field: { path } }) => (OF_PRICE.test(path.join('.')) ? [index] : [])),
  };
}

/**
 * Says which lines are orders to ship, by the lists of an export; in any other sheet a person says it. Only the first of
 * not, ask and ship counts.
 */
export function statusRule(sheet: TableSheet, read: ReadColumns, options: RuleOptions): LineRule {
  if (!orderCommands.includes(options.command)) return () => [];
  const statuses = statusesOf(sheet, options);
  const unread = statuses === undefined ? unreadColumns(sheet, read, options) : [];
  const ofExport = (statuses?.tracking ?? []).map((column) => ({
    index: sheet.columns.indexOf(column),
    saysSent: () => true,
  }));
  const ofDispatch = unread.flatMap(({ index, saysSent }) => (saysSent === undefined ? [] : [{ index, saysSent }]));
  const rules =
    statuses === undefined
      ? [stated(sheet, unread, options), tracked(sheet, ofDispatch, options, true)]
      : [
          ...statuses.words.map((words) => listed(sheet, words, options)),
          ...(statuses.returned === undefined ? [] : [returned(sheet, statuses.returned, options)]),
          tracked(sheet, ofExport, options),
          ...(statuses.paid === undefined ? [] : [leftToPay(sheet, statuses.paid)]),
        ];
  const telling = statuses === undefined ? unread : tellingIn(sheet, options);
  rules.push(paidBy(sheet, options), meant(sheet, read, telling, options));
  rules.push(heldBack(sheet, read, unread, options), filled(sheet, options));
  return (line: SheetLine, first) => rules.flatMap((rule) => rule(line, first));
}
