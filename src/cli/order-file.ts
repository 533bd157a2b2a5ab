import type { OrderAmounts } from '../domain/totals.ts';
import type { Parcel } from '../domain/weight.ts';
import { parseDocumentText } from './read-document.ts';
import type { TextSource } from './text-source.ts';
import { UsageError } from './usage-error.ts';

/** An order of a file, as far as the formulas read it; whatever else it holds is kept. */
export type FileOrder = OrderAmounts & {
  readonly external_id?: unknown;
  readonly shipping?: Parcel | null;
};

/** The orders of a file, and whether it holds them as a list. */
export interface OrderFile {
  readonly orders: readonly FileOrder[];
  readonly isList: boolean;
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
