import { AmountError } from '../domain/amount-error.ts';
import type { OrderAmounts } from '../domain/totals.ts';
import type { QuotableOrder } from '../flows/quote-of-order.ts';
import { parseDocumentText } from './read-document.ts';
import type { TextSource } from './text-source.ts';
import { UsageError } from './usage-error.ts';

/** An order of a file, as far as the formulas read it; whatever else it holds is kept. */
export type FileOrder = OrderAmounts &
  QuotableOrder & {
    readonly external_id?: unknown;
  };

/** The orders of a file, and whether it holds them as a list. */
export interface OrderFile {
  readonly orders: readonly FileOrder[];
  readonly isList: boolean;
}

/** Runs a sum over an order of a file; a number that cannot be summed is the file's fault and is named by its path. */
export function judging<Value>(order: unknown, judge: () => Value): Value {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    const message = error.message.slice(error.field.length).trimStart();
    const name = typeof order === 'string' && order !== '' ? `order ${order}: ` : '';
    throw new UsageError(`${name}${error.message}`, { fieldErrors: [{ path: error.field, message }] });
  }
}

async function valuesOf(name: string, text: string): Promise<{ values: unknown[]; isList: boolean }> {
  if (/\.(jsonl|ndjson)$/i.test(name)) {
    const lines = text.split(/\r?\n/).map((line, index) => ({ line, name: `${name}, entry on line ${index + 1}` }));
    const filled = lines.filter(({ line }) => line.trim() !== '');
    return { values: await Promise.all(filled.map(({ line, name }) => parseDocumentText(name, line))), isList: true };
  }
  const value = await parseDocumentText(name, text);
  return Array.isArray(value) ? { values: value, isList: true } : { values: [value], isList: false };
}

/** Reads orders from JSON (one or a list), JSON lines or YAML; `-` is stdin. */
export async function readOrders(path: string, source: TextSource): Promise<OrderFile> {
  const name = path === '-' ? 'stdin' : path;
  const { values, isList } = await valuesOf(name, path === '-' ? await source.stdin() : await source.file(path));
  for (const [index, value] of values.entries()) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new UsageError(`${name}: ${isList ? `entry ${index + 1} is` : 'it holds'} no order`);
    }
  }
  return { orders: values as FileOrder[], isList };
}
