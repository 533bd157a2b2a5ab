import { sql } from 'kysely';
import type { Migration, SchemaWords } from '../../migration.ts';
import type { WorkspaceTables } from '../../tables.ts';

/** Changes delivered by webhooks, and the targets they are handed to. */
export const eventTables: Migration = {
  name: 'event-tables',
  async up(database, words) {
    const { schema } = database;
    await createEvents(database, words);
    await schema
      .createTable('event_hooks')
      .addColumn('hook', 'text', (column) => column.primaryKey())
      .addColumn('last_callback', 'text', (column) => column.notNull())
      .addColumn('received_at', 'text', (column) => column.notNull())
      .addColumn('change_time', 'text')
      .execute();
    await schema
      .createTable('event_sightings')
      .addColumn('hook', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('occurrences', 'integer', (column) => column.notNull())
      .addColumn('seen_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('event_sightings_key', ['content', 'hook'])
      .execute();
    await schema
      .createTable('event_listeners')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('secret', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    await createTargets(database);
    await schema
      .createTable('event_gaps')
      .addColumn('number', words.ascendingKey.type, words.ascendingKey.column)
      .addColumn('listener', 'text', (column) => column.notNull())
      .addColumn('webhook_id', 'text', (column) => column.notNull())
      .addColumn('from_time', 'text', (column) => column.notNull())
      .addColumn('to_time', 'text', (column) => column.notNull())
      .addColumn('found_at', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createTable('event_facts')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
  },
};

/** The changes themselves. */
async function createEvents({ schema }: WorkspaceTables, { ascendingKey }: SchemaWords): Promise<void> {
  await schema
    .createTable('events')
    .addColumn('seq', ascendingKey.type, ascendingKey.column)
    .addColumn('hook', 'text', (column) => column.notNull())
    .addColumn('received_at', 'text', (column) => column.notNull())
    .addColumn('entity', 'text', (column) => column.notNull())
    .addColumn('change_type', 'text', (column) => column.notNull())
    .addColumn('record_id', 'text', (column) => column.notNull())
    .addColumn('shop_id', 'text')
    .addColumn('time', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('occurrence', 'integer', (column) => column.notNull())
    .execute();
  // The database itself rejects duplicates.
  await schema.createIndex('events_content').unique().on('events').columns(['content', 'occurrence']).execute();
  await schema.createIndex('events_record').on('events').columns(['record_id', 'seq']).execute();
  await schema.createIndex('events_entity').on('events').columns(['entity', 'seq']).execute();
  await schema.createIndex('events_received').on('events').columns(['received_at', 'seq']).execute();
  await schema
    .createTable('event_contents')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('change', 'text', (column) => column.notNull())
    .execute();
}

/** Where changes are handed to, and which are still waiting. */
async function createTargets({ schema }: WorkspaceTables): Promise<void> {
  await schema
    .createTable('event_targets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('entity', 'text')
    .addColumn('change_type', 'text')
    .addColumn('accept', 'text', (column) => column.notNull())
    .addColumn('give_up_ms', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('cursor', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_accepted_at', 'text')
    .addColumn('last_error', 'text')
    .execute();
  await schema
    .createTable('event_handoffs')
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('record', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('first_failed_at', 'bigint')
    .addColumn('next_at', 'bigint')
    .addColumn('last_error', 'text')
    .addPrimaryKeyConstraint('event_handoffs_key', ['target', 'seq'])
    .execute();
  await schema
    .createIndex('event_handoffs_record')
    .on('event_handoffs')
    .columns(['target', 'record', 'seq'])
    .where(sql.ref('state'), '=', 'waiting')
    .execute();
}
