import type { LineRule, LineVerdict } from '../account/judge-lines.ts';
import { answerAbout, wordForm } from '../account/questions.ts';
import type { Role, Roles } from '../account/questions-open.ts';
import { type Aside, type Cell, placeText, SheetError, type SheetLine, type TableSheet } from '../formats/sheet.ts';
import { orderCommands } from '../mapping/exports.ts';
import { isColumnName } from '../mapping/propose-mapping.ts';
import { normalForm } from '../service/layout.ts';
import type { CellFault } from '../source-row.ts';
import { say } from '../texts.ts';
import { numberIn } from '../values.ts';
import { heldBackBy, isLegendOfHeld, isTitleOfHeld } from './held-back.ts';
import type { FieldColumn, RowOptions } from './row-options.ts';

/** A whole cell that names a sum; a count may follow, as in "Tổng: 42 đơn". */
const WORD =
  /^(?:tong(?: (?:cong|so|tien|thu|thu ho|cod|don))?|cong|total|grand total|subtotal|sum)(?: \d+(?: [a-z]+)?)?$/;

/** A text that begins with such a word. */
const SUM_AND_MORE = /^(?:cong|tong|total|grand total|subtotal|sum) \S/;

/** What all of them begin with: most cells need no further look. */
const BEGINS = /^\P{L}*[tcgs]/iu;

/** Whether a whole cell is a word of sums: "Tống Văn Hải" and "SUM-0001" are none. */
export function isWordOfSums(cell: Cell | undefined): boolean {
  if (typeof cell !== 'string' || !BEGINS.test(cell)) return false;
  // Where a number follows without a colon or a blank, it is a code.
  return !/^\s*\p{L}+[-_/]/u.test(cell) && WORD.test(normalForm(cell));
}

/** What the lines above add up to, in one column. */
interface Column {
  all: number;
  shown: number;
  allSince: number;
  shownSince: number;
  /** Whether a line since the last row of sums has anything in it. */
  isFilled: boolean;
}

const sumsOf = ({ all, shown, allSince, shownSince }: Column) => [allSince, shownSince, all, shown];

/** Adds up columns of amounts and quantities, to know a row of sums by its numbers, and to compare it. */
class RunningSums {
  readonly #columns: ReadonlyMap<number, Column>;
  #lines = 0;
  #linesSince = 0;

  constructor(columns: readonly number[]) {
    this.#columns = new Map(
      columns.map((index) => [index, { all: 0, shown: 0, allSince: 0, shownSince: 0, isFilled: false }]),
    );
  }

  add({ cells, isHidden }: SheetLine): void {
    this.#lines += 1;
    this.#linesSince += 1;
    for (const [index, column] of this.#columns) {
      const number = numberIn(cells[index]) ?? 0;
      column.isFilled ||= textIn(cells[index]) !== '';
      column.all += number;
      column.allSince += number;
      if (isHidden === true) continue;
      column.shown += number;
      column.shownSince += number;
    }
  }

  /** Whether the numbers of a line are what the lines above add up to: in two columns, or in the only one. */
  fits({ cells }: SheetLine): boolean {
    const equal = [...this.#columns].filter(([index, column]) => {
      const number = numberIn(cells[index]);
      return number !== undefined && number !== 0 && sumsOf(column).includes(number);
    });
    return this.#lines > 1 && equal.length >= Math.min(2, this.#columns.size) && equal.length > 0;
  }

  /** The columns in which a line has an amount, and no line since the last row of sums has any. */
  onlyIn({ cells }: SheetLine): readonly number[] {
    if (this.#linesSince === 0) return [];
    return [...this.#columns].flatMap(([index, { isFilled }]) =>
      !isFilled && (numberIn(cells[index]) ?? 0) !== 0 ? [index] : [],
    );
  }

  /** Ends a part of the sheet with a row of sums; what differs from the lines above, by column. */
  compare({ cells }: SheetLine): readonly { readonly index: number; readonly given: number; readonly above: number }[] {
    const wrong = [...this.#columns].flatMap(([index, column]) => {
      const number = numberIn(cells[index]);
      if (number === undefined || sumsOf(column).includes(number)) return [];
      return [{ index, given: number, above: column.allSince }];
    });
    for (const column of this.#columns.values()) {
      column.allSince = 0;
      column.shownSince = 0;
      column.isFilled = false;
    }
    this.#linesSince = 0;
    return wrong;
  }
}

/** The lines of a sheet that are data. */
export interface DataLines {
  readonly lines: AsyncGenerator<SheetLine, void, undefined>;
  /** Says which of them are wrong as a whole. */
  readonly rule: LineRule;
}

const textIn = (cell: Cell | undefined) => String(cell ?? '').trim();

const isNumeric = ({ field: { schema } }: FieldColumn) => schema.type === 'integer' || schema.type === 'number';

/** So many names of columns make a header of a line. */
const FEWEST_HEADS = 3;

/** The fewest cells that a row of explanations has. */
const FEWEST_EXPLAINED = 4;

/** Whether a line explains the columns: nothing but words, also where numbers are due. */
function explains({ cells }: SheetLine, columns: readonly FieldColumn[]): boolean {
  const numbers = columns.filter((column) => isNumeric(column) && textIn(cells[column.index]) !== '');
  const texts = cells.map(textIn).filter((text) => text !== '');
  const isWords = (text: string) => !/\d/.test(text) && /\p{L}{3}/u.test(text);
  return numbers.length > 1 && texts.length >= FEWEST_EXPLAINED && texts.every(isWords);
}

/** Leaves out the lines with one of the words of a mapping; a blank cell says what the first line of the record does. */
export function leaveOutRule({ columns }: TableSheet, { mapping }: RowOptions): LineRule {
  const by = Object.entries(mapping?.leaveOut ?? {}).flatMap(([name, words]) => {
    const index = columns.indexOf(name);
    return index < 0 ? [] : [{ index, name, words: new Set(words.map(wordForm)) }];
  });
  return (line, first) =>
    by.flatMap(({ index, name, words }): LineVerdict[] => {
      const text = textIn(line.cells[index]) || textIn(first.cells[index]);
      return words.has(wordForm(text))
        ? [{ kind: 'leave', reason: say().reason.quoted({ column: name, word: text }) }]
        : [];
    });
}

/** Whether a text alone on its row says that the orders below it are not to be sent as they stand. */
const isHeadingOfHeld = (text: string) => heldBackBy(text, 'note') !== undefined;

/** A text that begins with a day, alone on a row: what stands below it is of that day. */
const DAY_HEADING = /^(?:(?:đơn|hàng|ngày|thứ \S+)[\s,:–-]+)*\d{1,2}[/.-]\d{1,2}(?!\d)/iu;

/** The text alone on a row. */
function headingIn({ cells }: SheetLine): ReadonlyMap<number, string> | undefined {
  const filled = cells.flatMap((cell, index) => (textIn(cell) === '' ? [] : [[index, textIn(cell)] as const]));
  const [only] = filled;
  return only !== undefined && filled.length === 1 ? new Map([only]) : undefined;
}

const isOfDay = (said: ReadonlyMap<number, string> | undefined) =>
  [...(said?.values() ?? [])].some((text) => DAY_HEADING.test(text));

/** A line below a text alone on its row, which says something of all lines below it. */
const withHeading = (line: SheetLine, heading: ReadonlyMap<number, string>): SheetLine => ({
  ...line,
  beside: new Map([...heading, ...(line.beside ?? [])]),
});

/** What texts outside the rows say of them: headings, and legends of colours. */
class Headings {
  readonly #sheet: TableSheet;
  readonly #options: Pick<RowOptions, 'account' | 'command'>;
  /** The last text alone on its row, which ends at the next one and at a row of sums. */
  #current: ReadonlyMap<number, string> | undefined;
  /** What the name of the sheet, or a title above its header, says against sending any of it. */
  #ofAll: ReadonlyMap<number, string> | undefined;

  /** Whether such a title begins with a day: it ends at the next day. */
  #isOfDay = false;

  constructor(sheet: TableSheet, options: Pick<RowOptions, 'account' | 'command'>) {
    this.#sheet = sheet;
    this.#options = options;
    if (isTitleOfHeld(sheet.tab ?? '')) this.#ofAll = new Map([[0, sheet.tab ?? '']]);
    for (const title of sheet.titles ?? []) {
      const said = headingIn(title);
      if (!this.#isLegend(said, title) && [...(said?.values() ?? [])].some(isTitleOfHeld)) this.#ofAll = said;
      this.#isOfDay = this.#ofAll !== undefined && this.#ofAll === said && isOfDay(said);
    }
    this.#current = this.#ofAll;
  }

  /** A line with what the heading above it says, if it is data. */
  heard(line: SheetLine, { kind }: LineKind): SheetLine {
    if (kind === 'data') return this.#under(line);
    // A header that is repeated below a heading does not end it.
    if (kind !== 'header-again') this.#pass(line);
    return line;
  }

  #under(line: SheetLine): SheetLine {
    this.#isLegend(line.beside, line);
    return this.#current === undefined ? line : withHeading(line, this.#current);
  }

  /** Takes notice of a line that is no data. */
  #pass(line: SheetLine): void {
    this.#isLegend(line.beside, line);
    const said = headingIn(line);
    const isOfHeld = [...(said?.values() ?? [])].some(isHeadingOfHeld);
    if (this.#isOfDay && isOfDay(said)) this.#ofAll = undefined;
    this.#current = this.#isLegend(said, line) ? undefined : isOfHeld ? said : (this.#ofAll ?? said);
  }

  /** Takes notice of the texts on rows without any cell of the table. */
  finish(): void {
    for (const aside of this.#sheet.asides ?? []) this.#asksLegend(aside);
  }

  #isLegend(texts: ReadonlyMap<number, string> | undefined, { line }: SheetLine): boolean {
    return [...(texts ?? [])].some(([at, text]) => this.#asksLegend({ cell: this.#sheet.cellName(line, at), text }));
  }

  /**
   * Asks about a text that says what colours of rows mean, which nobody reads. Throws a SheetError where they are to be left out: it
   * is not known which.
   */
  #asksLegend({ cell, text }: Aside): boolean {
    const { account, command } = this.#options;
    if (!orderCommands.includes(command) || !isLegendOfHeld(text)) return false;
    const answer = answerAbout(text, account.answers);
    if (answer === 'skip') {
      const message = say().line.legend({ cell: placeText(cell), text });
      throw new SheetError(message, { code: 'cells_wrong', hint: say().line.legendHint });
    }
    account.ask({ id: 'status', name: text, cell, answer });
    return true;
  }
}

/** What a line is that may be no data. */
type LineKind =
  | { readonly kind: 'data' }
  | { readonly kind: 'sums' }
  | { readonly kind: 'header-again' }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'wrong'; readonly why: WrongLine };

/** Why a line is wrong as a whole. */
type WrongLine = 'sumOrLine' | 'loneText' | 'sumInWords' | 'neither';

const DATA: LineKind = { kind: 'data' };

/** Tells orders and their lines from rows of sums, notes and headers by what their columns say of a record. */
class LineKinds {
  readonly #sheet: TableSheet;
  readonly #roles: Roles;
  readonly #header: readonly string[];
  /** The columns of a sheet of orders, one of which says more of an order than its code and amounts. */
  readonly #ofParcel: readonly number[];
  /** The columns of which one names an order. */
  readonly #naming: readonly number[];
  readonly #sums: RunningSums;
  /** Whether there is a column that tells records apart, or says what is in them. */
  readonly #hasNames: boolean;
  /** Whether it has orders whose goods are in no column: numbers alone are no line of one. */
  readonly #isOfOrders: boolean;

  /** What columns are called, here and elsewhere. */
  readonly #isHead: (form: string) => boolean;
  /** The columns of amounts of whole orders. */
  readonly #ofOrders: ReadonlySet<number>;

  constructor(
    sheet: TableSheet,
    { roles, used, command }: { roles: Roles; used: readonly FieldColumn[]; command: string },
  ) {
    const isOfParcel = (role: Role) => orderCommands.includes(command) && OF_PARCEL.some((one) => one === role);
    this.#ofParcel = [...roles].flatMap(([index, role]) => (isOfParcel(role) ? [index] : []));
    this.#sheet = sheet;
    this.#roles = roles;
    this.#header = sheet.columns.map(normalForm);
    const own = new Set(this.#header.filter((form) => form !== ''));
    this.#isHead = (form) => own.has(form) || isColumnName(form);
    this.#ofOrders = new Set(used.flatMap(({ index, field }) => (field.path.includes('*') ? [] : [index])));
    this.#naming = [...roles].flatMap(([index, role]) => (NAMING.some((one) => one === role) ? [index] : []));
    this.#sums = new RunningSums([...roles].flatMap(([index, role]) => (role === 'amount' ? [index] : [])));
    const all = new Set(roles.values());
    this.#hasNames = all.has('code') || all.has('recipient');
    this.#isOfOrders = all.has('recipient') && !all.has('goods');
  }

  of(line: SheetLine): LineKind {
    if (!this.#hasNames) return DATA;
    const kind = this.#kindOf(line);
    if (kind.kind === 'data') this.#sums.add(line);
    return kind;
  }

  /**
   * What a row of sums says otherwise than the rows above it. Throws a SheetError for an amount of orders that stands in it alone: left out,
   * it would be collected from nobody.
   */
  compared(line: SheetLine): readonly string[] {
    const index = this.#sums.onlyIn(line).find((one) => this.#ofOrders.has(one));
    if (index !== undefined) {
      const text = textIn(line.cells[index]);
      const message = say().line.sumAlone({ cell: placeText(this.#sheet.cellName(line.line, index)), text });
      throw new SheetError(message, { code: 'cells_wrong', hint: say().line.sumAloneHint });
    }
    return this.#sums
      .compare(line)
      .map(({ index, ...sums }) =>
        say().line.sumDiffers({ cell: placeText(this.#sheet.cellName(line.line, index)), ...sums }),
      );
  }

  /** Whether a line of several cells has a code, a recipient, a phone or an address that is none of the header: most have. */
  #isNamed(cells: readonly Cell[]): boolean {
    const isName = (index: number) => {
      const text = textIn(cells[index]);
      const header = this.#header[index];
      // Codes and phones are no header without a digit.
      const isHeader = () => (!/\d/.test(text) || /\d/.test(header ?? '')) && normalForm(text) === header;
      return text !== '' && !isWordOfSums(cells[index]) && !isHeader();
    };
    return this.#naming.some(isName) && cells.filter((cell) => cell !== null && cell !== '').length > 1;
  }

  /** Whether a line names columns, and not those that the header has there: numbers below it would be others. */
  #isOtherHeader(cells: readonly Cell[]): boolean {
    // Most lines have a number in one of their first cells.
    const isOfWords = (cell: Cell) => textIn(cell) === '' || (typeof cell === 'string' && /\p{L}/u.test(cell));
    if (!cells.every(isOfWords)) return false;
    let [filled, known, moved] = [0, 0, 0];
    for (const [index, cell] of cells.entries()) {
      const text = textIn(cell);
      if (text === '') continue;
      const form = normalForm(text);
      filled += 1;
      if (!this.#isHead(form)) continue;
      known += 1;
      if (form !== this.#header[index]) moved += 1;
    }
    return known >= FEWEST_HEADS && known * 2 > filled && moved > 1;
  }

  #kindOf(line: SheetLine): LineKind {
    const { cells } = line;
    if (this.#isOtherHeader(cells)) {
      const first = cells.findIndex((cell) => textIn(cell) !== '');
      const message = say().line.otherTable({ cell: placeText(this.#sheet.cellName(line.line, first)) });
      throw new SheetError(message, { code: 'cells_wrong', hint: say().line.otherTableHint });
    }
    if (this.#isNamed(cells)) return this.#kindOfNamed(cells);
    const filled = cells.flatMap((cell, index) => (textIn(cell) === '' ? [] : [index]));
    if (filled.length > 1 && filled.every((index) => normalForm(textIn(cells[index])) === this.#header[index]))
      return { kind: 'header-again' };
    const roles = new Set(filled.flatMap((index) => (isWordOfSums(cells[index]) ? [] : [this.#roles.get(index)])));
    const isNote = filled.length === 1 && this.#isNote(cells, filled[0] ?? 0);
    if (isNote) return { kind: 'note', text: textIn(cells[filled[0] ?? 0]) };
    if (filled.length === 1 && this.#isLoneText(cells, filled[0] ?? 0)) return { kind: 'wrong', why: 'loneText' };
    if (NAMING.some((role) => roles.has(role))) return DATA;
    const hasWord = filled.some((index) => isWordOfSums(cells[index]));
    if (roles.has('goods')) {
      return hasWord || this.#sums.fits(line) ? { kind: 'wrong', why: 'sumOrLine' } : DATA;
    }
    if (hasWord || this.#sums.fits(line)) return { kind: 'sums' };
    return this.#isOfOrders ? { kind: 'wrong', why: 'neither' } : DATA;
  }

  /** What a line is of which nothing but a code or a name says whose it is: "Cộng ngày 26" beside numbers is no order. */
  #kindOfNamed(cells: readonly Cell[]): LineKind {
    const [only, another] = this.#naming.filter((index) => textIn(cells[index]) !== '');
    const text = only === undefined || another !== undefined ? '' : textIn(cells[only]);
    if (this.#ofParcel.length === 0 || !BEGINS.test(text) || !SUM_AND_MORE.test(normalForm(text))) return DATA;
    const hasMore = this.#ofParcel.some((index) => index !== only && textIn(cells[index]) !== '');
    return hasMore ? DATA : { kind: 'wrong', why: 'sumInWords' };
  }

  /** Whether the only cell of a line is a day or several words where a code is due: "Ngày 28/11". */
  #isLoneText(cells: readonly Cell[], index: number): boolean {
    const text = textIn(cells[index]);
    if (isWordOfSums(text) || this.#roles.size <= MOST_OF_A_NAME) return false;
    if (this.#ofParcel.includes(index)) return this.#naming.includes(index);
    const isPlace = this.#ofParcel.length > 0 && !/\d/.test(text);
    const isOther = isPlace || /\s/.test(text) || /^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?$/.test(text);
    return isOther && this.#roles.get(index) === 'code';
  }

  /** Whether the only cell of a line is a sentence beside the data. */
  #isNote(cells: readonly Cell[], index: number): boolean {
    const text = textIn(cells[index]);
    const role = this.#roles.get(index);
    if (this.#roles.size > MOST_OF_A_NAME && isHeadingOfHeld(text)) return true;
    const isOfDay = (role === undefined || role === 'other') && /\p{L}/u.test(text) && DAY_HEADING.test(text);
    if (isOfDay && this.#roles.size > MOST_OF_A_NAME) return true;
    if (!/^\D*\p{L}{2}\D*$/u.test(text) || isWordOfSums(text) || this.#roles.size <= MOST_OF_A_NAME) return false;
    return role === 'code' ? /\s/.test(text) : role === undefined || role === 'other';
  }
}

/** Why a line is left out; undefined for one that is not. */
function reasonOf(kind: LineKind): string | undefined {
  if (kind.kind === 'note') return say().reason.note({ text: kind.text });
  if (kind.kind === 'sums') return say().reason.sums;
  return kind.kind === 'header-again' ? say().reason.headerAgain : undefined;
}

/** Whether a cell is blank, or a box that nobody has ticked: such boxes stand below the last order, too. */
const isUnticked = (cell: Cell) => cell === null || cell === '' || /^false$/i.test(textIn(cell));

/** The lines that have more than boxes which nobody has ticked. */
async function* ticked(
  lines: AsyncIterable<SheetLine>,
  leaveOut: (line: SheetLine) => void,
): AsyncGenerator<SheetLine, void, undefined> {
  for await (const line of lines)
    if (line.beside === undefined && line.cells.every(isUnticked)) leaveOut(line);
    else yield line;
}

/** What a parcel has besides its code and amounts. */
const OF_PARCEL = ['recipient', 'phone', 'address', 'goods'] as const;

const NAMING = ['code', 'recipient', 'phone', 'address'] as const;

/** A record of so few columns may be a name alone. */
const MOST_OF_A_NAME = 2;

/**
 * The lines of a sheet that are data: without a second header row below the header, rows of sums, notes and headers.
 * What is left out is accounted for; a line that is unclear is wrong.
 */
export function dataLines(
  sheet: TableSheet,
  { mapping, account, command }: Pick<RowOptions, 'mapping' | 'account' | 'command'>,
  used: readonly FieldColumn[],
  roles: Roles,
): DataLines {
  const wrong = new WeakMap<SheetLine, CellFault>();
  /** A line that is wrong as a whole, with its text where it has but one: nothing else has to be said of that. */
  const faultOf = ({ line, cells }: SheetLine, why: WrongLine): CellFault => {
    const message = say().line[why];
    const isOfText = why === 'loneText' || why === 'sumInWords';
    const index = isOfText ? cells.findIndex((cell) => textIn(cell) !== '') : -1;
    if (index < 0) return { cell: sheet.cellName(line, used[0]?.index ?? 0), value: '', message };
    return { cell: sheet.cellName(line, index), value: textIn(cells[index]), message, path: '' };
  };
  const nameOf = ({ line }: SheetLine) => sheet.cellName(line, used[0]?.index ?? 0);
  /** The lines below a second header row. */
  async function* belowHeader(): AsyncGenerator<SheetLine, void, undefined> {
    let first: SheetLine | undefined;
    // Nobody explains the columns of a sheet in our own layout.
    let isBelow = Object.keys(mapping?.columns ?? {}).length > 0;
    for await (const line of ticked(sheet.lines, (blank) => account.leaveOut(nameOf(blank), say().reason.unticked))) {
      if (isBelow && first === undefined && explains(line, used)) {
        first = line;
        continue;
      }
      isBelow = false;
      // One that no data follow may be a row with nothing but wrong cells.
      if (first !== undefined && explains(line, used)) yield first;
      else if (first !== undefined) account.leaveOut(nameOf(first), say().reason.explanation);
      first = undefined;
      yield line;
    }
    if (first !== undefined) yield first;
  }
  async function* lines(): AsyncGenerator<SheetLine, void, undefined> {
    const kinds = new LineKinds(sheet, { roles, used, command });
    const headings = new Headings(sheet, { account, command });
    for await (const read of belowHeader()) {
      const kind = kinds.of(read);
      const line = headings.heard(read, kind);
      const reason = reasonOf(kind);
      if (reason !== undefined) account.leaveOut(nameOf(line), reason);
      if (kind.kind === 'sums') account.warn('sum_differs', ...kinds.compared(line));
      if (reason === undefined) {
        if (kind.kind === 'wrong') wrong.set(line, faultOf(line, kind.why));
        yield line;
      }
    }
    headings.finish();
  }
  const rule: LineRule = (line) => {
    const fault = wrong.get(line);
    return fault === undefined ? [] : [{ kind: 'fault', fault }];
  };
  return { lines: lines(), rule };
}
