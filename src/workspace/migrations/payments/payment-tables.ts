import type { Migration } from '../../migration.ts';

/** Carriers' payment files with their lines, and the sessions that were agreed to. */
export const paymentTables: Migration = {
  name: 'payment-tables',
  async up({ schema }, { ascendingKey }) {
    await schema
      .createTable('cod_files')
      .addColumn('number', ascendingKey.type, ascendingKey.column)
      .addColumn('shop_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('layout', 'text', (column) => column.notNull())
      .addColumn('carrier', 'text', (column) => column.notNull())
      .addColumn('imported_at', 'text', (column) => column.notNull())
      .addColumn('rows', 'integer', (column) => column.notNull())
      .addColumn('unread', 'integer', (column) => column.notNull())
      .addColumn('problems', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addUniqueConstraint('cod_files_id', ['shop_id', 'id'])
      .execute();
    await schema
      .createTable('cod_lines')
      .addColumn('file', 'integer', (column) => column.notNull())
      .addColumn('line', 'integer', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('parcel', 'text', (column) => column.notNull())
      .addColumn('shipping_code', 'text', (column) => column.notNull())
      .addColumn('fulfillment_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addColumn('cell', 'text', (column) => column.notNull())
      .addColumn('day', 'text')
      .addColumn('repeats', 'text')
      .addColumn('late', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('cod_lines_key', ['file', 'line'])
      .execute();
    // A session comes in few files, so that its entries stay together.
    await schema.createIndex('cod_lines_session').on('cod_lines').columns(['session', 'parcel']).execute();
    await schema
      .createTable('cod_sessions')
      .addColumn('shop_id', 'text', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('closed_at', 'text', (column) => column.notNull())
      .addColumn('closed_by', 'text', (column) => column.notNull())
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('lines', 'integer', (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('cod_sessions_key', ['shop_id', 'session'])
      .execute();
  },
};
