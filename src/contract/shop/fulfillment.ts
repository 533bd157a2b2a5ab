import { operation } from '../operation.ts';
import { fulfillment } from '../records/fulfillment.ts';
import { atPage, filtered, paged, shipmentLookup } from '../request-shapes.ts';
import { atLeastOneOf } from '../schema/rules.ts';
import { idsFilter, list, record } from '../schema/scalars.ts';

export const GetFulfillment = operation({
  id: 'shop.Fulfillment/GetFulfillment',
  command: 'fulfillments get',
  summary: 'Show a shipment',
  examples: ['shopctl fulfillments get 1234567890123456789', 'shopctl fulfillments get --shipping-code SBX00012345'],
  effect: 'read',
  credential: 'shop-api-key',
  request: record(shipmentLookup('shipment')),
  response: fulfillment,
  rules: atLeastOneOf('id', 'shipping_code', 'external_id'),
  positional: 'id',
  creatorsNames: true,
});

export const ListFulfillments = operation({
  id: 'shop.Fulfillment/ListFulfillments',
  command: 'fulfillments list',
  summary: 'List shipments',
  examples: [
    'shopctl fulfillments list --order-id 1234567890123456789',
    'shopctl fulfillments list --all --query "[?shipping_state==\'delivering\'].shipping_code"',
  ],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({ ...filtered({ order_id: idsFilter('Ids of the orders') }), ...paged }),
  response: record({ fulfillments: list(fulfillment, 'The shipments'), ...atPage }),
  page: { items: 'fulfillments', cursors: true },
});
