import { operation } from '../operation.ts';
import { fulfillment } from '../records/fulfillment.ts';
import { atPage, filtered, paged, shipmentLookup } from '../request-shapes.ts';
import { atLeastOneOf } from '../rules.ts';
import { idsFilter, list, record } from '../scalars.ts';

export const GetFulfillment = operation({
  id: 'shop.Fulfillment/GetFulfillment',
  command: 'fulfillments get',
  summary: 'Read a shipment',
  effect: 'read',
  credential: 'shop-api-key',
  request: record(shipmentLookup('shipment')),
  response: fulfillment,
  rules: atLeastOneOf('id', 'shipping_code', 'external_id'),
  positional: 'id',
});

export const ListFulfillments = operation({
  id: 'shop.Fulfillment/ListFulfillments',
  command: 'fulfillments list',
  summary: 'List shipments',
  effect: 'read',
  credential: 'shop-api-key',
  request: record({ ...filtered({ order_id: idsFilter('Ids of the orders') }), ...paged }),
  response: record({ fulfillments: list(fulfillment, 'The shipments'), ...atPage }),
  page: { items: 'fulfillments', cursors: true },
});
