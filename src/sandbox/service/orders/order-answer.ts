import type { Stored } from '../../engine/store/records/rows.ts';
import type { StoredJson } from '../../engine/store/records/stored-json.ts';
import type { Work } from '../../engine/work.ts';
import { shipmentsOf } from './order-record.ts';
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
