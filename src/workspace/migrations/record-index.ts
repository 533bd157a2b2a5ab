import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** The records that rows have created or changed: the time line of a record looks for its rows in all batches. */
export const recordIndex: Migration = {
  name: 'record-index',
  async up({ schema }) {
    await schema
      .createIndex('batch_rows_record')
      .on('batch_rows')
      .columns(['id'])
      .where(sql.ref('id'), 'is not', null)
      .execute();
  },
};
