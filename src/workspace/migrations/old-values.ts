import type { Migration } from '../migration.ts';

/** The values that a record had before a row changed it. */
export const oldValues: Migration = {
  name: 'old-values',
  async up({ schema }) {
    await schema.alterTable('batch_contents').addColumn('old_values', 'text').execute();
  },
};
