import { sql } from 'kysely';
import { shipnowState } from '../../../contract/enums.ts';
import type { Work } from '../../engine/call.ts';
import { Refusal } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { statement } from '../../engine/store/statement.ts';
import { liveOrNewest } from '../orders/find-shipment.ts';
import { deliveryIdOf, shipmentsOf } from '../orders/order-record.ts';
import {
  type Delivery,
  deliveryStepsTo,
  moveDelivery,
  nextDeliverySteps,
  paymentOf,
  type ShipnowState,
  settleDelivery,
  stateOf,
} from './move-delivery.ts';
import { movingParcel } from './moving-parcel.ts';
import { type Moving, moving, type Target } from './shipping-states.ts';

const MINUTE = 60_000;
/** How many minutes an on-demand delivery takes to reach each state by itself. */
const minutes: Readonly<Record<string, number>> = { assigning: 2, picking: 8, delivering: 15, delivered: 30 };
const OTHER_MINUTES = 20;

const stateNamed = (name: string): ShipnowState | undefined => shipnowState.find((state) => state === name);

/** An on-demand delivery as a `Moving`; it has states but no substates. */
function movingDelivery(work: Work, delivery: Delivery): Moving {
  const { record, id, shopId } = delivery;
  const state = stateOf(delivery);
  const asStep = (next: { readonly state: ShipnowState }) => ({ ...next, substate: '' });
  return moving({
    entity: 'shipnow_fulfillment',
    id,
    shopId,
    orderIds: record.order_ids ?? [],
    record,
    states: shipnowState,
    at: asStep({ state }),
    settled: paymentOf(delivery) === 'P',
    next: () => nextDeliverySteps({ state }).map(asStep),
    stepsTo(target) {
      const wanted = stateNamed(target.state);
      if (wanted === undefined || target.substate) return undefined;
      return deliveryStepsTo({ state }, wanted)?.map(asStep);
    },
    take(step) {
      const next = stateNamed(step.state);
      if (next === undefined) throw new RangeError(`a delivery has no step ${step.state}`);
      return movingDelivery(work, moveDelivery(work, delivery, { state: next }));
    },
    settle: () => movingDelivery(work, settleDelivery(work, delivery)),
    dueOf: (step, after) => after + (minutes[step.state] ?? OTHER_MINUTES) * MINUTE,
  });
}

const shopIn = (table: 'fulfillments' | 'shipnow_fulfillments' | 'orders') =>
  // The index of ids begins with the shop.
  statement(
    ({ id }: { readonly id: string }) =>
      sql<{ shop_id: string }>`
        SELECT shops.id AS shop_id FROM shops CROSS JOIN ${sql.table(table)} AS record
        WHERE record.shop_id = shops.id AND record.id = ${id}`,
  );
const shopOfShipment = shopIn('fulfillments');
const shopOfDelivery = shopIn('shipnow_fulfillments');
const shopOfOrder = shopIn('orders');

const idsNamed = statement(
  ({ name }: { readonly name: string }) =>
    sql<{ id: string }>`
      SELECT id FROM orders WHERE code = ${name} OR external_id = ${name}
      UNION SELECT id FROM fulfillments WHERE shipping_code = ${name}
      UNION SELECT id FROM shipnow_fulfillments WHERE shipping_code = ${name}`,
);

const movingOf = (work: Work, id: string) => findShipmentById(work, id) ?? findByOrder(work, id);

/**
 * The shipment or on-demand delivery with an id, or that of the order with the id, in any shop; or what has that code,
 * external id or parcel code. 404 if the sandbox has nothing with that name, 412 for an order without a shipment, and
 * for a name that several records have.
 */
export function findMoving(work: Work, name: string): Moving {
  const byId = movingOf(work, name);
  if (byId !== undefined) return byId;
  const [named, ...others] = work.database.all(idsNamed, { name });
  if (others.length > 0) {
    const ids = [named, ...others].map((one) => one?.id ?? '').join(', ');
    throw new Refusal('failed_precondition', `${name} names several records: ${ids}`, { ids });
  }
  const found = named === undefined ? undefined : movingOf(work, named.id);
  if (found === undefined) throw new Refusal('not_found', `the sandbox has no order, shipment or delivery ${name}`);
  return found;
}

const NEWEST = 200;
const newestShipments = statement(
  () => sql<{ id: string }>`
    SELECT id FROM fulfillments
    ORDER BY shop_id IN (
      SELECT owner_id FROM webhooks
      UNION
      SELECT links.shop_id FROM links JOIN webhooks ON webhooks.owner_id = links.partner_id
      WHERE links.removed_at IS NULL
    ) DESC, id DESC LIMIT ${NEWEST}`,
);

/**
 * The newest shipment that can move to a target, of a shop whose changes a webhook hears if there is one; 404 if none of
 * the newest can.
 */
export function newestMoving(work: Work, target: Target): Moving {
  for (const { id } of work.database.all(newestShipments, {})) {
    const found = findShipmentById(work, id);
    if (found !== undefined && (found.stepsTo(target)?.length ?? 0) > 0) return found;
  }
  throw new Refusal('not_found', `no shipment can become ${target.state}: create one first`);
}

/** The shipment or the on-demand delivery with that id. */
export function findShipmentById(work: Work, id: string): Moving | undefined {
  const { database } = work;
  const parcel = database.first(shopOfShipment, { id });
  if (parcel !== undefined) {
    const shipment = work.records('fulfillment', parcel.shop_id).get(id);
    return shipment && movingParcel(work, shipment);
  }
  const shipnow = database.first(shopOfDelivery, { id });
  const delivery = shipnow && work.records('shipnow_fulfillment', shipnow.shop_id).get(id);
  return delivery && movingDelivery(work, delivery);
}

function findByOrder(work: Work, id: string): Moving | undefined {
  const row = work.database.first(shopOfOrder, { id });
  const order = row && work.records('order', row.shop_id).get(id);
  if (order === undefined) return undefined;
  const found = shipmentOfOrder(work, order);
  if (found !== undefined) return found;
  throw new Refusal('failed_precondition', 'the order has no shipment that could move', {
    status: order.record.status ?? '',
  });
}

/** The shipment of an order; of several, the newest that is not cancelled. */
function shipmentOfOrder(work: Work, order: Stored<'order'>): Moving | undefined {
  const deliveryId = deliveryIdOf(order);
  if (deliveryId !== undefined) return findShipmentById(work, deliveryId);
  const shipment = liveOrNewest(shipmentsOf(work, order));
  return shipment && movingParcel(work, shipment);
}
