import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * The contents of rows that have no name of their own: only those are looked up by content, and an index in no order
 * costs more with every row in it.
 */
export const contentIndex: Migration = {
  name: 'content-index',
  async up({ schema }) {
    await schema.dropIndex('batch_rows_content').execute();
    await schema
      .createIndex('batch_rows_content')
      .on('batch_rows')
      .columns(['content', 'batch'])
      .where(sql.ref('named'), '=', 0)
      .execute();
  },
};
