import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isHolderAlive, type LedgerStore } from '../../src/ledger/store/intents.ts';
import { equalOrders, keysAt, makersOf, settleKeys, takeKeys, type Want } from '../../src/ledger/store/keys.ts';
import { openSqliteLedger } from '../../src/ledger/store/sqlite-ledger.ts';
import { ownersOf } from '../../src/store/owner.ts';
import { newWorkspaces } from '../support/workspace.ts';

const place = { account: 'shop 1', resource: 'order', identity: 'one' };
const held = { ...place, holder: 'intent 1', owner: 'owner' };
const want: Want = {
  ...held,
  family: 'shop',
  derived: false,
  name: 'SO-1',
  equal: 'equal',
  request: 'digest',
  owner: 'owner',
  at: 1_000,
  localAt: 1_000,
};

async function aLedger(): Promise<LedgerStore> {
  const store = await openSqliteLedger(await newWorkspaces.place());
  onTestFinished(() => store.close());
  return store;
}

/** Takes a key, and writes what became of its holder, in turn; then says whether somebody else gets it. */
async function ended(store: LedgerStore, first: Want, states: readonly ('done' | 'unclear' | 'undone' | 'free')[]) {
  await store.write((sql) => takeKeys(sql, [first]));
  for (const [index, state] of states.entries()) {
    // Nobody owns what it is known of.
    const owner = index === 0 ? first.owner : null;
    await store.write((sql) => settleKeys(sql, [{ ...held, owner, state, at: 2_000, localAt: 2_000 }]));
  }
  const key = (await store.read((sql) => keysAt(sql, place.account, place.resource, ['one']))).get('one');
  const other = { ...first, holder: 'intent 2' };
  return [key?.state, (await store.write((sql) => takeKeys(sql, [other]))).has(other)];
}

it.each([
  ['nobody while its outcome is not known', false, ['unclear'], ['unclear', false]],
  ['nobody once it is done, whatever is said of it later', false, ['done', 'unclear', 'free'], ['done', false]],
  ['somebody else if nothing was applied', false, ['free'], [undefined, true]],
  ['somebody else once what a given name made is undone', false, ['done', 'undone'], ['undone', true]],
  [
    'somebody else though it is said late that what is undone was unclear',
    false,
    ['done', 'undone', 'unclear'],
    ['undone', true],
  ],
  ['nobody ever again once what a derived name made is undone', true, ['done', 'undone'], ['undone', false]],
] as const)('gives a key to %s', async (_, derived, states, expected) => {
  expect(await ended(await aLedger(), { ...want, derived }, states)).toEqual(expected);
});

it('keeps which record was made, though a later outcome does not name it', async () => {
  const store = await aLedger();
  await store.write((sql) => takeKeys(sql, [want]));
  const outcome = { ...held, state: 'done' as const, at: 2_000, localAt: 2_000 };
  await store.write((sql) => settleKeys(sql, [{ ...outcome, recordId: '77' }]));
  await store.write((sql) => settleKeys(sql, [outcome]));
  expect(await store.read((sql) => makersOf(sql, place.account, place.resource, '77'))).toMatchObject([
    { ...held, owner: null, recordId: '77' },
  ]);
});

it.each([
  ['77', 'undone'],
  ['78', 'done'],
])('takes a record that was ended for ended, though its maker says late that it made %s', async (recordId, state) => {
  const store = await aLedger();
  await store.write((sql) => takeKeys(sql, [want]));
  const outcome = { ...held, owner: null, at: 2_000, localAt: 2_000 };
  for (const ended of ['done', 'undone'] as const) {
    await store.write((sql) => settleKeys(sql, [{ ...outcome, state: ended, recordId: '77' }]));
  }
  expect(await store.write((sql) => settleKeys(sql, [{ ...outcome, state: 'done', recordId }]))).toEqual([]);
  const keys = await store.read((sql) => keysAt(sql, place.account, place.resource, ['one']));
  expect(keys.get('one')?.state).toBe(state);
});

it.each([
  ['unclear', undefined],
  ['unclear', '78'],
  ['free', undefined],
] as const)(
  'writes nothing of what its maker says late of a record that was ended: %s, %s',
  async (state, recordId) => {
    const store = await aLedger();
    await store.write((sql) => takeKeys(sql, [want]));
    const outcome = { ...held, owner: null, at: 2_000, localAt: 2_000 };
    for (const ended of ['done', 'undone'] as const) {
      await store.write((sql) => settleKeys(sql, [{ ...outcome, state: ended, recordId: '77' }]));
    }
    const late = { ...outcome, state, recordId, at: 3_000, localAt: 3_000 };
    // Whoever says so hears that its key is its own no more, and leaves its own record of the write as it is.
    expect(await store.write((sql) => settleKeys(sql, [late]))).toEqual([late]);
    const keys = await store.read((sql) => keysAt(sql, place.account, place.resource, ['one']));
    expect(keys.get('one')).toMatchObject({ state: 'undone', recordId: '77', at: 2_000 });
  },
);

it('finds equal orders, the latest first', async () => {
  const store = await aLedger();
  const wants = [3_000, 1_000, 2_000].map((at) => ({ ...want, identity: `at ${at}`, holder: `intent ${at}`, at }));
  await store.write((sql) => takeKeys(sql, wants));
  const found = await store.read((sql) => equalOrders(sql, 'shop 1', { equal: 'equal' }));
  expect(found.map(({ at }) => at)).toEqual([3_000, 2_000, 1_000]);
});

it('knows whether whoever sends lives: as long as it holds its lock, and no longer', async () => {
  const [store, other] = [await aLedger(), await aLedger()];
  const { id: owner } = await store.own();
  const sending = { state: 'sending' as const, owner };
  expect(await isHolderAlive(store, sending)).toBe(true);
  expect(await isHolderAlive(store, { ...sending, state: 'unclear' })).toBe(false);
  // Where it is not known it has ended, and its file is gone.
  expect(await isHolderAlive(other, sending)).toBe(false);
  // What a killed one leaves is a file that nobody has locked.
  const left = join(ownersOf(store.place), 'killed.owner');
  writeFileSync(left, '');
  expect([await isHolderAlive(store, { ...sending, owner: 'killed' }), existsSync(left)]).toEqual([false, false]);
});
