import * as enums from '../enums.ts';
import { flag, grams, id, int, list, money, nested, oneOf, record, text, time } from '../schema/scalars.ts';
import { orderAddress } from './address.ts';
import { carrierName } from './carrier-name.ts';
import { serviceError } from './error.ts';
import { order } from './order.ts';

/** A shipment of an order (contract, "Fulfillment"). */
export const fulfillment = record({
  id: id('Id of the shipment'),
  order_id: id('Id of its order'),
  shop_id: id('Id of the shop'),
  self_url: text('URL of the shipment'),
  carrier: carrierName('Carrier'),
  shipping_code: text("The carrier's code of the parcel"),
  shipping_note: text('Note for the carrier'),
  shipping_service_code: text('Code of the service'),
  shipping_service_name: text('Name of the service'),
  shipping_service_fee: money('What the shop was quoted'),
  actual_shipping_service_fee: money('What the carrier charged'),
  cod_amount: money('Cash to collect from the buyer'),
  actual_cod_amount: money('Cash that was collected'),
  basket_value: money('Value of the goods; the basis of the insurance'),
  chargeable_weight: grams('Weight that is charged for'),
  total_items: int('Number of items', 'items'),
  include_insurance: flag('Whether the parcel is insured'),
  try_on: oneOf(enums.tryOn, 'What the buyer may do before paying'),
  confirm_status: oneOf(enums.status3, 'Whether the shipment is confirmed'),
  platform_payment_status: oneOf(enums.status4, 'Whether the platform has settled the money'),
  shipping_status: oneOf(enums.status5, 'Status of the shipping'),
  status: oneOf(enums.status5, 'Status of the shipment'),
  shipping_state: oneOf(enums.shippingState, 'Where the parcel is on its way'),
  shipping_substate: oneOf(enums.substate, 'What went wrong on the way'),
  pickup_address: nested(orderAddress, 'Where it is picked up'),
  return_address: nested(orderAddress, 'Where it returns to'),
  shipping_address: nested(orderAddress, 'Where it goes'),
  estimated_pickup_at: time('When it is likely to be picked up'),
  estimated_delivery_at: time('When it is likely to be delivered'),
  cancel_reason: text('Why it was cancelled'),
  created_at: time('When it was created'),
  updated_at: time('When it last changed'),
  closed_at: time('When it was closed'),
  cancelled_at: time('When it was cancelled'),
});

/** An order with its shipments, as returned by the order operations with shipping (decisions, section 6). */
export const orderWithFulfillments = record({
  order: nested(order, 'The order'),
  fulfillments: list(fulfillment, 'Its shipments'),
  fulfillment_errors: list(serviceError, 'Problems of single shipments; an entry with code ok is none'),
});
