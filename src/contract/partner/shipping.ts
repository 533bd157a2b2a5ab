import { operation } from '../operation.ts';
import { quotedParcel, quotedRoute, quotedSample, quoteRules } from '../quote.ts';
import { orderWithFulfillments } from '../records/fulfillment.ts';
import { orderCancellation, shippedOrderRequest, shippedOrderSample } from '../records/order.ts';
import { shippingServices } from '../records/service.ts';
import { lookup } from '../request-shapes.ts';
import { beforeCancelling, cancelledWithShipments, orderRules } from '../schema/order-rules.ts';
import { atLeastOneOf, exactlyOneOf } from '../schema/rules.ts';
import { record, requiring } from '../schema/scalars.ts';

export const GetShippingServices = operation({
  id: 'partner.Shipping/GetShippingServices',
  command: 'shipping services',
  summary: 'List carrier offers for a parcel',
  description: 'The carrier, code and fee of the chosen offer go into the order.',
  examples: [
    'shopctl shipping services --input examples/quote.json',
    'shopctl shipping services --input examples/quote.json --gross-weight 2500 -o csv',
  ],
  effect: 'read',
  credential: 'shop-key',
  request: requiring(quotedRoute, quotedParcel),
  response: shippingServices,
  sample: quotedSample,
  rules: quoteRules,
  page: { items: 'services', cursors: false },
});

export const CreateAndConfirmOrder = operation({
  id: 'partner.Shipping/CreateAndConfirmOrder',
  command: 'shipping create',
  summary: 'Create an order, confirm it and hand it to its carrier',
  description: 'Costs money and moves a parcel. The service code and fee must be those of a quote.',
  examples: [
    'shopctl shipping create --input examples/shipment.json --dry-run',
    'shopctl shipping create --input examples/shipment.json --external-id WEB-2026-000118 --json',
  ],
  effect: 'create',
  costs: true,
  proves: ['lines', 'total_amount', 'shipping_address'],
  credential: 'shop-key',
  request: shippedOrderRequest,
  response: orderWithFulfillments,
  sample: shippedOrderSample,
  alsoCreates: ['customers', 'addresses'],
  settlement: { by: 'external_id', lookup: 'partner.Shipping/GetOrder' },
  rules: orderRules,
});

export const GetOrder = operation({
  id: 'partner.Shipping/GetOrder',
  command: 'shipping get',
  summary: 'Show an order with its shipments',
  examples: ['shopctl shipping get 1234567890123456789', 'shopctl shipping get --external-id WEB-2026-000117 --json'],
  idsOf: 'orders',
  effect: 'read',
  credential: 'shop-key',
  request: record(lookup('order')),
  response: orderWithFulfillments,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
  creatorsNames: true,
});

export const CancelOrder = operation({
  id: 'partner.Shipping/CancelOrder',
  command: 'shipping cancel',
  summary: 'Cancel an order and its shipments',
  description:
    'The order is read first: one whose parcel was picked up is left as it is unless only the order is to be cancelled, since nothing stops the parcel and its cash.',
  examples: [
    'shopctl shipping cancel 1234567890123456789 --cancel-reason "Buyer changed their mind"',
    'shopctl shipping cancel --external-id WEB-2026-000117 --cancel-reason "Wrong address" --yes',
  ],
  idsOf: 'orders',
  effect: 'transition',
  destructive: true,
  credential: 'shop-key',
  request: orderCancellation,
  response: orderWithFulfillments,
  rules: exactlyOneOf('id', 'code', 'external_id'),
  positional: 'id',
  before: { lookup: 'partner.Shipping/GetOrder', of: beforeCancelling },
  tells: cancelledWithShipments,
});
