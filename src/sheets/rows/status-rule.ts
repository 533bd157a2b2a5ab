import type { RowQuestion } from '../account/account.ts';
import type { LineRule, LineVerdict } from '../account/judge-lines.ts';
import { presets } from '../account/questions.ts';
import type { Cell, SheetLine, TableSheet } from '../formats/sheet.ts';
import { exportStatuses, ownStatuses, type Statuses, type StatusWords } from '../mapping/export-statuses.ts';
import { orderCommands } from '../mapping/exports.ts';
import { normalForm } from '../service/layout.ts';
import type { RowOptions } from './row-options.ts';

const textIn = (cell: Cell | undefined) => String(cell ?? '').trim();

type Meaning = 'not' | 'ask' | 'ship';

/** Whether a cell is one of the words of a list, of which `…` stands for anything. */
function fits(form: string, word: string): boolean {
  const wanted = normalForm(word);
  const [opens, ends] = [word.startsWith('…'), word.endsWith('…')];
  if (opens && ends) return form.includes(wanted);
  return ends ? form.startsWith(wanted) : form === wanted;
}

/** What a cell says by the lists of its column; undefined for a word that is in none of them. */
export function meaningOf(text: string, words: StatusWords): Meaning | undefined {
  const form = normalForm(text);
  if (form === '') return words.blank ?? 'ship';
  const isIn = (list: readonly string[] = []) => list.some((word) => fits(form, word));
  if (isIn(words.not)) return 'not';
  if (isIn(words.ask)) return 'ask';
  return isIn(words.ship) ? 'ship' : words.others;
}

/** What a person answered about a word. */
function answerTo(text: string, { account }: RowOptions): 'ship' | 'skip' | undefined {
  const form = normalForm(text);
  const entries = Object.entries(account.answers.status ?? {});
  return entries.find(([word]) => normalForm(word) === form)?.[1];
}

/** Judges the cells of a column with lists. */
function listed(sheet: TableSheet, words: StatusWords, options: RowOptions): LineRule {
  const index = sheet.columns.indexOf(words.column);
  if (index < 0) return () => [];
  return (line, first) => {
    const text = textIn(line.cells[index]) || textIn(first.cells[index]);
    const answer = answerTo(text, options);
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

/** Asks about orders that a carrier has already. */
function tracked(sheet: TableSheet, columns: readonly string[], options: RowOptions): LineRule {
  const indexes = columns.map((column) => sheet.columns.indexOf(column)).filter((index) => index >= 0);
  const answer = options.account.answers.tracked;
  return (line) => {
    const index = indexes.find((one) => textIn(line.cells[one]) !== '');
    if (index === undefined) return [];
    const question: RowQuestion = { id: 'tracked', name: '', cell: sheet.cellName(line.line, index), answer };
    if (answer === 'skip') return [{ kind: 'leave', reason: `${sheet.columns[index]} is filled`, question }];
    return [{ kind: 'ask', question }];
  };
}

/** Leaves out lines of which all pieces came back; of which some did is asked. */
function returned(sheet: TableSheet, [back, sold]: readonly [string, string], options: RowOptions): LineRule {
  const [at, of] = [sheet.columns.indexOf(back), sheet.columns.indexOf(sold)];
  if (at < 0 || of < 0) return () => [];
  return ({ line, cells }) => {
    const [text, count] = [textIn(cells[at]), Number(textIn(cells[of]))];
    if (text === '' || Number(text) === 0) return [];
    const name = `${text} of ${count} returned`;
    const answer = answerTo(name, options);
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

/** Asks about the words of columns that may say which orders are done; none of them decides by itself. */
function stated(sheet: TableSheet, used: ReadonlySet<number>, options: RowOptions): LineRule {
  const { mapping, account } = options;
  const said = new Set(account.answers.ignore_columns);
  const columns = sheet.columns.flatMap((header, index) =>
    used.has(index) || said.has(header) || header.trim() === '' ? [] : [new StateColumn(header, index)],
  );
  const leftOut = new Map(
    Object.entries(mapping?.leaveOut ?? {}).map(([column, words]) => [column, new Set(words.map(normalForm))]),
  );
  return (line, first) =>
    columns.flatMap((column): LineVerdict[] => {
      const header = sheet.columns[column.index] ?? '';
      const text = textIn(line.cells[column.index]) || textIn(first.cells[column.index]);
      if (!column.see(text) || leftOut.get(header)?.has(normalForm(text)) === true) return [];
      const answer = answerTo(text, options);
      const cell = sheet.cellName(line.line, column.index);
      const question: RowQuestion = { id: 'status', name: text, cell, of: column, answer };
      if (answer === 'skip') return [{ kind: 'leave', reason: `${header} ${JSON.stringify(text)}`, question }];
      return [{ kind: 'ask', question }];
    });
}

/** The lists that judge the lines of a sheet; undefined for one that is no known export. */
export function statusesOf({ columns }: Pick<TableSheet, 'columns'>, { mapping }: RowOptions): Statuses | undefined {
  if (mapping?.statuses !== undefined) return mapping.statuses;
  // A list of orders that we have written ourselves.
  const own = columns.find((column) => column.trim().toLowerCase() === ownStatuses.column);
  const isOurs = Object.keys(mapping?.columns ?? {}).length === 0 && own !== undefined;
  return isOurs ? { words: [{ ...ownStatuses, column: own }] } : undefined;
}

/**
 * Says which lines are orders to ship, by the lists of an export; in any other sheet a person says it. Only the first of
 * not, ask and ship counts. `used` are the columns that are read, or known to say nothing of it.
 */
export function statusRule(sheet: TableSheet, used: ReadonlySet<number>, options: RowOptions): LineRule {
  if (!orderCommands.includes(options.command)) return () => [];
  const statuses = statusesOf(sheet, options);
  const rules =
    statuses === undefined
      ? [stated(sheet, used, options)]
      : [
          ...statuses.words.map((words) => listed(sheet, words, options)),
          ...(statuses.returned === undefined ? [] : [returned(sheet, statuses.returned, options)]),
          tracked(sheet, statuses.tracking ?? [], options),
        ];
  return (line: SheetLine, first) => rules.flatMap((rule) => rule(line, first));
}
