import { orderRequest } from '../../contract/records/orders/order.ts';
import { type JsonSchema, jsonSchema } from '../../contract/schema/json-schema.ts';
import { AMOUNT_UNIT } from '../../contract/schema/scalars.ts';
import { readAmountText } from '../../domain/amounts/amount-text.ts';
import { parseJson } from '../../domain/json/json.ts';
import { textInCell } from '../../sheets/formats/written-cell.ts';
import { UsageError } from '../errors/usage-error.ts';

/** The rows of RFC 4180 text, each with the line where it starts. Throws a UsageError for an unclosed quote. */
function rowsOf(name: string, text: string): { readonly line: number; readonly cells: readonly string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  let line = 1;
  let row: { line: number; cells: string[] } = { line, cells: [] };
  const token = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
  for (let at = 0; at <= text.length; ) {
    token.lastIndex = at;
    const [whole = '', quoted, plain = ''] = token.exec(text) ?? [];
    if (whole === '' && text[at] === '"') throw new UsageError(`${name}: the quote on line ${line} is not closed`);
    row.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    at += whole.length;
    const end = /^(?:\r\n|\r|\n)/.exec(text.slice(at, at + 2))?.[0] ?? '';
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    if (end === '' && at < text.length)
      throw new UsageError(`${name}: there is text after a closing quote on line ${line}`);
    if (row.cells.some((cell) => cell !== '')) rows.push(row);
    at += Math.max(1, end.length);
    line += 1;
    row = { line, cells: [] };
  }
  return rows;
}

const none: Partial<JsonSchema> = {};

/** The contract's schema for a column's field: `lines.0.quantity` is an integer, `shipping_address.phone` is text. */
function schemaAt(path: readonly string[]): Partial<JsonSchema> | undefined {
  return path.reduce<Partial<JsonSchema> | undefined>(
    ({ items, properties = {} } = none, step) =>
      /^\d+$/.test(step) ? items : Object.hasOwn(properties, step) ? properties[step] : undefined,
    jsonSchema(orderRequest),
  );
}

function cellValue(cell: string, schema: Partial<JsonSchema> | undefined, where: string): unknown {
  const text = textInCell(cell);
  const isNested = schema?.type === 'array' || schema?.type === 'object';
  if (isNested || (schema === undefined && /^\s*[[{]/.test(text))) {
    try {
      return parseJson(text);
    } catch {
      throw new UsageError(`${where} must be JSON, or be in columns of its own (lines.0.quantity)`);
    }
  }
  if (schema?.type === 'integer' && /^-?\d+$/.test(text.trim())) {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : text;
  }
  if (schema?.type === 'integer' && schema.unit === AMOUNT_UNIT) {
    const reading = readAmountText(text);
    if (reading.ok) return reading.amount;
    throw new UsageError(`${where}: ${JSON.stringify(text)} ${reading.message}`);
  }
  if (schema?.type === 'boolean' && /^(?:true|false|yes|no)$/i.test(text)) return /^(?:true|yes)$/i.test(text);
  return text;
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

/**
 * Parses orders from csv: one order per row; the first row has the dotted paths of the fields, with an index for a list
 * entry (`lines.0.quantity`); a list may also be one cell of JSON. An empty cell is an absent field.
 */
export function ordersFromCsv(name: string, text: string): Record<string, unknown>[] {
  const [header, ...rows] = rowsOf(name, text.replace(/^\uFEFF/, ''));
  const columns = (header?.cells ?? []).map((cell) => textInCell(cell).trim());
  const twice = columns.find((column, index) => column !== '' && columns.indexOf(column) < index);
  if (twice !== undefined) throw new UsageError(`${name}: the column ${twice} is there twice`);
  const large = columns.find((column) =>
    column.split('.').some((step) => /^\d+$/.test(step) && Number(step) >= MOST_ENTRIES),
  );
  if (large !== undefined) throw new UsageError(`${name}: the column ${large} is beyond ${MOST_ENTRIES} entries`);
  const fields = columns.map((column) => ({ column, path: column.split('.'), schema: schemaAt(column.split('.')) }));
  return rows.map(({ line, cells }) => {
    if (cells.slice(columns.length).some((cell) => cell !== '')) {
      throw new UsageError(`${name}: line ${line} has more cells than the first row has columns`);
    }
    const order: Record<string, unknown> = {};
    for (const [index, { column, path, schema }] of fields.entries()) {
      const cell = cells[index] ?? '';
      if (cell !== '' && column !== '') put(order, path, cellValue(cell, schema, `${name}, line ${line}: ${column}`));
    }
    return withoutHoles(order);
  });
}

/** Closes the gaps in lists where a row leaves an entry out. */
function withoutHoles<Value>(value: Value): Value;
function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map((item) => withoutHoles(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutHoles(inner)]));
}
