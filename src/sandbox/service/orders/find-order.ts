import { sql } from 'kysely';
import type { Work } from '../../engine/call.ts';
import { invalid, notFound } from '../../engine/refusal.ts';
import { StoredAnswer, type StoredJson } from '../../engine/store/record-kinds.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { statement } from '../../engine/store/statement.ts';
import { givenNames, type Names } from '../lookup.ts';
import { liveOrNewest } from './find-shipment.ts';
import { type Maker, shipmentsOf } from './order-record.ts';
import type { Shipped } from './ship-order.ts';

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
export function findOrderByOneName(work: Work, seeker: Maker, lookup: Names): Stored<'order'> {
  const [, second] = givenNames(lookup);
  if (second !== undefined) throw invalid(second[0], 'is one name too many: give exactly one of id, code, external_id');
  return findOrder(work, seeker, lookup);
}

/** The result for one shipment; code ok is not an error (decisions, section 6). */
export interface FulfillmentResult {
  readonly code: string;
  readonly msg: string;
  readonly meta?: Record<string, string>;
}

/** An order with its shipments, as the order operations with shipping return it (decisions, section 6). */
export interface OrderAnswer {
  order: StoredJson;
  fulfillments: StoredJson[];
  fulfillment_errors: FulfillmentResult[];
}

/** The order with its shipments as they are now. */
export function orderAnswer(work: Work, order: Stored<'order'>, results: FulfillmentResult[] = []): OrderAnswer {
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
