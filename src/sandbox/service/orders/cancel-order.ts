import { sql } from 'kysely';
import type { Work } from '../../engine/call.ts';
import { invalid, notFound, Refusal } from '../../engine/refusal.ts';
import { StoredAnswer, type StoredJson } from '../../engine/store/record-kinds.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { statement } from '../../engine/store/statement.ts';
import { givenNames, type Names } from '../lookup.ts';
import { deliveryStates, stateOf as stateOfDelivery } from '../shipments/move-delivery.ts';
import { orderShippingStatus, type ShippingState, shippingStates } from '../shipments/shipping-states.ts';
import { liveOrNewest } from './find-shipment.ts';
import { deliveryIdOf, type Fulfillment, type Maker, shipmentsOf, updateOrder } from './order-record.ts';
import { cancelled, type Shipped } from './ship-order.ts';

/**
 * The order that matches all given names; 400 without any, 404 if there is none in the shop (decisions, section 5). An
 * external id is a name in its maker's own system, so only the maker finds an order by it. If several match, the live
 * one is returned, and of several live ones the newest.
 */
function findOrder(work: Work, seeker: Maker, lookup: Names): Stored<'order'> {
  const names: Names = Object.fromEntries(givenNames(lookup));
  const maker = names.external_id === undefined ? {} : { partner_id: seeker.partnerId ?? null };
  const found = work.records('order', seeker.shopId).find({ ...names, ...maker });
  const order = liveOrNewest(found);
  if (order === undefined) throw notFound('order');
  return order;
}

/** Like `findOrder`, but exactly one name may be given (decisions, section 5, CancelOrder). */
function findOrderByOneName(work: Work, seeker: Maker, lookup: Names): Stored<'order'> {
  const [, second] = givenNames(lookup);
  if (second !== undefined) throw invalid(second[0], 'is one name too many: give exactly one of id, code, external_id');
  return findOrder(work, seeker, lookup);
}

/** The result for one shipment; code ok is not an error (decisions, section 6). */
interface FulfillmentResult {
  readonly code: string;
  readonly msg: string;
  readonly meta?: Record<string, string>;
}

/** An order with its shipments, as the order operations with shipping return it (decisions, section 6). */
interface OrderAnswer {
  order: StoredJson;
  fulfillments: StoredJson[];
  fulfillment_errors: FulfillmentResult[];
}

/** The order with its shipments as they are now. */
function orderAnswer(work: Work, order: Stored<'order'>, results: FulfillmentResult[] = []): OrderAnswer {
  const fulfillments = shipmentsOf(work, order);
  return { order: order.shown, fulfillments: fulfillments.map(({ shown }) => shown), fulfillment_errors: results };
}

/** The answer for an order that was just shipped: it has only the shipment created with it. */
export function shippedAnswer({ order, shipment }: Shipped): OrderAnswer {
  return { order: order.shown, fulfillments: [shipment.shown], fulfillment_errors: [] };
}

/** The answer for the order of an id, whole: records are stored as they are sent. Its fields are those of `OrderAnswer`. */
const answerOfId = statement(
  ({ shop, id }: { readonly shop: string; readonly id: string }) => sql<{ readonly answer: Uint8Array }>`
    SELECT CAST('{"order":' || body || ',"fulfillments":[' || coalesce((
      SELECT group_concat(body) FROM (
        SELECT body FROM fulfillments WHERE shop_id = ${shop} AND order_id = ${id} AND deleted = 0 ORDER BY id
      )), '') || '],"fulfillment_errors":[]}' AS BLOB) AS answer
    FROM orders WHERE shop_id = ${shop} AND id = ${id} AND deleted = 0`,
);

/** What GetOrder answers; throws as `findOrder` does. Most callers know the id, for which one statement is enough. */
export function readOrder(work: Work, seeker: Maker, names: Names): StoredAnswer | OrderAnswer {
  const [[first, id] = [], second] = givenNames(names);
  if (first === 'id' && id !== undefined && second === undefined) {
    const found = work.database.first(answerOfId, { shop: seeker.shopId, id });
    if (found !== undefined) return new StoredAnswer(found.answer);
  }
  return orderAnswer(work, findOrder(work, seeker, names));
}

/** Which order to cancel, and why. */
export type Cancellation = Names & { readonly cancel_reason: string };

/**
 * Cancels an order, and each live shipment at its carrier (decisions, section 7). `fulfillment_errors` has one entry
 * for each shipment that was not cancelled before: code ok, which is not an error, for one that is cancelled now, so
 * that callers learn to expect it (decisions, section 6); and the carrier's refusal for a parcel that was picked up,
 * whether it is still on its way or not: the caller must learn that a buyer has the goods of a cancelled order.
 */
export function cancelOrder(work: Work, seeker: Maker, input: Cancellation): OrderAnswer {
  const reason = input.cancel_reason.trim();
  if (reason === '') throw invalid('cancel_reason', 'is missing');
  const order = findOrderByOneName(work, seeker, input);
  const { status } = order.record;
  if (status === 'N' || status === 'NS') {
    const condition = status === 'N' ? 'cancelled' : 'returned';
    throw new Refusal('failed_precondition', `the order is ${condition} already`, { status });
  }

  const shipments = shipmentsOf(work, order);
  const asked = shipments.filter(({ record }) => stateOf(record) !== 'cancelled');
  const stopped = asked.filter(({ record }) => shippingStates[stateOf(record)].cancellable);
  const states = shipments.map((shipment) => (stopped.includes(shipment) ? 'cancelled' : stateOf(shipment.record)));
  const changed = updateOrder(work, order, {
    ...cancelled(work.time),
    cancel_reason: reason,
    ...(shipments.length > 0 ? { fulfillment_shipping_status: orderShippingStatus(states) } : {}),
  });
  for (const shipment of stopped) cancelShipment(work, shipment, reason);
  const results = asked.map((shipment) => resultOf(shipment, stopped));
  return orderAnswer(work, changed, [...results, ...resultOfDelivery(work, order)]);
}

/**
 * A cancelled stop does not call the driver back: an on-demand delivery continues, or is over, and the result says so.
 */
function resultOfDelivery(work: Work, order: Stored<'order'>): FulfillmentResult[] {
  const id = deliveryIdOf(order);
  const delivery = id === undefined ? undefined : work.records('shipnow_fulfillment', order.shopId).get(id);
  if (delivery === undefined || stateOfDelivery(delivery) === 'cancelled') return [];
  const state = stateOfDelivery(delivery);
  const { next, cancellable } = deliveryStates[state];
  const rest = cancellable ? '; CancelShipnowFulfillment cancels all of it' : '';
  const msg = `the on-demand delivery ${next.length === 0 ? `is ${state} already` : `goes on and is ${state}${rest}`}`;
  return [{ code: 'failed_precondition', msg, meta: { shipnow_fulfillment_id: delivery.id, shipping_state: state } }];
}

function stateOf(record: Fulfillment): ShippingState {
  return record.shipping_state ?? 'unknown';
}

function cancelShipment(work: Work, shipment: Stored<'fulfillment'>, reason: string): void {
  work.records('fulfillment', shipment.shopId).update(shipment, {
    shipping_state: 'cancelled',
    shipping_substate: '',
    shipping_status: 'N',
    status: 'N',
    confirm_status: 'N',
    cancel_reason: reason,
    cancelled_at: work.time,
    closed_at: work.time,
  });
}

function resultOf(shipment: Stored<'fulfillment'>, stopped: readonly Stored<'fulfillment'>[]) {
  if (stopped.includes(shipment)) return { code: 'ok', msg: '' };
  const state = stateOf(shipment.record);
  const meta = { fulfillment_id: shipment.id, shipping_state: state };
  const msg = shippingStates[state].final ? `is ${state} already` : `was picked up already and is ${state}`;
  return { code: 'failed_precondition', msg: `the parcel ${msg}`, meta };
}
