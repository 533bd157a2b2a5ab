import type { Migration } from './migration.ts';

/**
 * A table of records. The first page of a list must stay fast as the table grows, in either order, with or without
 * deleted records: hence four indices, of which the partial ones serve the usual list.
 */
function recordTable(name: string, keys: readonly string[], unique: readonly string[] = []): string {
  const columns = [...keys, ...unique].map((key) => `${key} TEXT,`).join(' ');
  return `
    CREATE TABLE ${name} (
      id TEXT PRIMARY KEY CHECK (length(id) = 19),
      shop_id TEXT NOT NULL REFERENCES shops (id),
      partner_id TEXT REFERENCES partners (id),
      deleted INTEGER NOT NULL DEFAULT 0,
      touched INTEGER NOT NULL UNIQUE,
      ${columns}
      body TEXT NOT NULL,
      hidden TEXT NOT NULL DEFAULT '{}'
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ${name}_by_id ON ${name} (shop_id, id);
    CREATE INDEX ${name}_by_touched ON ${name} (shop_id, touched);
    CREATE INDEX ${name}_kept_by_id ON ${name} (shop_id, id) WHERE deleted = 0;
    CREATE INDEX ${name}_kept_by_touched ON ${name} (shop_id, touched) WHERE deleted = 0;
    ${keys.map((key) => `CREATE INDEX ${name}_by_${key} ON ${name} (shop_id, ${key}, id);`).join('\n')}
    ${unique.map((key) => `CREATE UNIQUE INDEX ${name}_by_${key} ON ${name} (${key});`).join('\n')}
  `;
}

/** Accounts, codes, settings and the outbox. */
export const accountTables = `
    CREATE TABLE partners (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
    CREATE TABLE shops (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT, phone TEXT, created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE api_keys (
      owner TEXT NOT NULL, owner_id TEXT NOT NULL, secret TEXT NOT NULL, PRIMARY KEY (owner, owner_id)
    ) STRICT;
    CREATE TABLE links (
      partner_id TEXT NOT NULL REFERENCES partners (id),
      shop_id TEXT NOT NULL REFERENCES shops (id),
      secret TEXT NOT NULL,
      linked_at INTEGER NOT NULL,
      linked_seq INTEGER NOT NULL,
      removed_at INTEGER,
      PRIMARY KEY (partner_id, shop_id)
    ) STRICT;
    CREATE INDEX links_by_shop ON links (shop_id);
    CREATE TABLE request_tokens (
      token TEXT PRIMARY KEY,
      partner_id TEXT NOT NULL REFERENCES partners (id),
      email TEXT, phone TEXT, name TEXT, redirect_url TEXT,
      expires_at INTEGER NOT NULL,
      used_by TEXT REFERENCES shops (id)
    ) STRICT;
    CREATE TABLE sequences (
      shop_id TEXT NOT NULL REFERENCES shops (id), name TEXT NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (shop_id, name)
    ) STRICT;
    CREATE TABLE outbox (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      shop_id TEXT NOT NULL REFERENCES shops (id),
      entity TEXT NOT NULL, change_type TEXT NOT NULL, time TEXT NOT NULL, changed TEXT NOT NULL, latest TEXT NOT NULL
    ) STRICT;
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `;

/** Accounts, records, codes, settings and the outbox. */
export const coreTables: Migration = {
  name: 'core tables',
  sql: `
    ${accountTables}
    CREATE INDEX outbox_by_shop ON outbox (shop_id, seq);
    ${recordTable('customers', ['code', 'external_id', 'external_code', 'phone'])}
    ${recordTable('customer_addresses', ['customer_id', 'phone'])}
    ${recordTable('customer_groups', [])}
    ${recordTable('customer_group_relationships', ['customer_id', 'group_id'])}
    ${recordTable('fulfillments', ['order_id', 'shipping_code', 'external_id'])}
    ${recordTable('inventory_levels', ['variant_id'])}
    ${recordTable('orders', ['code', 'external_id', 'external_code'], ['held_external_id', 'held_external_code'])}
    ${recordTable('products', ['code', 'external_id', 'external_code'])}
    ${recordTable('product_collections', [])}
    ${recordTable('product_collection_relationships', ['collection_id', 'product_id'])}
    ${recordTable('shipnow_fulfillments', ['shipping_code', 'external_id'])}
    ${recordTable('variants', ['code', 'external_id', 'external_code', 'product_id'])}
  `,
};
