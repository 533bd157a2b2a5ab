/* What was forgotten keeps its key: nobody else gets it, whoever asks for it and in whatever way. */
import { expect, it, onTestFinished } from 'vitest';
import { openBatches } from '../../src/batch/open.ts';
import { forgetContents, forgetKeys } from '../../src/ledger/store/forgotten.ts';
import { keysAt, keysNamed, settleKeys, takeKeys, type Want } from '../../src/ledger/store/keys.ts';
import { sqlOf } from '../../src/store/kysely-sql.ts';
import { workerAt } from '../../src/store/leases.ts';
import type { Sql } from '../../src/store/sql.ts';
import { newBatch } from '../support/new-batch.ts';
import { plannedRow } from '../support/planned-row.ts';
import { creating } from '../support/row-rule.ts';
import { newWorkspaces } from '../support/workspace.ts';

const DAY_MS = 86_400_000;
const AT = Date.parse('2026-01-31T08:00:00Z');
const { account, resource } = creating;

const wanted = (identity: string, more: Partial<Want> = {}): Want => ({
  ...{ account, resource, identity, holder: 'batch 1 1 0', family: 'shop', derived: true, name: `shopctl-${identity}` },
  ...{ equal: 'equal', request: 'request', owner: 'owner', at: AT, localAt: AT },
  ...more,
});

/** A workspace in which these keys are done, or undone, and forgotten. */
async function forgotten(...keys: readonly (Want & { readonly isUndone?: boolean })[]) {
  const open = await openBatches(await newWorkspaces.place());
  const { workspace } = open;
  onTestFinished(() => workspace.close());
  const write = <Result>(work: (sql: Sql) => Promise<Result>) =>
    workspace.write((database) => work(sqlOf(database, workspace.serverTime !== undefined)));
  await write(async (sql) => {
    await takeKeys(sql, keys);
    for (const { isUndone, ...key } of keys) {
      await settleKeys(sql, [{ ...key, state: isUndone ? 'undone' : 'done', recordId: '7' }]);
    }
    await forgetKeys(sql, { where: 'holder like ?', values: ['batch 1 %'] });
  });
  return { ...open, write };
}

it('is found by its identity and by the name that was derived, and not by what another salt makes of them', async () => {
  const { write } = await forgotten(wanted('one'));
  const found = await write(async (sql) => [
    [...(await keysAt(sql, account, resource, ['one', 'two']))].map(([identity, { name }]) => [identity, name]),
    [...(await keysNamed(sql, account, resource, ['shopctl-one', 'shopctl-two'])).keys()],
  ]);
  expect(found).toEqual([[['one', null]], ['shopctl-one']]);
  const stored = await write((sql) => sql('select identity, name from ledger_keys'));
  expect(JSON.stringify(stored)).not.toContain('one');
});

it('is given to nobody, but for a given name whose record was undone', async () => {
  const undone = { isUndone: true };
  const { write } = await forgotten(
    wanted('done'),
    { ...wanted('undone'), ...undone },
    { ...wanted('free', { derived: false, name: 'SO-1' }), ...undone },
  );
  const other = ['done', 'undone', 'free', 'new'].map((identity) => wanted(identity, { holder: 'another' }));
  const granted = await write((sql) => takeKeys(sql, other));
  expect([...granted].map(({ identity }) => identity).sort()).toEqual(['free', 'new']);
  const left = await write((sql) => sql("select identity from ledger_keys where holder = 'another' order by identity"));
  expect(left.map(({ identity }) => identity)).toEqual(['free', 'new']);
});

it('is not given to the rows of a batch either, which existed', async () => {
  const { workspace, batches, rows, journal } = await forgotten(wanted('key of 1'), wanted('key of 2'));
  const { number } = await batches.create(newBatch);
  await rows.add([1, 2, 3].map((row) => plannedRow(number, row, { named: 0 })));
  const claimed = await journal(number, creating).claimPlanned(workerAt(workspace, number), { after: 0, limit: 9 });
  expect([claimed.rows, claimed.ended].map((some) => some.map(({ row }) => row))).toEqual([[3], [1, 2]]);
  expect(claimed.ended[0]).toMatchObject({ state: 'existed', id: '7' });
});

it('keeps what equal content is recognised by for a day after the deed', async () => {
  const { write } = await forgotten(wanted('one'));
  const contents = async (at: number, localAt = at) => {
    await write((sql) => forgetContents(sql, { at: AT + at, localAt: AT + localAt }));
    return write((sql) => sql('select equal, request from ledger_keys'));
  };
  const kept = [{ equal: 'equal', request: 'request' }];
  expect(await contents(DAY_MS - 1)).toEqual(kept);
  // Each of the two clocks may be wrong.
  expect([await contents(DAY_MS - 1, 9 * DAY_MS), await contents(9 * DAY_MS, DAY_MS - 1)]).toEqual([kept, kept]);
  expect(await contents(DAY_MS)).toEqual([{ equal: null, request: null }]);
});
