import { orderRequest } from '../../contract/records/order.ts';
import { type JsonSchema, jsonSchema } from '../../contract/schema/json-schema.ts';
import { readDelimited } from '../../sheets/formats/delimited.ts';
import { textInCell } from '../../sheets/formats/records-as-lines.ts';
import { readCell } from '../../sheets/values.ts';
import { say } from '../errors/texts.ts';
import { UsageError } from '../errors/usage-error.ts';

const fieldIn = (properties: JsonSchema['properties'] = {}, name: string) =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

/** The contract's schema for a column's field: `lines.0.quantity` is an integer, `shipping_address.phone` is text. */
function schemaAt(path: readonly string[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (at, step) => (/^\d+$/.test(step) ? at?.items : fieldIn(at?.properties, step)),
    jsonSchema(orderRequest),
  );
}

/** A cell by the declaration of its column, as a batch reads it; texts stay as they are. */
function cellValue(text: string, { column, schema }: CsvColumn, where: string): unknown {
  if (schema?.type === 'string' || (schema === undefined && !/^\s*[[{]/.test(text))) return text;
  const name = column.split('.').at(-1) ?? '';
  const reading = readCell(text, schema ?? { type: /^\s*\[/.test(text) ? 'array' : 'object' }, name);
  if (reading.kind === 'wrong') throw new UsageError(`${where} ${JSON.stringify(text)} ${reading.message}`);
  return reading.kind === 'value' ? reading.value : '';
}

/** Sets a value at a path; a numeric step is an index in a list. */
function put(holder: object, path: readonly string[], value: unknown): void {
  const [step = '', next, ...rest] = path;
  if (next === undefined) {
    Object.defineProperty(holder, step, { value, enumerable: true, writable: true, configurable: true });
    return;
  }
  const existing: unknown = Object.hasOwn(holder, step) ? Reflect.get(holder, step) : undefined;
  const inner = typeof existing === 'object' && existing !== null ? existing : /^\d+$/.test(next) ? [] : {};
  put(holder, [step], inner);
  put(inner, [next, ...rest], value);
}

const MOST_ENTRIES = 1000;

interface CsvColumn {
  readonly column: string;
  readonly path: readonly string[];
  readonly schema: JsonSchema | undefined;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text);
}

/**
 * Parses orders from csv, whatever separates its cells: one order per row; the first row has the dotted paths of the
 * fields, with an index for a list entry (`lines.0.quantity`); a list may also be one cell of JSON. An empty cell is an
 * absent field. Throws a SheetError or a UsageError.
 */
export async function ordersFromCsv(name: string, text: string): Promise<Record<string, unknown>[]> {
  const sheet = await readDelimited({ name, bytes: bytesOf(text) });
  const columns = sheet.columns.map((column) => textInCell(column).trim());
  const twice = columns.find((column, index) => column !== '' && columns.indexOf(column) < index);
  if (twice !== undefined) throw new UsageError(say().line.columnTwice({ name, column: twice }));
  const large = columns.find((column) =>
    column.split('.').some((step) => /^\d+$/.test(step) && Number(step) >= MOST_ENTRIES),
  );
  if (large !== undefined) throw new UsageError(say().line.columnBeyond({ name, column: large, most: MOST_ENTRIES }));
  const fields = columns.map((column): CsvColumn => {
    const path = column.split('.');
    return { column, path, schema: schemaAt(path) };
  });
  const orders: Record<string, unknown>[] = [];
  for await (const { line, cells } of sheet.lines) {
    const order: Record<string, unknown> = {};
    for (const [index, field] of fields.entries()) {
      const cell = textInCell(String(cells[index] ?? ''));
      if (cell === '' || field.column === '') continue;
      put(order, field.path, cellValue(cell, field, `${name}, line ${line}: ${field.column}`));
    }
    orders.push(withoutHoles(order));
  }
  return orders;
}

/** Closes the gaps in lists where a row leaves an entry out. */
function withoutHoles<Value>(value: Value): Value;
function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map((item) => withoutHoles(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutHoles(inner)]));
}
