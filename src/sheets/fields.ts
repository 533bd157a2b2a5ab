import type { JsonSchema } from '../contract/schema/json-schema.ts';
import { nearestName } from '../domain/nearest-name.ts';
import { columnLetters, placeOfColumn, type RepeatedColumn, type Sheet, type TableSheet } from './formats/sheet.ts';
import type { CellFault } from './source-row.ts';
import { say } from './texts.ts';
import { textOf } from './values.ts';

/** A field of a request that can be a column. */
export interface Field {
  /** Steps of the path; digits are a list index, `*` is the entry on the sheet's line. */
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** A column of a sheet, and how it is read. */
export type Column =
  | { readonly kind: 'field'; readonly name: string; readonly field: Field }
  /** Ignored: a result column of ours, a field that the command cannot set, a column that is unknown or unwanted. */
  | {
      readonly kind: 'left-out';
      readonly name: string;
      readonly why: 'result' | 'not-settable' | 'ignored' | 'unnamed';
    };

/** A column that is not a field, and what is wrong with it. */
export interface ColumnFault {
  readonly name: string;
  readonly message: string;
  /** Whether another column has its field. */
  readonly isTwice?: true;
}

/** The prefix of result columns, and that of those in a workbook for people who read Vietnamese. */
export const RESULT_PREFIX = 'result.';
export const VIETNAMESE_RESULT_PREFIX = 'Kết quả: ';

/** Whether a column was added by a result; such columns are ignored when a result file is read again. */
export function isOfResult(column: string): boolean {
  const name = column.normalize('NFC').trim().toLowerCase();
  return name.startsWith(RESULT_PREFIX) || name.startsWith(VIETNAMESE_RESULT_PREFIX.toLowerCase());
}

const PLACE_IN_LIST = /^(?:0|[1-9]\d{0,2})$/;

function isList({ items, type }: JsonSchema): boolean {
  return type === 'array' && items?.properties !== undefined;
}

function step(
  schema: JsonSchema,
  name: string,
): { readonly path: readonly string[]; readonly schema: JsonSchema } | undefined {
  const { properties, items, additionalProperties } = schema;
  if (isList(schema) && items !== undefined) {
    if (PLACE_IN_LIST.test(name)) return { path: [name], schema: items };
    const inner = step(items, name);
    return inner && { path: ['*', ...inner.path], schema: inner.schema };
  }
  if (properties !== undefined && Object.hasOwn(properties, name)) {
    const found = properties[name];
    return found && { path: [name], schema: found };
  }
  return additionalProperties && { path: [name], schema: additionalProperties };
}

/**
 * The field that a dotted name refers to: `shipping_address.phone`; `lines.quantity` for the entry on the sheet's line;
 * `lines.0.quantity` for an entry by index. Undefined if the schema has no such field.
 */
export function fieldNamed(schema: JsonSchema, name: string): Field | undefined {
  let at: Field = { path: [], schema };
  for (const part of name.split('.')) {
    const next = step(at.schema, part);
    if (next === undefined) return undefined;
    at = { path: [...at.path, ...next.path], schema: next.schema };
  }
  return at;
}

/** The dotted names of all fields, to suggest one when a name is mistyped. */
export function fieldNames(schema: JsonSchema, before = ''): string[] {
  const { properties, items } = schema;
  if (items?.properties !== undefined) return fieldNames(items, before);
  if (properties === undefined) return before === '' ? [] : [before];
  return Object.entries(properties).flatMap(([name, inner]) =>
    fieldNames(inner, before === '' ? name : `${before}.${name}`),
  );
}

/** What the columns of a header are checked against. */
export interface ColumnOptions {
  /** What the command sends. */
  readonly schema: JsonSchema;
  /** What the service returns for the same record: its fields are known, though they cannot be set. */
  readonly shown: readonly JsonSchema[];
  /** Names of columns to ignore, `*` for every one that is not a field. */
  readonly ignored: readonly string[];
  /** The field that a mapping assigns to a column; null for one it ignores, undefined for one it does not name. */
  readonly mapped?: ((column: string) => string | null | undefined) | undefined;
  /** Whether a column continues the text of an earlier one of the same field. */
  readonly joins?: ((column: string) => boolean) | undefined;
}

/** A column's name as fields are spelt. */
export const spelt = (name: string) => name.trim().toLowerCase().replaceAll(/[ -]/g, '_');

function noField(name: string, schema: JsonSchema): string {
  return say().column.noField({ nearest: nearestName(name, fieldNames(schema)) });
}

/** That a column has the field of an earlier one; of the same header, with where both stand. */
function twice(header: readonly string[], index: number): string {
  const first = header.indexOf(header[index] ?? '');
  if (first === index) return say().column.twice;
  return say().column.twiceUnlike({ first: columnLetters(first), second: columnLetters(index) });
}

/** The columns below one header, by their places, and what their cells have in common. */
class Repeated {
  readonly name: string;
  readonly places: readonly number[];
  readonly #filled = new Set<number>();
  /** The pairs of columns that differ in a line. */
  readonly #unlike = new Set<string>();

  constructor(name: string, places: readonly number[]) {
    this.name = name;
    this.places = places;
  }

  /** Takes notice of a line; the header that is repeated says nothing. */
  see(texts: readonly string[]): void {
    if (texts.every((text) => text === this.name)) return;
    for (const [at, text] of texts.entries()) {
      if (text !== '') this.#filled.add(at);
      for (const [before, other] of texts.slice(0, at).entries())
        if (text !== other) this.#unlike.add(`${before} ${at}`);
    }
  }

  /** What one of them is called beside the others, as `Name (2)`. */
  calledAt(at: number): string {
    return `${this.name} (${at + 1})`;
  }

  /** Which of them is read, by its number, and why the others are not; undefined where a person has to say. */
  decided(
    ignored: readonly string[],
  ): { readonly read: number; readonly why: 'ignored' | 'blank' | 'alike' } | undefined {
    const open = this.places.flatMap((place, at) =>
      [this.calledAt(at), columnLetters(place)].some((one) => ignored.includes(one)) ? [] : [at],
    );
    const filled = open.filter((at) => this.#filled.has(at));
    const [read = open[0] ?? -1, ...others] = filled;
    if (open.length < 2) return { read, why: 'ignored' };
    if (others.length === 0) return { read, why: 'blank' };
    return others.every((at) => !this.#unlike.has(`${read} ${at}`)) ? { read, why: 'alike' } : undefined;
  }
}

/**
 * A table in which each header that stands over several columns is that of one: the only one that a person has left, or that
 * has cells, or the first where all lines have the same in each. The others are named behind it, and left out.
 */
export async function withOneOfEach(
  sheet: TableSheet,
  again: () => Promise<Sheet>,
  ignored: readonly string[],
): Promise<TableSheet> {
  const places = new Map<string, number[]>();
  for (const [at, name] of sheet.columns.entries())
    if (name !== '' && !isOfResult(name) && !ignored.includes(name))
      places.set(name, [...(places.get(name) ?? []), at]);
  const all = [...places].flatMap(([name, own]) => (own.length < 2 ? [] : [new Repeated(name, own)]));
  const other = all.length === 0 ? undefined : await again();
  if (other?.kind !== 'table') return sheet;
  for await (const { cells } of other.lines)
    for (const one of all) one.see(one.places.map((at) => textOf(cells[at] ?? '')));
  const columns = [...sheet.columns];
  const repeated = new Map<string, RepeatedColumn>();
  for (const one of all) {
    const { read, why } = one.decided(ignored) ?? {};
    if (read === undefined || why === undefined) continue;
    const kept = placeOfColumn(sheet, one.places[read] ?? 0);
    one.places.forEach((place, at) => {
      if (at === read) return;
      const name = one.calledAt(at);
      columns[place] = name;
      const message = why === 'ignored' ? say().column.ignored : say().column.repeated[why]({ read: kept });
      repeated.set(name, { message, isAlike: why === 'alike' });
    });
  }
  return { ...sheet, columns, written: sheet.columns, repeated };
}

/** The header of a table without the columns that another one is read for. */
export const ownColumns = ({ columns, repeated }: TableSheet): readonly string[] =>
  repeated === undefined ? columns : columns.filter((name) => !repeated.has(name));

/** The columns that are not read since another one says the same in every line, as readings of their headers. */
export const readingsOfRepeated = (sheet: TableSheet): readonly CellFault[] =>
  [...(sheet.repeated ?? [])].flatMap(([name, { message, isAlike }]) => {
    const place = sheet.columns.indexOf(name);
    const cell = sheet.cellName(sheet.headerLine ?? 1, place);
    return isAlike ? [{ cell, value: sheet.written?.[place] ?? name, message }] : [];
  });

/** What each column of a header is, and the faults of those that cannot be used. */
export function columnsOf(
  header: readonly string[],
  { schema, shown, ignored, mapped, joins }: ColumnOptions,
): { readonly columns: readonly Column[]; readonly faults: readonly ColumnFault[] } {
  const faults: ColumnFault[] = [];
  const seen = new Set<string>();
  const columns = header.map((name, index): Column => {
    const bare = spelt(name);
    if (bare === '') return { kind: 'left-out', name, why: 'unnamed' };
    if (ignored.includes(name)) return { kind: 'left-out', name, why: 'ignored' };
    if (isOfResult(bare)) return { kind: 'left-out', name, why: 'result' };
    const meant = mapped?.(name);
    if (meant === null) return { kind: 'left-out', name, why: 'ignored' };
    const field =
      meant === undefined ? (fieldNamed(schema, name) ?? fieldNamed(schema, bare)) : fieldNamed(schema, meant);
    if (field !== undefined) {
      const path = field.path.join('.');
      if (seen.has(path) && joins?.(name) !== true) faults.push({ name, message: twice(header, index), isTwice: true });
      seen.add(path);
      return { kind: 'field', name, field };
    }
    if (meant !== undefined) {
      faults.push({ name, message: say().column.mappedTo({ field: meant, wrong: noField(meant, schema) }) });
      return { kind: 'left-out', name, why: 'ignored' };
    }
    if (shown.some((record) => fieldNamed(record, bare) !== undefined))
      return { kind: 'left-out', name, why: 'not-settable' };
    if (!ignored.includes('*')) {
      faults.push({ name, message: noField(bare, schema) });
    }
    return { kind: 'left-out', name, why: 'ignored' };
  });
  return { columns, faults };
}
