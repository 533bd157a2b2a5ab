import { type Cell, SheetError, type SheetLine, type SpoiltCell } from '../formats/sheet.ts';
import { isFormulaError, OTHER_ERROR } from '../ruined-number.ts';
import { say } from '../texts.ts';
import { readXml } from './package.ts';
import { dayText } from './serial-days.ts';
import { type CellStyle, isTrue, RunsOfText, type SharedTexts, unescaped } from './workbook.ts';

/** The most lines and columns of a spreadsheet. */
const mostLines = 1_048_576;
const mostColumns = 16_384;
/** The most characters of a text, as of a line of csv; a spreadsheet itself keeps 32,767. */
const mostCharacters = 1024 * 1024;
/** The most characters of a number, a truth value or the number of a text. */
const mostDigits = 64;

/** A row of less height, in points, is one that nobody sees: hidden by hand. */
const LEAST_HEIGHT = 1;

/** What reading the cells of a sheet depends on. */
export interface CellContext {
  /** The file, for messages. */
  readonly name: string;
  readonly shared: SharedTexts;
  /** The comments on cells, by their names. */
  readonly comments?: ReadonlyMap<string, string>;
  readonly styles: readonly CellStyle[];
  readonly from1904: boolean;
}

/** The index of a cell's column in its name, from 0; undefined if it is not a name such as AB12. */
export function columnOf(name: string): number | undefined {
  const [, letters] = /^([A-Z]{1,3})\d{1,7}$/.exec(name) ?? [];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function tooManyLines(name: string): SheetError {
  return new SheetError(say().workbook.tooManyLines({ name, most: mostLines }), { hint: say().workbook.saveAsCsv });
}

/** Cells of one column that are merged with the one above them; only that has a value. */
export interface Merged {
  readonly column: number;
  /** The lines of the first and of the last cell. */
  readonly from: number;
  readonly to: number;
}

/** What a sheet says behind its lines. */
export interface BehindLines {
  /** The cells that are merged over several lines. */
  readonly merged: readonly Merged[];
  /** The ranges whose look depends on conditions. */
  readonly conditional: readonly string[];
}

const BEHIND = ['mergeCells', 'conditionalFormatting'];
const LONGEST = Math.max(...BEHIND.map((word) => word.length));

/**
 * Counts the lines of a sheet without parsing it, so that one with too many is refused before a million of them are
 * planned; returns what it says behind them. Throws a SheetError.
 */
export async function lookThrough(name: string, bytes: AsyncIterable<Uint8Array>): Promise<BehindLines> {
  let lines = 0;
  let [end, carried] = ['', Buffer.alloc(0)];
  for await (const chunk of bytes) {
    const part = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    for (let at = part.indexOf('<row '); at >= 0; at = part.indexOf('<row ', at + 5)) lines += 1;
    if (lines > mostLines) throw tooManyLines(name);
    // The word may lie across two pieces.
    const whole = Buffer.concat([carried, part]);
    const found = BEHIND.map((word) => whole.indexOf(word)).filter((one) => one >= 0);
    const at = end === '' ? Math.min(...found, Number.POSITIVE_INFINITY) : 0;
    if (at < whole.length) end += whole.toString('latin1', at);
    carried = whole.subarray(at < whole.length ? whole.length : -LONGEST);
  }
  const ranges = [...end.matchAll(/conditionalFormatting\s[^>]*?sqref="([A-Z\d: ]+)"/g)].map(([, range = '']) => range);
  const merged = [...end.matchAll(/mergeCell\s[^>]*?ref="([A-Z]+)(\d+):[A-Z]+(\d+)"/g)]
    .map(([, letters, from, to]) => ({ column: columnOf(`${letters}1`) ?? 0, from: Number(from), to: Number(to) }))
    .filter(({ from, to }) => to > from)
    .sort((one, other) => one.from - other.from);
  return { merged, conditional: [...new Set(ranges)] };
}

/** Gathers the lines of a sheet from its XML. */
class Lines {
  readonly spoilt: SpoiltCell[] = [];
  readonly #context: CellContext;
  readonly #runs = new RunsOfText();
  #done: SheetLine[] = [];
  #line = 0;
  #isHidden = false;
  #cells: Cell[] = [];
  #days: number[] = [];
  #struck: number[] = [];
  #shown = new Map<number, string>();
  #fills = new Map<number, string>();
  #column = -1;
  #type = '';
  #style = 0;
  #cellName = '';
  #value = '';
  #inValue = false;
  #hasFormula = false;

  /** The comments on the cells of lines, by line and column. */
  readonly #comments = new Map<number, Map<number, string>>();

  constructor(context: CellContext) {
    this.#context = context;
    for (const [cell, text] of context.comments ?? []) {
      const [line, column] = [Number(/\d+$/.exec(cell)?.[0] ?? 0), columnOf(cell)];
      const ofLine = this.#comments.get(line) ?? new Map<number, string>();
      this.#comments.set(line, ofLine);
      if (column !== undefined) ofLine.set(column, text);
    }
  }

  /** The lines that are complete: the last one only at the end, since some programs write several elements for a line. */
  take(isEnd = false): SheetLine[] {
    const done = this.#done;
    this.#done = isEnd ? [] : done.splice(-1);
    return done;
  }

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    const { r = '', t = 'n', s = '0', ref = '', hidden = '', ht = '', val } = attributes;
    if (tag === 'dimension') this.#requireRoom(Number(/\d+$/.exec(ref)?.[0] ?? 0));
    else if (tag === 'row') this.#beginLine(r, isTrue(hidden) || (ht !== '' && Number(ht) < LEAST_HEIGHT));
    else if (tag === 'c') this.#beginCell(r, t, Number(s));
    else if (tag === 'v') this.#inValue = true;
    else if (tag === 'f') this.#hasFormula = true;
    else this.#runs.open(tag, val);
  }

  text(text: string): void {
    if (!this.#inValue) this.#runs.add(text);
    else if (this.#type === 'str' || this.#value.length < mostDigits) this.#value += text;
    if (Math.max(this.#value.length, this.#runs.length) <= mostCharacters) return;
    const { name } = this.#context;
    throw new SheetError(say().workbook.longCell({ name, cell: this.#cellName, most: mostCharacters }));
  }

  close(tag: string): void {
    if (tag === 'v') this.#inValue = false;
    else if (tag === 'c') this.#endCell();
    else if (tag === 'row') this.#endLine();
    else this.#runs.close(tag);
  }

  #requireRoom(line: number): void {
    if (line > mostLines) throw tooManyLines(this.#context.name);
  }

  #beginLine(r: string, isHidden: boolean): void {
    this.#isHidden = isHidden;
    const line = /^\d{1,9}$/.test(r) ? Number(r) : this.#line + 1;
    this.#requireRoom(line);
    // A program that writes a sheet by columns has several elements for a row, which do not follow each other.
    if (line < this.#line) {
      const message = say().workbook.outOfOrder({ name: this.#context.name, row: line, before: this.#line });
      throw new SheetError(message, { hint: say().workbook.outOfOrderHint });
    }
    this.#column = -1;
    const before = line === this.#line ? this.#done.pop() : undefined;
    this.#line = line;
    this.#cells = [...(before?.cells ?? [])];
    this.#days = [...(before?.days ?? [])];
    this.#struck = [...(before?.struck ?? [])];
    this.#shown = new Map(before?.shown);
    this.#fills = new Map(before?.fills);
    this.#isHidden ||= before?.isHidden === true;
  }

  #endLine(): void {
    const days = this.#days.length === 0 ? {} : { days: this.#days };
    const struck = this.#struck.length === 0 ? {} : { struck: this.#struck };
    const shown = this.#shown.size === 0 ? {} : { shown: this.#shown };
    const fills = this.#fills.size === 0 ? {} : { fills: this.#fills };
    const hidden = this.#isHidden && { isHidden: true as const };
    const beside = this.#comments.get(this.#line);
    this.#done.push({
      line: this.#line,
      cells: this.#cells,
      ...days,
      ...struck,
      ...shown,
      ...fills,
      ...hidden,
      ...(beside === undefined ? {} : { beside }),
    });
  }

  #beginCell(name: string, type: string, style: number): void {
    this.#column = columnOf(name) ?? this.#column + 1;
    if (this.#column >= mostColumns) {
      throw new SheetError(say().workbook.tooManyColumns({ name: this.#context.name }));
    }
    this.#cellName = name;
    this.#type = type;
    this.#style = style;
    this.#value = '';
    this.#hasFormula = false;
    this.#runs.take();
  }

  #endCell(): void {
    const isOfRuns = this.#type === 's' ? this.#context.shared.struck.has(Number(this.#value)) : this.#runs.isStruck;
    const cell = this.#cell();
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells[this.#column] = cell;
    const { isStruck, fill } = this.#context.styles[this.#style] ?? {};
    if (isOfRuns || isStruck === true) this.#struck.push(this.#column);
    if (fill !== undefined) this.#fills.set(this.#column, fill);
  }

  #cell(): Cell {
    const value = this.#value;
    const { texts } = this.#context.shared;
    if (this.#type === 'inlineStr') return this.#runs.take();
    if (this.#type === 'str') return unescaped(value);
    if (this.#type === 'e') return this.#failed(value);
    if (value.trim() === '') return this.#hasFormula ? this.#spoilt(say().workbook.noResult) : '';
    if (this.#type === 's') return texts[Number(value)] ?? this.#spoilt(say().workbook.lostText);
    if (this.#type === 'b') return value.trim() === '1';
    if (this.#type === 'd') {
      this.#days.push(this.#column);
      return value.endsWith('T00:00:00') ? value.slice(0, 10) : value;
    }
    return this.#number(value);
  }

  /** A number, or the date that it is; the text that a format makes of it is kept beside it. */
  #number(value: string): Cell {
    const number = Number(value);
    if (Number.isNaN(number)) return value;
    const style = this.#context.styles[this.#style];
    const day = style?.isDay === true ? dayText(number, this.#context.from1904) : undefined;
    if (day !== undefined) {
      this.#days.push(this.#column);
      return day;
    }
    // 000042 is another code than 42.
    const shown = style?.show(number);
    if (shown !== undefined) this.#shown.set(this.#column, shown);
    return number;
  }

  /** A formula that failed (`#N/A`, `#REF!`, …): its cell is invalid wherever it is read. */
  #failed(value: string): Cell {
    const what = value === '' ? say().workbook.failedSomehow : say().workbook.failed({ value });
    this.spoilt.push({ cell: this.#cellName, what, isError: true });
    return isFormulaError(value) ? value : OTHER_ERROR;
  }

  /** Formulas of a program that does not calculate, and texts that the file does not have. */
  #spoilt(what: string): Cell {
    this.spoilt.push({ cell: this.#cellName, what });
    return '';
  }
}

/**
 * The lines of a sheet that have cells, as they are parsed; `spoilt` grows with them. Throws a SheetError for more than a
 * spreadsheet holds, and an Error for what is not XML.
 */
export function sheetLines(
  bytes: AsyncIterable<Uint8Array>,
  context: CellContext,
): { readonly lines: AsyncGenerator<SheetLine, void, undefined>; readonly spoilt: readonly SpoiltCell[] } {
  const reading = new Lines(context);
  async function* lines() {
    for await (const _ of readXml(context.name, bytes, reading)) yield* reading.take();
    yield* reading.take(true);
  }
  return { lines: lines(), spoilt: reading.spoilt };
}
