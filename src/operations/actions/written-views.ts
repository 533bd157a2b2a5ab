import type { Beside, Column, Layout, View } from '../../contract/view.ts';
import { paidBefore } from '../../domain/amounts/cash-on-delivery.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { nextAttemptOf } from '../../domain/redelivery.ts';

/** The columns of a quote, for `quote` and `shipping services`. */
export const serviceColumns: readonly Column[] = [
  { path: 'carrier' },
  { path: 'name', header: 'service' },
  { path: 'code' },
  { path: 'fee', kind: 'number' },
  { path: 'estimated_pickup_at', header: 'pickup', kind: 'time', optional: true },
  { path: 'estimated_delivery_at', header: 'delivery', kind: 'time' },
];

/** The parcels of an order, which its record does not contain. */
const parcels: Beside = {
  as: 'fulfillments',
  key: 'id',
  list: 'shop.Fulfillment/ListFulfillments',
  filter: 'order_id',
  on: 'order_id',
};

const orderColumns: readonly Column[] = [
  { path: 'id', optional: true, goesFirst: true },
  { path: 'code' },
  { path: 'external_code', optional: true },
  { path: 'external_id', optional: true },
  { path: 'status', kind: 'status' },
  { path: 'fulfillments.shipping_code', header: 'parcel' },
  { path: 'fulfillments.shipping_state', header: 'parcel_state', kind: 'state', optional: true },
  { path: 'shipping_address.full_name', header: 'recipient' },
  { path: 'total_items', header: 'items', kind: 'number', optional: true },
  { path: 'total_amount', header: 'amount', kind: 'number' },
  { path: 'shipping.cod_amount', header: 'cash', kind: 'number', unlessBlank: true },
  { path: 'created_at', header: 'created', kind: 'time', optional: true },
];

const ordersOnPage: readonly Column[] = [
  { path: 'code' },
  { path: 'shipping_address.full_name', header: 'recipient' },
  { path: 'total_amount', header: 'amount', kind: 'number' },
  { path: 'shipping.cod_amount', header: 'cash', kind: 'number' },
  { path: 'status', kind: 'status' },
  { path: 'fulfillments.shipping_state', header: 'parcel_state', kind: 'state' },
  { path: 'fulfillments.shipping_code', header: 'parcel', optional: true },
  { path: 'created_at', header: 'created', kind: 'time', optional: true },
];

const lineColumns: readonly Column[] = [
  { path: 'quantity', kind: 'number' },
  { path: 'product_name' },
  { path: 'attributes.value' },
  { path: 'payment_price', kind: 'number' },
];

const feeColumns: readonly Column[] = [
  { path: 'type', kind: 'state' },
  { path: 'name' },
  { path: 'amount', kind: 'number' },
];

/** An address in a few lines: who, the phone, and the place. */
const addressColumns = (path: string, header: string): readonly Column[] => [
  { path: `${path}.full_name`, header },
  { path: `${path}.phone`, header: `${header}_phone` },
  { path: `${path}.address1`, header: `${header}_street` },
  { path: `${path}.ward`, header: `${header}_ward` },
  { path: `${path}.district`, header: `${header}_district` },
  { path: `${path}.province`, header: `${header}_province` },
];

/** What a terminal shows of an order that was cancelled. */
export const endedOrderPaths: readonly string[] = [
  'order.code',
  'order.external_code',
  'order.status',
  'fulfillments.shipping_code',
  'fulfillments.shipping_state',
];

/** An order as needed for packing: recipient and address, contents, cash to collect, and which parcel it is. */
export const shippedOrderColumns: readonly Column[] = [
  { path: 'order.id', header: 'order' },
  { path: 'order.code', header: 'code' },
  { path: 'order.external_code', header: 'external_code' },
  { path: 'order.external_id', header: 'external_id' },
  { path: 'order.status', header: 'status', kind: 'status' },
  { path: 'order.confirm_status', header: 'confirmed', kind: 'status' },
  { path: 'order.platform_payment_status', header: 'payment', kind: 'status' },
  { path: 'order.fulfillment_shipping_status', header: 'shipping', kind: 'status' },
  { path: 'order.confirmed_at', header: 'confirmed_at', kind: 'time' },
  { path: 'order.cancelled_at', header: 'cancelled_at', kind: 'time' },
  { path: 'order.cancel_reason', header: 'cancel_reason' },
  {
    path: 'fulfillments.shipping_code',
    header: 'parcel',
    of: { group: 'fulfillments', id: 'fulfillments.id' },
  },
  { path: 'fulfillments.shipping_state', header: 'parcel_state', kind: 'state' },
  { path: 'fulfillments.shipping_substate', header: 'parcel_trouble', kind: 'state' },
  { path: 'fulfillments.estimated_delivery_at', header: 'delivery', kind: 'time' },
  { path: 'fulfillments.actual_shipping_service_fee', header: 'actual_fee', kind: 'number' },
  { path: 'fulfillments.actual_cod_amount', header: 'actual_cod', kind: 'number' },
  { path: 'order.shipping.carrier', header: 'carrier' },
  { path: 'order.shipping.shipping_service_name', header: 'service' },
  { path: 'order.shipping.shipping_service_code', header: 'service_code' },
  { path: 'order.shipping.shipping_service_fee', header: 'service_fee', kind: 'number' },
  { path: 'order.shipping_address.full_name', header: 'recipient' },
  { path: 'order.shipping_address.phone', header: 'phone' },
  { path: 'order.shipping_address.address1', header: 'street' },
  { path: 'order.shipping_address.address2', header: 'street_2' },
  { path: 'order.shipping_address.ward', header: 'ward' },
  { path: 'order.shipping_address.district', header: 'district' },
  { path: 'order.shipping_address.province', header: 'province' },
  ...addressColumns('order.customer_address', 'customer'),
  ...addressColumns('order.shipping.pickup_address', 'pickup'),
  ...addressColumns('order.shipping.return_address', 'return'),
  { path: 'order.lines', header: 'lines', each: lineColumns },
  { path: 'order.total_items', header: 'items', kind: 'number' },
  { path: 'order.basket_value', header: 'basket_value', kind: 'number' },
  { path: 'order.order_discount', header: 'order_discount', kind: 'number' },
  { path: 'order.total_discount', header: 'total_discount', kind: 'number' },
  { path: 'order.fee_lines', header: 'fees', each: feeColumns },
  { path: 'order.total_fee', header: 'total_fee', kind: 'number' },
  { path: 'order.total_amount', header: 'total_amount', kind: 'number' },
  { path: 'order.shipping.cod_amount', header: 'cod_amount', kind: 'number' },
  { path: 'paid_before', kind: 'number' },
  { path: 'order.shipping.chargeable_weight', header: 'chargeable_weight', kind: 'number' },
  { path: 'order.shipping.gross_weight', header: 'gross_weight', kind: 'number' },
  { path: 'order.shipping.length', header: 'length', kind: 'number' },
  { path: 'order.shipping.width', header: 'width', kind: 'number' },
  { path: 'order.shipping.height', header: 'height', kind: 'number' },
  { path: 'order.shipping.try_on', header: 'try_on', kind: 'inspection' },
  { path: 'order.shipping.include_insurance', header: 'insured', kind: 'flag' },
  { path: 'order.shipping.shipping_note', header: 'shipping_note' },
  { path: 'order.order_note', header: 'order_note' },
  { path: 'order.external_url', header: 'external_url' },
  { path: 'order.external_meta', header: 'external_meta' },
  { path: 'order.created_at', header: 'created', kind: 'time' },
];

/** What was paid of a shipped order before its delivery. */
export const paidOfOrder: Beside = { as: 'paid_before', of: ({ order }) => paidBefore(fieldsIn(order)) };

/** The order of a parcel, which has its recipient. */
const orderOfParcel: Beside = {
  as: 'order',
  key: 'order_id',
  list: 'shop.Order/ListOrders',
  filter: 'id',
  on: 'id',
  isOne: true,
};

const fulfillmentColumns: readonly Column[] = [
  { path: 'id' },
  { path: 'order_id', optional: true },
  { path: 'order.shipping_address.full_name', header: 'recipient' },
  { path: 'carrier' },
  { path: 'shipping_code' },
  { path: 'shipping_state', header: 'state', kind: 'state' },
  { path: 'status', kind: 'status' },
  { path: 'shipping_service_fee', header: 'fee', kind: 'number', optional: true },
  { path: 'cod_amount', header: 'cod', kind: 'number', optional: true },
  { path: 'estimated_delivery_at', header: 'delivery', kind: 'time', optional: true },
];

const parcelsOnPage: readonly Column[] = [
  { path: 'shipping_code', header: 'parcel' },
  { path: 'order.shipping_address.full_name', header: 'recipient' },
  { path: 'cod_amount', header: 'cash', kind: 'number' },
  { path: 'shipping_state', header: 'state', kind: 'state' },
  { path: 'carrier' },
  { path: 'estimated_delivery_at', header: 'delivery', kind: 'time', optional: true },
  { path: 'shipping_service_fee', header: 'fee', kind: 'number', optional: true },
  { path: 'status', kind: 'status', optional: true },
];

/** The offers for a parcel, and those for an on-demand delivery, which name the carrier differently. */
export const servicesOfParcel: View = { columns: serviceColumns, name: 'code' };
export const servicesOnDemand: View = {
  columns: [
    { path: 'carrier_info.name', header: 'carrier' },
    { path: 'name', header: 'service' },
    { path: 'code' },
    { path: 'fee', kind: 'number' },
    { path: 'description' },
  ],
  name: 'code',
};

/** The product of a variant that has no name of its own. */
const productOf: Beside = {
  as: 'product',
  key: 'product_id',
  list: 'shop.Product/ListProducts',
  filter: 'id',
  on: 'id',
  isOne: true,
  unless: 'name',
};

/** What a variant is called: its own name, else that of its product. */
function nameOfVariant({ name, product }: Fields): unknown {
  return typeof name === 'string' && name !== '' ? name : fieldsIn(product).name;
}

/** The variant of a stock level. */
const variantOf: Beside = {
  as: 'variant',
  key: 'variant_id',
  list: 'shop.Variant/ListVariants',
  filter: 'id',
  on: 'id',
  isOne: true,
  beside: [productOf, { as: 'name', of: nameOfVariant }],
};

/** Views for lists whose first fields are not enough, by the key of a list's records. */
export const ofList: Readonly<Record<string, View>> = {
  customers: {
    columns: [
      { path: 'id' },
      { path: 'code' },
      { path: 'full_name' },
      { path: 'phone' },
      { path: 'email', optional: true },
      { path: 'type', kind: 'state', optional: true },
      { path: 'status', kind: 'activity' },
    ],
  },
  addresses: {
    columns: ['id', 'customer_id', 'full_name', 'phone', 'address1', 'ward', 'district', 'province'].map((path) => ({
      path,
      optional: ['customer_id', 'ward', 'address1'].includes(path),
    })),
  },
  products: {
    columns: [
      { path: 'id' },
      { path: 'code' },
      { path: 'name' },
      { path: 'list_price', kind: 'number', optional: true },
      { path: 'retail_price', kind: 'number' },
      { path: 'variants.code', header: 'variants', optional: true },
      { path: 'status', kind: 'activity' },
    ],
  },
  shop_variants: {
    columns: [
      { path: 'id' },
      { path: 'product_id', optional: true },
      { path: 'code' },
      { path: 'name' },
      { path: 'attributes.value', header: 'attributes' },
      { path: 'list_price', kind: 'number', optional: true },
      { path: 'retail_price', kind: 'number' },
      { path: 'status', kind: 'activity' },
    ],
  },
  customer_groups: { columns: [{ path: 'id' }, { path: 'name' }] },
  collections: { columns: [{ path: 'id' }, { path: 'name' }, { path: 'short_desc' }] },
  orders: { columns: orderColumns, pageColumns: ordersOnPage, beside: [parcels] },
  fulfillments: { columns: fulfillmentColumns, pageColumns: parcelsOnPage, beside: [orderOfParcel] },
  inventory_levels: {
    columns: [
      { path: 'variant_id' },
      { path: 'variant.code', header: 'code' },
      { path: 'variant.name', header: 'name' },
      { path: 'available_quantity', header: 'available', kind: 'number' },
      { path: 'reserved_quantity', header: 'reserved', kind: 'number' },
      { path: 'picked_quantity', header: 'picked', kind: 'number' },
      { path: 'updated_at', header: 'updated', kind: 'time', optional: true },
    ],
    name: 'variant_id',
    beside: [variantOf],
  },
  webhooks: {
    columns: [
      { path: 'id' },
      { path: 'url', cut: 'start' },
      { path: 'entities', kind: 'state', optional: true },
      { path: 'states.state', header: 'state', kind: 'state' },
      { path: 'states.last_error.resp_status', header: 'status' },
      { path: 'states.last_error.resp_body', header: 'body' },
      { path: 'next_try_at', header: 'next_try', kind: 'moment' },
      { path: 'states.last_error.retried', header: 'retried', kind: 'number', optional: true },
      { path: 'states.last_error.error', header: 'last_error', optional: true },
      { path: 'states.last_sent_at', header: 'last_sent', kind: 'moment', optional: true },
    ],
    beside: [{ as: 'next_try_at', of: nextAttemptOf }],
  },
};

/** Columns of nested lists, by the name of the list. */
export const eachOf: Readonly<Record<string, readonly Column[]>> = {
  variants: [
    { path: 'code' },
    { path: 'name' },
    { path: 'attributes.value', header: 'attributes' },
    { path: 'retail_price', kind: 'number' },
  ],
  attributes: [{ path: 'name' }, { path: 'value' }],
  lines: lineColumns,
  fee_lines: feeColumns,
  delivery_points: [
    { path: 'shipping_address.full_name', header: 'recipient' },
    { path: 'shipping_address.phone', header: 'phone' },
    { path: 'shipping_address.address', header: 'address' },
    { path: 'shipping_address.ward', header: 'ward' },
    { path: 'shipping_address.district', header: 'district' },
    { path: 'lines.product_name', header: 'goods' },
    { path: 'lines.quantity', header: 'quantities' },
    { path: 'gross_weight', header: 'grams', kind: 'number' },
    { path: 'cod_amount', header: 'cod', kind: 'number' },
    { path: 'shipping_state', header: 'state', kind: 'state' },
    { path: 'shipping_note', header: 'note' },
  ],
};

const addressParts = (path: string) =>
  ['full_name', 'company', 'phone', 'address1', 'address2', 'ward', 'district', 'province'].map(
    (name) => `${path}.${name}`,
  );

const goods = [
  'lines',
  'total_items',
  'basket_value',
  'order_discount',
  'total_discount',
  'fee_lines',
  'total_fee',
  'total_amount',
];

/** How the page of a record is laid out, by its area in the contract; `order` is one with its parcels. */
export const layouts: Readonly<Record<'order', Layout>> & Readonly<Record<string, Layout>> = {
  order: {
    title: ['order.code', 'order.external_code', 'order.external_id'],
    states: [
      { path: 'order.status', label: 'order' },
      'order.confirm_status',
      'fulfillments.shipping_state',
      'fulfillments.shipping_substate',
      'order.platform_payment_status',
    ],
    first: [
      { path: 'order.shipping.cod_amount', label: 'cash (COD)' },
      'paid_before',
      'order.shipping_address.full_name',
      'order.shipping_address.phone',
      'fulfillments.shipping_code',
      'fulfillments.estimated_delivery_at',
      'order.external_id',
      'order.external_code',
      'order.cancel_reason',
    ],
    parts: [
      { title: 'Goods', shows: goods.map((path) => `order.${path}`) },
      { title: 'To', shows: addressParts('order.shipping_address'), isAddress: true },
      { title: 'From', shows: addressParts('order.shipping.pickup_address'), isAddress: true },
      {
        title: 'Carrier and fee',
        shows: [
          'order.shipping.carrier',
          'order.shipping.shipping_service_name',
          'order.shipping.shipping_service_fee',
          'fulfillments.actual_shipping_service_fee',
          'fulfillments.actual_cod_amount',
          'order.shipping.include_insurance',
          'order.shipping.chargeable_weight',
          'order.shipping.try_on',
          'order.shipping.shipping_note',
        ],
      },
      { title: 'Notes', shows: ['order.order_note'] },
    ],
  },
  'shop.Fulfillment': {
    title: ['shipping_code'],
    states: [
      { path: 'shipping_state', label: 'parcel' },
      'shipping_substate',
      'status',
      { path: 'platform_payment_status', label: 'payment' },
    ],
    first: [
      { path: 'cod_amount', label: 'cash (COD)' },
      { path: 'shipping_address.full_name', label: 'recipient' },
      { path: 'shipping_address.phone', label: 'phone' },
      { path: 'estimated_delivery_at', label: 'delivery' },
      'cancel_reason',
    ],
    parts: [
      { title: 'To', shows: addressParts('shipping_address'), isAddress: true },
      { title: 'From', shows: addressParts('pickup_address'), isAddress: true },
      {
        title: 'Carrier and fee',
        shows: [
          'carrier',
          'shipping_service_name',
          'shipping_service_fee',
          'actual_shipping_service_fee',
          'actual_cod_amount',
          'include_insurance',
          'chargeable_weight',
          'try_on',
          'shipping_note',
        ],
      },
      { title: 'Order', shows: ['order_id', 'total_items', 'basket_value'] },
    ],
  },
  'shop.Customer': {
    title: ['full_name', 'code'],
    states: ['status'],
    first: ['phone', 'email', 'code'],
    parts: [{ title: 'About', shows: ['type', 'gender', 'birthday', 'note'] }],
  },
  'shop.Product': {
    title: ['name', 'code'],
    states: ['status'],
    first: ['retail_price', 'list_price', 'code'],
    parts: [{ title: 'Variants', shows: ['variants'] }],
  },
  'shop.Variant': {
    title: ['name', 'code'],
    states: ['status'],
    first: ['retail_price', 'list_price', 'code'],
    parts: [{ title: 'Product', shows: ['product_id', 'attributes'] }],
  },
};
