import { liveOrNewest } from '../live-or-newest.ts';
import { type OrderHidden, shipmentsOf } from '../orders/order-record.ts';
import { Refusal } from '../refusal.ts';
import type { Stored } from '../store/rows.ts';
import type { Work } from '../work.ts';
import type { Moving } from './moving.ts';
import { movingDelivery } from './moving-delivery.ts';
import { movingParcel } from './moving-parcel.ts';

/**
 * What moves under an id, in whichever shop: a shipment, an on-demand delivery, or those of an order. 404 where the
 * sandbox has nothing of that id, 412 for an order that has no shipment.
 */
export async function findMoving(work: Work, id: string): Promise<Moving> {
  const found = (await findShipmentById(work, id)) ?? (await findByOrder(work, id));
  if (found === undefined) throw new Refusal('not_found', `the sandbox has no order, shipment or delivery ${id}`);
  return found;
}

/** The shipment or the on-demand delivery of that id. */
export async function findShipmentById(work: Work, id: string): Promise<Moving | undefined> {
  const { database } = work;
  const parcel = await database.selectFrom('fulfillments').select('shop_id').where('id', '=', id).executeTakeFirst();
  if (parcel !== undefined) {
    const shipment = await work.records('fulfillment', parcel.shop_id).get(id);
    return shipment && movingParcel(work, shipment);
  }
  const shipnow = await database
    .selectFrom('shipnow_fulfillments')
    .select('shop_id')
    .where('id', '=', id)
    .executeTakeFirst();
  const delivery = shipnow && (await work.records('shipnow_fulfillment', shipnow.shop_id).get(id));
  return delivery && movingDelivery(work, delivery);
}

async function findByOrder(work: Work, id: string): Promise<Moving | undefined> {
  const row = await work.database.selectFrom('orders').select('shop_id').where('id', '=', id).executeTakeFirst();
  const order = row && (await work.records('order', row.shop_id).get(id));
  if (order === undefined) return undefined;
  const found = await shipmentOfOrder(work, order);
  if (found !== undefined) return found;
  throw new Refusal('failed_precondition', 'the order has no shipment that could move', {
    status: order.record.status ?? '',
  });
}

/** The shipment of an order; of several the newest that is not cancelled. */
async function shipmentOfOrder(work: Work, order: Stored<'order'>): Promise<Moving | undefined> {
  const { shipnow_id: deliveryId } = order.hidden as OrderHidden;
  if (deliveryId !== undefined) return findShipmentById(work, deliveryId);
  const shipment = liveOrNewest(await shipmentsOf(work, order));
  return shipment && movingParcel(work, shipment);
}
