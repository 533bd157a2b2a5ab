import { operation } from '../operation.ts';
import { newShipnowFulfillment, pricedDelivery, shipnowFulfillment, shipnowServices } from '../records/shipnow.ts';
import { shipmentLookup } from '../request-shapes.ts';
import { atLeastOneOf, notNegative } from '../schema/rules.ts';
import { int, record, text } from '../schema/scalars.ts';

const inHanoi = { province: 'Hà Nội', district: 'Quận Cầu Giấy', ward: 'Phường Dịch Vọng' };
const from = { ...inHanoi, address: '1 Trần Thái Tông', coordinates: { latitude: 21.03, longitude: 105.79 } };
const to = { ...inHanoi, address: '12 Dịch Vọng', coordinates: { latitude: 21.04, longitude: 105.8 } };
const person = { full_name: 'Conformance check', phone: '0900000001' };

export const GetShipnowServices = operation({
  id: 'shop.Shipnow/GetShipnowServices',
  command: 'shipnow services',
  summary: 'List offers for an on-demand delivery',
  examples: ['shopctl shipnow services --input examples/shipnow-quote.json'],
  effect: 'read',
  credential: 'shop-api-key',
  request: pricedDelivery,
  sample: { pickup_address: from, delivery_points: [{ shipping_address: to }] },
  response: shipnowServices,
  rules: notNegative('delivery_points.cod_amount'),
  page: { items: 'services', cursors: false },
});

export const CreateShipnowFulfillment = operation({
  id: 'shop.Shipnow/CreateShipnowFulfillment',
  command: 'shipnow create',
  summary: 'Request an on-demand delivery',
  description: 'Costs money and sends a driver. The service code and fee must be those of a quote.',
  examples: ['shopctl shipnow create --input examples/shipnow.json --dry-run'],
  effect: 'create',
  costs: true,
  proves: ['pickup_address', 'delivery_points'],
  credential: 'shop-api-key',
  request: newShipnowFulfillment,
  response: shipnowFulfillment,
  sample: {
    pickup_address: { ...from, ...person },
    delivery_points: [{ shipping_address: { ...to, ...person }, gross_weight: 500, cod_amount: 0 }],
  },
  rules: notNegative(
    'shipping_service_fee',
    ...['gross_weight', 'chargeable_weight', 'basket_value', 'cod_amount'].map((name) => `delivery_points.${name}`),
    ...['quantity', 'retail_price', 'payment_price', 'list_price'].map((name) => `delivery_points.lines.${name}`),
  ),
});

export const GetShipnowFulfillment = operation({
  id: 'shop.Shipnow/GetShipnowFulfillment',
  command: 'shipnow get',
  summary: 'Show an on-demand delivery',
  examples: ['shopctl shipnow get 1234567890123456789 --fields shipping_state,driver_name,driver_phone'],
  effect: 'read',
  credential: 'shop-api-key',
  request: record(shipmentLookup('delivery')),
  response: shipnowFulfillment,
  rules: atLeastOneOf('id', 'shipping_code', 'external_id'),
  positional: 'id',
  creatorsNames: true,
});

export const CancelShipnowFulfillment = operation({
  id: 'shop.Shipnow/CancelShipnowFulfillment',
  command: 'shipnow cancel',
  summary: 'Cancel an on-demand delivery',
  examples: ['shopctl shipnow cancel 1234567890123456789 --cancel-reason "Buyer is not at home"'],
  effect: 'transition',
  destructive: true,
  credential: 'shop-api-key',
  request: record({ ...shipmentLookup('delivery'), cancel_reason: text('Why it is cancelled') }),
  response: record({ updated: int('How many were cancelled', 'deliveries') }),
  rules: atLeastOneOf('id', 'shipping_code', 'external_id'),
  positional: 'id',
});
