/* A person's word for a write whose outcome nobody knows, while the same command is run again. */
import { expect, it, onTestFinished } from 'vitest';
import { settleByWord, unsettled, unsettledCalled } from '../../src/ledger/intents/unsettled.ts';
import type { LedgerStore } from '../../src/ledger/store/intents.ts';
import { intentAt, putIntent } from '../../src/ledger/store/intents.ts';
import { keysAt, settleKeys, takeKeys, takeOverKey } from '../../src/ledger/store/keys.ts';
import { openSqliteLedger } from '../../src/ledger/store/sqlite-ledger.ts';
import type { Sql } from '../../src/store/sql.ts';
import { newWorkspaces } from '../support/workspace.ts';

const place = { account: 'shop 1', resource: 'order', identity: 'one' };
const held = { ...place, holder: '0123456789' };
const want = {
  ...held,
  family: 'shop',
  derived: true,
  name: 'n',
  equal: null,
  request: 'r',
  owner: 'gone',
  at: 1_000,
  localAt: 1_000,
};
const body = { operation: 'shop.Order/CreateOrder', attempts: 1, updated_at: 1_000, reported_at: null, body: '{}' };
const intent = { ...place, ...body, id: held.holder, state: 'unclear' as const, record_id: null };

const keyIn = async (sql: Sql) => (await keysAt(sql, place.account, place.resource, ['one'])).get('one');

/** A ledger with an unclear write; `meanwhile` happens after a word was given, and before it is written. */
async function unclear(meanwhile: (sql: Sql, owner: string) => Promise<unknown>) {
  const store = await openSqliteLedger(await newWorkspaces.place());
  onTestFinished(() => store.close());
  await store.write(async (sql) => {
    await takeKeys(sql, [want]);
    await settleKeys(sql, [{ ...held, owner: want.owner, state: 'unclear', at: 2_000, localAt: 2_000 }]);
    await putIntent(sql, intent);
  });
  const { id: owner } = await store.own();
  const slow: LedgerStore = {
    ...store,
    async write(work) {
      await store.write((sql) => meanwhile(sql, owner));
      return store.write(work);
    },
  };
  const settle = (isDone: boolean) => settleByWord(slow, '0123', isDone, 9_000).catch(({ code }) => code);
  const now = () =>
    store.read(async (sql) => [(await keyIn(sql))?.state, (await intentAt(sql, held.holder))?.state] as const);
  return { store, settle, now };
}

const takenOver = async (sql: Sql, owner: string) => {
  const key = await keyIn(sql);
  if (key === undefined) throw new Error('there is a key');
  await takeOverKey(sql, key, owner, { at: 3_000, localAt: 3_000 });
};

it('settles what stands as it was, so that it can be sent again, or counts as created', async () => {
  const free = await unclear(async () => {});
  expect(await free.settle(false)).toMatchObject({ id: held.holder, state: 'unclear' });
  expect([await free.now(), await unsettled(free.store)]).toEqual([[undefined, 'failed'], []]);
  const done = await unclear(async () => {});
  await done.settle(true);
  expect(await done.now()).toEqual(['done', 'done']);
});

it.each([false, true])('settles nothing that the same command sends by now: done %s', async (isDone) => {
  const { settle, now } = await unclear(takenOver);
  expect([await settle(isDone), await now()]).toEqual(['draft_busy', ['sending', 'unclear']]);
});

it('settles nothing that was sent meanwhile and lost its answer again', async () => {
  const { settle, now } = await unclear(async (sql, owner) => {
    await takenOver(sql, owner);
    await settleKeys(sql, [{ ...held, owner, state: 'unclear', at: 4_000, localAt: 4_000 }]);
  });
  expect([await settle(false), await now()]).toEqual(['draft_busy', ['unclear', 'unclear']]);
});

it('changes nothing of what turned out to be done', async () => {
  const { settle, now } = await unclear(async (sql, owner) => {
    await takenOver(sql, owner);
    await settleKeys(sql, [{ ...held, owner, state: 'done', recordId: '77', at: 4_000, localAt: 4_000 }]);
    await putIntent(sql, { ...intent, state: 'done', record_id: '77' });
  });
  expect([await settle(false), await now()]).toEqual(['write_not_found', ['done', 'done']]);
});

it('knows a row by its whole id beside one that begins with it, and a write by four characters of its id', async () => {
  const { store } = await unclear(async () => {});
  const rows = ['batch 17 1 0', 'batch 17 10 0'].map((holder) => ({ ...want, holder, identity: holder }));
  await store.write((sql) => takeKeys(sql, rows));
  const called = (id: string) =>
    unsettledCalled(store, id).then(
      (found) => found.id,
      ({ message }) => message,
    );
  expect(await Promise.all(['batch-17-1', 'batch-17-10', 'batch-17', '0123', '012', ''].map(called))).toEqual([
    'batch-17-1',
    'batch-17-10',
    'there are several writes batch-17',
    held.holder,
    'there is no write of unknown outcome 012',
    'there is no write of unknown outcome ',
  ]);
});
