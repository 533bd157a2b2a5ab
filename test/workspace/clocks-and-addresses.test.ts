import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { newIntent, restored, stored } from '../../src/ledger/intents/intent.ts';
import { accountKnown, serviceOf } from '../../src/ledger/known/service.ts';
import { intentAt, putIntent } from '../../src/ledger/store/intents.ts';
import { keysAt, ledgerId, settleKeys, takeKeys } from '../../src/ledger/store/keys.ts';
import { openLedger } from '../../src/ledger/store/open-ledger.ts';
import { storeOf } from '../../src/store/kysely-sql.ts';
import { openSqliteWorkspace } from '../../src/store/sqlite-workspace.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import { joinAddresses, separateAddresses } from '../../src/workspace/store/join-addresses.ts';
import { moveWorkspace } from '../../src/workspace/store/move.ts';
import { json } from '../support/scripted-transport.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { testConnection } from '../support/test-connection.ts';
import { workspaceKinds } from '../support/workspaces.ts';

const kinds = workspaceKinds().filter(({ name }) => name !== 'SQLite in a thread');
afterAll(() => Promise.all(kinds.map((kind) => kind.end())));

describe.each(kinds)('in $name', ({ name, missing, place: newPlace, open: openKind }) => {
  const places = new Map<Workspace, string>();
  const placeOf = (workspace: Workspace) => places.get(workspace) ?? '';
  async function open(place: string): Promise<Workspace> {
    const workspace = await openKind(place);
    places.set(workspace, place);
    return workspace;
  }

  const key = (account: string, identity: string, state = 'done', at = 1_000) =>
    `insert into ledger_keys (account, resource, identity, holder, state, family, derived, name, record_id, at, local_at)
      values ('${account}', 'order', '${identity}', 'intent of ${account}', '${state}', 'shop', 1, 'n', '7', ${at}, ${at})`;

  it.skipIf(missing)('a key has two times, when it is taken and when it is settled', async () => {
    const store = await openLedger(await newPlace());
    onTestFinished(() => store.close());
    const read = async () => (await store.read((sql) => keysAt(sql, 'a', 'order', ['two']))).values();
    const place = { account: 'a', resource: 'order', identity: 'two', holder: 'intent 2' };
    const more = { family: 'shop', derived: true, name: 'm', equal: null, request: null, owner: 'o' };
    await store.write((sql) => takeKeys(sql, [{ ...place, ...more, at: 2_000, localAt: 3_000 }]));
    expect([...(await read())]).toMatchObject([{ at: 2_000, localAt: 3_000 }]);
    await store.write((sql) => settleKeys(sql, [{ ...place, owner: 'o', state: 'done', at: 4_000, localAt: 5_000 }]));
    expect([...(await read())]).toMatchObject([{ state: 'done', at: 4_000, localAt: 5_000 }]);
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
