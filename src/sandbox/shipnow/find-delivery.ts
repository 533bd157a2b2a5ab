import type { ShipmentLookup } from '../orders/find-shipment.ts';
import { invalid, notFound } from '../refusal.ts';
import type { Work } from '../work.ts';
import type { Delivery } from './delivery-record.ts';

/**
 * The delivery that all the given names fit; 400 without one, 404 where there is none in the shop (decisions, section
 * 5). External ids of deliveries need not be unique: of several the live one is found, and of those the newest.
 */
export async function findDelivery(work: Work, shopId: string, lookup: ShipmentLookup): Promise<Delivery> {
  const { id = '0', shipping_code = '', external_id = '' } = lookup;
  const names = {
    ...(id === '0' || id === '' ? {} : { id }),
    ...(shipping_code === '' ? {} : { shipping_code }),
    ...(external_id === '' ? {} : { external_id }),
  };
  if (Object.keys(names).length === 0) throw invalid('id', 'is missing: give id, shipping_code or external_id');
  const found = await work.records('shipnow_fulfillment', shopId).find(names);
  const delivery = found.findLast(({ record }) => record.status !== 'N') ?? found.at(-1);
  if (delivery === undefined) throw notFound('delivery');
  return delivery;
}
