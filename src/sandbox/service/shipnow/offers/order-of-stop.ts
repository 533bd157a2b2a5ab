import type { Stored } from '../../../engine/store/records/rows.ts';
import type { Work } from '../../../engine/work.ts';
import { rememberCustomer } from '../../orders/content/customer-of-order.ts';
import { heldNames, type Maker, type Order, type OrderAddress, type OrderHidden } from '../../orders/order-record.ts';
import type { CheckedDelivery, CheckedStop } from '../check-delivery.ts';
import type { StopAddress } from '../delivery-record.ts';
import type { DeliveryOffer } from './price.ts';

/** The delivery that an order belongs to. */
export interface OrderOfDelivery {
  readonly id: string;
  readonly delivery: CheckedDelivery;
  readonly offer: DeliveryOffer;
}

/** Creates the order of one stop, waiting for confirmation, and its customer (decisions, section 7: one order each). */
export function createOrderOfStop(
  work: Work,
  maker: Maker,
  stop: CheckedStop,
  { id, delivery, offer }: OrderOfDelivery,
): Stored<'order'> {
  const address = orderAddressOf(stop.shipping_address);
  const pickup = orderAddressOf(delivery.pickup);
  const order: Order = {
    customer_address: address,
    shipping_address: address,
    lines: stop.lines ?? [],
    fee_lines: [],
    order_discount: 0,
    ...stop.sums,
    shipping: {
      pickup_address: pickup,
      return_address: pickup,
      shipping_service_code: offer.code,
      shipping_service_name: offer.service.name,
      carrier: offer.service.carrier.code,
      shipping_note: stop.shipping_note,
      cod_amount: stop.cod_amount ?? 0,
      gross_weight: stop.gross_weight ?? 0,
      chargeable_weight: stop.chargeable_weight,
    },
    status: 'Z',
    confirm_status: 'Z',
    platform_payment_status: 'Z',
    fulfillment_shipping_status: 'Z',
    pre_order: false,
  };
  const code = work.nextCode(maker.shopId, 'DH');
  const customer = rememberCustomer(work, maker.shopId, address);
  const hidden: OrderHidden = { customer_id: customer.id, shipnow_id: id };
  return work
    .records('order', maker.shopId)
    .insert({ ...order, code }, { keys: heldNames(maker, order), hidden: { ...hidden }, partnerId: maker.partnerId });
}

/** A delivery's address as an order's address, which has no coordinates. */
function orderAddressOf({ address, coordinates: _, ...rest }: StopAddress): OrderAddress {
  return { ...rest, address1: address };
}
