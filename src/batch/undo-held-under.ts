import type { Connection } from '../client/connection.ts';
import { LARGEST_PAGE, listRecords } from '../client/pages.ts';
import { loadOperation, operationsIn } from '../contract/areas.ts';
import type { Holding, Operation } from '../contract/operation.ts';
import { jsonSchema } from '../contract/schema/json-schema.ts';
import { type Fields, recordsIn } from '../domain/json/values.ts';
import { type Found, isSameValue } from '../ledger/look-up.ts';
import { NAMES } from '../ledger/read-operations.ts';
import { areaOf } from '../ledger/work.ts';
import { batchTexts } from './texts.ts';
import type { UndoneAlready } from './undone-already.ts';

const recordsOf = (found: readonly Found[]) => found.flatMap((one) => (one.state === 'there' ? [one.record] : []));
const isThere = ({ deleted }: Fields) => deleted !== true;

/** How many of one kind belong to each of the records, by their ids. Throws a CallError. */
async function countsOf({ as, list }: Holding, records: readonly Fields[], connection: Connection) {
  const counts = new Map<unknown, number>();
  if (list === undefined) {
    for (const { id, [as]: held } of records)
      if (Array.isArray(held)) counts.set(id, recordsIn(held).filter(isThere).length);
    return counts;
  }
  const operation = await loadOperation(list.operation);
  for (let start = 0; start < records.length; start += LARGEST_PAGE) {
    const ids = records.slice(start, start + LARGEST_PAGE).map(({ id }) => String(id));
    const filter = { [list.by]: ids.join(',') };
    for await (const held of listRecords(operation, { filter }, connection, { isProof: true })) {
      const of = held[list.by];
      if (isThere(held)) counts.set(of, (counts.get(of) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * Why records are not deleted, by their ids: what others have made under them would go with them. Throws a CallError.
 */
export async function heldUnder(
  { holds = [] }: Operation,
  found: readonly Found[],
  connection: Connection,
): Promise<ReadonlyMap<unknown, UndoneAlready>> {
  const records = recordsOf(found).filter(isThere);
  const held = new Map<unknown, UndoneAlready>();
  for (const holding of records.length === 0 ? [] : holds) {
    for (const [id, count] of await countsOf(holding, records, connection)) {
      if (count === 0) continue;
      const error_message = batchTexts.row.held({ as: holding.as, count: String(count) });
      held.set(id, { state: 'failed', error_code: 'changed_since', error_message });
    }
  }
  return held;
}

/**
 * The fields that an update gives to the records of an operation, but for their names and for choices, which a record has
 * from the beginning. Empty if nothing updates them.
 */
export async function updatedFields(operation: Operation): Promise<readonly string[]> {
  const update = (await operationsIn(areaOf(operation))).find(({ effect }) => effect === 'update');
  const properties = update === undefined ? {} : (jsonSchema(update.request).properties ?? {});
  return Object.keys(properties).filter((name) => properties[name]?.enum === undefined && !NAMES.includes(name));
}

/** The fields of a record that have got a value since it was created without them. */
export function addedSince(sent: Fields, record: Fields, fields: readonly string[]): readonly string[] {
  if (record.updated_at === undefined || record.updated_at === record.created_at) return [];
  return fields
    .filter((field) => record[field] !== undefined)
    .filter((field) => isSameValue(null, sent[field]) && !isSameValue(null, record[field]));
}
