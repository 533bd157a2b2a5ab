import { doubtOf } from '../contract/rules/written-values.ts';
import { fieldPath } from '../contract/schema/field-errors.ts';
import type { JsonSchema } from '../contract/schema/json-schema.ts';
import { setOwn } from '../domain/json/own-field.ts';
import { isRecord } from '../domain/json/value-at.ts';
import type { LocationTree } from '../domain/places/places.ts';
import { unescapeHidden } from '../platform/terminal/text-safety.ts';
import { type Column, type ColumnOptions, columnsOf, fieldNamed, RESULT_PREFIX } from './fields.ts';
import {
  type Cell,
  cellNamesOf,
  factsOfSheets,
  nameCellIn,
  placeOf,
  type RecordSheet,
  type Sheet,
  SheetError,
  type SheetLine,
  type SheetRecord,
  type TableSheet,
} from './formats/sheet.ts';
import { textInCell } from './formats/written-cell.ts';
import { type Constant, constantsOf, withConstants } from './mapping/constants.ts';
import { type ColumnMapping, type Mapping, mappedCell } from './mapping/mapping.ts';
import { nearlyRecognised, recognised, serviceRows } from './service/service-rows.ts';
import type { CellFault, SourceRow, SourceRows } from './source-row.ts';
import { clearing, readCell } from './values.ts';

/** How rows are read. */
export interface RowOptions extends ColumnOptions {
  /** The fields that name a record; consecutive lines with the same name are one record. */
  readonly nameFields: readonly string[];
  /** Whether a blank cell clears its field. */
  readonly blankClears: boolean;
  /** The command that the rows are for, in words. */
  readonly command: string;
  /** How to read columns whose names are not fields; its constants apply to every row. */
  readonly mapping?: Mapping | undefined;
  /** Loads all places, for sheets that write them into the address. */
  readonly places: () => Promise<LocationTree>;
}

type Draft = Record<string, unknown>;

const whys = {
  result: undefined,
  'not-settable': 'the command cannot set it',
  ignored: 'left out as asked',
  unnamed: 'it has no name',
} as const;

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

/** How much of a bad header is reported. */
const MOST_FAULTS_TOLD = 50;
const MOST_CHARACTERS_TOLD = 80;

/** A step of a path that is a list index. */
const PLACE = /^\d+$/;

/** Removes the holes in lists; the record is changed in place. */
function closeUp(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.includes(undefined)) {
    value.splice(0, value.length, ...value.filter((item) => item !== undefined));
  }
  for (const inner of Object.values(value)) closeUp(inner);
}

type FieldColumn = Extract<Column, { kind: 'field' }> & { readonly index: number };

/** A column with everything that is the same for each of its cells. */
interface ReadColumn {
  readonly index: number;
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
}

function readColumn({ field: { path, schema }, name, index }: FieldColumn, options: RowOptions): ReadColumn {
  return {
    index,
    path,
    key: path.join('.'),
    isOfList: path.includes('*'),
    schema,
    last: path.at(-1) ?? '',
    to: options.mapping?.columns[name] ?? undefined,
    cleared: options.blankClears ? clearing(schema) : undefined,
  };
}

/** What the records of a table have in common. */
interface Gatherer {
  readonly sheet: TableSheet;
  readonly columns: readonly ReadColumn[];
  readonly constants: readonly Constant[];
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

/** Builds one record from its lines. */
class Gathering {
  readonly lines: SheetLine[] = [];
  readonly value: Draft = {};
  readonly faults: CellFault[] = [];
  readonly notes: CellFault[] = [];
  readonly #cells = new Map<string, ReadAt>();
  readonly #of: Gatherer;
  #cleared = 0;

  constructor(of: Gatherer) {
    this.#of = of;
  }

  add(line: SheetLine): void {
    this.lines.push(line);
    const places: Places = new Map();
    for (const column of this.#of.columns) this.#read(line, column, places);
  }

  #read(line: SheetLine, column: ReadColumn, places: Places): void {
    const raw = line.cells[column.index] ?? '';
    const given = typeof raw === 'string' ? this.#of.textIn(raw) : raw;
    let cell: Cell = given;
    if (column.to !== undefined) {
      const mapped = mappedCell(given, column.to);
      if (!mapped.ok) {
        this.faults.push({ ...this.#faultAt(line, column, given, mapped.message), path: this.#pathOf(column, places) });
        return;
      }
      cell = mapped.cell;
    }
    const reading = readCell(cell, column.schema, column.last);
    if (reading.kind === 'wrong') {
      this.faults.push({ ...this.#faultAt(line, column, given, reading.message), path: this.#pathOf(column, places) });
      return;
    }
    if (reading.kind === 'blank') {
      if (column.cleared === undefined) return;
      this.#cleared += 1;
    } else if (reading.note !== undefined) {
      this.notes.push(this.#faultAt(line, column, given, reading.note));
    }
    const value = reading.kind === 'value' ? reading.value : column.cleared;
    const at = { line: line.line, column: column.index, text: String(cell ?? '') };
    if (!column.isOfList) {
      this.#set(column.path, column.key, value, at);
      return;
    }
    const path = this.#stepsOf(column, places);
    this.#set(path, path.join('.'), value, at);
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
    const holder = path.reduce<unknown>((at, name) => (at as Draft | undefined)?.[name], this.value);
    const next = String(Array.isArray(holder) ? holder.length : 0);
    places.set(list, next);
    return next;
  }

  /** A field of the order itself is on its first line, or the same on each line. */
  #set(path: readonly string[], key: string, value: unknown, at: ReadAt): void {
    const before = this.#cells.get(key);
    if (before !== undefined) {
      const first = path.reduce<unknown>((holder, name) => (holder as Draft)[name], this.value);
      if (JSON.stringify(first) === JSON.stringify(value)) return;
      const { sheet } = this.#of;
      const other = sheet.cellName(before.line, before.column);
      const message = `differs from ${JSON.stringify(before.text)} at ${other}, though both belong to one order`;
      this.faults.push({ cell: sheet.cellName(at.line, at.column), value: at.text, message });
      return;
    }
    this.#cells.set(key, at);
    put(this.value, path, value);
  }

  finished(): SourceRow {
    const [first] = this.lines;
    const line = first?.line ?? 0;
    closeUp(this.value);
    return {
      place: placeOf(this.#of.sheet, line, this.#of.nameColumn),
      cells: this.lines.map(({ cells }) => cells),
      value: withConstants(this.value, this.#of.constants),
      faults: this.faults,
      notes: this.notes,
      cleared: this.#cleared,
      cellOf: (path) => {
        const dotted = path.replaceAll(/\[(\d+)\]/g, '.$1');
        const exact = this.#cells.get(dotted);
        const { sheet, columns } = this.#of;
        if (exact !== undefined) return sheet.cellName(exact.line, exact.column);
        const [, place] = /\[(\d+)\]/.exec(path) ?? [];
        const pattern = dotted.replaceAll(/\.\d+(?=\.|$)/g, '.*');
        const column = columns.find(({ key }) => key === dotted || key === pattern);
        const at = this.lines[Number(place ?? 0)]?.line ?? line;
        return column === undefined ? `line ${at}` : sheet.cellName(at, column.index);
      },
      cellNames: () => cellNamesOf(this.#of.sheet, this.lines),
    };
  }
}

/** Whether a record may span several lines: a column belongs to a list that each line adds an entry to. */
function mayGoOn(columns: readonly FieldColumn[]): boolean {
  return columns.some(({ field }) => field.path.includes('*'));
}

/** The columns that name a record, the one that counts most first. */
function nameColumns(columns: readonly FieldColumn[], names: readonly string[]): readonly FieldColumn[] {
  return names.flatMap((name) => columns.filter(({ field }) => field.path.join('.') === name));
}

function nameReader(found: readonly FieldColumn[]): (line: SheetLine) => string {
  return ({ cells }) => {
    for (const { index } of found) {
      const text = String(cells[index] ?? '').trim();
      if (text !== '') return text;
    }
    return '';
  };
}

function fromTable(sheet: TableSheet, options: RowOptions): SourceRows {
  const { mapping } = options;
  const mapped =
    mapping && ((column: string) => (mapping.columns[column] === null ? null : mapping.columns[column]?.field));
  const { columns, faults } = columnsOf(sheet.columns, { ...options, mapped });
  const constants = constantsOf(mapping, options.schema);
  const nearly = faults.length > 0 && mapping === undefined ? nearlyRecognised(sheet.columns) : undefined;
  if (nearly !== undefined) {
    const missing = nearly.missing.map((name) => JSON.stringify(name)).join(', ');
    const message = `the file looks like the service's ${nearly.name}, but has no column ${missing}`;
    throw new SheetError(message, { code: 'cells_wrong', hint: 'add it, even if its cells stay blank where they may' });
  }
  if (faults.length > 0) {
    const message = faults
      .slice(0, MOST_FAULTS_TOLD)
      .map(({ name, message }) => `column ${JSON.stringify(name.slice(0, MOST_CHARACTERS_TOLD))} ${message}`)
      .join('; ');
    throw new SheetError(message, {
      code: 'cells_wrong',
      facts: { columns: faults.map(({ name }) => name).join(','), ...factsOfSheets(sheet.others) },
    });
  }
  const used = columns.flatMap((column, index) => (column.kind === 'field' ? [{ ...column, index }] : []));
  const leftOut = new Map<string, string>();
  for (const column of columns) {
    if (column.kind !== 'left-out') continue;
    const why = whys[column.why];
    if (why !== undefined) leftOut.set(column.name, why);
  }
  if (used.length === 0) {
    throw new SheetError('no column of the file is a field of the command', { facts: factsOfSheets(sheet.others) });
  }
  const naming = nameColumns(used, options.nameFields);
  const nameOf = nameReader(naming);
  const several = mayGoOn(used);
  const gatherer: Gatherer = {
    sheet,
    columns: used.map((column) => readColumn(column, options)),
    constants,
    nameColumn: (naming[0] ?? used[0])?.index ?? 0,
    textIn: sheet.manner.delimiter === undefined ? unescapeHidden : textInCell,
  };
  async function* rows(): AsyncGenerator<SourceRow, void, undefined> {
    let gathering: Gathering | undefined;
    let name = '';
    for await (const line of sheet.lines) {
      const own = nameOf(line);
      if (gathering !== undefined && several && own !== '' && own === name) {
        gathering.add(line);
        continue;
      }
      if (gathering !== undefined) yield gathering.finished();
      gathering = new Gathering(gatherer);
      name = own;
      gathering.add(line);
    }
    if (gathering !== undefined) yield gathering.finished();
  }
  const nameCellOf = naming[0] && nameCellIn(sheet, naming[0].index);
  return { header: sheet.columns, leftOut, rows: rows(), ...(nameCellOf && { nameCellOf }) };
}

/**
 * A record with its texts read like cells, and its numbers as in the file of a single command; fields that the service
 * returns and the command cannot set are ignored.
 */
function readRecord(
  given: Draft,
  { place, written }: SheetRecord,
  options: RowOptions,
  { leftOut, constants }: { readonly leftOut: Map<string, string>; readonly constants: readonly Constant[] },
): SourceRow {
  const faults: CellFault[] = [];
  const notes: CellFault[] = [];
  const read = (value: unknown, schema: JsonSchema | undefined, path: readonly (string | number)[]): unknown => {
    const here = fieldPath(path);
    if (schema?.items !== undefined && Array.isArray(value)) {
      return value.map((item, index) => read(item, schema.items, [...path, index]));
    }
    if (schema?.properties !== undefined && isRecord(value)) {
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, inner]) => {
          const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
          if (known !== undefined) return [[name, read(inner, known, [...path, name])]];
          const dotted = [...path.filter((step) => typeof step === 'string'), name].join('.');
          if (dotted === RESULT_PREFIX.slice(0, -1)) return [];
          if (options.shown.some((record) => fieldNamed(record, dotted) !== undefined)) {
            leftOut.set(dotted, whys['not-settable']);
            return [];
          }
          return options.ignored.includes(dotted) || options.ignored.includes('*') ? [] : [[name, inner]];
        }),
      );
    }
    const fault = { cell: `${place}, ${here}`, value: String(value), path: here };
    const doubt = schema === undefined ? undefined : doubtOf(schema, value, written(path));
    if (doubt !== undefined) faults.push({ ...fault, value: written(path) ?? fault.value, message: doubt });
    if (schema === undefined || typeof value !== 'string') return value;
    const reading = readCell(value, schema, String(path.at(-1) ?? ''));
    if (reading.kind === 'wrong') faults.push({ ...fault, message: reading.message });
    if (reading.kind === 'value' && reading.note !== undefined) notes.push({ ...fault, message: reading.note });
    return reading.kind === 'value' ? reading.value : value;
  };
  return {
    place,
    cells: [[JSON.stringify(given)]],
    value: withConstants(read(given, options.schema, []) as Draft, constants),
    faults,
    notes,
    cleared: 0,
    cellOf: (path) => (path === '' ? place : `${place}, ${path}`),
    cellNames: () => [],
  };
}

function fromRecords(sheet: RecordSheet, options: RowOptions): SourceRows {
  const leftOut = new Map<string, string>();
  const constants = constantsOf(options.mapping, options.schema);
  async function* rows(): AsyncGenerator<SourceRow, void, undefined> {
    for await (const record of sheet.records) {
      if (!isRecord(record.value)) throw new SheetError(`${record.place} is not a record`);
      yield readRecord(record.value, record, options, { leftOut, constants });
    }
  }
  return { header: [], leftOut, rows: rows() };
}

/**
 * The rows of a sheet that the service's own web shop reads, if it is one; a mapping of its columns takes precedence.
 */
function fromServiceSheet(sheet: TableSheet, options: RowOptions): SourceRows | undefined {
  const found = Object.keys(options.mapping?.columns ?? {}).length === 0 ? recognised(sheet.columns) : undefined;
  if (found === undefined) return undefined;
  const { name, commands } = found.sheet;
  if (!commands.includes(options.command)) {
    const hint = `it is for ${commands.join(', ')}`;
    throw new SheetError(`the file is the service's ${name}, which is not for ${options.command}`, { hint });
  }
  const constants = constantsOf(options.mapping, options.schema);
  const read = serviceRows(sheet, found, options);
  async function* rows(): AsyncGenerator<SourceRow, void, undefined> {
    for await (const row of read.rows) yield { ...row, value: withConstants(row.value, constants) };
  }
  return { ...read, rows: rows() };
}

/**
 * The records of a sheet, by the declaration of what the command sends: from one of the service's own sheets, one whose
 * columns a mapping explains, or one in our own layout. Throws a SheetError, immediately for a bad header.
 */
export function sourceRows(sheet: Sheet, options: RowOptions): SourceRows {
  if (sheet.kind === 'records') return fromRecords(sheet, options);
  return fromServiceSheet(sheet, options) ?? fromTable(sheet, options);
}
