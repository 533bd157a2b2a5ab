import type { entity } from '../../../contract/enums.ts';
import type { OperationId } from '../../../contract/operation-id.ts';
import { change } from '../../../contract/records/account/change.ts';
import { type JsonSchema, jsonSchema } from '../../../contract/schema/json-schema.ts';
import { flatten, type MirrorColumn, type Part } from './columns.ts';

type Entity = (typeof entity)[number];

/** What the mirror copies: one list of the service, or records that are read one by one. */
interface Declaration {
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

const declarations: readonly Declaration[] = [
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

/** A table of parts of records: the lines of an order, for example. */
export interface ChildTable {
  readonly name: string;
  readonly description: string;
  /** The column with the id of the record that the row belongs to. */
  readonly owner: string;
  /** `line`, the position from 1, or `kind`, which of the record's addresses it is. */
  readonly place: 'line' | 'kind';
  readonly columns: readonly MirrorColumn[];
  /** Where the parts are in the record, and for addresses what each is called. */
  readonly sources: readonly { readonly path: readonly string[]; readonly kind?: string }[];
}

/** One area of the mirror, derived from the contract. */
export interface MirrorArea extends Omit<Declaration, 'key' | 'lists' | 'addresses' | 'without'> {
  readonly key: readonly string[];
  readonly columns: readonly MirrorColumn[];
  readonly children: readonly ChildTable[];
  /** Whether its records say when they last changed. */
  readonly isTimed: boolean;
}

const SINGULAR: Readonly<Record<string, string>> = {
  orders: 'order_id',
  fulfillments: 'fulfillment_id',
  shipnow_fulfillments: 'shipnow_fulfillment_id',
};

function listChild(parent: string, name: string, { path, schema }: Part): ChildTable {
  const { columns } = flatten(schema, { apart: [], addresses: false });
  const description = `The ${path.join('.')} of ${parent}, each on a row.`;
  return { name, description, owner: SINGULAR[parent] ?? 'owner_id', place: 'line', columns, sources: [{ path }] };
}

function addressChild(parent: string, name: string, parts: readonly Part[]): ChildTable[] {
  const [first] = parts;
  if (first === undefined) return [];
  const { columns } = flatten(first.schema, { apart: [], addresses: false });
  const kindOf = (path: readonly string[]) => (path.at(-1) ?? '').replace(/_address$/, '');
  const sources = parts.map(({ path }) => ({ path, kind: kindOf(path) }));
  const kinds = sources.map(({ kind }) => kind).join(', ');
  const description = `The addresses of ${parent}, by kind: ${kinds}.`;
  return [{ name, description, owner: SINGULAR[parent] ?? 'owner_id', place: 'kind', columns, sources }];
}

const records = jsonSchema(change.shape.latest).properties ?? {};

function areaOf({ key = ['id'], lists = {}, addresses, without = [], ...declared }: Declaration): MirrorArea {
  const schema: JsonSchema = records[declared.entity] ?? { type: 'object' };
  const apart = Object.keys(lists);
  const flat = flatten(schema, { apart, addresses: addresses !== undefined, without });
  const ofLists = flat.lists.map((part) => listChild(declared.name, lists[part.path.at(-1) ?? ''] ?? '', part));
  const ofAddresses = addresses === undefined ? [] : addressChild(declared.name, addresses, flat.addresses);
  return {
    ...declared,
    key,
    columns: flat.columns.filter(({ name }) => name !== 'shop_id'),
    children: [...ofLists, ...ofAddresses],
    isTimed: schema.properties?.updated_at !== undefined,
  };
}

/** Every area, in the order in which they are synced: lists that others are read by come first. */
export const mirrorAreas: readonly MirrorArea[] = declarations.map(areaOf);

/** The area of that name; undefined if there is none. */
export const areaNamed = (name: string): MirrorArea | undefined => mirrorAreas.find((area) => area.name === name);

/** The area whose records are of that kind; undefined if the mirror has none. */
export const areaOfEntity = (kind: string): MirrorArea | undefined => mirrorAreas.find((area) => area.entity === kind);
