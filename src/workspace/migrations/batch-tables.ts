import { sql } from 'kysely';
import type { Migration } from '../migration.ts';
import type { WorkspaceTables } from '../tables.ts';

/** Batches, their rows, and the texts of the rows. Integers that may be money are 64 bits wide in every dialect. */
export const batchTables: Migration = {
  name: 'batch-tables',
  async up(database, { ascendingKey }) {
    const { schema } = database;
    await schema
      .createTable('batches')
      .addColumn('number', ascendingKey.type, ascendingKey.column)
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('do', 'text', (column) => column.notNull())
      .addColumn('operation', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('options', 'text', (column) => column.notNull())
      .addColumn('reserved', 'bigint', (column) => column.notNull())
      .addColumn('max_total', 'bigint')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('finished_at', 'text')
      .execute();
    await schema.createIndex('batches_content').on('batches').columns(['account', 'content']).execute();
    await createRows(database);
  },
};

async function createRows({ schema }: WorkspaceTables): Promise<void> {
  await schema
    .createTable('batch_rows')
    .addColumn('batch', 'integer', (column) => column.notNull())
    .addColumn('row', 'integer', (column) => column.notNull())
    .addColumn('cell', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('named', 'integer', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('recipient', 'text')
    .addColumn('goods', 'text')
    .addColumn('pick', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('id', 'text')
    .addColumn('code', 'text')
    .addColumn('shipping_code', 'text')
    .addColumn('carrier', 'text')
    .addColumn('fee', 'bigint')
    .addColumn('error_code', 'text')
    .addColumn('error_message', 'text')
    .addPrimaryKeyConstraint('batch_rows_key', ['batch', 'row'])
    .execute();
  await schema
    .createTable('batch_contents')
    .addColumn('batch', 'integer', (column) => column.notNull())
    .addColumn('row', 'integer', (column) => column.notNull())
    .addColumn('cells', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('batch_contents_key', ['batch', 'row'])
    .execute();
  // Open rows are found without scanning finished ones: a resume of a million rows with ten left.
  await schema
    .createIndex('batch_rows_open')
    .on('batch_rows')
    .columns(['batch', 'row'])
    .where(sql.ref('state'), 'in', ['planned', 'sending'])
    .execute();
  // The counts and fees of a batch are read from this index alone.
  await schema
    .createIndex('batch_rows_summary')
    .on('batch_rows')
    .columns(['batch', 'state', 'carrier', 'fee'])
    .execute();
  await schema.createIndex('batch_rows_name').on('batch_rows').columns(['name', 'batch']).execute();
  await schema.createIndex('batch_rows_content').on('batch_rows').columns(['content', 'batch']).execute();
  await schema.createIndex('batch_rows_recipient').on('batch_rows').columns(['recipient']).execute();
}
