import { type Cell, lineName, type SheetLine, type TableSheet } from '../formats/sheet.ts';
import type { CellFault } from '../source-row.ts';
import { say } from '../texts.ts';
import { cautionOf, hiddenIn } from '../values.ts';
import { shownDay } from '../xlsx/serial-days.ts';
import { type Read, readPhone, readText, textOf } from './cells.ts';
import type { Places } from './layout.ts';

/** Columns in which a date is one. */
const isNoteKey = (key: string) => /note|description/.test(key);

/** Reads the cells of one record of a sheet, and collects faults and notes by cell. */
export class Reading<Key extends string> {
  readonly faults: CellFault[] = [];
  readonly notes: CellFault[] = [];
  readonly lines: readonly SheetLine[];
  readonly #sheet: TableSheet;
  readonly #places: Places<Key>;

  constructor(sheet: TableSheet, places: Places<Key>, lines: readonly SheetLine[]) {
    this.#sheet = sheet;
    this.#places = places;
    this.lines = lines;
  }

  /** The cell of a column on a line of the record, from 0. */
  cell(key: Key, line = 0): Cell | undefined {
    const column = this.#places.get(key);
    if (column === undefined) return undefined;
    const cell = this.lines[line]?.cells[column];
    // What is noted may be a date, as it is shown.
    return this.lines[line]?.days?.includes(column) === true ? shownDay(String(cell)) : cell;
  }

  /** How a person finds that cell. */
  name(key: Key, line = 0): string {
    const at = this.lines[line]?.line ?? this.lines[0]?.line ?? 0;
    const column = this.#places.get(key);
    return column === undefined ? lineName(this.#sheet, at) : this.#sheet.cellName(at, column);
  }

  fault(key: Key, message: string, line = 0): void {
    this.faults.push({ cell: this.name(key, line), value: textOf(this.cell(key, line)), message });
  }

  note(key: Key, message: string, line = 0): void {
    this.notes.push({ cell: this.name(key, line), value: textOf(this.cell(key, line)), message });
  }

  /** The value of a cell; undefined if it is blank or wrong; a fault is recorded. */
  read<Value>(key: Key, reader: (cell: Cell | undefined) => Read<Value>, line = 0): Value | undefined {
    const read = this.#isRuined(key, line)
      ? ({ kind: 'wrong', message: say().cell.ruinedDay } as const)
      : reader(this.#read(key, reader, line));
    if (read.kind === 'blank') return undefined;
    if (read.kind === 'wrong') {
      this.fault(key, read.message, line);
      return undefined;
    }
    if (read.note !== undefined) this.note(key, read.note, line);
    if (typeof read.value === 'string') this.#look(key, read.value, line);
    return read.value;
  }

  /** Looks at a text as at those of other sheets: whether it is hidden, damaged, or a day that a spreadsheet made. */
  #look(key: Key, text: string, line: number): void {
    const hidden = hiddenIn(key, text);
    if (hidden !== undefined) this.fault(key, hidden, line);
    const caution = cautionOf(key, text, !isNoteKey(key));
    if (caution === undefined) return;
    this.notes.push({ cell: this.name(key, line), value: text, message: caution.note, code: caution.code });
  }

  /** A cell as its reader takes it: a text is as it is shown, 000042 is another code than 42. */
  #read(key: Key, reader: (cell: Cell | undefined) => unknown, line: number): Cell | undefined {
    const shown = reader === readText || reader === readPhone ? this.lines[line]?.shown : undefined;
    return shown?.get(this.#places.get(key) ?? -1) ?? this.cell(key, line);
  }

  /** Whether a spreadsheet took the text of a cell for a date: these sheets have none, but what is noted may be one. */
  #isRuined(key: Key, line: number): boolean {
    const column = this.#places.get(key);
    return column !== undefined && !isNoteKey(key) && this.lines[line]?.days?.includes(column) === true;
  }

  /** The value of a required cell. */
  required<Value>(key: Key, reader: (cell: Cell | undefined) => Read<Value>, line = 0): Value | undefined {
    if (reader(this.cell(key, line)).kind === 'blank') this.fault(key, say().cell.blank, line);
    return this.read(key, reader, line);
  }
}

/** A copy of an object without its undefined fields. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
