import { sql } from 'kysely';
import { addressTables } from '../../ledger/schema.ts';
import { joinServices } from '../../ledger/services.ts';
import type { Migration } from '../../migration.ts';
import { sqlOf } from '../../sql/kysely-sql.ts';
import { type Sql, textOf } from '../../sql/sql.ts';

const HERE = /^(https?:\/\/)(?:localhost|\[::1\])(?=:|$)/;
const LOOPBACK = /^https?:\/\/(?:127\.|localhost[:/]?|\[::1\])/;

/** The services in accounts of a former version, and the shops that were written to there. */
async function knownAccounts(run: Sql): Promise<readonly (readonly [origin: string, shop: string])[]> {
  const rows = await run('select account from ledger_keys union select account from intents');
  return rows.flatMap((row) => {
    const parts: unknown = JSON.parse(textOf(row, 'account'));
    const [origin, shop]: unknown[] = Array.isArray(parts) ? parts : [];
    return typeof origin === 'string' && typeof shop === 'string' ? [[origin, shop] as const] : [];
  });
}

/**
 * When a key was written by this machine's clock, and how far a service's dates are from it. The addresses of the services
 * that were written to: this machine has one name from now on, and of two addresses of a shop elsewhere a person says
 * whether they are one. Which sandbox was where nobody knows any more.
 */
export const clocksAndAddresses: Migration = {
  name: 'clocks-and-addresses',
  async up(database, { number }) {
    await database.schema.alterTable('ledger_keys').addColumn('local_at', 'bigint').execute();
    await sql`create table service_clocks (origin text primary key, offset_ms bigint not null)`.execute(database);
    for (const table of addressTables) await sql.raw(table).execute(database);
    // Both dialects write it alike.
    const run = sqlOf(database, number === undefined);
    const known = await knownAccounts(run).catch(() => []);
    for (const origin of new Set(known.map(([of]) => of))) {
      if (HERE.test(origin)) await joinServices(run, origin, origin.replace(HERE, '$1127.0.0.1'));
    }
    for (const [origin, shop] of known) {
      if (LOOPBACK.test(origin)) continue;
      await run("insert into addresses (origin, shop, instance, service, at) values (?, ?, '', ?, 0)", [
        origin,
        shop,
        origin,
      ]);
    }
  },
};
