import { type CreateTableBuilder, sql } from 'kysely';
import type { Migration } from '../../migration.ts';
import type { WorkspaceTables } from '../../tables.ts';

/** Recreates a table with another key and copies its rows: SQLite cannot change the key of an existing table. */
async function rebuild(
  database: WorkspaceTables,
  table: string,
  columns: readonly string[],
  key: readonly string[],
  define: (builder: CreateTableBuilder<string>) => CreateTableBuilder<string>,
): Promise<void> {
  const fresh = `${table}_of_account`;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await define(
    database.schema.createTable(fresh).addColumn('account', 'text', (column) => column.notNull().defaultTo('')),
  )
    .addPrimaryKeyConstraint(`${table}_by_account`, ['account', ...key] as never)
    .execute();
  await sql`insert into ${sql.table(fresh)} (${names}) select ${names} from ${sql.table(table)}`.execute(database);
  await database.schema.dropTable(table).execute();
  await database.schema.alterTable(fresh).renameTo(table).execute();
}

/** Changes, webhooks, listeners and targets belong to an account, and a target is served by one listener at a time. */
export const eventAccounts: Migration = {
  name: 'event-accounts',
  async up(database) {
    const { schema } = database;
    for (const table of ['events', 'event_handoffs', 'event_gaps']) {
      await schema
        .alterTable(table)
        .addColumn('account', 'text', (column) => column.notNull().defaultTo(''))
        .execute();
    }
    await schema.dropIndex('events_content').execute();
    // The account comes last: in a file it is always the same, and SQLite would take an index that starts with it for a
    // selective one.
    await schema
      .createIndex('events_content')
      .unique()
      .on('events')
      .columns(['content', 'occurrence', 'account'])
      .execute();
    // A profile's own file has no account names and does not need this.
    await schema
      .createIndex('events_account')
      .on('events')
      .columns(['account', 'seq'])
      .where(sql.ref('account'), '<>', sql.lit(''))
      .execute();
    await rebuildHooksAndListeners(database);
    await rebuildTargets(database);
    await schema
      .createTable('event_namings')
      .addColumn('worker', 'text', (column) => column.notNull())
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('event_namings_key', ['account', 'target', 'worker'])
      .execute();
  },
};

async function rebuildHooksAndListeners(database: WorkspaceTables): Promise<void> {
  await rebuild(database, 'event_hooks', ['hook', 'last_callback', 'received_at', 'change_time'], ['hook'], (builder) =>
    builder
      .addColumn('hook', 'text', (column) => column.notNull())
      .addColumn('last_callback', 'text', (column) => column.notNull())
      .addColumn('received_at', 'text', (column) => column.notNull())
      .addColumn('change_time', 'text'),
  );
  await rebuild(
    database,
    'event_sightings',
    ['hook', 'content', 'occurrences', 'seen_at'],
    ['content', 'hook'],
    (builder) =>
      builder
        .addColumn('hook', 'text', (column) => column.notNull())
        .addColumn('content', 'text', (column) => column.notNull())
        .addColumn('occurrences', 'integer', (column) => column.notNull())
        .addColumn('seen_at', 'text', (column) => column.notNull()),
  );
  await rebuild(database, 'event_listeners', ['name', 'secret', 'created_at'], ['name'], (builder) =>
    builder
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'text', (column) => column.notNull()),
  );
}

async function rebuildTargets(database: WorkspaceTables): Promise<void> {
  const target = ['name', 'kind', 'address', 'entity', 'change_type', 'accept', 'give_up_ms', 'state', 'cursor'];
  await rebuild(
    database,
    'event_targets',
    [...target, 'created_at', 'last_accepted_at', 'last_error'],
    ['name'],
    (builder) =>
      builder
        .addColumn('name', 'text', (column) => column.notNull())
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
        .addColumn('worker', 'text'),
  );
}
