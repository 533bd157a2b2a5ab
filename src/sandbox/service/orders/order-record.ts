import type { WithoutNulls, Work } from '../../engine/call.ts';
import type { RecordOf } from '../../engine/store/record-kinds.ts';
import type { Around } from '../../engine/store/records.ts';
import type { Stored } from '../../engine/store/rows.ts';

export type Order = RecordOf<'order'>;
export type Fulfillment = RecordOf<'fulfillment'>;
export type OrderAddress = WithoutNulls<NonNullable<Order['shipping_address']>>;
export type OrderShipping = WithoutNulls<NonNullable<Order['shipping']>>;

/** Who creates or looks up an order: the shop itself, or a partner that acts as it. */
export interface Maker {
  readonly shopId: string;
  readonly partnerId: string | undefined;
}

/** What is stored with an order besides its record: facts of the request that no answer shows. */
export interface OrderHidden {
  readonly payment_method?: string | undefined;
  readonly customer_id?: string | undefined;
  /** The on-demand delivery that the order was created for. */
  readonly shipnow_id?: string | undefined;
}

/** The id of the on-demand delivery that an order is a stop of, if any. */
export function deliveryIdOf({ hidden: { shipnow_id: id } }: Stored<'order'>): string | undefined {
  return typeof id === 'string' ? id : undefined;
}

/** The names that an order reserves, null if it does not (decisions, section 7). */
export interface HeldNames {
  readonly held_external_id: string | null;
  readonly held_external_code: string | null;
}

/**
 * Which names an order reserves: none once it is cancelled; fewer once its parcels have returned. An external id is a
 * name in its maker's own system; an external code is unique in the shop, whoever made the order.
 */
export function heldNames(maker: Maker, order: Order): HeldNames {
  const cancelled = order.status === 'N';
  const returned = order.status === 'NS' || order.fulfillment_shipping_status === 'NS';
  const { shopId, partnerId } = maker;
  const freeId = cancelled || (returned && partnerId === undefined);
  const idScope = partnerId === undefined ? `shop ${shopId}` : `partner ${partnerId}`;
  return {
    held_external_id: order.external_id && !freeId ? `${idScope}: ${order.external_id}` : null,
    held_external_code:
      order.external_code && !cancelled && !returned ? `shop ${shopId}: ${order.external_code}` : null,
  };
}

/**
 * Updates an order. All updates of an order go through here, because its reserved names depend on its status. A name is
 * reserved only when an order is created, so unchanged ones are not written.
 */
export function updateOrder(work: Work, stored: Stored<'order'>, changes: Order): Stored<'order'> {
  const before = heldNames(stored, stored.record);
  const after = heldNames(stored, { ...stored.record, ...changes });
  const differing = heldKeys.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]);
  const keys: NonNullable<Around<'order'>['keys']> = Object.fromEntries(differing);
  return work.records('order', stored.shopId).update(stored, changes, { keys });
}

const heldKeys = ['held_external_id', 'held_external_code'] as const;

/** The shipments of an order, oldest first. */
export function shipmentsOf(work: Work, order: Stored<'order'>): readonly Stored<'fulfillment'>[] {
  return work.records('fulfillment', order.shopId).find({ order_id: order.id });
}
