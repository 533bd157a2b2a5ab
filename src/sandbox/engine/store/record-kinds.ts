import type * as z from 'zod';
import type { entity } from '../../../contract/enums.ts';
import type { change } from '../../../contract/records/change.ts';

/**
 * The url of something that a person would open in a browser. The sandbox has no such pages, and the name will never
 * resolve: it is reserved for examples (RFC 2606; our choice).
 */
export function webAddress(path: string): string {
  return `https://sandbox.example/${path}`;
}

/** The sort orders of a list; the first is the default (decisions, section 4). */
export const sorts = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;

export type Sort = (typeof sorts)[number];

/** A position in a list, between two pages. */
export interface Cursor {
  /** The list that the position belongs to. */
  readonly list: string;
  readonly sort: Sort;
  /** The key of the row: its id, or its stamp if the list is sorted by updated_at. */
  readonly at: string;
  /** The last stamp when the iteration began: rows with a greater one were changed since. */
  readonly since: number;
  /** Whether the iteration has reached its end and now returns what was changed since it began. */
  readonly catchingUp: boolean;
}

/** An opaque text for a position; it includes the list and its sort order. */
export function writeCursor({ list, sort, at, since, catchingUp }: Cursor): string {
  return Buffer.from(`${list}|${sort}|${at}|${since}|${catchingUp ? 1 : 0}`).toString('base64url');
}

const WRITTEN = /^([a-z_]+ \d{1,19})\|(-?[a-z_]+)\|(\d{1,19})\|(\d{1,16})\|([01])$/;

/** Parses a cursor; undefined for any text that `writeCursor` did not write. */
export function readCursor(text: string): Cursor | undefined {
  const written = WRITTEN.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const [, list = '', sort = '', at = '', since = '', catchingUp] = written;
  const known = sorts.find((name) => name === sort);
  if (known === undefined || at === '') return undefined;
  const cursor = { list, sort: known, at, since: Number(since), catchingUp: catchingUp === '1' };
  return writeCursor(cursor) === text ? cursor : undefined;
}

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

/** A whole answer, put together of stored records by the statement that read them: its JSON in UTF-8. */
export class StoredAnswer {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** A page of records that are sent as they are stored: those of one field of an answer, in UTF-8, and its paging. */
export class StoredPage {
  readonly field: string;
  /** The records, separated by commas. */
  readonly records: Uint8Array;
  readonly paging: object;

  constructor(field: string, records: Uint8Array, paging: object) {
    this.field = field;
    this.records = records;
    this.paging = paging;
  }
}

/** A whole record as stored: JSON in the wire form, for an answer that returns it unchanged. */
export class StoredJson {
  readonly kind: Entity;
  readonly json: string;

  constructor(kind: Entity, json: string) {
    this.kind = kind;
    this.json = json;
  }
}
