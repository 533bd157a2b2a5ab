import { sql } from 'kysely';
import type { Migration } from '../../migration.ts';

/**
 * The version of a payment file is a number that never comes again, also after the file was removed: before, a copy of what
 * was removed could not be told from a copy of what came after it. So each file is copied once more.
 */
export const paymentVersions: Migration = {
  name: 'payment-versions',
  async up(database, { number }) {
    const isServer = number === undefined;
    if (isServer) await sql`alter table cod_files alter column version type bigint`.execute(database);
    const random = isServer ? sql`floor(random() * 281474976710656)` : sql`abs(random() % 281474976710656)`;
    await sql`update cod_files set version = ${random} + 1`.execute(database);
  },
};
