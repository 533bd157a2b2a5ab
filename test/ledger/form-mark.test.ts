/* What a form is given when it is opened says, without any clock, what was reported since. */
import { expect, it, onTestFinished } from 'vitest';
import { settleByWord } from '../../src/ledger/intents/unsettled.ts';
import { formMark, reportsBefore } from '../../src/ledger/known/form-mark.ts';
import { intentAt, markReported, putIntent } from '../../src/ledger/store/intents.ts';
import { takeKeys } from '../../src/ledger/store/keys.ts';
import { openSqliteLedger } from '../../src/ledger/store/sqlite-ledger.ts';
import { openWorkspace } from '../../src/store/open-workspace.ts';
import { moveWorkspace } from '../../src/workspace/store/move.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { newWorkspaces } from '../support/workspace.ts';

const account = '["http://127.0.0.1:1","7"]';
const body = {
  operation: 'shop.Customer/CreateCustomer',
  attempts: 1,
  updated_at: 1_000,
  reported_at: null,
  body: '{}',
};
const place = { account, resource: 'Customer' };
const intent = (id: string) => ({ ...place, ...body, id, identity: id, state: 'done' as const, record_id: '1' });

async function ledgerAt(where: string) {
  const store = await openSqliteLedger(where);
  onTestFinished(() => store.close());
  const report = (id: string, at: number) =>
    store.write(async (sql) => {
      await putIntent(sql, intent(id));
      await markReported(sql, id, at);
    });
  const mark = () => formMark({ openIfThere: () => openSqliteLedger(where) });
  /** Whether a write was reported after a form was opened. */
  const isSince = async (id: string, opened: string) =>
    ((await store.read((sql) => intentAt(sql, id)))?.report ?? 0) > reportsBefore(opened, store);
  return { store, report, mark, isSince };
}

it('counts what was reported after it, whatever the clock said then, and nothing before', async () => {
  const { report, mark, isSince } = await ledgerAt(await newWorkspaces.place());
  await report('before', 9_000);
  const opened = await mark();
  await report('after', 1_000);
  expect([await isSince('before', opened), await isSince('after', opened)]).toEqual([false, true]);
  expect(await isSince('after', await mark())).toBe(false);
});

it('counts everything where it was given by another ledger, or could not be read, and nothing without a ledger', async () => {
  const { report, store, isSince } = await ledgerAt(await newWorkspaces.place());
  await report('it', 1_000);
  const busy = await formMark({ openIfThere: () => Promise.reject(new Error('busy')) });
  for (const mark of ['another 99', busy, 'nonsense', `${store.id} x`])
    expect([mark, await isSince('it', mark)]).toEqual([mark, true]);
  expect(reportsBefore(await formMark({ openIfThere: async () => undefined }), store)).toBe(0);
});

it('counts what a person has said was made', async () => {
  const { store, mark, isSince } = await ledgerAt(await newWorkspaces.place());
  const opened = await mark();
  await store.write(async (sql) => {
    const key = { ...place, identity: '0123456789', holder: '0123456789', family: 'shop', derived: true, name: 'n' };
    await takeKeys(sql, [{ ...key, equal: null, request: 'r', owner: 'gone', at: 1_000, localAt: 1_000 }]);
    await putIntent(sql, { ...intent('0123456789'), state: 'unclear' });
  });
  await settleByWord(store, '0123456789', true, 2_000);
  expect(await isSince('0123456789', opened)).toBe(true);
});

it('is later than what came from another ledger', async () => {
  const [from, to] = [await newWorkspaces.place(), await newWorkspaces.place()];
  const there = await ledgerAt(from);
  for (const id of ['a', 'b', 'c']) await there.report(id, 1_000);
  await there.store.close();
  const here = await ledgerAt(to);
  await here.report('own', 1_000);
  const target = await openWorkspace(to);
  onTestFinished(() => target.close());
  await moveWorkspace({ place: from, id: there.store.id }, target, steppedClock());
  expect(await here.isSince('c', await here.mark())).toBe(false);
});
