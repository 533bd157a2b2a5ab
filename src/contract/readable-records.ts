import { isRecord } from '../domain/json/values.ts';
import type { Operation } from './operation.ts';
import { parseResponse, readLeniently } from './schema/parse.ts';
import { type Schema, structureOf } from './schema/structure.ts';
import { say } from './texts.ts';

/** A record of a list that cannot be read: what is wrong with it, and its id if that can be read. */
export interface UnreadableRecord {
  /** Path of the first wrong field, for example `customers[3].phone`. */
  readonly path: string;
  readonly message: string;
  readonly id?: string;
}

/** With more of them on a page, it is the answer that cannot be read: no page of the contract has so many records. */
const MOST_UNREADABLE = 1000;

function itemOf(schema: Schema | undefined): Schema | undefined {
  if (schema === undefined) return undefined;
  const structure = structureOf(schema);
  if (structure.kind === 'around') return itemOf(structure.inner);
  return structure.kind === 'list' ? structure.item : undefined;
}

const idOf = (record: unknown) =>
  isRecord(record) && typeof record.id === 'string' && /^\d{1,19}$/.test(record.id) ? { id: record.id } : {};

/**
 * A list's response without the records that cannot be read, and what is wrong with each of those; undefined if the
 * response itself cannot be read.
 */
export function readableRecords(
  operation: Operation,
  answer: unknown,
): { readonly value: unknown; readonly unreadable: readonly UnreadableRecord[] } | undefined {
  const items = operation.page?.items ?? '';
  const item = itemOf(operation.response.shape[items]);
  const records = isRecord(answer) ? answer[items] : undefined;
  if (!isRecord(answer) || item === undefined || !Array.isArray(records)) return undefined;
  const rest = parseResponse(operation, { ...answer, [items]: [] });
  if (!rest.ok) return undefined;
  const unreadable: UnreadableRecord[] = [];
  const readable: unknown[] = [];
  for (const [index, record] of records.entries()) {
    const read = readLeniently(item, record);
    if (read.ok) {
      readable.push(read.value);
      continue;
    }
    if (unreadable.length >= MOST_UNREADABLE) return undefined;
    const [{ path, message } = { path: '', message: say().wrong }] = read.errors;
    const place = `${items}[${index}]`;
    unreadable.push({ path: path === '' ? place : `${place}.${path}`, message, ...idOf(record) });
  }
  return { value: { ...rest.value, [items]: readable }, unreadable };
}
