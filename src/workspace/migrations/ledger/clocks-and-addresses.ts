import { sql } from 'kysely';
import type { Migration } from '../../migration.ts';

/** When a key was written by this machine's clock, and how far a service's dates are from it. */
export const clocksAndAddresses: Migration = {
  name: 'clocks-and-addresses',
  async up(database) {
    await database.schema.alterTable('ledger_keys').addColumn('local_at', 'bigint').execute();
    await sql`create table service_clocks (origin text primary key, offset_ms bigint not null)`.execute(database);
  },
};
