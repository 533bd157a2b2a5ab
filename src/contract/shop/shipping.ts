import { operation } from '../operation.ts';
import { quotedParcel, quotedRoute, quotedSample, quoteRules } from '../quote.ts';
import { fulfillment, orderWithFulfillments } from '../records/fulfillment.ts';
import { orderCancellation, shippedOrderRequest, shippedOrderSample } from '../records/order.ts';
import { shippingServices } from '../records/service.ts';
import { lookup, shipmentLookup } from '../request-shapes.ts';
import { beforeCancelling, cancelledWithShipments, orderRules } from '../schema/order-rules.ts';
import { atLeastOneOf, exactlyOneOf } from '../schema/rules.ts';
import { id, list, record, requiring } from '../schema/scalars.ts';

export const GetShippingServices = operation({
  id: 'shop.Shipping/GetShippingServices',
  command: 'shipping services',
  summary: 'List carrier offers for a parcel',
  description: 'The carrier, code and fee of the chosen offer go into the order.',
  effect: 'read',
  credential: 'shop-api-key',
  request: requiring(quotedRoute, {
    ...quotedParcel,
    connection_ids: list(id('Id of a connection'), 'Connections to the carriers that are asked; all when absent'),
  }),
  response: shippingServices,
  sample: quotedSample,
  rules: quoteRules,
  page: { items: 'services', cursors: false },
});

export const CreateAndConfirmOrder = operation({
  id: 'shop.Shipping/CreateAndConfirmOrder',
  command: 'shipping create',
  summary: 'Create an order, confirm it and hand it to its carrier',
  description: 'Costs money and moves a parcel. The service code and fee must be those of a quote.',
  effect: 'create',
  costs: true,
  proves: ['lines', 'total_amount', 'shipping_address'],
  credential: 'shop-api-key',
  request: shippedOrderRequest,
  response: orderWithFulfillments,
  sample: shippedOrderSample,
  alsoCreates: ['customers', 'addresses'],
  settlement: { by: 'external_id', lookup: 'shop.Shipping/GetOrder' },
  rules: orderRules,
});

export const GetOrder = operation({
  id: 'shop.Shipping/GetOrder',
  command: 'shipping get',
  summary: 'Show an order with its shipments',
  idsOf: 'orders',
  effect: 'read',
  credential: 'shop-api-key',
  request: record(lookup('order')),
  response: orderWithFulfillments,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
  byParcel: 'shop.Fulfillment/GetFulfillment',
  codesIn: 'shop.Order/ListOrders',
});

export const CancelOrder = operation({
  id: 'shop.Shipping/CancelOrder',
  command: 'shipping cancel',
  summary: 'Cancel an order and its shipments',
  description:
    'The order is read first: one whose parcel was picked up is left as it is unless only the order is to be cancelled, since nothing stops the parcel and its cash.',
  idsOf: 'orders',
  effect: 'transition',
  destructive: true,
  credential: 'shop-api-key',
  request: orderCancellation,
  response: orderWithFulfillments,
  rules: exactlyOneOf('id', 'code', 'external_id'),
  positional: 'id',
  byParcel: 'shop.Fulfillment/GetFulfillment',
  before: { lookup: 'shop.Shipping/GetOrder', of: beforeCancelling },
  tells: cancelledWithShipments,
});

export const GetFulfillment = operation({
  id: 'shop.Shipping/GetFulfillment',
  command: 'shipping fulfillment',
  summary: 'Show a shipment',
  examples: [
    'shopctl shipping fulfillment 1234567890123456789',
    'shopctl shipping fulfillment --shipping-code SBX00012345 --fields shipping_state,estimated_delivery_at',
  ],
  idsOf: 'fulfillments',
  effect: 'read',
  credential: 'shop-api-key',
  request: record(shipmentLookup('shipment')),
  response: fulfillment,
  rules: atLeastOneOf('id', 'shipping_code', 'external_id'),
  positional: 'id',
});
