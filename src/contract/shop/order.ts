import * as enums from '../enums.ts';
import { operation } from '../operation.ts';
import { orderWithFulfillments } from '../records/fulfillment.ts';
import { order, orderCancellation, orderRequest, orderSample } from '../records/order.ts';
import { atPage, filtered, lookup, paged } from '../request-shapes.ts';
import { beforeCancelling, cancelledWithShipments, notShipped, orderRules } from '../schema/order-rules.ts';
import { atLeastOneOf, exactlyOneOf } from '../schema/rules.ts';
import { empty, id, idsFilter, list, oneOf, record, requiring } from '../schema/scalars.ts';

export const CreateOrder = operation({
  id: 'shop.Order/CreateOrder',
  command: 'orders create',
  summary: 'Create an order',
  description: 'The order waits for its confirmation; nothing is shipped.',
  examples: [
    'shopctl orders create --input examples/order-complete.json --dry-run',
    'shopctl orders create --lines product_name=Tea,quantity=2,retail_price=120000,payment_price=120000 --total-items 2 --basket-value 240000 --total-discount 0 --total-fee 0 --total-amount 240000',
  ],
  effect: 'create',
  proves: ['lines', 'total_amount'],
  credential: 'shop-api-key',
  request: orderRequest,
  response: order,
  settlement: { by: 'external_id', lookup: 'shop.Order/GetOrder' },
  sample: orderSample,
  alsoCreates: ['customers', 'addresses'],
  rules: orderRules,
  tells: notShipped,
});

export const ConfirmOrder = operation({
  id: 'shop.Order/ConfirmOrder',
  command: 'orders confirm',
  summary: 'Confirm an order',
  examples: [
    'shopctl orders confirm 1234567890123456789',
    'shopctl orders confirm 1234567890123456789 --auto-inventory-voucher confirm --inventory-policy obey',
  ],
  effect: 'transition',
  credential: 'shop-api-key',
  request: requiring(
    { order_id: id('Id of the order') },
    {
      auto_inventory_voucher: oneOf(enums.autoInventoryVoucher, 'create reserves the goods; confirm takes them too'),
      inventory_policy: oneOf(enums.inventoryPolicy, 'obey moves the stock and needs enough of it; ignore leaves it'),
    },
  ),
  response: empty,
  positional: 'order_id',
  byParcel: 'shop.Fulfillment/GetFulfillment',
});

export const CancelOrder = operation({
  id: 'shop.Order/CancelOrder',
  command: 'orders cancel',
  summary: 'Cancel an order and its shipments',
  description:
    'The order is read first: one whose parcel was picked up is left as it is unless only the order is to be cancelled, since nothing stops the parcel and its cash.',
  examples: [
    'shopctl orders cancel 1234567890123456789 --cancel-reason "Buyer changed their mind"',
    'shopctl orders cancel --code DH000117 --cancel-reason "Out of stock" --yes',
  ],
  effect: 'transition',
  destructive: true,
  credential: 'shop-api-key',
  request: orderCancellation,
  response: orderWithFulfillments,
  rules: exactlyOneOf('id', 'code', 'external_id'),
  positional: 'id',
  byParcel: 'shop.Fulfillment/GetFulfillment',
  before: { lookup: 'shop.Order/GetOrder', of: beforeCancelling },
  tells: cancelledWithShipments,
});

export const GetOrder = operation({
  id: 'shop.Order/GetOrder',
  command: 'orders get',
  summary: 'Show an order with its shipments',
  examples: ['shopctl orders get 1234567890123456789', 'shopctl orders get --external-id WEB-2026-000117 --json'],
  effect: 'read',
  credential: 'shop-api-key',
  request: record(lookup('order')),
  response: orderWithFulfillments,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
  creatorsNames: true,
  byParcel: 'shop.Fulfillment/GetFulfillment',
  codesIn: 'shop.Order/ListOrders',
});

export const ListOrders = operation({
  id: 'shop.Order/ListOrders',
  command: 'orders list',
  summary: 'List orders',
  examples: [
    'shopctl orders list --limit 20 --sort -updated_at',
    'shopctl orders list --all -o csv --fields id,external_id,status,total_amount',
    'shopctl orders list --id 1234567890123456789,1234567890123456790 --json',
  ],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({ ...filtered({ id: idsFilter('Ids of the orders') }), ...paged }),
  response: record({ orders: list(order, 'The orders'), ...atPage }),
  page: { items: 'orders', cursors: true },
});
