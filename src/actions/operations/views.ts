import type * as z from 'zod';
import { type JsonSchema, jsonSchema } from '../../contract/json-schema.ts';
import type { Operation } from '../../contract/operation.ts';
import { structureOf } from '../../contract/structure.ts';
import type { Column, ColumnKind, View } from '../../contract/view.ts';

/** The columns of a quote, as `quote` and `shipping services` show it. */
export const serviceColumns: readonly Column[] = [
  { path: 'carrier' },
  { path: 'name', header: 'service' },
  { path: 'code' },
  { path: 'fee', kind: 'number' },
  { path: 'estimated_pickup_at', header: 'pickup', kind: 'time', optional: true },
  { path: 'estimated_delivery_at', header: 'delivery', kind: 'time' },
];

const orderColumns: readonly Column[] = [
  { path: 'id' },
  { path: 'code' },
  { path: 'external_id', optional: true },
  { path: 'status', kind: 'status' },
  { path: 'fulfillment_shipping_status', header: 'shipping', kind: 'status', optional: true },
  { path: 'shipping_address.full_name', header: 'recipient' },
  { path: 'total_items', header: 'items', kind: 'number', optional: true },
  { path: 'total_amount', header: 'amount', kind: 'number' },
  { path: 'created_at', header: 'created', kind: 'time', optional: true },
];

const shippedOrderColumns: readonly Column[] = [
  { path: 'order.id', header: 'order' },
  { path: 'order.code', header: 'code' },
  { path: 'order.external_id', header: 'external_id' },
  { path: 'order.external_code', header: 'external_code' },
  { path: 'order.status', header: 'status', kind: 'status' },
  { path: 'order.confirm_status', header: 'confirmed', kind: 'status' },
  { path: 'order.platform_payment_status', header: 'payment', kind: 'status' },
  { path: 'order.fulfillment_shipping_status', header: 'shipping', kind: 'status' },
  { path: 'order.shipping_address.full_name', header: 'recipient' },
  { path: 'order.shipping_address.province', header: 'province' },
  { path: 'order.total_items', header: 'items', kind: 'number' },
  { path: 'order.basket_value', header: 'basket_value', kind: 'number' },
  { path: 'order.total_discount', header: 'total_discount', kind: 'number' },
  { path: 'order.total_fee', header: 'total_fee', kind: 'number' },
  { path: 'order.total_amount', header: 'total_amount', kind: 'number' },
  { path: 'order.shipping.carrier', header: 'carrier' },
  { path: 'order.shipping.shipping_service_code', header: 'service' },
  { path: 'order.shipping.shipping_service_fee', header: 'service_fee', kind: 'number' },
  { path: 'order.shipping.cod_amount', header: 'cod_amount', kind: 'number' },
  { path: 'order.shipping.chargeable_weight', header: 'chargeable_weight', kind: 'number' },
  { path: 'fulfillments.shipping_code', header: 'parcel' },
  { path: 'fulfillments.shipping_state', header: 'parcel_state' },
  { path: 'order.cancel_reason', header: 'cancel_reason' },
  { path: 'order.created_at', header: 'created', kind: 'time' },
];

const fulfillmentColumns: readonly Column[] = [
  { path: 'id' },
  { path: 'order_id', optional: true },
  { path: 'carrier' },
  { path: 'shipping_code' },
  { path: 'shipping_state', header: 'state' },
  { path: 'status', kind: 'status' },
  { path: 'shipping_service_fee', header: 'fee', kind: 'number', optional: true },
  { path: 'cod_amount', header: 'cod', kind: 'number', optional: true },
  { path: 'estimated_delivery_at', header: 'delivery', kind: 'time', optional: true },
];

/** The offers for a parcel, and those for an on-demand delivery, which name their carrier otherwise. */
const servicesOfParcel: View = { columns: serviceColumns, name: 'code' };
const servicesOnDemand: View = {
  columns: [
    { path: 'carrier_info.name', header: 'carrier' },
    { path: 'name', header: 'service' },
    { path: 'code' },
    { path: 'fee', kind: 'number' },
    { path: 'description' },
  ],
  name: 'code',
};

/** Where a person deserves better than the first fields of the record: by the key of a list's records. */
const ofList: Readonly<Record<string, View>> = {
  customers: {
    columns: [
      { path: 'id' },
      { path: 'code' },
      { path: 'full_name' },
      { path: 'phone' },
      { path: 'email', optional: true },
      { path: 'type', optional: true },
      { path: 'status', kind: 'status' },
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
      { path: 'status', kind: 'status' },
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
      { path: 'status', kind: 'status' },
    ],
  },
  customer_groups: { columns: [{ path: 'id' }, { path: 'name' }] },
  collections: { columns: [{ path: 'id' }, { path: 'name' }, { path: 'short_desc' }] },
  orders: { columns: orderColumns },
  fulfillments: { columns: fulfillmentColumns },
  inventory_levels: {
    columns: [
      { path: 'variant_id' },
      { path: 'available_quantity', kind: 'number' },
      { path: 'reserved_quantity', kind: 'number' },
      { path: 'picked_quantity', kind: 'number' },
      { path: 'updated_at', kind: 'time' },
    ],
    name: 'variant_id',
  },
  webhooks: {
    columns: [
      { path: 'id' },
      { path: 'url' },
      { path: 'entities' },
      { path: 'states.state', header: 'state' },
      { path: 'states.last_sent_at', header: 'last_sent', kind: 'time' },
      { path: 'states.last_error.error', header: 'last_error' },
    ],
  },
};

const MOST_COLUMNS = 8;

function kindOf(name: string, schema: JsonSchema): ColumnKind {
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean') return 'flag';
  return /(^|_)status$/.test(name) ? 'status' : 'text';
}

function columnsOf(schema: JsonSchema): Column[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, field]) => field.type !== 'array' && field.type !== 'object')
    .map(([path, field]) => ({ path, kind: kindOf(path, field) }));
}

/** Every path that a record has, nested ones dotted, through lists as well. */
export function pathsOf(schema: JsonSchema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    return [path, ...pathsOf(field.items ?? field, `${path}.`)];
  });
}

/** What names a record of a relationship, which has no id of its own, is its first id. */
function nameOf(schema: JsonSchema): string {
  const names = Object.keys(schema.properties ?? {});
  return names.find((name) => name === 'id') ?? names.find((name) => name.endsWith('_id')) ?? names[0] ?? 'id';
}

function viewOfRecord(schema: JsonSchema): Required<Pick<View, 'columns' | 'name'>> {
  if (schema.properties?.order !== undefined && schema.properties.fulfillments !== undefined) {
    return { columns: shippedOrderColumns, name: 'order.id' };
  }
  return { columns: columnsOf(schema), name: nameOf(schema) };
}

function viewOfServices(item: JsonSchema): View {
  return item.properties?.carrier === undefined ? servicesOnDemand : servicesOfParcel;
}

function madeView(operation: Operation): Required<Pick<View, 'columns' | 'name' | 'fields'>> {
  const response = jsonSchema(operation.response);
  if (operation.page === undefined) return { ...viewOfRecord(response), fields: pathsOf(response) };
  const item = response.properties?.[operation.page.items]?.items ?? { type: 'object' };
  const fallback = {
    columns: columnsOf(item)
      .slice(0, MOST_COLUMNS)
      .map((column, index) => ({ ...column, optional: index > 2 })),
    name: nameOf(item),
  };
  const written = operation.page.items === 'services' ? viewOfServices(item) : ofList[operation.page.items];
  return { name: 'id', ...(written ?? fallback), fields: pathsOf(item) };
}

/** How the output of any action is shown where nobody wrote it down: the fields of its record, or of its list's records. */
export function viewOfOutput(output: z.ZodType): View {
  const structure = structureOf(output);
  if (structure.kind === 'scalar') return { columns: [] };
  const schema = jsonSchema(output);
  const item = schema.items ?? schema;
  return { columns: columnsOf(item), name: nameOf(item), fields: pathsOf(item) };
}

/**
 * How an operation's records are shown: as somebody wrote it down, else the fields of the record in its order. It is
 * made when it is first looked at, which JSON without `--fields` never does.
 */
export function viewOf(operation: Operation): View {
  let made: ReturnType<typeof madeView> | undefined;
  const view = () => {
    made ??= madeView(operation);
    return made;
  };
  return {
    get columns() {
      return view().columns;
    },
    get name() {
      return view().name;
    },
    get fields() {
      return view().fields;
    },
  };
}
