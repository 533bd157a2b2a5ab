/* A row that changes a record is claimed only once its record was found out, and not while that may still be made. */
import { expect, it, onTestFinished } from 'vitest';
import { openBatches } from '../../src/batch/open.ts';
import { takeKeys } from '../../src/ledger/store/keys.ts';
import { sqlOf } from '../../src/store/kysely-sql.ts';
import { workerAt } from '../../src/store/leases.ts';
import { newBatch } from '../support/new-batch.ts';
import { plannedRow } from '../support/planned-row.ts';
import { creating } from '../support/row-rule.ts';
import { newWorkspaces } from '../support/workspace.ts';

const named = (name: string) => ({ name, identity: `key of ${name}` });

it('takes the rows alone whose records have their ids, and were made by nothing that is open', async () => {
  const { workspace, batches, rows, journal } = await openBatches(await newWorkspaces.place());
  onTestFinished(() => workspace.close());
  const { number } = await batches.create(newBatch);
  await rows.add([1, 2, 3, 4].map((row) => plannedRow(number, row)));
  const records = new Map([
    [1, { hasId: true, name: undefined }],
    [2, { hasId: true, name: named('OPEN') }],
    [3, { hasId: false, name: named('DONE') }],
  ]);
  const rule = { ...creating, creates: false, ends: true, records };
  const open = { account: rule.account, resource: rule.resource, holder: 'somebody', family: 'shop', derived: false };
  await workspace.write(async (database) => {
    const want = {
      ...open,
      identity: 'key of OPEN',
      name: 'OPEN',
      equal: null,
      request: null,
      owner: 'gone',
      at: 1,
      localAt: 1,
    };
    await takeKeys(sqlOf(database, workspace.serverTime !== undefined), [want]);
  });
  const worker = workerAt(workspace, number);
  const claimed = await journal(number, rule).claimPlanned(worker, { after: 0, limit: 9 });
  expect(claimed.rows.map(({ row }) => row)).toEqual([1]);
  expect(claimed.blocked.map(({ row, key }) => [row.row, key?.holder])).toEqual([
    [2, 'somebody'],
    [3, undefined],
    [4, undefined],
  ]);
});
