import type { Operation } from '../../contract/operation.ts';
import { type Fields, isRecord, recordsIn } from '../../domain/json/values.ts';

/** A name or an id as a record or a request has it, without blanks around it; empty if there is none. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The record in a response, at the top or one level down: the first with an id, or with this external id if given. */
export function recordIn(answer: unknown, externalId?: string): Fields | undefined {
  const isIt = ({ id, external_id }: Fields) =>
    externalId === undefined ? typeof id === 'string' : external_id === externalId;
  return isRecord(answer) ? [answer, ...Object.values(answer)].filter(isRecord).find(isIt) : undefined;
}

/** Fields of records whose status does not say how far they have come: customers, products and variants. */
const OF_STANDING = ['full_name', 'retail_price', 'list_price'];

/**
 * A cancelled, returned or deleted record no longer occupies its names (decisions, section 7, uniqueness). What the status of
 * a customer or a product says, the contract leaves open.
 */
export function isOver(record: Fields): boolean {
  const { status, cancelled_at, deleted } = record;
  const isEnd = (status === 'N' || status === 'NS') && !OF_STANDING.some((name) => name in record);
  return isEnd || Boolean(cancelled_at) || deleted === true;
}

/** What the parcels of an order say together where none of them is on its way, has arrived or came back. */
const NO_PARCELS: readonly unknown[] = [undefined, null, '', 'Z', 'N'];

/**
 * Whether nothing is left of a record: it was deleted, or cancelled. A parcel that travels on, arrived or came back was
 * shipped: whoever makes its order again ships it twice.
 */
export function isGone(record: Fields): boolean {
  return isOver(record) && record.status !== 'NS' && NO_PARCELS.includes(record.fulfillment_shipping_status);
}

/** How far the service's clock may be from ours. */
const CLOCKS_APART_MS = 24 * 60 * 60_000;

/** Whether a record is so old that nothing which began at a moment, in milliseconds since 1970, can have made it. */
export function isOlder(record: Fields, began: number): boolean {
  return Date.parse(String(record.created_at)) < began - CLOCKS_APART_MS;
}

/** How a record has ended: nothing is left of it, its parcel came back, was lost or given up, or the parcel of what is cancelled travels on or has arrived. */
export type End = 'cancelled' | 'returned' | 'undeliverable' | 'travelling';

/** Whether the parcel of a record did not arrive: it came back, or was given up, as the parcels themselves say. */
export const cameBack = ({ status, fulfillment_shipping_status }: Fields): boolean =>
  status === 'NS' || fulfillment_shipping_status === 'NS';

const isUndeliverable = ({ shipping_state }: Fields) => shipping_state === 'undeliverable';

/** How a record has ended, and its parcels, which an answer may have beside it; undefined if it has not. */
export function endOf(record: Fields, { fulfillments }: Fields): End | undefined {
  if (cameBack(record))
    return [record, ...recordsIn(fulfillments)].some(isUndeliverable) ? 'undeliverable' : 'returned';
  if (!isOver(record)) return undefined;
  return isGone(record) ? 'cancelled' : 'travelling';
}

/** Whether an operation ships what it creates. */
export function ships({ effect, response }: Operation): boolean {
  return effect === 'create' && Object.hasOwn(response.shape, 'fulfillments');
}

/** Whether an operation ends its record: then the intent that made it counts as undone. */
export function endsRecord({ effect, destructive }: Operation): boolean {
  return effect === 'delete' || (effect === 'transition' && destructive === true);
}

/** Whether a record is neither confirmed nor has a shipment, although the create should have done both. */
export function isHalfDone(operation: Operation, answer: Fields, record: Fields): boolean {
  if (!ships(operation) || record.confirm_status !== 'Z') return false;
  return Array.isArray(answer.fulfillments) && answer.fulfillments.length === 0;
}

/** What the service says went wrong with a single shipment of an order, as a result shows it. */
export interface ShipmentError {
  readonly error_code: string;
  readonly error_message: string;
}

/** The errors that the service reports for single shipments; a code of `ok` is not an error (decisions, section 6). */
export function shipmentError(answer: Fields): ShipmentError | undefined {
  const errors = recordsIn(answer.fulfillment_errors);
  const error = errors.find(({ code }) => code !== 'ok' && code !== undefined && code !== null);
  return error && { error_code: String(error.code), error_message: String(error.msg ?? '') };
}

/** What records are called by in requests: the first that is given decides (decisions, section 5). */
const SELECTORS = ['id', 'code', 'shipping_code', 'external_id'];

/** An order has it on its parcels, and shows none of itself. */
const OF_PARCELS = 'shipping_code';

/** The name by which a record was asked for, if the answer is about one that has another, or that has none. */
export function otherThanAsked(request: Fields, answer: unknown): string | undefined {
  const by = SELECTORS.find((name) => textIn(request[name]) !== '');
  const record = recordIn(answer);
  if (by === undefined || record === undefined) return undefined;
  const found = textIn(record[by]);
  const isShown = by !== OF_PARCELS || by in record;
  return isShown && found !== textIn(request[by]) ? by : undefined;
}

/** How an id that is not set is written, besides null (decisions, section 2). */
const UNSET_ID = '0';

/**
 * What an answer lacks to be the list that was asked for: the list, without which it tells nothing of what there is, or
 * records of the key's shop alone, where they say whose they are; undefined if it lacks nothing. `shop` is undefined where
 * the key does not tell it.
 */
export function otherThanListed(items: string, answer: unknown, shop: string | undefined): string | undefined {
  const listed = isRecord(answer) ? answer[items] : undefined;
  // As other fields that are not set, a list is null where nothing is in it.
  if (listed === null) return undefined;
  if (!Array.isArray(listed)) return items;
  const isAnothers = (record: unknown) => {
    const owner = isRecord(record) ? textIn(record.shop_id) : '';
    return owner !== '' && owner !== UNSET_ID && owner !== shop;
  };
  return shop !== undefined && listed.some(isAnothers) ? 'shop_id' : undefined;
}
