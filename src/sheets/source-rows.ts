import { fieldPath } from '../contract/field-errors.ts';
import type { JsonSchema } from '../contract/json-schema.ts';
import { unguard } from '../domain/csv-guard.ts';
import type { LocationTree } from '../domain/places.ts';
import { isRecord } from '../domain/value-at.ts';
import { type Constant, constantsOf, withConstants } from './constants.ts';
import { type Column, type ColumnOptions, columnsOf, fieldNamed, RESULT_PREFIX } from './fields.ts';
import { type Mapping, mappedCell } from './mapping.ts';
import { recognised, serviceRows } from './service/service-rows.ts';
import { type RecordSheet, type Sheet, SheetError, type SheetLine, type TableSheet } from './sheet.ts';
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
    if (!Object.hasOwn(target, name)) own(target, name, PLACE.test(path[step + 1] ?? '') ? [] : {});
    target = target[name] as Draft;
  }
  own(target, path.at(-1) ?? '', value);
}

/** A step of a path that is a list index. */
const PLACE = /^\d+$/;

function own(target: Draft, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
  } else target[name] = value;
}

/** Removes the holes in lists; the record is changed in place. */
function closeUp(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.includes(undefined)) {
    value.splice(0, value.length, ...value.filter((item) => item !== undefined));
  }
  for (const inner of Object.values(value)) closeUp(inner);
}

type FieldColumn = Extract<Column, { kind: 'field' }> & { readonly index: number };

/** Builds one record from its lines. */
class Gathering {
  readonly lines: SheetLine[] = [];
  readonly value: Draft = {};
  readonly faults: CellFault[] = [];
  readonly notes: CellFault[] = [];
  readonly #cells = new Map<string, { readonly line: number; readonly column: number; readonly text: string }>();
  readonly #sheet: TableSheet;
  readonly #columns: readonly FieldColumn[];
  readonly #options: RowOptions;
  readonly #constants: readonly Constant[];
  #cleared = 0;

  constructor(sheet: TableSheet, columns: readonly FieldColumn[], options: RowOptions, constants: readonly Constant[]) {
    this.#sheet = sheet;
    this.#columns = columns;
    this.#options = options;
    this.#constants = constants;
  }

  add(line: SheetLine): void {
    this.lines.push(line);
    const places = new Map<string, string>();
    const placeIn = (list: string) => {
      const known = places.get(list);
      if (known !== undefined) return known;
      const holder = list.split('.').reduce<unknown>((at, name) => (at as Draft | undefined)?.[name], this.value);
      const next = String(Array.isArray(holder) ? holder.length : 0);
      places.set(list, next);
      return next;
    };
    for (const { field, index, name: column } of this.#columns) {
      const raw = line.cells[index] ?? '';
      // Our own csv escapes cells that a spreadsheet would execute.
      const given = this.#sheet.manner.delimiter !== undefined && typeof raw === 'string' ? unguard(raw) : raw;
      const last = field.path.at(-1) ?? '';
      const here = () => ({ cell: this.#sheet.cellName(line.line, index), value: String(given ?? '') });
      const to = this.#options.mapping?.columns[column];
      const mapped = to ? mappedCell(given, to) : ({ ok: true, cell: given } as const);
      if (!mapped.ok) {
        this.faults.push({ ...here(), message: mapped.message });
        continue;
      }
      const { cell } = mapped;
      const reading = readCell(cell, field.schema, last);
      if (reading.kind === 'wrong') {
        this.faults.push({ ...here(), message: reading.message });
        continue;
      }
      const cleared = reading.kind === 'blank' && this.#options.blankClears ? clearing(field.schema) : undefined;
      if (reading.kind === 'blank' && cleared === undefined) continue;
      if (reading.kind === 'blank') this.#cleared += 1;
      if (reading.kind === 'value' && reading.note !== undefined) this.notes.push({ ...here(), message: reading.note });
      const path: string[] = [];
      for (const name of field.path) path.push(name === '*' ? placeIn(path.join('.')) : name);
      this.#set(path, reading.kind === 'value' ? reading.value : cleared, {
        line: line.line,
        column: index,
        text: String(cell ?? ''),
      });
    }
  }

  /** A field of the order itself is on its first line, or the same on each line. */
  #set(path: readonly string[], value: unknown, at: { line: number; column: number; text: string }): void {
    const key = path.join('.');
    const before = this.#cells.get(key);
    if (before !== undefined) {
      const first = path.reduce<unknown>((holder, name) => (holder as Draft)[name], this.value);
      if (JSON.stringify(first) === JSON.stringify(value)) return;
      const other = this.#sheet.cellName(before.line, before.column);
      const message = `differs from ${JSON.stringify(before.text)} at ${other}, though both belong to one order`;
      this.faults.push({ cell: this.#sheet.cellName(at.line, at.column), value: at.text, message });
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
      place: `line ${line}`,
      cells: this.lines.map(({ cells }) => cells),
      value: withConstants(this.value, this.#constants),
      faults: this.faults,
      notes: this.notes,
      cleared: this.#cleared,
      cellOf: (path) => {
        const dotted = path.replaceAll(/\[(\d+)\]/g, '.$1');
        const exact = this.#cells.get(dotted);
        if (exact !== undefined) return this.#sheet.cellName(exact.line, exact.column);
        const [, place] = /\[(\d+)\]/.exec(path) ?? [];
        const pattern = dotted.replaceAll(/\.\d+(?=\.|$)/g, '.*');
        const column = this.#columns.find(({ field }) => [dotted, pattern].includes(field.path.join('.')));
        const at = this.lines[Number(place ?? 0)]?.line ?? line;
        return column === undefined ? `line ${at}` : this.#sheet.cellName(at, column.index);
      },
    };
  }
}

/** Whether a record may span several lines: a column belongs to a list that each line adds an entry to. */
function mayGoOn(columns: readonly FieldColumn[]): boolean {
  return columns.some(({ field }) => field.path.includes('*'));
}

function nameReader(columns: readonly FieldColumn[], names: readonly string[]): (line: SheetLine) => string {
  const found = names.flatMap((name) => columns.filter(({ field }) => field.path.join('.') === name));
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
  if (faults.length > 0) {
    const message = faults.map(({ name, message }) => `column ${JSON.stringify(name)} ${message}`).join('; ');
    throw new SheetError(message, {
      code: 'cells_wrong',
      facts: { columns: faults.map(({ name }) => name).join(',') },
    });
  }
  const used = columns.flatMap((column, index) => (column.kind === 'field' ? [{ ...column, index }] : []));
  const leftOut = new Map<string, string>();
  for (const column of columns) {
    if (column.kind !== 'left-out') continue;
    const why = whys[column.why];
    if (why !== undefined) leftOut.set(column.name, why);
  }
  if (used.length === 0) throw new SheetError('no column of the file is a field of the command');
  const nameOf = nameReader(used, options.nameFields);
  const several = mayGoOn(used);
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
      gathering = new Gathering(sheet, used, options, constants);
      name = own;
      gathering.add(line);
    }
    if (gathering !== undefined) yield gathering.finished();
  }
  return { header: sheet.columns, leftOut, rows: rows() };
}

/** A record with its texts read like cells; fields that the service returns and the command cannot set are ignored. */
function readRecord(
  given: Draft,
  place: string,
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
    if (schema === undefined || typeof value !== 'string') return value;
    const reading = readCell(value, schema, String(path.at(-1) ?? ''));
    const fault = { cell: `${place}, ${here}`, value };
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
  };
}

function fromRecords(sheet: RecordSheet, options: RowOptions): SourceRows {
  const leftOut = new Map<string, string>();
  const constants = constantsOf(options.mapping, options.schema);
  async function* rows(): AsyncGenerator<SourceRow, void, undefined> {
    for await (const { place, value } of sheet.records) {
      if (!isRecord(value)) throw new SheetError(`${place} is not a record`);
      yield readRecord(value, place, options, { leftOut, constants });
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
