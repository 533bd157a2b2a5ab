import { sql } from 'kysely';
import { newId } from '../../platform/process/new-id.ts';
import { batchTables } from './batch-tables.ts';
import { eventTables } from './event-tables.ts';
import { addressTables, ledgerTables } from './ledger-tables.ts';
import type { Migration } from './migration.ts';
import { paymentTables } from './payment-tables.ts';

/** All tables of a workspace, and the random id of its ledger. */
export const tables: Migration = {
  name: 'tables',
  async up(database, { key }) {
    for (const table of [batchTables, eventTables, ledgerTables, addressTables, paymentTables].flat()) {
      await sql.raw(table.replace('{key}', key)).execute(database);
    }
    await sql`insert into meta (name, value) values ('ledger', ${newId()})`.execute(database);
  },
};
