import { sql } from 'kysely';
import { newId } from '../../../platform/process/new-id.ts';
import { ledgerTables } from '../../ledger/schema.ts';
import type { Migration } from '../../migration.ts';

/** The keys that guard every write, the intents of single commands, and the ledger's random id. */
export const ledger: Migration = {
  name: 'ledger',
  async up(database) {
    for (const table of ledgerTables) await sql.raw(table).execute(database);
    const id = newId();
    await sql`insert into meta (name, value) values ('ledger', ${id})`.execute(database);
  },
};
