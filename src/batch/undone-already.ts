import type { Connection } from '../client/connection.ts';
import { LARGEST_PAGE, listRecords } from '../client/pages.ts';
import { differences } from '../client/settle/compare.ts';
import { isOver, textIn } from '../client/settle/found-record.ts';
import { loadOperation, operationsIn } from '../contract/areas.ts';
import type { Holding, Operation } from '../contract/operation.ts';
import { jsonSchema } from '../contract/schema/json-schema.ts';
import { isPickedUp } from '../contract/schema/order-rules.ts';
import { type Fields, readFields, recordsIn } from '../domain/json/values.ts';
import type { LocationTree } from '../domain/places/places.ts';
import { type Found, isSameValue } from '../ledger/look-up.ts';
import { NAMES } from '../ledger/read-operations.ts';
import { areaOf } from '../ledger/work.ts';
import type { Row, RowWithRequest } from './store/row.ts';
import { asStored, batchTexts } from './texts.ts';

/** Why a record to be undone needs nothing or cannot be undone; undefined if it can. */
export type UndoneAlready = Pick<Row, 'error_code' | 'error_message'> &
  Partial<Pick<Row, 'error_fields'>> & { readonly state: 'existed' | 'failed' };

function parcelsOf(record: Fields, answer: Fields): readonly Fields[] {
  return Array.isArray(answer.fulfillments) ? recordsIn(answer.fulfillments) : [record];
}

const stored = () => batchTexts.row;

/** Code of a row that was left because its parcel is on its way. */
export const PICKED_UP = 'picked_up';

/** A record of which a read does not say whether it can be ended: nothing is sent. */
const unread = () =>
  ({ state: 'failed', error_code: 'contract_broken', error_message: stored().pickedUpUnsaid }) as const;

/** Why a record that is to be ended is left as it was found; undefined if it is not: what is over is for the service to say. */
export function leftAsFound({ before }: Operation, found: Found) {
  if (before === undefined || found.state === 'none') return undefined;
  const seen = before.of(found.answer);
  if (seen === undefined) return unread();
  return seen.goesOn === undefined
    ? undefined
    : ({ state: 'skipped', error_code: PICKED_UP, error_message: asStored(seen.goesOn) } as const);
}

/** Code of a row that was left because its record has another name than it was made under. */
const ANOTHER = 'another_record';

/**
 * Whether a record as found is already gone, or cannot be undone: it has another name than it was made under, or a parcel
 * that was picked up.
 */
export function undoneAlready({ before }: Operation, found: Found, name: string): UndoneAlready | undefined {
  const gone = { state: 'existed', error_code: null, error_message: null, error_fields: null } as const;
  // What was made, and is not found now, is ended all the same: the refusal of that says more than a look.
  if (found.state === 'none') return undefined;
  const { record, answer } = found;
  const external_id = textIn(record.external_id);
  if (external_id !== '' && external_id !== name) {
    const error_message = stored().otherName({ name });
    return { state: 'failed', error_code: ANOTHER, error_message };
  }
  const away = parcelsOf(record, answer).find(isPickedUp);
  if (away !== undefined) {
    const error_message = stored().pickedUp({ state: `${away.shipping_state}` });
    return { state: 'failed', error_code: PICKED_UP, error_message };
  }
  if (isOver(record)) return gone;
  return before !== undefined && before.of(answer) === undefined ? unread() : undefined;
}

/**
 * Why a record is left that was found under the name of a row alone: a person said that the row was made, and nobody has
 * seen its id. Under a given name only an equal one is its own; undefined if it is.
 */
export function ofAnother(row: RowWithRequest, found: Found, tree: LocationTree): UndoneAlready | undefined {
  if (row.id !== null || row.named === 0 || found.state === 'none') return undefined;
  const fields = differences(readFields(row.payload), found.record, tree);
  if (fields.length === 0) return undefined;
  const error_message = stored().nameDiffers({ fields: fields.join(', ') });
  return { state: 'failed', error_code: ANOTHER, error_message };
}

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
