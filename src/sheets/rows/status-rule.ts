import type { RowQuestion } from '../account/account.ts';
import type { LineRule, LineVerdict } from '../account/judge-lines.ts';
import { answerAbout, presets, wordForm } from '../account/questions.ts';
import { roleOf } from '../account/questions-open.ts';
import type { Cell, SheetLine, TableSheet } from '../formats/sheet.ts';
import { exportStatuses, ownStatuses, type Statuses, type StatusWords } from '../mapping/export-statuses.ts';
import { orderCommands } from '../mapping/exports.ts';
import { normalForm } from '../service/layout.ts';
import { isNote } from '../values.ts';
import {
  dispatchOf,
  heldBackBy,
  isLegendOfHeld,
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
type RuleOptions = Pick<RowOptions, 'mapping' | 'account' | 'command' | 'today'>;

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
    const reason = `${words.column} ${text === '' ? 'is blank' : JSON.stringify(text)}`;
    if (meaning === 'not') return [{ kind: 'leave', reason }];
    const question: RowQuestion = { id: 'status', name: text, cell, answer };
    if (answer === 'skip') return [{ kind: 'leave', reason, question }];
    if (meaning === 'ask' || answer === 'ship') return [{ kind: 'ask', question }];
    const message = 'is in no list of statuses of such an export: is the order to be shipped?';
    return [{ kind: 'fault', fault: { cell, value: text, message } }];
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
    const reason = `${sheet.columns[column.index]} is filled`;
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
    if (Number(text) >= count) return [{ kind: 'leave', reason: name }];
    if (answer === 'skip') return [{ kind: 'leave', reason: name, question }];
    return [{ kind: 'ask', question }];
  };
}

const WORDS_OF_STATE = ['trang thai', 'tinh trang', 'status', 'state'];

/** Whether a header speaks of a state. */
function isOfState(header: string): boolean {
  const form = ` ${normalForm(header)} `;
  return WORDS_OF_STATE.some((word) => form.includes(` ${word} `));
}

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

/** A column that the sheet is read without, and that may say which orders are done. */
export class StateColumn {
  readonly index: number;
  readonly #isByHeader: boolean;
  readonly #seen = new Set<string>();
  #isOther = false;
  #hasKnown = false;

  constructor(header: string, index: number) {
    this.index = index;
    this.#isByHeader = isOfState(header);
  }

  /** Takes notice of a cell; returns whether the column may be one of states. */
  see(text: string): boolean {
    if (this.#isByHeader) return true;
    if (this.#isOther) return false;
    if (text !== '' && !this.#seen.has(text)) {
      this.#seen.add(text);
      this.#isOther = this.#seen.size > MOST_VALUES || text.length > LONGEST_VALUE;
      this.#hasKnown ||= knownWords().has(normalForm(text));
    }
    return !this.#isOther;
  }

  /** Whether it is one, as far as the sheet was read. */
  get isMeant(): boolean {
    return this.#isByHeader || (this.#hasKnown && !this.#isOther);
  }
}

/** A column that is read no value from. */
interface UnreadColumn {
  readonly index: number;
  readonly header: string;
  /** Whether a cell says that its order was sent; undefined for a column that is not about dispatch. */
  readonly saysSent: SaysSent | undefined;
  /** What its header says of its cells: that an order was cancelled, is paid, or waits for a day. */
  readonly meaning: UnreadMeaning | undefined;
  readonly state: StateColumn;
}

/** The columns that are read no value from, and that nobody has said to say nothing. */
export function unreadColumns(
  sheet: TableSheet,
  { known }: ReadColumns,
  { account, today }: RuleOptions,
): readonly UnreadColumn[] {
  const said = new Set(account.answers.ignore_columns);
  return sheet.columns.flatMap((header, index) =>
    known.has(index) || (said.has(header) && header.trim() !== '')
      ? []
      : [
          {
            index,
            header,
            saysSent: dispatchOf(header, today),
            meaning: isOfState(header) ? undefined : meaningOfUnread(header, today),
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
      if (answer === 'skip') return [{ kind: 'leave', reason: `${header} ${JSON.stringify(text)}`, question }];
      return [{ kind: 'ask', question }];
    });
}

/**
 * Asks about what columns say by their headers: "Hủy", "Đã TT", "Hẹn giao". What is paid is asked where cash is collected, and where the
 * mapping does not ask that column itself.
 */
function meant(
  sheet: TableSheet,
  { cash }: ReadColumns,
  unread: readonly UnreadColumn[],
  options: RuleOptions,
): LineRule {
  const columns = unread.flatMap(({ index, header, meaning }) => {
    const isAsked = Object.values(options.mapping?.columns ?? {}).some((to) => to?.when?.[header] !== undefined);
    return meaning === undefined || (meaning.isOfPayment && isAsked) ? [] : [{ index, ...meaning }];
  });
  const collects = (line: SheetLine, first: SheetLine) =>
    cash === undefined || /[1-9]/.test(textIn(line.cells[cash]) || textIn(first.cells[cash]));
  return (line, first) =>
    columns.flatMap(({ index, nameOf, isOfPayment }): LineVerdict[] => {
      const name = nameOf(spokenIn(line, index) || spokenIn(first, index));
      if (name === undefined || (isOfPayment && !collects(line, first))) return [];
      const answer = answerAbout(name, options.account.answers);
      const question: RowQuestion = { id: 'status', name, cell: sheet.cellName(line.line, index), answer };
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
  readonly cell: string;
  readonly where: SaidIn;
  readonly of?: RowQuestion['of'];
}

/**
 * Asks about orders of which a note, a comment or any other text says that they are not to be sent, or not now, were sent, or go to
 * another place or phone. What is said on the first line of an order is said of all.
 */
function heldBack(
  sheet: TableSheet,
  { texts }: ReadColumns,
  unread: readonly UnreadColumn[],
  options: RuleOptions,
): LineRule {
  // A column of states asks about each of its words, and one of dispatch about all that say that it was.
  const ofUnread = unread.map(({ index, saysSent, meaning, state }) => ({
    index,
    saysSent,
    meaning,
    of: {
      get isMeant() {
        return saysSent !== undefined || !state.isMeant;
      },
    },
  }));
  const saidIn = (one: SheetLine): readonly Said[] => {
    const at = (index: number, where: SaidIn, of?: RowQuestion['of']) => {
      const text = spokenIn(one, index);
      return text === '' ? [] : [{ text, cell: sheet.cellName(one.line, index), where, ...(of && { of }) }];
    };
    return [
      ...[...texts].flatMap(([index, where]) => at(index, where)),
      ...ofUnread.flatMap(({ index, saysSent, meaning, of }) => {
        const text = spokenIn(one, index);
        const isAsked = meaning?.nameOf(text) !== undefined;
        return isAsked || (saysSent !== undefined && (saysSent(text) || isUnsent(text))) ? [] : at(index, 'column', of);
      }),
      // What a colour means is asked about as a legend.
      ...[...(one.beside ?? [])]
        .filter(([, text]) => !isLegendOfHeld(text))
        .map(([index, text]) => ({
          text,
          cell: sheet.cellName(one.line, index),
          where: 'note' as const,
        })),
    ];
  };
  const verdictsOf = (one: SheetLine) =>
    saidIn(one).flatMap(({ text, cell, where, of }): LineVerdict[] => {
      const phone = where === 'note' ? otherPhoneIn(text, one.cells) : undefined;
      const clause = heldBackBy(text, where) ?? phone;
      if (clause === undefined) return [];
      const name = text.length > LONGEST_NAME ? clause : text;
      const answer = answerAbout(name, options.account.answers);
      const question: RowQuestion = { id: 'status', name, cell, answer, ...(of && { of }) };
      if (answer !== 'skip') return [{ kind: 'ask', question }];
      return [{ kind: 'leave', reason: `held back (${JSON.stringify(name)})`, question, isOfRecord: true }];
    });
  return (line, first) => {
    const own = verdictsOf(line);
    return line === first || own.some(({ kind }) => kind === 'leave')
      ? own
      : [...own, ...verdictsOf(first).filter(({ kind }) => kind === 'leave')];
  };
}

/** Asks about orders with a colour in a cell that other orders do not have there: only their owner knows what it says. */
function filled(sheet: TableSheet, { account }: RuleOptions): LineRule {
  return ({ line, fills = new Map<number, string>() }) =>
    [...new Set(fills.values())].map((name): LineVerdict => {
      const column = [...fills].find(([, one]) => one === name)?.[0] ?? 0;
      const answer = answerAbout(name, account.answers);
      const question: RowQuestion = { id: 'status', name, cell: sheet.cellName(line, column), answer };
      return answer === 'skip'
        ? { kind: 'leave', reason: name, question, isOfRecord: true }
        : { kind: 'ask', question };
    });
}

/** The lists that judge the lines of a sheet; undefined for one that is no known export. */
export function statusesOf({ columns }: Pick<TableSheet, 'columns'>, { mapping }: RuleOptions): Statuses | undefined {
  if (mapping?.statuses !== undefined) return mapping.statuses;
  // A list of orders that we have written ourselves.
  const own = columns.find((column) => column.trim().toLowerCase() === ownStatuses.column);
  const isOurs = Object.keys(mapping?.columns ?? {}).length === 0 && own !== undefined;
  return isOurs ? { words: [{ ...ownStatuses, column: own }] } : undefined;
}

/** What the columns of a sheet are to the rules that say which orders are sent. */
export interface ReadColumns {
  /** The columns that are read, or known to say nothing of it. */
  readonly known: ReadonlySet<number>;
  /** Those of them with texts in which a person may say otherwise. */
  readonly texts: ReadonlyMap<number, SaidIn>;
  /** The one with the cash to collect. */
  readonly cash: number | undefined;
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
    cash: used.find(({ field: { path } }) => path.join('.') === 'shipping.cod_amount')?.index,
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
        ];
  rules.push(meant(sheet, read, unread, options), heldBack(sheet, read, unread, options), filled(sheet, options));
  return (line: SheetLine, first) => rules.flatMap((rule) => rule(line, first));
}
