import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { newIntent, restored, stored } from '../../src/flows/ledger/intents/intent.ts';
import { accountKnown, serviceOf } from '../../src/flows/ledger/known/service.ts';
import { intentAt, putIntent } from '../../src/workspace/ledger/intents.ts';
import { keysAt, ledgerId, settleKeys, takeKeys } from '../../src/workspace/ledger/keys.ts';
import { openLedger } from '../../src/workspace/ledger/open-ledger.ts';
import { clocksAndAddresses } from '../../src/workspace/migrations/ledger/clocks-and-addresses.ts';
import { migrations } from '../../src/workspace/migrations.ts';
import { joinAddresses, separateAddresses } from '../../src/workspace/move/join-addresses.ts';
import { moveWorkspace } from '../../src/workspace/move/move.ts';
import { openPostgresWorkspace } from '../../src/workspace/postgres/postgres-workspace.ts';
import { sqlOf, storeOf } from '../../src/workspace/sql/kysely-sql.ts';
import { openSqliteWorkspace } from '../../src/workspace/sqlite/sqlite-workspace.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { json } from '../support/scripted-transport.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { testConnection } from '../support/test-connection.ts';
import { workspaceKinds } from '../support/workspaces.ts';

const kinds = workspaceKinds().filter(({ name }) => name !== 'SQLite in a thread');
afterAll(() => Promise.all(kinds.map((kind) => kind.end())));

/** The steps that a former version knew. */
const steps = migrations.slice(0, migrations.indexOf(clocksAndAddresses));

describe.each(kinds)('in $name', ({ name, missing, place: newPlace, open: openKind }) => {
  const places = new Map<Workspace, string>();
  const placeOf = (workspace: Workspace) => places.get(workspace) ?? '';
  async function open(place: string): Promise<Workspace> {
    const workspace = await openKind(place);
    places.set(workspace, place);
    return workspace;
  }

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

  it.skipIf(missing)(
    'this machine has one name from then on: what is known of a record beats what is not',
    async () => {
      const [here, there] = ['["http://127.0.0.1:1","7"]', '["http://localhost:1","7"]'];
      const store = await former([
        key(here, 'one', 'unclear', 9_000),
        key(there, 'one', 'done', 1_000),
        key(there, 'two'),
        key('["http://[::1]:1","8"]', 'three'),
        `insert into intents (id, account, resource, operation, state, attempts, updated_at, body)
        values ('i', '${there}', 'order', 'shop.Order/CreateOrder', 'done', 1, 1, '{}')`,
        `insert into batches (id, account, "do", operation, state, content, source, options, reserved, created_at)
        values ('b', '["http://localhost:1","shop","7"]', 'ship', 'shop.Order/CreateOrder', 'open', 'c', '{}', '{}', 0, 't')`,
        `insert into printed_slips values ('["http://localhost:1","shop","7"]', '5', 't')`,
      ]);
      const keys = await store.read((sql) => sql('select account, identity, state from ledger_keys order by identity'));
      expect(keys).toEqual([
        { account: here, identity: 'one', state: 'done' },
        { account: '["http://127.0.0.1:1","8"]', identity: 'three', state: 'done' },
        { account: here, identity: 'two', state: 'done' },
      ]);
      for (const [table, account] of [
        ['intents', here],
        ['batches', '["http://127.0.0.1:1","shop","7"]'],
        ['printed_slips', '["http://127.0.0.1:1","shop","7"]'],
      ]) {
        expect(await store.read((sql) => sql(`select account from ${table}`))).toEqual([{ account }]);
      }
    },
  );

  it.skipIf(missing)('two addresses of a shop elsewhere are known, and those of sandboxes are not', async () => {
    const store = await former([
      key('["https://one.example","7"]', 'one'),
      key('["https://two.example","7"]', 'one'),
      key('["http://127.0.0.1:4010","7"]', 'one'),
    ]);
    const rows = await store.read((sql) => sql('select origin, shop, service from addresses order by origin'));
    expect(rows).toEqual([
      { origin: 'https://one.example', shop: '7', service: 'https://one.example' },
      { origin: 'https://two.example', shop: '7', service: 'https://two.example' },
    ]);
  });

  const [one, other] = ['https://one.example', 'https://other.example'];
  const at = 5_000;
  const account = (origin: string) => JSON.stringify([origin, '7']);

  /** A workspace in use, and what it holds. */
  async function used(statements: readonly string[]) {
    const workspace = await open(await newPlace());
    onTestFinished(() => workspace.close());
    const store = storeOf(workspace);
    for (const statement of statements) await store.write((sql) => sql(statement));
    const rows = (text: string) => store.read((sql) => sql(text));
    const keys = () => rows('select account, identity, state from ledger_keys order by account, identity');
    const service = async (origin: string) =>
      (await accountKnown(store, { origin, family: 'shop', shop: '7' }, dialled(origin))).origin;
    return { workspace, store, keys, rows, service };
  }

  const dialled = (baseUrl: string) => ({ ...testConnection(async () => json(200, {})), baseUrl });
  const asked = (store: ReturnType<typeof storeOf>, origin: string) =>
    serviceOf(store, { origin, family: 'shop', shop: '7' }, dialled(origin));

  it.skipIf(missing)(
    'two addresses are joined by the name of the first, and what was sent counts at both',
    async () => {
      const { workspace, keys, service } = await used([
        key(account(other), 'a'),
        key(account(one), 'b', 'unclear', 9_000),
        key(account(other), 'b', 'undone', 1_000),
        key(account(one), 'c', 'done', 1_000),
        key(account(other), 'c', 'undone', 2_000),
      ]);
      await joinAddresses(workspace, { one, other, at });
      const known = [account(one), account(one), account(one)].map((of) => ({ account: of }));
      expect(await keys()).toMatchObject(known);
      expect((await keys()).map(({ identity, state }) => [identity, state])).toEqual([
        ['a', 'done'],
        ['b', 'undone'],
        ['c', 'undone'],
      ]);
      expect([await service(one), await service(other)]).toEqual([one, one]);
    },
  );

  it.skipIf(missing)('what was joined is separate again: what was sent meanwhile counts at both', async () => {
    const { workspace, store, keys, service } = await used([key(account(one), 'a')]);
    await joinAddresses(workspace, { one, other, at });
    await separateAddresses(workspace, { one, other, at });
    expect([await service(one), await service(other)]).toEqual([one, other]);
    expect(await keys()).toEqual([one, other].map((of) => ({ account: account(of), identity: 'a', state: 'done' })));
    for (const origin of [one, other]) await (await asked(store, origin)).keep();
    expect((await asked(store, other)).account.origin).toBe(other);
  });

  it.skipIf(missing)('a write of a single command is at the name that its service has by now', async () => {
    const { workspace, store } = await used([]);
    const target = { operation: 'shop.Order/CreateOrder', base_url: other } as const;
    const order = { now: at, resource: 'order', order: {}, from_input: true };
    const intent = newIntent({ ...target, account: { origin: other, family: 'shop', shop: '7' } }, order);
    await store.write((sql) => putIntent(sql, stored(intent, at)));
    await joinAddresses(workspace, { one, other, at });
    const found = await store.read((sql) => intentAt(sql, intent.id));
    expect(found && restored(found).target).toMatchObject({ base_url: other, account: { origin: one, shop: '7' } });
  });

  it.skipIf(missing)('nobody sends while two are joined', async () => {
    const { store } = await used([`insert into addresses values ('', '', '', '', 1)`]);
    await expect(asked(store, one)).rejects.toMatchObject({ code: 'workspace_busy' });
  });

  it.skipIf(missing)('two are not joined while another process is at work', async () => {
    const { rows, workspace: opened } = await used([]);
    // One that waits for a lock by a clock of its own.
    const workspace =
      name === 'PostgreSQL' ? opened : await openSqliteWorkspace(placeOf(opened), { clock: steppedClock() });
    const working = await openLedger(placeOf(opened));
    onTestFinished(async () => {
      await working.close();
      if (workspace !== opened) await workspace.close();
    });
    await working.own();
    await expect(joinAddresses(workspace, { one, other, at })).rejects.toMatchObject({ code: 'workspace_busy' });
    expect(await rows('select * from addresses')).toEqual([]);
  });

  it.skipIf(missing).each([
    ['joins them where its target knows the second as its own', [], one, 'done'],
    [
      'leaves it at the target’s word that they are two',
      [`insert into separate_services values ('${one}', '${other}')`],
      other,
      undefined,
    ],
  ])('a move %s', async (_, said, expected, state) => {
    const source = await used([key(account(one), 'a')]);
    await joinAddresses(source.workspace, { one, other, at });
    const id = await source.store.read(ledgerId);
    const place = placeOf(source.workspace);
    await source.workspace.close();
    const target = await used([
      key(account(other), 'b'),
      `insert into addresses values ('${other}', '7', '', '${other}', 1)`,
      ...said,
    ]);
    await moveWorkspace({ id, place }, target.workspace, steppedClock());
    expect(await target.service(other)).toBe(expected);
    const found = await target.store.read((sql) => keysAt(sql, account(expected), 'order', ['a', 'b']));
    expect([found.get('a')?.state, found.get('b')?.state]).toEqual([state, 'done']);
  });
});
