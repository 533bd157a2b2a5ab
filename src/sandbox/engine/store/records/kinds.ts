import type * as z from 'zod';
import type { entity } from '../../../../contract/enums.ts';
import type { change } from '../../../../contract/records/account/change.ts';

/** The kinds of records: the one-of keys of a Change (contract, "Change (event payload)"). */
export type Entity = (typeof entity)[number];

type AnyRecord = NonNullable<z.output<typeof change>['latest']>;

/** A record of one kind, in its wire form. */
export type RecordOf<Kind extends Entity> = NonNullable<AnyRecord[Kind]>;

/** The columns that a record can be looked up by, besides its id. Each kind has some of them. */
export interface Keys {
  code: string | null;
  external_id: string | null;
  external_code: string | null;
  phone: string | null;
  customer_id: string | null;
  group_id: string | null;
  collection_id: string | null;
  product_id: string | null;
  variant_id: string | null;
  order_id: string | null;
  shipping_code: string | null;
  /** The external id that an order reserves, with its maker; null once it is free (decisions, section 7). */
  held_external_id: string | null;
  /** The external code that an order reserves; null once it is free. */
  held_external_code: string | null;
}

export type Key = keyof Keys;

/** How one kind is stored: its table, and the key columns, copied from the record or from what is stored beside it. */
export interface Kind {
  readonly table: string;
  readonly keys: readonly Key[];
}

const named = ['code', 'external_id', 'external_code'] as const;

/** The one list of kinds. A new key of a kind also needs a migration. */
export const kinds = {
  customer: { table: 'customers', keys: [...named, 'phone'] },
  customer_address: { table: 'customer_addresses', keys: ['customer_id', 'phone'] },
  customer_group: { table: 'customer_groups', keys: [] },
  customer_group_relationship: { table: 'customer_group_relationships', keys: ['customer_id', 'group_id'] },
  fulfillment: { table: 'fulfillments', keys: ['order_id', 'shipping_code', 'external_id'] },
  inventory_level: { table: 'inventory_levels', keys: ['variant_id'] },
  order: { table: 'orders', keys: [...named, 'held_external_id', 'held_external_code'] },
  product: { table: 'products', keys: named },
  product_collection: { table: 'product_collections', keys: [] },
  product_collection_relationship: { table: 'product_collection_relationships', keys: ['collection_id', 'product_id'] },
  shipnow_fulfillment: { table: 'shipnow_fulfillments', keys: ['shipping_code', 'external_id'] },
  variant: { table: 'variants', keys: [...named, 'product_id'] },
} as const satisfies Record<Entity, Kind>;

/** The keys that records of one kind can be looked up by. */
export type KeyOf<K extends Entity> = (typeof kinds)[K]['keys'][number];
