import { fieldPath } from '../../contract/schema/hint.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { smallCash } from '../../domain/amounts/cash-on-delivery.ts';
import { withoutUnseen } from '../../domain/damaged-text.ts';
import { setOwn } from '../../domain/json/values.ts';
import type { RowQuestion } from '../account/account.ts';
import { type Answers, answerIn, wordForm } from '../account/questions.ts';
import { type Field, fieldNamed } from '../fields.ts';
import {
  type Cell,
  cellNamesOf,
  lineName,
  placeOf,
  placeText,
  type SheetLine,
  type TableSheet,
} from '../formats/sheet.ts';
import { type Constant, withConstants } from '../mapping/constants.ts';
import { orderCommands } from '../mapping/exports.ts';
import { type ColumnMapping, type MappedCell, mappedCell } from '../mapping/mapping.ts';
import { isFormulaError, isRuined } from '../ruined-number.ts';
import { normalForm } from '../service/layout.ts';
import { type CellFault, type SourceRow, shownIn } from '../source-row.ts';
import { say } from '../texts.ts';
import {
  type CellReading,
  clearing,
  codeOf,
  isNote,
  numberIn,
  readCell,
  takesNoNumber,
  textOf,
  withoutUnseenNoted,
  wrong,
} from '../values.ts';
import { shownDay } from '../xlsx/serial-days.ts';
import { isOfPayment, saysNo, saysPaid } from './held-back.ts';
import type { Draft, FieldColumn, RowOptions } from './row-options.ts';
import type { SmallAmounts } from './small-amounts.ts';
import { type PaymentColumn, paymentColumns, type UnreadPayment } from './status-rule.ts';

/** A step of a path that is a list index. */
const PLACE = /^\d+$/;

/** Sets a value at a path of objects and lists; only own properties are touched, whatever a column is named. */
function put(holder: Draft, path: readonly string[], value: unknown): void {
  let target = holder;
  for (let step = 0; step < path.length - 1; step += 1) {
    const name = path[step] ?? '';
    if (!Object.hasOwn(target, name)) setOwn(target, name, PLACE.test(path[step + 1] ?? '') ? [] : {});
    target = target[name] as Draft;
  }
  setOwn(target, path.at(-1) ?? '', value);
}

/** The value at a path of objects and lists; undefined if there is none. */
function valueIn(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((holder, name) => Reflect.get(Object(holder), name), value);
}

/** The places that the entries of lists with holes had, by the list's path without the holes. */
type FormerPlaces = Map<string, readonly string[]>;

/** Whether any list has holes: most records have none. */
function hasHoles(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.includes(undefined) || value.some(hasHoles);
  for (const name in value) if (hasHoles(Reflect.get(value, name))) return true;
  return false;
}

/** Removes the holes in lists; the record is changed in place. */
function closeUp(value: unknown, path: readonly string[], former: FormerPlaces): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.includes(undefined)) {
    // The keys of a list leave out its holes.
    former.set(path.join('.'), Object.keys(value));
    value.splice(0, value.length, ...value.filter((item) => item !== undefined));
  }
  for (const [name, inner] of Object.entries(value)) closeUp(inner, [...path, name], former);
}

/** A column with everything that is the same for each of its cells. */
interface ReadColumn {
  readonly index: number;
  /** Its header. */
  readonly name: string;
  readonly path: readonly string[];
  /** The dotted path. */
  readonly key: string;
  /** Whether the path has the place of an entry in a list, which differs from line to line. */
  readonly isOfList: boolean;
  readonly schema: JsonSchema;
  /** The field's own name. */
  readonly last: string;
  readonly to: ColumnMapping | undefined;
  /** What a blank cell sends; undefined if it sends nothing. */
  readonly cleared: unknown;
  /** Whether its cells are texts, which are read as they are shown. */
  readonly isText: boolean;
  /** Whether they are texts that a date or an exponent has ruined, or such in which a date is one. */
  readonly hasNoNumber: boolean;
  readonly isNote: boolean;
  /** Other columns, and whether the cell counts in a line with such a text there. */
  readonly when: readonly {
    readonly index: number;
    readonly counts: (text: string) => boolean;
    /** What it is where it does not count, unless the mapping says it. */
    readonly otherwise?: 0;
  }[];
  /** What a person has said of a word of payment; undefined for what the column itself says. */
  readonly methodOf: ((text: string) => string | undefined) | undefined;
  /** The field of what follows the mark in a divided cell. */
  readonly rest: Field | undefined;
}

/** A word of payment as a person has explained it; blank as long as it is asked about. */
function methodOf(text: string, { saysOf }: PaymentColumn, { account, command }: RowOptions): string | undefined {
  const said = answerIn(text, account.answers.payment);
  if (said !== undefined) return said === 'cash' ? 'cod' : 'other';
  return orderCommands.includes(command) && saysOf(text) === undefined ? '' : undefined;
}

/** A column of a sheet, ready to read its cells. */
export function readColumn(
  { field: { path, schema }, name, index }: FieldColumn,
  options: RowOptions,
  { header, unreadPayments }: { readonly header: readonly string[]; readonly unreadPayments: readonly UnreadPayment[] },
): ReadColumn {
  const { account, mapping } = options;
  const given = mapping?.columns[name] ?? undefined;
  const payments = paymentColumns(mapping, account.answers);
  const key = path.join('.');
  const paying = key === 'payment_method' && given ? payments.find(({ column }) => column === name) : undefined;
  const when = Object.entries(given?.when ?? {}).flatMap(([column, words]): ReadColumn['when'] => {
    const at = header.indexOf(column);
    const payment = key === CASH ? payments.find((one) => one.column === column) : undefined;
    const forms = new Set(words.map(wordForm));
    const counts = (text: string) => (payment ? payment.saysOf(text) === 'cash' : forms.has(wordForm(text)));
    return at < 0 ? [] : [{ index: at, counts }];
  });
  // Of an order that a person has said is paid nothing is collected.
  const isLeft = (text: string) => answerIn(text, account.answers.payment) !== 'paid';
  const unlessPaid = (key === CASH ? payments : []).flatMap(({ column }): ReadColumn['when'] => {
    const at = header.indexOf(column);
    return at < 0 ? [] : [{ index: at, counts: isLeft, otherwise: 0 }];
  });
  const unlessPaidBeside = (key === CASH ? unreadPayments : []).map(({ index, nameOf }): ReadColumn['when'][number] => {
    return { index, counts: (text) => text === '' || isLeft(nameOf(text) ?? text), otherwise: 0 };
  });
  return {
    index,
    name,
    path,
    key,
    isOfList: path.includes('*'),
    schema,
    last: path.at(-1) ?? '',
    // In a sheet of our own layout, too, other columns may say whether a cell counts.
    to: given ?? (unlessPaidBeside.length > 0 ? { field: key } : undefined),
    when: [...when, ...unlessPaid, ...unlessPaidBeside],
    methodOf: paying && ((text) => methodOf(text, paying, options)),
    rest: given?.rest === undefined ? undefined : fieldNamed(options.schema, given.rest),
    cleared: options.blankClears ? clearing(schema) : undefined,
    isText: schema.type === 'string' || schema.type === 'array',
    hasNoNumber: takesNoNumber(path.at(-1) ?? '', schema),
    isNote: isNote(path.at(-1) ?? '', schema),
  };
}

/** What the records of a table have in common. */
export interface Gatherer {
  readonly sheet: TableSheet;
  readonly columns: readonly ReadColumn[];
  readonly constants: readonly Constant[];
  /** The fields whose text is in several columns. */
  readonly joined: ReadonlySet<string>;
  readonly amounts: SmallAmounts;
  readonly cashOfCell: RowOptions['cashOfCell'];
  /** The columns that tell a record from the lines of the one above it. */
  readonly own: readonly number[];
  /** The columns that are read no value from, and those of them that say how an order is paid. */
  readonly unread: readonly number[];
  readonly unreadPayments: readonly UnreadPayment[];
  /** What was said of cash that stands on several lines of an order, and of cash that is blank. */
  readonly answers: Pick<Answers, 'line_cash' | 'blank_cash' | 'payment'>;
  /** The column that names a record, or the first one that is used. */
  readonly nameColumn: number;
  /** Reads what an export of ours escaped: hidden characters, and in csv what a spreadsheet would execute. */
  readonly textIn: (cell: string) => string;
}

/** Where a value was read. */
interface ReadAt {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** The places of a line's entries in lists, by the list's path. */
type Places = Map<string, string>;

/** The text of a field that several columns of a line make up. */
interface JoinedText {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly at: ReadAt;
}

/** What a number is counted in, where it is shown. */
const COUNTED_IN = /\d\s*(?:k|tr|triệu|trieu|nghìn|nghin|ngàn|ngan|kg|g|%)(?!\p{L})/iu;

/** The text by which a number is shown as another one: 12500 as 12,500,000, or 350 as 350k. */
function shownOtherwise({ cells, shown }: SheetLine, index: number): string | undefined {
  const [cell, text] = [cells[index], shown?.get(index)];
  if (typeof cell !== 'number' || text === undefined || /\dE[+-]\d+$/.test(text)) return undefined;
  const digitsOf = (one: string) => one.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  return digitsOf(text) === digitsOf(String(cell)) && !COUNTED_IN.test(text) ? undefined : text;
}

/** A cell as a field takes it: a text is as it is shown, and so is a number that is shown as another one. */
function givenIn(line: SheetLine, { index, isText, schema }: ReadColumn): Cell {
  const shown = isText ? line.shown?.get(index) : schema.type === 'integer' ? shownOtherwise(line, index) : undefined;
  return shown ?? line.cells[index] ?? '';
}

/** Why a number of which a format leaves out thousands is none of them; undefined for any other cell. */
function withoutThousands({ cells }: SheetLine, { index, isText }: ReadColumn, given: Cell): string | undefined {
  const cell = cells[index];
  if (isText || typeof cell !== 'number' || typeof given !== 'string' || COUNTED_IN.test(given)) return undefined;
  return Number(given.replaceAll(/[^\d.]/g, '')) < cell ? say().cell.shownShort({ holds: cell }) : undefined;
}

export const CASH = 'shipping.cod_amount';

/** An amount to collect in a message: the cash is read from there. */
const AMOUNT_TO_COLLECT = /(?<!\p{L})(?:thu|cod)(?!\p{L})[^\d\n]{0,20}[1-9][\d.,]*\s*(?:k|tr|đ|ng|\d{3})/iu;
const speaksOfPayment = (cell: Cell) => {
  const text = typeof cell === 'string' ? textOf(cell) : '';
  return text !== '' && (AMOUNT_TO_COLLECT.test(text) || isOfPayment(text) || saysPaid(text));
};

/** A column of what an order costs, or is paid for it. */
const OF_TOTALS = /^(?:tong|thanh tien|phai thu|con thu|total)\b/;

/** A column of what was paid before, or taken off. */
const OF_PART =
  /\b(?:coc|truoc|ung|da (?:tra|nhan|thu|tt|thanh toan)|ck|chuyen khoan|giam|chiet khau|khuyen mai|voucher|xu|diem|vi|tro gia|ho tro|discount|deposit|prepaid|paid|coins?|points?|subsidy|seller|platform)\b/;

/** What the goods of each line of an order cost; NaN where a line does not say it. */
export const lineTotals = ({ lines }: Draft): readonly number[] =>
  (Array.isArray(lines) ? lines : []).map((line: unknown) => {
    const price = valueIn(line, ['payment_price']) ?? valueIn(line, ['retail_price']);
    return Number(valueIn(line, ['quantity'])) * Number(price);
  });

/** Builds one record from its lines. */
export class Gathering {
  readonly lines: SheetLine[] = [];
  readonly value: Draft = {};
  readonly faults: CellFault[] = [];
  readonly notes: CellFault[] = [];
  /** What a person has to say about its amounts. */
  readonly asks: RowQuestion[] = [];
  readonly #cells = new Map<string, ReadAt>();
  readonly #of: Gatherer;
  /** By field, while a line is read. */
  readonly #joined = new Map<string, JoinedText>();
  /** Where later lines of the order have its cash once more. */
  readonly #again: ReadAt[] = [];
  #cleared = 0;
  /** Whether blank cash was said to be the total. */
  #collectsTotal = false;

  constructor(of: Gatherer) {
    this.#of = of;
  }

  add(line: SheetLine): void {
    this.lines.push(line);
    const places: Places = new Map();
    for (const column of this.#of.columns) this.#read(line, column, places);
    for (const [key, { path, value, at }] of this.#joined) this.#set(path, key, value, at);
    this.#joined.clear();
  }

  #read(line: SheetLine, column: ReadColumn, places: Places): void {
    const raw = givenIn(line, column);
    // Characters that nobody sees are removed, but for those of which an escape of ours says that they are there.
    const seen = typeof raw === 'string' ? withoutUnseen(raw) : raw;
    const given = typeof seen === 'string' ? this.#of.textIn(seen) : seen;
    const short = withoutThousands(line, column, given);
    const mapped: MappedCell = short === undefined ? this.#mapped(line, column, given) : { ok: false, message: short };
    const cell = mapped.ok ? mapped.cell : given;
    const whole = this.#understood(line, column, mapped);
    const read = seen === raw ? whole : withoutUnseenNoted(whole);
    const reading =
      read.kind === 'value' && mapped.ok && mapped.note !== undefined ? { note: mapped.note, ...read } : read;
    if (reading.kind === 'wrong') {
      this.faults.push({ ...this.#faultAt(line, column, given, reading.message), path: this.#pathOf(column, places) });
      return;
    }
    if (reading.kind === 'blank') {
      if (column.cleared === undefined) return;
      this.#cleared += 1;
    } else if (reading.note !== undefined) {
      this.notes.push({ ...this.#faultAt(line, column, given, reading.note), ...codeOf(reading) });
    }
    const value = reading.kind === 'value' ? this.#counted(line, column, given, reading.value) : column.cleared;
    const at = { line: line.line, column: column.index, text: String(cell ?? '') };
    const path = column.isOfList ? this.#stepsOf(column, places) : column.path;
    const key = column.isOfList ? path.join('.') : column.key;
    if (this.#of.joined.has(column.key)) this.#join(key, { path, value, at }, column.to?.join ?? '');
    else this.#set(path, key, value, at);
  }

  /** A cell as its field takes it, or cash that a text says in words: "COD 100k", "đã ck". */
  #understood({ cells }: SheetLine, { schema, last, key, index }: ReadColumn, mapped: MappedCell): CellReading {
    const read = mapped.ok ? readCell(mapped.cell, schema, last) : wrong(mapped.message);
    const text = cells[index];
    if (read.kind !== 'wrong' || key !== CASH || typeof text !== 'string') return read;
    const amount = this.#of.cashOfCell?.(text);
    return amount === undefined ? read : { kind: 'value', value: amount, note: say().cell.readAsAmount({ amount }) };
  }

  /** A cell as its column's mapping converts it, or why it cannot be used as it is. */
  #mapped(line: SheetLine, column: ReadColumn, given: Cell): MappedCell {
    const isDay = line.days?.includes(column.index) === true;
    if (column.hasNoNumber) {
      if (isDay) return { ok: false, message: say().cell.ruinedDay };
      // It was typed otherwise: a house 12E3 is shown as 1.20E+04.
      const shown = line.shown?.get(column.index);
      if (shown !== undefined && isRuined(undefined, shown)) return { ok: false, message: say().cell.ruined };
    }
    if (isDay && column.isNote) return this.#shownDay(given);
    // An error is no word, also where any other word has a meaning.
    const { to } = column;
    if (to === undefined || isFormulaError(textOf(given))) return { ok: true, cell: given };
    const failed = column.when.find(({ index }) => isFormulaError(textOf(line.cells[index] ?? '')));
    if (failed !== undefined) {
      const name = this.#of.sheet.columns[failed.index] ?? '';
      return { ok: false, message: say().line.countsBy({ column: name }) };
    }
    // A further line of an order may leave blank what its first one says.
    const [first = line] = this.lines;
    const wordIn = (index: number) => textOf(line.cells[index] ?? '') || textOf(first.cells[index] ?? '');
    if (line !== first && column.when.length > 0 && textOf(given) === '') return { ok: true, cell: '' };
    const unless = column.when.find(({ index, counts }) => !counts(wordIn(index)));
    if (unless === undefined) return this.#converted(line, column, to, given);
    const word = wordIn(unless.index);
    const name = this.#of.sheet.columns[unless.index] ?? '';
    const note =
      word === '' ? say().line.notReadBlank({ column: name }) : say().line.notReadWord({ column: name, word });
    if (String(given ?? '').trim() !== '') this.notes.push(this.#faultAt(line, column, given, note));
    return mappedCell(to.otherwise ?? unless.otherwise ?? '', to);
  }

  #converted(line: SheetLine, column: ReadColumn, to: ColumnMapping, given: Cell): MappedCell {
    const method = column.methodOf?.(textOf(given));
    return method === undefined ? mappedCell(this.#divided(line, column, given), to) : { ok: true, cell: method };
  }

  /** An amount as it counts: one below 1,000 may be in thousands, unless its cell or its column says the unit. */
  #counted(line: SheetLine, column: ReadColumn, given: Cell, read: unknown): unknown {
    const { schema, to, key, name } = column;
    if (schema.unit !== 'currency units' || typeof read !== 'number') return read;
    const cell = this.#of.sheet.cellName(line.line, column.index);
    const hasUnit = to?.unit !== undefined || (typeof given === 'string' && COUNTED_IN.test(given));
    if (hasUnit && read > 0) this.#of.amounts.fill(name);
    const { amount, note, message, ask } = !hasUnit
      ? this.#of.amounts.count(key, cell, read, name)
      : { amount: read, message: smallCash(key, read), note: undefined, ask: undefined };
    if (note !== undefined) this.notes.push(this.#faultAt(line, column, given, note));
    if (message !== undefined) this.faults.push(this.#faultAt(line, column, given, message));
    if (ask !== undefined) this.asks.push(ask);
    return amount;
  }

  /** A date or a time in a note, as people write it. */
  #shownDay(given: Cell): MappedCell {
    const cell = shownDay(String(given));
    return { ok: true, cell, note: say().cell.readAsText({ text: cell }) };
  }

  /** A cell without what belongs to another field, which is set. */
  #divided(line: SheetLine, { to, rest, index }: ReadColumn, given: Cell): Cell {
    if (rest === undefined || to?.between === undefined) return given;
    const text = String(given ?? '');
    const place = text.indexOf(to.between);
    if (place < 0) return given;
    const other = text.slice(place + to.between.length).trim();
    if (other !== '') this.#set(rest.path, rest.path.join('.'), other, { line: line.line, column: index, text: other });
    return text.slice(0, place);
  }

  /** Puts a text behind the one that an earlier column of the line has for the same field. */
  #join(key: string, { path, value, at }: JoinedText, join: string): void {
    const before = this.#joined.get(key);
    this.#joined.set(
      key,
      before === undefined ? { path, value, at } : { ...before, value: `${before.value}${join}${value}` },
    );
  }

  /** The steps to a column's field, with the place of the line's own entry in a list. */
  #stepsOf(column: ReadColumn, places: Places): readonly string[] {
    const path: string[] = [];
    for (const name of column.path) path.push(name === '*' ? this.#placeIn(path, places) : name);
    return path;
  }

  #pathOf(column: ReadColumn, places: Places): string {
    return fieldPath(this.#stepsOf(column, places).map((step) => (PLACE.test(step) ? Number(step) : step)));
  }

  #faultAt({ line }: SheetLine, { index }: ReadColumn, given: Cell, message: string): CellFault {
    return { cell: this.#of.sheet.cellName(line, index), value: String(given ?? ''), message };
  }

  /** The place of the line's own entry in a list: the same for all its columns. */
  #placeIn(path: readonly string[], places: Places): string {
    const list = path.join('.');
    const known = places.get(list);
    if (known !== undefined) return known;
    const holder = valueIn(this.value, path);
    const next = String(Array.isArray(holder) ? holder.length : 0);
    places.set(list, next);
    return next;
  }

  /** A field of the order itself is on its first line, or the same on each line. */
  #set(path: readonly string[], key: string, value: unknown, at: ReadAt): void {
    const before = this.#cells.get(key);
    if (before !== undefined) {
      const first = valueIn(this.value, path);
      if (JSON.stringify(first) === JSON.stringify(value)) {
        if (key === CASH && value !== 0) this.#again.push(at);
        return;
      }
      const { sheet } = this.#of;
      const other = sheet.cellName(before.line, before.column);
      const message = say().line.differs({ before: before.text, cell: placeText(other) });
      this.faults.push({ cell: sheet.cellName(at.line, at.column), value: at.text, message });
      return;
    }
    this.#cells.set(key, at);
    put(this.value, path, value);
  }

  /**
   * Equal cash on several lines is the order's where each line repeats the order, or the total says so; where a line has nothing
   * else of it, or a total says the sum, a person does.
   */
  #judgeCash(): void {
    const [at] = this.#again;
    const cash = valueIn(this.value, CASH.split('.'));
    if (at === undefined || typeof cash !== 'number') return;
    const { sheet, own, unread, answers } = this.#of;
    const all = cash * (this.#again.length + 1);
    const ofLines = lineTotals(this.value);
    const total = this.value.total_amount ?? ofLines.reduce((sum, each) => sum + each, 0);
    // A column that names the field is the order's, unless its total says otherwise.
    const isField = sheet.columns[at.column] === CASH;
    const isLikeLines = !isField && ofLines.every((each) => each === cash);
    const isOfEach = total === all && (this.value.total_amount === all || isLikeLines);
    const [first] = this.lines;
    const isBare = this.lines.some(
      ({ line, cells }) =>
        this.#again.some((one) => one.line === line) &&
        own.some((index) => textOf(cells[index] ?? '') === '' && textOf(first?.cells[index] ?? '') !== ''),
    );
    const totals = unread.filter((index) => OF_TOTALS.test(normalForm(sheet.columns[index] ?? '')));
    const isSummed = this.lines.some(({ cells }) => totals.some((index) => numberIn(cells[index]) === all));
    if (!isSummed && (total === cash || !(isBare || isOfEach))) return;
    const fault = { cell: sheet.cellName(at.line, at.column), value: at.text };
    this.asks.push({ id: 'line_cash', name: '', cell: fault.cell, answer: answers.line_cash });
    if (answers.line_cash !== 'each') return;
    put(this.value, CASH.split('.'), all);
    this.notes.push({ ...fault, message: say().line.added({ all }) });
  }

  /** Blank cash of an order that another column says is paid on delivery, or is not paid, or beside cash of others: nobody guesses it. */
  #judgeBlankCash(): void {
    const { sheet, columns, constants, unread, answers } = this.#of;
    const [first] = this.lines;
    const cash = columns.find(({ key }) => key === CASH);
    if (first === undefined || cash === undefined) return;
    const { deposit, payment_method: method, shipping } = withConstants(this.value, constants);
    if (valueIn(shipping, ['cod_amount']) !== undefined) return;
    if (this.faults.some(({ path }) => path === CASH) || first.merged?.has(cash.index) === true) return;
    const isUnpaid = (index: number) =>
      isOfPayment(sheet.columns[index] ?? '') && saysNo(textOf(first.cells[index] ?? ''));
    const unpaid = method === 'cod' || deposit !== undefined ? undefined : unread.find(isUnpaid);
    const at = cash.when.find(({ otherwise }) => otherwise === undefined)?.index ?? unpaid;
    if (at === undefined) {
      const isDue = lineTotals(this.value).some((total) => total > 0) && (method ?? 'cod') === 'cod';
      if (!isDue || deposit !== undefined || this.lines.some(({ cells }) => cells.some(speaksOfPayment))) return;
      const cell = sheet.cellName(first.line, cash.index);
      this.asks.push(this.#of.amounts.blankIn(cash.name, cell, answers.blank_cash));
      this.#collectsTotal = answers.blank_cash === 'total';
      return;
    }
    const said = { column: sheet.columns[at] ?? '', word: textOf(first.cells[at] ?? '') };
    this.faults.push({ ...this.#faultAt(first, cash, '', say().line.cashBlankBy(said)), path: CASH });
  }

  /** What is said of the record in no field. */
  #beside(): SourceRow['beside'] {
    const { sheet, unread, unreadPayments, answers } = this.#of;
    const isAnswered = (index: number, text: string) => {
      const payment = unreadPayments.find((one) => one.index === index);
      return payment !== undefined && answerIn(payment.nameOf(text) ?? text, answers.payment) !== undefined;
    };
    const said = this.lines.flatMap(({ line, cells, beside }) => {
      const isOpen = (index: number) => answers.payment === undefined || !isAnswered(index, textOf(cells[index] ?? ''));
      const texts = unread.filter(isOpen).map((index) => [index, cells[index]] as const);
      return [...texts, ...(beside ?? [])].flatMap(([index, text]) =>
        typeof text === 'string' && /\p{L}/u.test(text) ? [{ cell: sheet.cellName(line, index), text }] : [],
      );
    });
    return said.length === 0 ? undefined : said;
  }

  /** What columns in no field say was paid before, or taken off. */
  #partsBeside(): readonly number[] {
    const { sheet, columns } = this.#of;
    const used = new Set(columns.map(({ index }) => index));
    const places = sheet.columns.flatMap((header, at) =>
      !used.has(at) && OF_PART.test(normalForm(header)) ? [at] : [],
    );
    return this.lines.flatMap(({ cells }) => places.flatMap((at) => numberIn(cells[at]) ?? []));
  }

  finished(): SourceRow {
    const [first] = this.lines;
    const line = first?.line ?? 0;
    const former: FormerPlaces = new Map();
    if (hasHoles(this.value)) closeUp(this.value, [], former);
    this.#judgeCash();
    this.#judgeBlankCash();
    const beside = this.#beside();
    const complete = (value: SourceRow['value']) => withConstants(value, this.#of.constants);
    return {
      place: placeOf(this.#of.sheet, line, this.#of.nameColumn),
      cells: this.lines.map(({ cells }) => cells),
      ...shownIn(this.lines),
      value: complete(this.value),
      complete,
      ...(beside && { beside }),
      ...(this.#collectsTotal && { collectsTotal: true as const }),
      partsBeside: () => this.#partsBeside(),
      faults: this.faults,
      notes: this.notes,
      cleared: this.#cleared,
      cellOf: (path) => {
        const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
        const inFile = steps.map((step, at) => former.get(steps.slice(0, at).join('.'))?.[Number(step)] ?? step);
        const dotted = inFile.join('.');
        const exact = this.#cells.get(dotted);
        const { sheet, columns } = this.#of;
        if (exact !== undefined) return sheet.cellName(exact.line, exact.column);
        const [, place] = /\[(\d+)\]/.exec(path) ?? [];
        const pattern = dotted.replaceAll(/\.\d+(?=\.|$)/g, '.*');
        const column = columns.find(({ key }) => key === dotted || key === pattern);
        const at = this.lines[Number(place ?? 0)]?.line ?? line;
        return column === undefined ? lineName(sheet, at) : sheet.cellName(at, column.index);
      },
      cellNames: () => cellNamesOf(this.#of.sheet, this.lines),
      hasColumn: (path) => this.#of.columns.some(({ key }) => key === path),
    };
  }
}
