/** One step of the schema. Once released it never changes; corrections are further steps. */
export interface Migration {
  /** Recorded in the database; unique. */
  readonly name: string;
  readonly sql: string;
}

/** Accounts, codes, settings and the outbox. */
const accountTables = `
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

/** A table of records: the keys that its records can be looked up by, and those that are unique. */
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
const neverDeleted: readonly string[] = ['fulfillments', 'orders', 'shipnow_fulfillments'];

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

/** Webhooks and the attempts to deliver to them (decisions, section 8). */
const webhookTables = `
    CREATE TABLE webhooks (
      id TEXT PRIMARY KEY CHECK (length(id) = 19),
      owner TEXT NOT NULL, owner_id TEXT NOT NULL,
      url TEXT NOT NULL, entities TEXT NOT NULL, metadata TEXT, created_at INTEGER NOT NULL,
      passed_seq INTEGER NOT NULL,
      state TEXT NOT NULL, failures INTEGER NOT NULL, failed_at INTEGER, last_sent_at INTEGER, last_error TEXT,
      batch_until INTEGER, callback_id TEXT,
      lease_token TEXT, lease_until INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX webhooks_by_owner ON webhooks (owner, owner_id, id);
    CREATE TABLE deliveries (
      id TEXT PRIMARY KEY CHECK (length(id) = 19),
      webhook_id TEXT NOT NULL, changes INTEGER NOT NULL, attempt INTEGER NOT NULL, sent_at INTEGER NOT NULL,
      outcome TEXT NOT NULL, status INTEGER, error TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id);
  `;

/** The targets of shipments that move by themselves, and when their next step is due. */
const shipmentPlans = `
    CREATE TABLE shipment_plans (
      shipment_id TEXT PRIMARY KEY CHECK (length(shipment_id) = 19),
      target TEXT NOT NULL, substate TEXT,
      due_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX shipment_plans_by_due ON shipment_plans (due_at, shipment_id);
  `;

/** All tables of a sandbox. */
export const tables: Migration = {
  name: 'tables',
  sql: [
    accountTables,
    ...recordTables.flatMap((table) => [tableOf(table), indicesOf(table)]),
    webhookTables,
    shipmentPlans,
  ].join(''),
};
