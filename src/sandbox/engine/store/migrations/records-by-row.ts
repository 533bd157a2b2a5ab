import type { Migration } from './migration.ts';

/** A record table as it is now: the keys that its records can be looked up by, and those that are unique. */
interface RecordTable {
  readonly name: string;
  readonly keys: readonly string[];
  readonly unique?: readonly string[];
}

const recordTables: readonly RecordTable[] = [
  { name: 'customers', keys: ['code', 'external_id', 'external_code', 'phone'] },
  { name: 'customer_addresses', keys: ['customer_id', 'phone'] },
  { name: 'customer_groups', keys: [] },
  { name: 'customer_group_relationships', keys: ['customer_id', 'group_id'] },
  { name: 'fulfillments', keys: ['order_id', 'shipping_code', 'external_id'] },
  { name: 'inventory_levels', keys: ['variant_id'] },
  {
    name: 'orders',
    keys: ['code', 'external_id', 'external_code'],
    unique: ['held_external_id', 'held_external_code'],
  },
  { name: 'products', keys: ['code', 'external_id', 'external_code'] },
  { name: 'product_collections', keys: [] },
  { name: 'product_collection_relationships', keys: ['collection_id', 'product_id'] },
  { name: 'shipnow_fulfillments', keys: ['shipping_code', 'external_id'] },
  { name: 'variants', keys: ['code', 'external_id', 'external_code', 'product_id'] },
];

/** What no operation deletes. */
export const neverDeleted: readonly string[] = ['fulfillments', 'orders', 'shipnow_fulfillments'];

/**
 * Without a primary key, so that SQLite stores whole rows in order of creation: in a table without row numbers, a row
 * of more than a quarter of a page needs overflow pages, and few rows fit below one page of the tree.
 */
function tableOf({ name, keys, unique = [] }: RecordTable): string {
  const columns = [...keys, ...unique].map((key) => `${key} TEXT,`).join(' ');
  return `
    CREATE TABLE ${name} (
      id TEXT NOT NULL CHECK (length(id) = 19),
      shop_id TEXT NOT NULL REFERENCES shops (id),
      partner_id TEXT REFERENCES partners (id),
      deleted INTEGER NOT NULL DEFAULT 0,
      touched INTEGER NOT NULL,
      ${columns}
      body TEXT NOT NULL,
      hidden TEXT NOT NULL DEFAULT '{}'
    ) STRICT;`;
}

/**
 * The first page of a list must stay fast as the table grows, in either order, with or without deleted records: hence
 * four indices, of which the partial ones serve the usual list; two where nothing is ever deleted. A key that a record
 * does not have costs nothing.
 */
function indicesOf({ name, keys, unique = [] }: RecordTable): string {
  return `
    CREATE UNIQUE INDEX ${name}_by_id ON ${name} (shop_id, id);
    CREATE INDEX ${name}_by_touched ON ${name} (shop_id, touched);
    ${neverDeleted.includes(name) ? '' : keptIndicesOf(name)}
    ${keys.map((key) => `CREATE INDEX ${name}_by_${key} ON ${name} (shop_id, ${key}, id) WHERE ${key} IS NOT NULL;`).join('\n')}
    ${unique.map((key) => `CREATE UNIQUE INDEX ${name}_by_${key} ON ${name} (${key}) WHERE ${key} IS NOT NULL;`).join('\n')}`;
}

function keptIndicesOf(name: string): string {
  return `
    CREATE INDEX ${name}_kept_by_id ON ${name} (shop_id, id) WHERE deleted = 0;
    CREATE INDEX ${name}_kept_by_touched ON ${name} (shop_id, touched) WHERE deleted = 0;`;
}

/** The tables of records as they are now. */
export const recordTablesNow = recordTables.map((table) => tableOf(table) + indicesOf(table)).join('');

/** Moves the records into tables whose rows have numbers; see `tableOf`. */
export const recordsByRow: Migration = {
  name: 'records by row',
  sql: `
    DROP INDEX outbox_by_shop;
    ${recordTables.map(moved).join('')}
  `,
};

function moved(table: RecordTable): string {
  const { name, keys, unique = [] } = table;
  const columns = ['id', 'shop_id', 'partner_id', 'deleted', 'touched', ...keys, ...unique, 'body', 'hidden'].join(
    ', ',
  );
  return `
    ALTER TABLE ${name} RENAME TO ${name}_before;
    ${tableOf(table)}
    INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${name}_before ORDER BY id;
    DROP TABLE ${name}_before;
    ${indicesOf(table)}`;
}
