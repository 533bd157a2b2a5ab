/* Two machines that share a database take equal orders in the same moment, under two names: one of them sees the other. */
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBatches } from '../../src/batch/open.ts';
import { CreateAndConfirmOrder } from '../../src/contract/partner/shipping.ts';
import { readFields } from '../../src/domain/json/values.ts';
import { ledgerAccount } from '../../src/ledger/identity.ts';
import { newIntent } from '../../src/ledger/intents/intent.ts';
import { createOnce } from '../../src/ledger/once.ts';
import { openPostgresLedger } from '../../src/ledger/store/postgres-ledger.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { workerAt } from '../../src/store/leases.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { madeOrder, shippedOrder } from '../support/order-request.ts';
import { plannedRow } from '../support/planned-row.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';
import { creating } from '../support/row-rule.ts';
import { json } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

const account = { origin: 'http://127.0.0.1:4010', family: 'partner', shop: '1' } as const;
const EQUAL = 'one content';
const rule = {
  ...creating,
  account: ledgerAccount(account),
  family: account.family,
  now: () => ({ at: systemClock.now(), localAt: systemClock.now() }),
  hasPassed: () => false,
  equals: { within: 86_400_000, by: 'any' as const },
  digestsOf: (payload: string) => ({ request: payload, equal: EQUAL }),
};
const { external_id: _, ...order } = shippedOrder;

/** Claims the row of a batch of its own; returns whether it may be sent. */
async function row(address: string, name: string, isAtOnce: boolean): Promise<() => Promise<boolean>> {
  const { workspace, batches, rows, journal } = await openBatches(address);
  onTestFinished(() => workspace.close());
  const { number } = await batches.create({
    id: name,
    account: 'shop 1',
    do: 'ship',
    operation: CreateAndConfirmOrder.id,
    options: '{}',
    max_total: null,
    created_at: '2026-01-31T08:00:00Z',
  });
  await rows.add([plannedRow(number, 1, { name, identity: name, named: 0 })]);
  const worker = workerAt(workspace, number);
  // Without a lease, the first claim is left to the journal.
  if (isAtOnce) await worker.beat();
  return async () => (await journal(number, rule).claimPlanned(worker, { after: 0, limit: 1 })).rows.length === 1;
}

/** Sends a single create; returns whether it was sent. */
async function command(address: string, content: string): Promise<() => Promise<boolean>> {
  let isSent = false;
  const connection = testConnection(async ({ body }) => {
    isSent = true;
    const made = { ...madeOrder, external_id: readFields(body).external_id };
    return json(200, { order: made, fulfillments: [], fulfillment_errors: [] });
  });
  const target = { operation: CreateAndConfirmOrder.id, base_url: connection.baseUrl, account };
  const intent = newIntent(target, { now: 0, resource: 'order', order: {}, from_input: true });
  const wanted = { resource: 'order', external_id: '', external_code: '', asked: order, content };
  const more = { equality: { equal: EQUAL }, identity: null, again: false, began: systemClock.now() };
  return async () => {
    const sent = createOnce(
      {
        open: () => openPostgresLedger(address),
        connection: { ...connection, clock: systemClock },
        create: CreateAndConfirmOrder,
        account,
        waitMs: 100,
      },
      { ...wanted, ...more },
      { prepare: async () => ({ ...intent, request: order }), afterAnswer: async (before) => Promise.reject(before) },
    );
    await sent.catch(() => {});
    return isSent;
  };
}

const works = {
  row: (address: string, name: string) => row(address, name, false),
  'row of a worker that has a lease': (address: string, name: string) => row(address, name, true),
  command,
};
const names = ['row', 'row of a worker that has a lease', 'command'] as const;

describe.skipIf(postgresPrograms === undefined).each(names)('an order of a %s', (one) => {
  it.each(names)('is not sent beside an equal one of a %s that is taken in the same moment', async (other) => {
    const address = (await sharedPostgres('quick')).newDatabase();
    const both = [await works[one](address, 'first'), await works[other](address, 'second')];
    const client = new pg.Client(address);
    await client.connect();
    onTestFinished(() => client.end());
    await (await openPostgresLedger(address)).close();
    // Whoever has taken a key waits before it commits: both have looked by then, or one waits for the other.
    await client.query(`
      create function hold() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(1); return null; end';
      create constraint trigger held after insert on ledger_keys deferrable initially deferred
        for each row execute function hold();
      select pg_advisory_lock(1)`);
    const sent = both.map((work) => work());
    const waiting = `select count(*)::int as n from pg_locks where not granted
        and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await client.query(waiting)).rows[0].n).toBe(2);
    await client.query('select pg_advisory_unlock(1)');
    expect((await Promise.all(sent)).filter(Boolean)).toHaveLength(1);
  });
});
