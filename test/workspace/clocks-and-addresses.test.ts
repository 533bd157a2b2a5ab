import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { keysAt, settleKeys, takeKeys } from '../../src/workspace/ledger/keys.ts';
import { openLedger } from '../../src/workspace/ledger/open-ledger.ts';
import { clocksAndAddresses } from '../../src/workspace/migrations/ledger/clocks-and-addresses.ts';
import { migrations } from '../../src/workspace/migrations.ts';
import { openPostgresWorkspace } from '../../src/workspace/postgres/postgres-workspace.ts';
import { sqlOf } from '../../src/workspace/sql/kysely-sql.ts';
import { openSqliteWorkspace } from '../../src/workspace/sqlite/sqlite-workspace.ts';
import { workspaceKinds } from '../support/workspaces.ts';

const kinds = workspaceKinds().filter(({ name }) => name !== 'SQLite in a thread');
afterAll(() => Promise.all(kinds.map((kind) => kind.end())));

/** The steps that a former version knew. */
const steps = migrations.slice(0, migrations.indexOf(clocksAndAddresses));

describe.each(kinds)('in $name', ({ name, missing, place: newPlace }) => {
  /** A ledger that a former version has left with these rows. */
  async function former(statements: readonly string[]) {
    const place = await newPlace();
    const isServer = name === 'PostgreSQL';
    const before = isServer
      ? await openPostgresWorkspace(place, undefined, { steps })
      : await openSqliteWorkspace(place, { steps });
    await before.write(async (database) => {
      for (const statement of statements) await sqlOf(database, isServer)(statement);
    });
    await before.close();
    const store = await openLedger(place);
    onTestFinished(() => store.close());
    return store;
  }

  const key = (account: string, identity: string, state = 'done', at = 1_000) =>
    `insert into ledger_keys (account, resource, identity, holder, state, family, derived, name, record_id, at)
      values ('${account}', 'order', '${identity}', 'intent of ${account}', '${state}', 'shop', 1, 'n', '7', ${at})`;

  it.skipIf(missing)('a key of a former version has one time, and one that is written now has two', async () => {
    const store = await former([key('a', 'one')]);
    const read = async () => (await store.read((sql) => keysAt(sql, 'a', 'order', ['one', 'two']))).values();
    expect([...(await read())]).toMatchObject([{ at: 1_000, localAt: 1_000 }]);
    const place = { account: 'a', resource: 'order', identity: 'two', holder: 'intent 2' };
    const more = { family: 'shop', derived: true, name: 'm', equal: null, request: null, owner: 'o' };
    await store.write((sql) => takeKeys(sql, [{ ...place, ...more, at: 2_000, localAt: 3_000 }]));
    expect([...(await read())][1]).toMatchObject({ at: 2_000, localAt: 3_000 });
    await store.write((sql) => settleKeys(sql, [{ ...place, owner: 'o', state: 'done', at: 4_000, localAt: 5_000 }]));
    expect([...(await read())][1]).toMatchObject({ state: 'done', at: 4_000, localAt: 5_000 });
  });
});
