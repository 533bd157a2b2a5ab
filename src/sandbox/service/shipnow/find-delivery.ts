import { notFound } from '../../engine/refusal.ts';
import type { Work } from '../../engine/work.ts';
import { givenShipmentNames, type ShipmentNames } from '../orders/find-shipment.ts';
import { liveOrNewest } from '../orders/live-or-newest.ts';
import type { Delivery } from './delivery-record.ts';

/**
 * The delivery that matches all given names; 400 without any, 404 if there is none in the shop (decisions, section 5).
 * External ids of deliveries need not be unique: of several the live one is returned.
 */
export function findDelivery(work: Work, shopId: string, names: ShipmentNames): Delivery {
  const given = Object.fromEntries(givenShipmentNames(names));
  const delivery = liveOrNewest(work.records('shipnow_fulfillment', shopId).find(given));
  if (delivery === undefined) throw notFound('delivery');
  return delivery;
}
