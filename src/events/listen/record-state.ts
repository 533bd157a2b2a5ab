import { createHash } from 'node:crypto';
import { isRecord } from '../../domain/json/values.ts';

/** A value with the fields of its records in the order of their names; absent and null are the same. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(
    fields.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, field]) => [name, ordered(field)]),
  );
}

/** Hash of the state of a record, whichever way it was read; every deleted record has the same. */
export function stateOf(record: unknown, isDeleted: boolean): string {
  const text = isDeleted ? 'deleted' : JSON.stringify(ordered(record));
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}
