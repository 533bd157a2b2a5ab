import type { entity } from './enums.ts';
import type { OperationId } from './operation-id.ts';

type Entity = (typeof entity)[number];

/** A kind of record that can be copied: one list of the service, or records that are read one by one. */
export interface RecordKind {
  /** Name of its table, and of the area. */
  readonly name: string;
  readonly entity: Entity;
  readonly description: string;
  /** The operation that lists its records; absent if the service has no list of them. */
  readonly list?: OperationId;
  /** The operation that reads one of them. */
  readonly get?: OperationId;
  /** For a list that is read once for each record of another area: its filter, and that area. */
  readonly per?: { readonly filter: string; readonly area: string };
  /** The column, and filter of the list if there is one, by which single records are read. */
  readonly pick?: string;
  /** The area whose deleted records take those of this one along, by the column `pick`, which its list does not tell. */
  readonly endsWith?: string;
  /** The fields that identify a record; `id` when absent. */
  readonly key?: readonly string[];
  /** Lists within a record that have a table of their own: field and table. */
  readonly lists?: Readonly<Record<string, string>>;
  /** The table of its addresses, if they have one. */
  readonly addresses?: string;
  /** Fields that another area mirrors. */
  readonly without?: readonly string[];
}

/** Every kind, in the order in which they are copied: lists that others are read by come first. */
export const recordKinds: readonly RecordKind[] = [
  {
    name: 'orders',
    entity: 'order',
    description: 'Orders; what is sold, their fees and their addresses are in tables of their own.',
    list: 'shop.Order/ListOrders',
    pick: 'id',
    lists: { lines: 'order_lines', fee_lines: 'order_fee_lines' },
    addresses: 'order_addresses',
  },
  {
    name: 'fulfillments',
    entity: 'fulfillment',
    description: 'Shipments (parcels) of orders.',
    list: 'shop.Fulfillment/ListFulfillments',
    pick: 'order_id',
    addresses: 'fulfillment_addresses',
  },
  {
    name: 'customers',
    entity: 'customer',
    description: 'Customers.',
    list: 'shop.Customer/ListCustomers',
    pick: 'id',
  },
  {
    name: 'customer_addresses',
    entity: 'customer_address',
    description: 'Addresses of customers.',
    list: 'shop.CustomerAddress/ListAddresses',
    pick: 'customer_id',
  },
  {
    name: 'customer_groups',
    entity: 'customer_group',
    description: 'Groups of customers.',
    list: 'shop.CustomerGroup/ListGroups',
    pick: 'id',
  },
  {
    name: 'customer_group_members',
    entity: 'customer_group_relationship',
    description: 'Which customer is in which group.',
    list: 'shop.CustomerGroupRelationship/ListRelationships',
    per: { filter: 'group_id', area: 'customer_groups' },
    key: ['customer_id', 'group_id'],
  },
  {
    name: 'products',
    entity: 'product',
    description: 'Products; their variants are in a table of their own.',
    list: 'shop.Product/ListProducts',
    pick: 'id',
    without: ['variants'],
  },
  {
    name: 'variants',
    entity: 'variant',
    description: 'Variants of products.',
    list: 'shop.Variant/ListVariants',
    pick: 'id',
  },
  {
    name: 'collections',
    entity: 'product_collection',
    description: 'Collections of products.',
    list: 'shop.ProductCollection/ListCollections',
    pick: 'id',
  },
  {
    name: 'collection_members',
    entity: 'product_collection_relationship',
    description: 'Which product is in which collection.',
    list: 'shop.ProductCollectionRelationship/ListRelationships',
    per: { filter: 'collection_id', area: 'collections' },
    key: ['collection_id', 'product_id'],
  },
  {
    name: 'inventory_levels',
    entity: 'inventory_level',
    description: 'Stock of variants.',
    list: 'shop.Inventory/ListInventoryLevels',
    pick: 'variant_id',
    endsWith: 'variants',
    key: ['variant_id'],
  },
  {
    name: 'shipnow_fulfillments',
    entity: 'shipnow_fulfillment',
    description: 'On-demand deliveries that are known from webhooks and batches: the service has no list of them.',
    get: 'shop.Shipnow/GetShipnowFulfillment',
    pick: 'id',
    lists: { delivery_points: 'shipnow_delivery_points' },
  },
];

/** The records of that kind; undefined if they cannot be copied. */
export const kindOf = (entity: string): RecordKind | undefined => recordKinds.find((kind) => kind.entity === entity);
