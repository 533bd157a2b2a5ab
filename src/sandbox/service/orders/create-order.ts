import type * as z from 'zod';
import type { orderRequest } from '../../../contract/records/order.ts';
import type { WithoutNulls, Work } from '../../engine/call.ts';
import type { PlaceBook } from '../../engine/places.ts';
import { invalid, Refusal } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/rows.ts';
import { statement, tables } from '../../engine/store/statement.ts';
import { checkLines, checkSums, requireVariants, weigh } from './check-content.ts';
import { completeAddress, isEmptyAddress, rememberCustomer, requireExternalId } from './customer-of-order.ts';
import {
  heldNames,
  type Maker,
  type Order,
  type OrderAddress,
  type OrderHidden,
  type OrderShipping,
} from './order-record.ts';

const holderBy = (column: 'held_external_id' | 'held_external_code') =>
  statement(({ name }: { readonly name: string }) => tables.selectFrom('orders').select('id').where(column, '=', name));
const holders = { external_id: holderBy('held_external_id'), external_code: holderBy('held_external_code') };

/**
 * Refuses with 409 an order whose external id or external code is reserved by another one (decisions, section 7). The
 * external id of a partner's order is unique over all its shops, so the search is not limited to one.
 */
function requireFreeNames(work: Work, maker: Maker, order: Order): void {
  const held = heldNames(maker, order);
  for (const duplicated of ['external_id', 'external_code'] as const) {
    const name = held[`held_${duplicated}`];
    if (name === null) continue;
    const holder = work.database.first(holders[duplicated], { name });
    if (holder === undefined) continue;
    const ownOrder = maker.partnerId === undefined ? { order_id: holder.id } : {};
    throw new Refusal('already_exists', `another order has this ${duplicated}`, { duplicated, ...ownOrder });
  }
}

/** The input for an order, whether it is shipped at once or not. */
export type OrderInput = WithoutNulls<z.output<typeof orderRequest>>;

/**
 * Creates an order that waits for confirmation, with its customer (decisions, sections 6 and 7). `ships` means that it
 * is shipped at once, and so requires its addresses and try_on; otherwise they are checked only if given.
 */
export function createOrder(
  work: Work,
  maker: Maker,
  input: OrderInput,
  { ships }: { readonly ships: boolean },
): Stored<'order'> {
  const { external_id: externalId = '', payment_method } = input;
  requireExternalId(externalId);
  checkLines(input);
  const sums = checkSums(input);
  const places = work.places;
  requireVariants(work, maker.shopId, input.lines);
  const shipping = input.shipping && checkShipping(places, input.shipping, ships);
  const customerAddress = checkAddress(places, input.customer_address, 'customer_address', ships);
  const shippingAddress = checkAddress(places, input.shipping_address, 'shipping_address', ships);

  const code = work.nextCode(maker.shopId, 'DH');
  // The payment method is not a field of the record, and is dropped when the record is completed.
  const order: Order = {
    ...input,
    ...sums,
    external_id: externalId || undefined,
    order_discount: input.order_discount ?? 0,
    customer_address: customerAddress,
    shipping_address: shippingAddress,
    shipping,
    status: 'Z',
    confirm_status: 'Z',
    platform_payment_status: 'Z',
    fulfillment_shipping_status: 'Z',
    pre_order: false,
    code,
  };
  const customer = shippingAddress && rememberCustomer(work, maker.shopId, shippingAddress);
  const hidden: OrderHidden = { payment_method, customer_id: customer?.id };
  return insertOrder(work, maker, order, hidden);
}

/**
 * Writes the record. The unique indices check whether its names are free, so their holder is looked up only after a
 * conflict; everything created for the order so far is rolled back with it.
 */
function insertOrder(work: Work, maker: Maker, order: Order, hidden: OrderHidden): Stored<'order'> {
  const around = { keys: heldNames(maker, order), hidden: { ...hidden }, partnerId: maker.partnerId };
  try {
    return work.records('order', maker.shopId).insert(order, around);
  } catch (error) {
    requireFreeNames(work, maker, order);
    throw error;
  }
}

/** A given address must be complete; it may be absent only if nothing is shipped yet. */
function checkAddress(
  places: PlaceBook,
  address: OrderAddress | undefined,
  path: string,
  needed: boolean,
): OrderAddress | undefined {
  if (!needed && isEmptyAddress(address)) return undefined;
  return completeAddress(places, address ?? {}, path);
}

function checkShipping(places: PlaceBook, shipping: OrderShipping, ships: boolean): OrderShipping {
  const pickup = checkAddress(places, shipping.pickup_address, 'shipping.pickup_address', ships);
  const { return_address: back } = shipping;
  const returnAddress = back && !isEmptyAddress(back) ? places.canonical(back, 'shipping.return_address') : pickup;
  const chargeableWeight = weigh(shipping, 'shipping.');
  if (ships && (shipping.try_on ?? 'unknown') === 'unknown') {
    throw invalid('shipping.try_on', 'must be none, open or try');
  }
  return {
    ...shipping,
    pickup_address: pickup,
    return_address: returnAddress,
    include_insurance: shipping.include_insurance ?? true,
    chargeable_weight: chargeableWeight,
  };
}
