import type { Migration } from './migration.ts';

/** Webhooks and the attempts to deliver to them (decisions, section 8). */
export const webhookTables: Migration = {
  name: 'webhook tables',
  sql: `
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
  `,
};
