import type { Migration } from '../../migration.ts';

/** States of records that a poll reported before any webhook did: a webhook that reports them later repeats them. */
export const eventPolls: Migration = {
  name: 'event-polls',
  async up({ schema }) {
    await schema
      .createTable('event_polls')
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('record_id', 'text', (column) => column.notNull())
      .addColumn('entity', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('change_type', 'text', (column) => column.notNull())
      .addColumn('told_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('event_polls_key', ['account', 'record_id', 'entity', 'state'])
      .execute();
  },
};
