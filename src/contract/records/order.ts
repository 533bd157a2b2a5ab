import * as enums from '../enums.ts';
import { lookup } from '../request-shapes.ts';
import {
  centimetres,
  flag,
  grams,
  id,
  int,
  list,
  money,
  nested,
  oneOf,
  record,
  requiring,
  text,
  textMap,
  time,
} from '../schema/scalars.ts';
import { completeOrderAddress, orderAddress } from './address.ts';
import { carrierName } from './carrier-name.ts';

/** One attribute of a variant (contract, "OrderLine"). */
export const attribute = record({
  name: text('Name of the attribute, for example Colour'),
  value: text('Its value, for example blue'),
});

const lineRequired = {
  product_name: text('Name of the product'),
  quantity: int('Number of items', 'items'),
  retail_price: money('Price of one item before discount; the basis of the insurance'),
  payment_price: money('Price payable for one item after its discount'),
};

const lineOptional = {
  list_price: money('Price printed on the packaging'),
  image_url: text('URL of a picture'),
  attributes: list(attribute, 'Traits that tell the variant'),
  product_id: id('Id of the product'),
  variant_id: id('Id of the variant'),
};

/** One order line in a response (contract, "OrderLine"). */
export const orderLine = record({ ...lineRequired, ...lineOptional });

/** One order line in a request. */
export const newOrderLine = requiring(lineRequired, lineOptional);

/** One fee on an order (contract, "OrderFeeLine"). */
export const orderFeeLine = record({
  type: oneOf(enums.orderFeeType, 'Kind of the fee: shipping is the delivery fee that the shop charges the buyer'),
  name: text('Name of the fee'),
  code: text('Code of the fee, free text'),
  desc: text('Description of the fee'),
  amount: money('Amount of the fee'),
});

const service = {
  shipping_service_code: text('Code of the chosen service, as quoted'),
  shipping_service_fee: money('What the shop pays for the delivery, as quoted'),
};

const parcel = {
  chargeable_weight: grams('The greater of gross and volumetric weight; worked out when absent'),
  gross_weight: grams('Actual weight'),
  length: centimetres('Length of the parcel'),
  width: centimetres('Width of the parcel'),
  height: centimetres('Height of the parcel'),
};

const shippingRest = {
  shipping_service_name: text('Name of the chosen service'),
  carrier: carrierName('Carrier of the chosen service, as quoted; replaced by connection_id'),
  connection_id: id('Connection to the carrier'),
  include_insurance: flag('Whether the parcel is insured for its basket value; absent means yes'),
  shipping_note: text('Note for the carrier'),
  cod_amount: money('Cash that the carrier collects from the buyer'),
  ...parcel,
};

const tryOnWords = 'What the buyer may do before paying: none, open (inspect) or try (try on)';
const tryOn = oneOf(enums.tryOn, tryOnWords);
/** The try-on value of a shipment: unknown is refused (decisions, section 7). */
const decidedTryOn = oneOf(['none', 'open', 'try'], tryOnWords);

/** The shipping part of an order in a response (contract, "OrderShipping"). */
export const orderShipping = record({
  pickup_address: nested(orderAddress, 'Where the parcel is picked up'),
  return_address: nested(orderAddress, 'Where it returns to; the pickup address when absent'),
  ...service,
  ...shippingRest,
  try_on: tryOn,
});

/** The shipping part of an order that is shipped at once. */
export const newOrderShipping = requiring(
  { pickup_address: nested(completeOrderAddress, 'Where the parcel is picked up'), ...service, try_on: decidedTryOn },
  { return_address: nested(orderAddress, 'Where it returns to; the pickup address when absent'), ...shippingRest },
);

const sums = {
  total_items: int('Sum of the quantities of the lines', 'items'),
  basket_value: money('Sum over the lines of quantity * retail_price, without fees and discounts'),
  order_discount: money('Discount on the whole order, beside the discounts of its lines'),
  total_discount: money('Sum over the lines of quantity * (retail_price - payment_price), plus order_discount'),
  total_fee: money('Sum of the amounts of the fee lines'),
  fee_lines: list(orderFeeLine, 'Fees charged to the buyer'),
  total_amount: money('basket_value - total_discount + total_fee'),
};

const references = {
  external_id: text("Id of the order in the caller's system, unique there"),
  external_code: text('Code of the order in the shop, unique there; shown in preference to external_id'),
  external_url: text("URL of the order in the caller's system"),
  external_meta: textMap('Any data of the caller, stored with the order'),
};

/** An order (contract, "Order"). */
export const order = record({
  id: id('Id of the order'),
  shop_id: id('Id of the shop'),
  code: text('Code of the order'),
  ...references,
  self_url: text('URL of the order'),
  customer_address: nested(orderAddress, 'Address of the customer'),
  shipping_address: nested(orderAddress, 'Where the parcel goes'),
  lines: list(orderLine, 'What is sold; variants of one product are lines of their own'),
  ...sums,
  order_note: text('Note on the order'),
  shipping: nested(orderShipping, 'How it is shipped'),
  status: oneOf(enums.status5, 'Status of the order'),
  confirm_status: oneOf(enums.status3, 'Whether the order is confirmed'),
  platform_payment_status: oneOf(enums.status4, 'Whether the platform has settled the money'),
  fulfillment_shipping_status: oneOf(enums.status5, 'Status of its shipments together'),
  pre_order: flag('Whether it is a pre-order'),
  cancel_reason: text('Why it was cancelled'),
  created_at: time('When it was created'),
  updated_at: time('When it last changed'),
  processed_at: time('When it was processed'),
  confirmed_at: time('When it was confirmed'),
  closed_at: time('When it was closed'),
  cancelled_at: time('When it was cancelled'),
});

/**
 * The request for an order that is shipped at once: addresses, lines and shipping are required, the sums are checked.
 */
export const shippedOrderRequest = requiring(
  {
    customer_address: nested(completeOrderAddress, 'Address of the customer'),
    shipping_address: nested(completeOrderAddress, 'Where the parcel goes'),
    lines: list(newOrderLine, 'What is sold; variants of one product are lines of their own').min(1),
    shipping: nested(newOrderShipping, 'How it is shipped, with the service chosen from a quote'),
  },
  { ...references, ...sums, order_note: text('Note on the order') },
);

/** The fields of a new order (contract, shop.Order/CreateOrder). */
export const orderRequest = requiring(
  { lines: list(newOrderLine, 'What is sold; variants of one product are lines of their own').min(1) },
  {
    customer_address: nested(orderAddress, 'Address of the customer'),
    shipping_address: nested(orderAddress, 'Where the parcel goes'),
    shipping: nested(orderShipping, 'How it is to be shipped'),
    ...references,
    ...sums,
    order_note: text('Note on the order'),
    payment_method: oneOf(enums.paymentMethod, 'How the buyer pays'),
  },
);

/** A cancellation (contract, CancelOrder); exactly one of the names is required by a rule of the operation. */
export const orderCancellation = requiring({ cancel_reason: text('Why it is cancelled') }, lookup('order'));

/** What is sold in an order that every service can take; its sums are right. */
export const orderSample = {
  lines: [{ product_name: 'Conformance check', quantity: 2, retail_price: 1000, payment_price: 1000 }],
  total_items: 2,
  basket_value: 2000,
  total_discount: 0,
  total_fee: 0,
  total_amount: 2000,
};

/** The same, with a parcel that every carrier can take. */
export const shippedOrderSample = {
  ...orderSample,
  shipping: { chargeable_weight: 500, cod_amount: 0, include_insurance: false, try_on: 'none' },
};
