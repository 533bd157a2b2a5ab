import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addResult } from '../../../scripts/script-options.mjs';
import { sharedPostgres } from '../../once/made-once.ts';
import { postgresPrograms, type SharedPostgres } from '../../support/postgres-cluster.ts';
import { type Fleet, openFleet } from './fleet/fleet.ts';
import { playAll, seriesOf } from './playing.ts';

const series = seriesOf(8);
/** Leases follow the server, whose time nobody makes faster. */
const FASTER = 4;
/** Most of the time is waiting for the leases of killed workers. */
const AT_ONCE = 6;

/** Transactions that write keys or rows are held open at random, at the server: what others read meanwhile is not committed. */
const HOLDS = `
  create function hold() returns trigger language plpgsql as $$
    begin if random() < 0.2 then perform pg_sleep(random() * 0.1); end if; return null; end $$;
  create function hold_tables() returns event_trigger language plpgsql as $$
    declare made record;
    begin
      for made in select object_identity from pg_event_trigger_ddl_commands()
        where command_tag = 'CREATE TABLE' and object_identity ~ '\\.(ledger_keys|batch_rows|intents)$' loop
        execute format('create constraint trigger hold after insert or update on %s deferrable initially deferred
          for each row execute function hold()', made.object_identity);
      end loop;
    end $$;
  create event trigger hold_tables on ddl_command_end execute function hold_tables();`;

async function asked(place: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client(place);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows ?? [];
}

describe.skipIf(postgresPrograms === undefined)('several workers with one ledger on a server', () => {
  let fleet: Fleet;
  let server: SharedPostgres;
  beforeAll(async () => {
    [fleet, server] = await Promise.all([openFleet(AT_ONCE, FASTER), sharedPostgres()]);
  });
  afterAll(() => fleet?.remove());

  it('keep every promise', async () => {
    const places: string[] = [];
    const { broken, counts } = await playAll(fleet, {
      ...series,
      atOnce: AT_ONCE,
      workspace: async () => {
        const place = server.newDatabase();
        await asked(place, HOLDS);
        places.push(place);
        return place;
      },
    });
    addResult(process.env.SHOPCTL_TEST_RESULTS, { run: 'postgres', ...series, counts: Object.fromEntries(counts) });
    expect(broken.join('\n')).toBe('');
    expect(await asked(places[0] ?? '', "select from pg_trigger where tgname = 'hold'")).toHaveLength(3);
  });
});
