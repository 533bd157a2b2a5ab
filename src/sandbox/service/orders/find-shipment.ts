import type { Work } from '../../engine/call.ts';
import { invalid, notFound } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/rows.ts';
import type { Status5 } from '../shipments/shipping-states.ts';
import type { Maker } from './order-record.ts';

/**
 * Of several records that share a name, oldest first, the current one: the newest that is not cancelled, else the
 * newest (decisions, section 5).
 */
export function liveOrNewest<Found extends { readonly record: { readonly status?: Status5 | null | undefined } }>(
  found: readonly Found[],
): Found | undefined {
  // Accessing a record parses it, which is unnecessary for a single one.
  if (found.length === 1) return found[0];
  return found.findLast(({ record }) => record.status !== 'N') ?? found.at(-1);
}

/** The names for looking up a shipment (contract, GetFulfillment); "" and "0" count as absent. */
export interface ShipmentNames {
  readonly id?: string | undefined;
  readonly shipping_code?: string | undefined;
  readonly external_id?: string | undefined;
}

/** The given names, in the order id, shipping_code, external_id; 400 without any (decisions, section 5). */
export function givenShipmentNames(names: ShipmentNames): readonly [keyof ShipmentNames, string][] {
  const { id, shipping_code, external_id } = names;
  const given = Object.entries({ id, shipping_code, external_id }).filter(
    (name): name is [keyof ShipmentNames, string] => name[1] !== undefined && name[1] !== '' && name[1] !== '0',
  );
  if (given.length === 0) throw invalid('id', 'is missing: give id, shipping_code or external_id');
  return given;
}

/**
 * The shipment with the first given name of id, shipping code and external id (decisions, section 5); the others are
 * ignored. A shipment has the external id of its order, by which only the order's maker finds it.
 */
export function findShipment(work: Work, seeker: Maker, names: ShipmentNames): Stored<'fulfillment'> {
  const name = Object.fromEntries(givenShipmentNames(names).slice(0, 1));
  const maker = name.external_id === undefined ? {} : { partner_id: seeker.partnerId ?? null };
  const shipment = liveOrNewest(work.records('fulfillment', seeker.shopId).find({ ...name, ...maker }));
  if (shipment === undefined) throw notFound('shipment');
  return shipment;
}
