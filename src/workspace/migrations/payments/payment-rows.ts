import type { Migration } from '../../migration.ts';

/**
 * Amounts without a parcel are told apart by all cells of their rows, of which lines that were stored before have none;
 * and a file is compared with what any session has of its parcels.
 */
export const paymentRows: Migration = {
  name: 'payment-rows',
  async up({ schema }) {
    await schema
      .alterTable('cod_lines')
      .addColumn('cells', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await schema.createIndex('cod_lines_parcel').on('cod_lines').columns(['parcel', 'session']).execute();
  },
};
