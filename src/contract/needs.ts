import { fieldsIn } from '../domain/json/values.ts';
import type { Operation } from './operation.ts';
import { type Schema, structureOf } from './schema/structure.ts';

const isSilent = (value: unknown) => value === undefined || value === null;

/** The names of a record's fields, or of the fields of a list's records; empty for anything else. */
export function fieldNames(schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const structure = structureOf(schema);
  if (structure.kind === 'around') return fieldNames(structure.inner);
  if (structure.kind === 'list') return fieldNames(structure.item);
  return structure.kind === 'record' ? Object.keys(structure.fields) : [];
}

/** Which operations list records that have an id of their own. */
const withIds = new WeakMap<Operation, boolean>();

function listsIds(operation: Operation, items: string): boolean {
  const known = withIds.get(operation) ?? fieldNames(operation.response.shape[items]).includes('id');
  withIds.set(operation, known);
  return known;
}

/** The first record without an id, as a path; a deleted one still has it. */
function withoutId(records: readonly unknown[], items: string): string[] {
  const at = records.findIndex((record) => isSilent(fieldsIn(record).id));
  return at < 0 ? [] : [`${items}[${at}].id`];
}

/**
 * The fields that are absent from a response although shopctl relies on them: the records of a list, the cursor of its
 * next page, and the id of a record. Costs next to nothing for a complete response.
 */
export function missingNeeds(operation: Operation, answer: unknown): readonly string[] {
  const { page, response } = operation;
  const fields = fieldsIn(answer);
  if (page === undefined) {
    if (Object.hasOwn(response.shape, 'order')) return isSilent(fieldsIn(fields.order).id) ? ['order.id'] : [];
    return Object.hasOwn(response.shape, 'id') && isSilent(fields.id) ? ['id'] : [];
  }
  const records = fields[page.items];
  if (!Array.isArray(records)) return [page.items];
  const lost = page.cursors && records.length > 0 && isSilent(fieldsIn(fields.paging).next) ? ['paging.next'] : [];
  return listsIds(operation, page.items) ? [...withoutId(records, page.items), ...lost] : lost;
}
