import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { placesInAddress } from '../../domain/places/place-in-address.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import { cellNamesOf, nameCellIn, placeOf, type SheetLine, type TableSheet } from '../formats/sheet.ts';
import type { CellFault, SourceRow, SourceRows } from '../source-row.ts';
import { textOf } from './cells.ts';
import { fulfilmentSheet } from './fulfilment-sheet.ts';
import { type Places, placesOf } from './layout.ts';
import { orderSheet } from './order-sheet.ts';
import { productSheets } from './product-sheet.ts';
import type { ServiceRecord, ServiceSheet } from './service-sheet.ts';

type AnySheet = ServiceSheet<string>;

/** Every sheet that the service's own web shop reads. */
const serviceSheets: readonly AnySheet[] = [orderSheet, fulfilmentSheet, ...productSheets] as readonly AnySheet[];

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

/** How the rows are used. */
export interface ServiceRowOptions {
  /** The command, in words. */
  readonly command: string;
  /** What the command sends: fields that it does not know are ignored. */
  readonly schema: JsonSchema;
  /** Loads all places, for addresses that contain them. */
  readonly places: () => Promise<LocationTree>;
}

type Draft = Record<string, unknown>;

function withoutUnknown(value: Readonly<Draft>, { properties }: JsonSchema): Draft {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties ?? {}, name)));
}

/** The record with the places at the end of its address; a fault if none are found there. */
function withPlaces(record: ServiceRecord, tree: LocationTree): ServiceRecord {
  const address = record.value.shipping_address as { readonly address1?: string } | undefined;
  if (record.placesFrom === undefined || address?.address1 === undefined) return record;
  const found = placesInAddress(tree, address.address1);
  if (found === undefined) {
    const message = 'must end with ward, district and province, with commas between them';
    const fault: CellFault = { cell: record.cells.address1 ?? '', value: address.address1, message };
    return { ...record, faults: [...record.faults, fault] };
  }
  const whole = { ...address, ...found };
  return { ...record, value: { ...record.value, shipping_address: whole, customer_address: whole } };
}

/** Finds the cell of a field by its path, such as `lines[1].quantity` or `shipping_address.phone`. */
function cellFinder(cells: Readonly<Record<string, string>>, line: number): (path: string) => string {
  return (path) => cells[path] ?? cells[path.split('.').at(-1) ?? ''] ?? `line ${line}`;
}

/**
 * The records of one of the service's sheets, converted from its units and words to the contract's. Throws a
 * SheetError.
 */
export function serviceRows(table: TableSheet, found: Recognised, options: ServiceRowOptions): SourceRows {
  const { sheet, places } = found;
  const nameColumn = places.get(sheet.nameKey) ?? 0;
  async function rowOf(lines: readonly SheetLine[], again: CellFault | undefined): Promise<SourceRow> {
    const read = sheet.read(table, places, lines, options.command);
    const record = read.placesFrom === undefined ? read : withPlaces(read, await options.places());
    const line = lines[0]?.line ?? 0;
    return {
      place: placeOf(table, line, nameColumn),
      cells: lines.map(({ cells }) => cells),
      value: withoutUnknown(record.value, options.schema),
      faults: again === undefined ? record.faults : [...record.faults, again],
      notes: record.notes,
      cleared: 0,
      cellOf: cellFinder(record.cells, line),
      cellNames: () => cellNamesOf(table, lines),
      lookups: record.lookups,
    };
  }
  async function* rows(): AsyncGenerator<SourceRow, void, undefined> {
    const earlier = new Map<string, SheetLine>();
    let lines: SheetLine[] = [];
    let name: string | undefined;
    const finished = () => {
      const [first] = lines;
      const same = name === undefined ? undefined : earlier.get(name);
      if (first !== undefined && name !== undefined && same === undefined) earlier.set(name, first);
      return rowOf(lines, same && first ? comesAgain(table, first, same) : undefined);
    };
    for await (const line of table.lines) {
      if (sheet.isEmpty(line, places)) continue;
      const own = sheet.recordName(line, places, options.command);
      if (lines.length > 0 && (own === undefined || own !== name)) {
        yield await finished();
        lines = [];
      }
      name = own;
      lines.push(line);
    }
    if (lines.length > 0) yield await finished();
  }
  return {
    header: table.columns,
    recognised: sheet.name,
    leftOut: new Map(),
    nameCellOf: nameCellIn(table, nameColumn),
    rows: rows(),
  };
}

function comesAgain(table: TableSheet, first: SheetLine, same: SheetLine): CellFault {
  const [here, there] = [table.cellName(first.line, 0), table.cellName(same.line, 0)];
  return {
    cell: here,
    value: textOf(first.cells[0]),
    message: `is the same as ${there}, and other rows stand between`,
  };
}
