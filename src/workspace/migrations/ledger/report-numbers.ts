import { sql } from 'kysely';
import type { Migration } from '../../migration.ts';

/** In which order writes were reported, which no clock tells: each report has the next number. */
export const reportNumbers: Migration = {
  name: 'report-numbers',
  async up(database) {
    await database.schema.alterTable('intents').addColumn('report', 'bigint').execute();
    await sql`insert into meta (name, value) values ('reports', '0')`.execute(database);
  },
};
