/* On a server a key may be forgotten in the very moment in which somebody asks for it. */
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { forgetKeys } from '../../src/ledger/store/forgotten.ts';
import { settleKeys, takeKeys } from '../../src/ledger/store/keys.ts';
import { openPostgresLedger } from '../../src/ledger/store/postgres-ledger.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';

it.skipIf(postgresPrograms === undefined)('who asks for it meanwhile does not get it', async () => {
  const address = (await sharedPostgres('quick')).newDatabase();
  const [one, other] = [await openPostgresLedger(address), await openPostgresLedger(address)];
  onTestFinished(async () => {
    await one.close();
    await other.close();
  });
  const client = new pg.Client(address);
  await client.connect();
  onTestFinished(() => client.end());
  const place = { account: 'shop 1', resource: 'order', identity: 'one' };
  const want = { ...place, holder: 'batch 1 1 0', family: 'shop', derived: true, name: 'shopctl-1', equal: null };
  const first = { ...want, request: null, owner: 'owner', at: 1, localAt: 1 };
  await one.write(async (sql) => {
    await takeKeys(sql, [first]);
    await settleKeys(sql, [{ ...first, state: 'done', recordId: '7' }]);
  });
  let goOn = () => {};
  const goesOn = new Promise<void>((done) => {
    goOn = done;
  });
  let isForgotten = () => {};
  const done = new Promise<void>((resolve) => {
    isForgotten = resolve;
  });
  const forgetting = one.write(async (sql) => {
    await forgetKeys(sql, { where: 'holder = ?', values: [first.holder] });
    isForgotten();
    await goesOn;
  });
  await done;
  const taking = other.write((sql) => takeKeys(sql, [{ ...first, holder: 'another' }]));
  const waiting = 'select count(*)::int as n from pg_locks where not granted';
  await expect.poll(async () => (await client.query(waiting)).rows[0].n).toBeGreaterThan(0);
  goOn();
  await forgetting;
  expect((await taking).size).toBe(0);
  const keys = await one.read((sql) => sql('select holder from ledger_keys'));
  expect(keys.map(({ holder }) => holder)).toEqual([first.holder]);
});
