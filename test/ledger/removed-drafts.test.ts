/* A draft is not removed under the hands of whoever sends it. */
import { expect, it, onTestFinished } from 'vitest';
import { CreateAndConfirmOrder } from '../../src/contract/partner/shipping.ts';
import { draftsIn } from '../../src/ledger/intents/drafts.ts';
import { newIntent, stored } from '../../src/ledger/intents/intent.ts';
import { putIntent } from '../../src/ledger/store/intents.ts';
import { openKeys, takeKeys } from '../../src/ledger/store/keys.ts';
import { openSqliteLedger } from '../../src/ledger/store/sqlite-ledger.ts';
import type { Sql } from '../../src/store/sql.ts';
import { standingClock } from '../support/standing-clock.ts';
import { newWorkspaces } from '../support/workspace.ts';

const account = { origin: 'http://127.0.0.1:4010', family: 'partner', shop: '1' } as const;

/** A draft that a process has begun to send, whose owner lives as long as the test unless it is gone. */
async function sendingDraft(owner?: string, meanwhile: (sql: Sql) => Promise<unknown> = async () => {}) {
  const place = await newWorkspaces.place();
  const store = await openSqliteLedger(place);
  onTestFinished(() => store.close());
  const target = { operation: CreateAndConfirmOrder.id, base_url: account.origin, account };
  const open = newIntent(target, { now: 0, resource: 'order', order: {}, from_input: true });
  const sending = { ...open, state: 'sending' as const, identity: 'one' };
  const row = stored(sending, 1);
  const key = { account: row.account, resource: 'order', identity: 'one', holder: open.id, family: 'partner' };
  const want = { ...key, derived: true, name: 'n', equal: null, request: null, at: 1, localAt: 1 };
  const own = owner ?? (await store.own()).id;
  await store.write(async (sql) => {
    await takeKeys(sql, [{ ...want, owner: own }]);
    await putIntent(sql, row);
  });
  let opens = 0;
  const opened = async () => {
    opens += 1;
    // It was looked at, and is removed now.
    if (opens === 2) await store.write(meanwhile);
    return openSqliteLedger(place);
  };
  const drafts = draftsIn({ open: opened, openIfThere: opened }, standingClock(2));
  return { drafts, open, sending, keys: () => store.read(openKeys) };
}

it('is refused while its process lives, and its key stays', async () => {
  const { drafts, sending, keys } = await sendingDraft();
  await expect(drafts.remove(sending)).rejects.toMatchObject({ code: 'draft_busy' });
  expect([(await drafts.find(sending.id))?.state, (await keys()).length]).toEqual(['sending', 1]);
});

it('is refused if it was sent since it was read', async () => {
  const { drafts, open, keys } = await sendingDraft('gone');
  await expect(drafts.remove(open)).rejects.toMatchObject({ code: 'draft_busy' });
  expect(await keys()).toHaveLength(1);
});

it('removes one that a killed process has left, with its key', async () => {
  const { drafts, sending, keys } = await sendingDraft('gone');
  await drafts.remove(sending);
  expect([await drafts.find(sending.id), await keys()]).toEqual([undefined, []]);
});

it('is refused if another process has taken over since what a killed one was sending', async () => {
  const { drafts, sending, keys } = await sendingDraft('gone', (sql) => sql("update ledger_keys set owner = 'other'"));
  await expect(drafts.remove(sending)).rejects.toMatchObject({ code: 'draft_busy' });
  expect(await keys()).toMatchObject([{ state: 'sending', owner: 'other' }]);
});
