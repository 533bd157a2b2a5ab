import type { Migration } from '../migration.ts';

/** The orders whose slip was printed. */
export const printedSlips: Migration = {
  name: 'printed-slips',
  async up({ schema }) {
    await schema
      .createTable('printed_slips')
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('order_id', 'text', (column) => column.notNull())
      .addColumn('printed_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('printed_slips_key', ['account', 'order_id'])
      .execute();
  },
};
