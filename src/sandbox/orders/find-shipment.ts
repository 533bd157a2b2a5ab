import { invalid, notFound } from '../refusal.ts';
import type { Stored } from '../store/rows.ts';
import type { Work } from '../work.ts';
import type { Maker } from './order-record.ts';

/** The names by which a shipment is looked up (contract, GetFulfillment); "" and "0" are not given. */
export interface ShipmentLookup {
  readonly id?: string | undefined;
  readonly shipping_code?: string | undefined;
  readonly external_id?: string | undefined;
}

/**
 * The shipment that the first given of id, shipping code and external id names (decisions, section 5); the others are
 * not looked at. A shipment bears the external id of its order, which only the order's maker finds it by; of several
 * the live one is found, and of those the newest.
 */
export async function findShipment(work: Work, seeker: Maker, lookup: ShipmentLookup): Promise<Stored<'fulfillment'>> {
  const { id = '0', shipping_code = '', external_id = '' } = lookup;
  const shipments = work.records('fulfillment', seeker.shopId);
  const name =
    (id !== '0' && id !== '' && { id }) ||
    (shipping_code !== '' && { shipping_code }) ||
    (external_id !== '' && { external_id, partner_id: seeker.partnerId ?? null });
  if (!name) throw invalid('id', 'is missing: give id, shipping_code or external_id');
  const found = await shipments.find(name);
  const shipment = found.findLast(({ record }) => record.status !== 'N') ?? found.at(-1);
  if (shipment === undefined) throw notFound('shipment');
  return shipment;
}
