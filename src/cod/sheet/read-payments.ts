import { formatMoney } from '../../domain/amounts/money.ts';
import { Account, type LeftOut, type RowQuestion } from '../../sheets/account/account.ts';
import { judged, marksRule } from '../../sheets/account/judge-lines.ts';
import { isSaid as isSaidOf } from '../../sheets/account/questions.ts';
import type { Roles } from '../../sheets/account/questions-open.ts';
import { QuestionsOpen } from '../../sheets/account/questions-open.ts';
import { Widths } from '../../sheets/formats/delimited.ts';
import { columnLetters, SheetError, type SheetLine } from '../../sheets/formats/sheet.ts';
import { resemblesMoney } from '../../sheets/mapping/propose-mapping.ts';
import { SmallAmounts } from '../../sheets/rows/small-amounts.ts';
import { textOf } from '../../sheets/service/cells.ts';
import { normalForm } from '../../sheets/service/layout.ts';
import { say } from '../texts.ts';
import type { PaymentCaution, PaymentFile, PaymentLine, PaymentProblem, PaymentReading } from './payment-cells.ts';
import { dayColumn, paymentDayText, plainCell } from './payment-cells.ts';
import { type Opened, openPayments, type PaymentSource } from './recognise.ts';
import { RepeatedRows, Sums } from './repeated-rows.ts';
import { RowReader, type Wrong } from './row-reader.ts';

/** A line whose day is read once all are known. */
type DatedLine = Omit<PaymentLine, 'day'> & { day: string | undefined };

/** What looks at the rows of all sheets of a file. */
interface OfFile {
  readonly seen: RepeatedRows;
  readonly small: SmallAmounts;
}

const MOST_REPORTED = 3;

/** A problem that is said when somebody reads it: what is stored of it is in English. */
type Reported = Omit<PaymentProblem, 'value' | 'problem'> & {
  readonly value: () => string;
  readonly problem: () => string;
};

const said = ({ value, problem, ...at }: Reported): PaymentProblem => ({ ...at, value: value(), problem: problem() });

/** So many amounts of a column tell what it is. */
const MOST_SAMPLES = 50;

/** A number with its thousands apart, or a word for the currency behind it. */
const AS_MONEY = /^-?\d{1,3}(?:[.,]\d{3})+$|\d\s*(?:đ|₫|vnd|vnđ)$/i;

/** A header of what is weighed or counted. */
const OF_PIECES = /\b(?:(?:khoi|trong|so) luong|can nang|so (?:kien|lan)|weight|quantity)\b/;

/** Looks for amounts in the columns that a layout does not know. */
class UnknownColumns {
  readonly #opened: Opened;
  readonly #known: ReadonlySet<number>;
  readonly #samples = new Map<number, { readonly cell: string; readonly texts: string[] }>();

  constructor(opened: Opened) {
    const { columns, leftOut } = opened.placed;
    this.#opened = opened;
    this.#known = new Set([...columns.map(({ index }) => index), ...leftOut]);
  }

  /** Looks at a row; what is zero says nothing. */
  add({ line, cells }: SheetLine): void {
    for (const [index, cell] of cells.entries()) {
      if (this.#known.has(index)) continue;
      const text = textOf(plainCell(cell, this.#opened.grid.mayBeGuarded));
      if (!/[^\s0.,–—-]/.test(text)) continue;
      const found = this.#samples.get(index) ?? { cell: `${columnLetters(index)}${line}`, texts: [] };
      this.#samples.set(index, found);
      if (found.texts.length < MOST_SAMPLES) found.texts.push(text.replace(/^[-−]\s*/, ''));
    }
  }

  /** Those that may be of money, each with its first cell. */
  get ofMoney(): readonly { readonly name: string; readonly cell: string }[] {
    const { heads } = this.#opened;
    return [...this.#samples].flatMap(([index, { cell, texts }]) => {
      const name = heads[index]?.trim() || columnLetters(index);
      const isMoney = resemblesMoney(name, texts) || texts.every((text) => AS_MONEY.test(text));
      return isMoney && !OF_PIECES.test(normalForm(name)) ? [{ name, cell }] : [];
    });
  }
}

/** Gathers what the rows of a file say. */
class Gathering {
  readonly unknown: UnknownColumns;
  readonly lines: DatedLine[] = [];
  /** What each line has for a day, until all are known. */
  readonly #dayTexts: string[] = [];
  readonly problems: Reported[] = [];
  readonly textRows: number[] = [];
  readonly sumRows: number[] = [];
  rows = 0;
  unread = 0;
  readonly #sums = new Sums();
  readonly #seen: RepeatedRows;
  readonly #opened: Opened;
  readonly #reader: RowReader;
  /** Stands before the cells of a sheet that is not the only one. */
  readonly #before: string;

  constructor(opened: Opened, { seen, small }: OfFile, isFirst: boolean) {
    this.#opened = opened;
    this.unknown = new UnknownColumns(opened);
    this.#seen = seen;
    this.#before = isFirst ? '' : `${opened.grid.sheet}!`;
    this.#reader = new RowReader(opened, small);
  }

  add(line: SheetLine): void {
    const spoilt = this.#spoilt(line);
    const read = this.#reader.read(line);
    if (read.kind === 'text' && !spoilt) {
      this.textRows.push(line.line);
      return;
    }
    if (read.kind === 'sums') {
      this.sumRows.push(line.line);
      this.#tell(line, read.wrong);
      for (const { column, amount, problem } of this.#sums.compare(read.written)) {
        this.#tell(line, [{ column, value: () => formatMoney(amount), problem }]);
      }
      return;
    }
    this.rows += 1;
    if (read.kind === 'text') {
      this.unread += 1;
      return;
    }
    this.unknown.add(line);
    this.#tell(line, read.wrong);
    if (spoilt || !read.isRead) {
      this.unread += 1;
      this.#sums.add(read.written, false);
      return;
    }
    this.#sums.add(read.written, this.#addLines(line, read.lines));
  }

  /** Adds lines, and finds those of a row that repeats one before; returns whether it does. */
  #addLines(line: SheetLine, lines: readonly PaymentLine[]): boolean {
    const { placed } = this.#opened;
    const date = placed.columns.find(({ field }) => field === 'delivered_on');
    const text = date === undefined ? '' : paymentDayText(this.#reader.cell(line, date));
    const { cells, duplicateOf } = this.#seen.look(this.#opened, line, lines, this.#before);
    const repeated: PaymentLine[] = [];
    for (const one of lines) {
      const added: DatedLine = { ...one, cells, duplicateOf: duplicateOf(one) };
      this.lines.push(added);
      this.#dayTexts.push(text);
      if (added.duplicateOf !== undefined && one.amount !== 0) repeated.push(added);
    }
    for (const { cell, kind, amount, duplicateOf, shippingCode, fulfillmentId } of repeated) {
      this.problems.push({
        sheet: this.#sheet,
        row: line.line,
        cell,
        value: () => shippingCode || fulfillmentId,
        problem: () => say().cell.repeats({ first: duplicateOf ?? '', kind: say().kind[kind] ?? kind, amount }),
      });
    }
    return repeated.length > 0 && repeated.length === lines.filter(({ amount }) => amount !== 0).length;
  }

  get #sheet(): string | null {
    return this.#opened.grid.sheet ?? null;
  }

  /** Tells the spoilt cells of a line; returns whether a column of the layout has one. */
  #spoilt({ line }: SheetLine): boolean {
    const { grid, placed } = this.#opened;
    const own = grid.spoilt.filter(({ cell }) => cell.replace(/^[A-Z]+/, '') === String(line));
    const used = own.filter(({ cell }) =>
      placed.columns.some(({ index }) => `${columnLetters(index)}${line}` === cell),
    );
    for (const { cell, what } of used) {
      this.problems.push({
        sheet: this.#sheet,
        row: line,
        cell,
        value: () => '',
        problem: () => say().cell.spoilt({ what }),
      });
    }
    return used.length > 0;
  }

  #tell({ line }: SheetLine, wrong: readonly Wrong[]): void {
    for (const { column, value, problem } of wrong) {
      const cell = `${columnLetters(column.index)}${line}`;
      this.problems.push({ sheet: this.#sheet, row: line, cell, value, problem: () => `${column.title} ${problem()}` });
    }
  }

  #named(cell: string): string {
    return this.#before + cell;
  }

  /** Lines without a row, and why. */
  get leftOut(): readonly LeftOut[] {
    const of = (reason: string) => (row: number) => ({ cell: this.#named(`A${row}`), reason });
    const { noParcel, sums } = say().file;
    return [...this.textRows.map(of(noParcel)), ...this.sumRows.map(of(sums))];
  }

  get readings(): readonly PaymentReading[] {
    return this.#reader.readings.map((one) => ({ ...one, cell: this.#named(one.cell) }));
  }

  get cautions(): readonly PaymentCaution[] {
    return this.#reader.cautions.map((one) => ({ ...one, cell: this.#named(one.cell) }));
  }

  /**
   * Throws a SheetError if most rows say something else than the headers of its columns; where a person is asked what the
   * amounts mean, the answer may reconcile them.
   */
  requireAgreement(name: string): void {
    if (this.asks.length > 0) return;
    const { nets, gaps, named, swapped, plain, turned } = this.#reader;
    const texts = say().file;
    const isMost = (cells: readonly string[], rows: number) => cells.length > 1 && cells.length > rows / 2;
    const { layout, columns } = this.#opened.placed;
    const titleOf = (field: string) => columns.find((one) => one.field === field)?.title ?? '';
    const tell = (cells: readonly string[], rows: number, what: string, why: string) => {
      const places = `${cells.slice(0, MOST_REPORTED).join(', ')}${cells.length > MOST_REPORTED ? ', …' : ''}`;
      const message = texts.disagrees({ name, layout: layout.name, count: cells.length, rows, places, what, why });
      return new SheetError(message, { facts: { layouts: layout.name, file: name, places: '' } });
    };
    if (isMost(swapped, named)) {
      const [code, id] = [titleOf('shipping_code'), titleOf('fulfillment_id')];
      throw tell(swapped, named, texts.swapped({ code, id }), texts.swappedWhy);
    }
    if (isMost(turned, plain)) {
      throw tell(turned, plain, texts.turned({ cash: titleOf('cod') }), texts.turnedWhy);
    }
    if (isMost(gaps, nets)) {
      throw tell(gaps, nets, texts.gaps({ net: titleOf('net') }), texts.gapsWhy);
    }
  }

  get asks(): readonly RowQuestion[] {
    return this.#reader.asks;
  }

  /** The lines with their days, which are known once all are. */
  dated(): { readonly lines: readonly PaymentLine[]; readonly notes: readonly string[] } {
    const date = this.#opened.placed.columns.find(({ field }) => field === 'delivered_on');
    const named = () => this.lines.map((line) => ({ ...line, cell: this.#named(line.cell) }));
    if (date === undefined) return { lines: named(), notes: [] };
    const texts = [...new Set(this.#dayTexts)];
    const days = dayColumn(date, texts);
    const reported = new Set<string>();
    const read = new Map(texts.map((text) => [text, days.read(text)]));
    for (const [index, line] of this.lines.entries()) {
      const text = this.#dayTexts[index] ?? '';
      line.day = read.get(text);
      if (text === '' || line.day !== undefined) continue;
      const row = line.cell.replace(/^[A-Z]+/, '');
      if (reported.has(row)) continue;
      reported.add(row);
      const cell = `${columnLetters(date.index)}${row}`;
      const layout = days.expected(text);
      const problem = () => `${date.title} ${say().cell.day({ layout })}`;
      this.problems.push({ sheet: this.#sheet, row: Number(row), cell, value: () => text, problem });
    }
    return { lines: named(), notes: days.notes };
  }
}

/** The lines below the header; in a text file a line with more cells than the header moves amounts. Throws a SheetError. */
async function* linesOf(
  { first, rest, width, grid }: Opened,
  { name, account }: Pick<Reading, 'name' | 'account'>,
): AsyncGenerator<SheetLine> {
  const widths = width === undefined || !grid.mayBeGuarded ? undefined : new Widths(name, width);
  for (const line of first) {
    widths?.add(line);
    yield line;
  }
  for (;;) {
    const { value, done } = await rest.next();
    if (done) break;
    widths?.add(value);
    yield value;
  }
  widths?.finish(account);
}

/** Whether lines that are hidden or struck through are read, as far as they have a parcel. */
function marksIn({ placed, grid }: Opened, account: Account) {
  const codes = placed.columns.filter(({ field }) => field === 'shipping_code' || field === 'fulfillment_id');
  const roles: Roles = new Map(codes.map(({ index }) => [index, 'code']));
  const sheet = grid.sheet === undefined ? '' : `${grid.sheet}!`;
  const cellName = (line: number, column: number) => `${sheet}${columnLetters(column)}${line}`;
  const judging = { sheet: { cellName }, roles, account };
  const rules = [marksRule(judging)];
  const hasParcel = ({ cells }: SheetLine) => codes.some(({ index }) => textOf(cells[index]) !== '');
  const isRead = (line: SheetLine) => {
    if (!hasParcel(line)) return true;
    const { lines, asks } = judged(judging, rules, [line]);
    account.ask(...asks);
    return lines.length > 0;
  };
  return { isRead };
}

/** A payment file while it is read. */
interface Reading {
  readonly name: string;
  readonly account: Account;
  readonly isFirst: boolean;
}

/** One sheet of a payment file, read to its end. */
async function readSheet(opened: Opened, file: OfFile, { name, account, isFirst }: Reading) {
  const gathering = new Gathering(opened, file, isFirst);
  gathering.textRows.push(...opened.titles);
  const marks = marksIn(opened, account);
  account.lines += opened.titles.length;
  for await (const line of account.counted(linesOf(opened, { name, account })))
    if (marks.isRead(line)) gathering.add(line);
  gathering.requireAgreement(name);
  const { lines, notes } = gathering.dated();
  const { rows, unread, textRows, sumRows, problems, leftOut, readings, cautions, asks } = gathering;
  account.ask(...asks);
  for (const { name, cell } of gathering.unknown.ofMoney) {
    const isSaid = isSaidOf(account.answers, 'ignore_columns', name);
    account.ask({ id: 'ignore_columns', name, cell, answer: isSaid ? 'skip' : undefined });
  }
  return {
    leftOut,
    readings,
    cautions,
    layout: opened.placed.layout,
    /** Whether nothing stands below its headers but sums. */
    isPlain: opened.width !== undefined && textRows.length === opened.titles.length && problems.length === 0,
    sheet: opened.grid.sheet,
    rows,
    unread,
    textRows,
    sumRows,
    problems,
    lines,
    notes,
  };
}

function inFewWords(
  what: (of: { count: number; places: string }) => string,
  places: readonly string[],
): readonly string[] {
  if (places.length === 0) return [];
  const more = places.length > MOST_REPORTED ? '; …' : '';
  return [what({ count: places.length, places: `${places.slice(0, MOST_REPORTED).join('; ')}${more}` })];
}

/**
 * Reads a carrier's payment file as payment lines. A row that cannot be read stops nothing: it is listed with its cell.
 * Throws a SheetError for a file that is no table, or whose headers no layout knows, and QuestionsOpen.
 */
export async function readPayments(source: PaymentSource): Promise<PaymentFile> {
  const { account = new Account() } = source;
  const seen = new RepeatedRows();
  const small = new SmallAmounts(account.answers.unit, { ofCarriers: true });
  const sheets: Awaited<ReturnType<typeof readSheet>>[] = [];
  for await (const opened of openPayments({ ...source, account }))
    sheets.push(await readSheet(opened, { seen, small }, { name: source.name, account, isFirst: sheets.length === 0 }));
  small.finish(account);
  const rows = sheets.reduce((sum, one) => sum + one.rows, 0);
  const [first] = sheets;
  const isAsked = account.questions.length > 0;
  if (rows === 0 && isAsked) throw new QuestionsOpen(account.questions);
  // A day without payments has headers, and at most a row of sums of nothing.
  const isWithoutPayments = sheets.every(({ isPlain }) => isPlain);
  if (first === undefined || (rows === 0 && !isWithoutPayments))
    throw new SheetError(say().file.noRows({ name: source.name }));
  const { layout } = first;
  const readings = sheets.flatMap((one) => one.readings);
  const problems = sheets.flatMap((one) => one.problems.toSorted((two, other) => two.row - other.row));
  const problemsNow = () => problems.map(said);
  const file: PaymentFile = {
    layout: layout.name,
    carrier: layout.carrier,
    sheet: first.sheet ?? null,
    allLines: account.lines,
    leftOut: [...account.leftOut, ...sheets.flatMap(({ leftOut }) => leftOut)],
    sheets: account.sheets,
    readings,
    warnings: account.warnings,
    cautions: sheets.flatMap(({ cautions }) => cautions),
    rows,
    unread: sheets.reduce((sum, one) => sum + one.unread, 0),
    textRows: sheets.flatMap(({ textRows }) => textRows),
    sumRows: sheets.flatMap(({ sumRows }) => sumRows),
    lines: sheets.flatMap(({ lines }) => lines),
    problems: problemsNow(),
    problemsNow,
    notes: [
      ...account.sheetsInWords,
      ...account.leftOutInWords,
      ...account.decided.flatMap(({ id, subjects }) =>
        id === 'ignore_columns' ? [say().file.unreadColumns({ names: subjects.map(({ name }) => name) })] : [],
      ),
      ...sheets.flatMap(({ notes }) => notes),
      ...inFewWords(
        say().file.readOtherwise,
        readings.map(({ cell, value, message }) => `${cell} ${JSON.stringify(value)} ${message}`),
      ),
      ...inFewWords(say().file.alike, seen.alike),
    ],
  };
  if (!isAsked) return file;
  account.ask(...((await source.asks?.(file)) ?? []));
  throw new QuestionsOpen(account.questions);
}
