import type { Migration } from '../migration.ts';

/** Which worker is sending a row, and until when its lease lasts. */
export const batchWorkers: Migration = {
  name: 'batch-workers',
  async up({ schema }) {
    await schema
      .createTable('batch_workers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('batch', 'integer', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
    await schema.alterTable('batch_rows').addColumn('worker', 'text').execute();
  },
};
