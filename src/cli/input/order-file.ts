import { jsonSchema } from '../../contract/schema/json-schema.ts';
import { isRecord } from '../../domain/json/values.ts';
import { interruptible } from '../../platform/process/interruptible.ts';
import type { GivenOrder } from '../../ship/actions/totals.ts';
import { say } from '../errors/texts.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { TextSource } from './written-values.ts';
import { readDocumentText, readWritten } from './written-values.ts';

/** More orders than anybody sums at once: a command that takes more would not end soon after Ctrl-C. */
const MOST_ORDERS = 100_000;
/** Nor would one that parses a longer document as a whole. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** The format of an order file: a document contains one or a list, the others have one order per line. */
type OrderFormat = 'document' | 'jsonl' | 'csv';

/** The orders of a file, their format, and whether the file contains a list. */
export interface OrderFile {
  readonly orders: readonly GivenOrder[];
  readonly format: OrderFormat;
  readonly isList: boolean;
}

interface Values {
  readonly values: readonly unknown[];
  readonly format: OrderFormat;
  readonly isList: boolean;
}

/** Detects the format of stdin: two objects on separate lines are JSON lines. */
function isJsonLines(name: string, text: string): boolean {
  return /\.(jsonl|ndjson)$/i.test(name) || (name === 'stdin' && /^\uFEFF?\s*\{.*\}[ \t]*\r?\n\s*\{/.test(text));
}

/** The values of a document, with amounts read as an order declares them. */
async function ordersIn(name: string, text: string, signal: AbortSignal): Promise<unknown> {
  const { value, written } = await readDocumentText(name, text, signal);
  const { orderRequest } = await import('../../contract/records/order.ts');
  const order = jsonSchema(orderRequest);
  const schema = Array.isArray(value) ? ({ type: 'array', items: order } as const) : order;
  return readWritten(schema, value, written);
}

async function valuesOf(name: string, text: string, isCsv: boolean, signal: AbortSignal): Promise<Values> {
  if (isCsv) {
    const { ordersFromCsv } = await import('./csv-orders.ts');
    return { values: await ordersFromCsv(name, text), format: 'csv', isList: true };
  }
  if (isJsonLines(name, text)) {
    const lines = text
      .split(/\r?\n/)
      .map((line, index) => ({ line, name: say().line.entryOnLine({ name, line: index + 1 }) }));
    const filled = lines.filter(({ line }) => line.trim() !== '');
    const values: unknown[] = [];
    for await (const { line, name } of interruptible(filled, signal)) values.push(await ordersIn(name, line, signal));
    return { values, format: 'jsonl', isList: true };
  }
  if (text.length > MOST_CHARACTERS) {
    const { asLines, longFile } = say().line;
    throw new UsageError(longFile({ name, most: MOST_CHARACTERS }), { hint: asLines });
  }
  const value = await ordersIn(name, text, signal);
  const isList = Array.isArray(value);
  return { values: isList ? value : [value], format: 'document', isList };
}

/**
 * Reads orders from JSON (one or a list), JSON lines, YAML or csv (one order per row); `-` is stdin, which is csv only
 * if `isCsv` says so.
 */
export async function readOrders(path: string, source: TextSource, isCsv = /\.csv$/i.test(path)): Promise<OrderFile> {
  const name = path === '-' ? 'stdin' : path;
  const text = path === '-' ? await source.stdin() : await source.file(path);
  const { values, format, isList } = await valuesOf(name, text, isCsv, source.signal);
  if (values.length > MOST_ORDERS)
    throw new UsageError(say().line.manyOrders({ name, most: MOST_ORDERS }), { hint: say().line.split });
  const orders = values.map((value, index) => {
    if (!isOrder(value))
      throw new UsageError(isList ? say().line.entryNoOrder({ name, entry: index + 1 }) : say().line.noOrder({ name }));
    return value;
  });
  return { orders, format, isList };
}

/** Whatever is wrong within an order is reported by its sums. */
const isOrder = (value: unknown): value is GivenOrder => isRecord(value);
