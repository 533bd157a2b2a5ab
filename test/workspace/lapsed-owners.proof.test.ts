/* A process that sleeps past its lease on PostgreSQL: every statement of its own is about what it still has. */
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keysAt, settleKeys, takeKeys } from '../../src/ledger/store/keys.ts';
import { openPostgresLedger } from '../../src/ledger/store/postgres-ledger.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';
import { lapsedOwners, type Machines } from './lapsed-owners.ts';

const HOUR_MS = 3_600_000;

async function clientAt(address: string): Promise<pg.Client> {
  const client = new pg.Client(address);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Two machines; while the first one sleeps its clock goes on, and the server's time passes its lease. */
async function onServer(): Promise<Machines> {
  const address = (await sharedPostgres('quick')).newDatabase();
  await (await openPostgresLedger(address)).close();
  const client = await clientAt(address);
  let slept = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + slept };
  const owners: Promise<string>[] = [];
  return {
    async open(machine) {
      const store = await openPostgresLedger(address, machine === 'sleeper' ? clock : undefined);
      const own: typeof store.own = async () => {
        const owner = store.own();
        if (machine === 'sleeper') owners.push(owner.then(({ id }) => id));
        return owner;
      };
      return { ...store, own };
    },
    async sleep() {
      slept += HOUR_MS;
      await client.query('update batch_workers set lease_until = 0 where id = any($1)', [await Promise.all(owners)]);
    },
  };
}

describe.skipIf(postgresPrograms === undefined)('owners on a server', () => {
  lapsedOwners(onServer);

  it('who settles a key in the moment in which another one takes it over changes nothing', async () => {
    const address = (await sharedPostgres('quick')).newDatabase();
    const store = await openPostgresLedger(address);
    onTestFinished(() => store.close());
    const place = { account: 'shop 1', resource: 'order', identity: 'one' };
    const held = { ...place, holder: 'intent 1', owner: 'sleeper' };
    await store.write((sql) =>
      takeKeys(sql, [
        { ...held, family: 'shop', derived: true, name: 'n', equal: null, request: 'r', at: 1, localAt: 1 },
      ]),
    );
    const client = await clientAt(address);
    await client.query(`begin; update ledger_keys set owner = 'other'`);
    const late = store.write((sql) => settleKeys(sql, [{ ...held, state: 'free', at: 2, localAt: 2 }]));
    const waiting = 'select count(*)::int as n from pg_locks where not granted';
    await expect.poll(async () => (await client.query(waiting)).rows[0].n).toBe(1);
    await client.query('commit');
    expect(await late).toHaveLength(1);
    const keys = await store.read((sql) => keysAt(sql, place.account, place.resource, ['one']));
    expect(keys.get('one')).toMatchObject({ state: 'sending', owner: 'other' });
  });
});
