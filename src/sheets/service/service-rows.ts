import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { matchMerged } from '../../domain/places/merged-places.ts';
import { placesInAddress } from '../../domain/places/place-in-address.ts';
import { lookAtPlace } from '../../domain/places/place-look.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import type { Account } from '../account/account.ts';
import { type JudgedLines, type Judging, judged, type LineRule, marksRule } from '../account/judge-lines.ts';
import { type Roles, roleOf } from '../account/questions-open.ts';
import { fieldNamed } from '../fields.ts';
import {
  cellNamesOf,
  lineName,
  nameCellIn,
  placeOf,
  placeText,
  type SheetLine,
  type TableSheet,
} from '../formats/sheet.ts';
import { dataLines } from '../rows/data-lines.ts';
import { readColumnsOf, statusRule } from '../rows/status-rule.ts';
import { type CellFault, type SourceRow, type SourceRows, shownIn } from '../source-row.ts';
import { say } from '../texts.ts';
import { textOf } from './cells.ts';
import type { ServiceRecord, ServiceSheet, ServiceSheetName } from './fulfilment-sheet.ts';
import { fulfilmentSheet } from './fulfilment-sheet.ts';
import { missingIn, type Places, placesOf } from './layout.ts';
import { orderSheet } from './order-sheet.ts';
import { productSheets } from './product-sheet.ts';

type AnySheet = ServiceSheet<string>;

/** A header without more of a sheet's columns is another sheet. */
const MOST_MISSING = 3;

/** Every sheet that the service's own web shop reads. */
const serviceSheets: readonly AnySheet[] = [orderSheet, fulfilmentSheet, ...productSheets];

/** The service's sheet that a header was recognised as. */
export interface Recognised {
  readonly sheet: AnySheet;
  readonly places: Places<string>;
}

/** The service's sheet with this header; undefined if there is none. */
export function recognised(header: readonly string[]): Recognised | undefined {
  for (const sheet of serviceSheets) {
    const places = placesOf(sheet.columns, header);
    if (places !== undefined) return { sheet, places };
  }
  return undefined;
}

/** A sheet of the service that a header nearly is: which of its required columns are missing. */
export function nearlyRecognised(
  header: readonly string[],
): { readonly name: ServiceSheetName; readonly missing: readonly string[] } | undefined {
  for (const { name, columns } of serviceSheets) {
    const { missing, found } = missingIn(columns, header);
    if (missing.length > 0 && missing.length <= MOST_MISSING && found > 2 * missing.length) return { name, missing };
  }
  return undefined;
}

/** The columns of a sheet of the service with the fields that they become; null for what is checked or left out. */
export function columnFields({ sheet, places }: Recognised, header: readonly string[]) {
  const fields = new Map(sheet.columns.map(({ key, field }) => [places.get(key), field ?? null]));
  return header.map((column, index) => ({ column, field: fields.get(index) ?? null }));
}

/** How the rows are used. */
export interface ServiceRowOptions {
  /** Keeps account of the reading. */
  readonly account: Account;
  /** The command, in words. */
  readonly command: string;
  /** What the command sends: fields that it does not know are ignored. */
  readonly schema: JsonSchema;
  /** Loads all places, for addresses that contain them. */
  readonly places: () => Promise<LocationTree>;
}

/** The roles of the columns of a sheet of the service, by the fields that they become. */
function rolesOf({ sheet, places }: Recognised, schema: JsonSchema): Roles {
  return new Map(
    sheet.columns.flatMap(({ key, field, adds }) => {
      const index = places.get(key);
      const known = field === undefined ? undefined : fieldNamed(schema, field)?.schema;
      const role = adds === true ? 'amount' : roleOf(field ?? '', known ?? { type: 'string' });
      return index === undefined ? [] : [[index, role] as const];
    }),
  );
}

type Draft = Record<string, unknown>;

function withoutUnknown(value: Readonly<Draft>, { properties }: JsonSchema): Draft {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties ?? {}, name)));
}

/** The record with the places at the end of its address; a fault if none are found there. */
function withPlaces(record: ServiceRecord, tree: LocationTree): ServiceRecord {
  const address = fieldsIn(record.value.shipping_address);
  const { address1 } = address;
  if (record.placesFrom === undefined || typeof address1 !== 'string') return record;
  const found = placesInAddress(tree, address1);
  if (found === undefined) {
    const fault: CellFault = { cell: record.cells.address1 ?? '', value: address1, message: say().service.places };
    return { ...record, faults: [...record.faults, fault] };
  }
  const whole = { ...address, ...found };
  return { ...record, value: { ...record.value, shipping_address: whole, customer_address: whole } };
}

const placeLevels = ['province', 'district', 'ward'] as const;

/** The record, with a fault where its places are neither left out nor all known (the sheet's own rule). */
function checkedPlaces(record: ServiceRecord, tree: LocationTree): ServiceRecord {
  const address = fieldsIn(record.value.shipping_address);
  const [province = '', district = '', ward = ''] = placeLevels.map((level) => String(address[level] ?? ''));
  const texts = { province, district, ward };
  const blank = placeLevels.find((level) => texts[level] === '');
  if (blank !== undefined && Object.values(texts).every((text) => text === '')) return record;
  const { level, look } = lookAtPlace(tree, texts);
  const isSent = look.kind !== 'unusual' || look.code === 'moved_place' || matchMerged(tree, texts)?.kind === 'found';
  if (blank === undefined && isSent) return record;
  const wrong = blank ?? level;
  const quoted = `${JSON.stringify(texts[wrong])} `;
  const reported = look.kind === 'unusual' && blank === undefined ? look.note : say().service.blankPlace;
  const message = reported.startsWith(quoted) ? reported.slice(quoted.length) : reported;
  const fault: CellFault = { cell: record.cells[wrong] ?? '', value: texts[wrong], message };
  return { ...record, faults: [...record.faults, fault] };
}

/** Finds the cell of a field by its path, such as `lines[1].quantity` or `shipping_address.phone`. */
function cellFinder(cells: Readonly<Record<string, string>>, line: string): (path: string) => string {
  return (path) => cells[path] ?? cells[path.split('.').at(-1) ?? ''] ?? line;
}

/** The lines that a person has filled in: others the template alone has. */
async function* filledLines({ lines }: TableSheet, { sheet, places }: Recognised): AsyncGenerator<SheetLine, void> {
  for await (const line of lines) if (!sheet.isEmpty(line, places)) yield line;
}

/** Asks about orders of which notes, comments and columns beside the sheet's own say that they are not to be sent. */
function sentRule(table: TableSheet, { sheet, places }: Recognised, options: ServiceRowOptions): LineRule {
  const read = sheet.columns.flatMap(({ key, field }) => {
    const index = places.get(key);
    const known = field === undefined ? undefined : fieldNamed(options.schema, field);
    return index === undefined || known === undefined
      ? []
      : [{ kind: 'field' as const, name: key, field: known, index }];
  });
  return statusRule(table, readColumnsOf(read, [...places.values()]), { ...options, mapping: undefined, ignored: [] });
}

/**
 * The records of one of the service's sheets, converted from its units and words to the contract's. Throws a
 * SheetError.
 */
export function serviceRows(table: TableSheet, found: Recognised, options: ServiceRowOptions): SourceRows {
  const { sheet, places } = found;
  const nameColumn = places.get(sheet.nameKey) ?? 0;
  const judging: Judging = { sheet: table, roles: rolesOf(found, options.schema), account: options.account };
  const filled = { ...table, lines: filledLines(table, found) };
  const { account, command } = options;
  const { lines: data, rule } = dataLines(filled, { mapping: undefined, account, command }, [], judging.roles);
  const rules = [rule, sentRule(table, found, options), marksRule(judging)];
  async function rowOf({ lines, faults, asks }: JudgedLines, again: CellFault | undefined): Promise<SourceRow> {
    const read = sheet.read(table, places, lines, options.command);
    const placed = read.placesFrom === undefined ? read : withPlaces(read, await options.places());
    const record = placed.placesWhole === true ? checkedPlaces(placed, await options.places()) : placed;
    const line = lines[0]?.line ?? 0;
    return {
      place: placeOf(table, line, nameColumn),
      cells: lines.map(({ cells }) => cells),
      ...shownIn(lines),
      value: withoutUnknown(record.value, options.schema),
      faults: [...record.faults, ...faults, ...lines.flatMap((each) => repeats.in(each)), ...(again ? [again] : [])],
      notes: record.notes,
      cleared: 0,
      cellOf: cellFinder(record.cells, lineName(table, line)),
      cellNames: () => cellNamesOf(table, lines),
      lookups: record.lookups,
      ...(asks.length === 0 ? {} : { asks }),
    };
  }
  const repeats = new Repeats(table, found);
  async function* rows(): AsyncGenerator<SourceRow, void, undefined> {
    const earlier = new Map<string, SheetLine>();
    let lines: SheetLine[] = [];
    let name: string | undefined;
    const finished = async (): Promise<SourceRow[]> => {
      const kept = judged(judging, rules, lines);
      const [first] = kept.lines;
      if (first === undefined) return [];
      const same = name === undefined ? undefined : earlier.get(name);
      if (name !== undefined && same === undefined) earlier.set(name, first);
      return [await rowOf(kept, same && comesAgain(table, first, same))];
    };
    for await (const line of data) {
      const own = sheet.recordName(line, places, options.command);
      if (lines.length > 0 && (own === undefined || own !== name)) {
        yield* await finished();
        lines = [];
      }
      name = own;
      lines.push(line);
    }
    if (lines.length > 0) yield* await finished();
  }
  return {
    header: table.columns,
    recognised: say().service[sheet.name],
    leftOut: new Map(),
    nameCellOf: nameCellIn(table, nameColumn),
    rows: rows(),
  };
}

/** Finds lines that must not stand beside an earlier one, by what their sheet says of them. */
class Repeats {
  readonly #table: TableSheet;
  readonly #found: Recognised;
  readonly #earlier = new Map<string, { readonly cell: string; readonly value: string }>();

  constructor(table: TableSheet, found: Recognised) {
    this.#table = table;
    this.#found = found;
  }

  in(line: SheetLine): CellFault[] {
    const { sheet, places } = this.#found;
    return (sheet.unique?.(line, places) ?? []).flatMap(({ key, of, value = '', message }) => {
      const column = places.get(key) ?? 0;
      const cell = this.#table.cellName(line.line, column);
      const before = this.#earlier.get(of);
      if (before === undefined) this.#earlier.set(of, { cell, value });
      if (before === undefined || (value !== '' && before.value === value)) return [];
      return [{ cell, value: textOf(line.cells[column]), message: message(placeText(before.cell)) }];
    });
  }
}

function comesAgain(table: TableSheet, first: SheetLine, same: SheetLine): CellFault {
  const [here, there] = [table.cellName(first.line, 0), table.cellName(same.line, 0)];
  return {
    cell: here,
    value: textOf(first.cells[0]),
    message: say().service.again({ cell: placeText(there) }),
  };
}
