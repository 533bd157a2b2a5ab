import { sql } from 'kysely';
import type { Stored } from '../../engine/store/records/rows.ts';
import { StoredAnswer, type StoredJson } from '../../engine/store/records/stored-json.ts';
import { statement } from '../../engine/store/sql/statement.ts';
import type { Work } from '../../engine/work.ts';
import { givenNames, type Names } from '../requests/lookup.ts';
import { findOrder } from './find-order.ts';
import { type Maker, shipmentsOf } from './order-record.ts';
import type { Shipped } from './ship-order.ts';

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
