/* `npm test` takes minutes: what starts processes, browsers and databases is of `npm run proof`, but for the files named here. */
import { expect, it } from 'vitest';
import { kindsOfTests } from './once/kinds.ts';

/** Each promise that needs a real process, a page or a database once; its matrices and repetitions are proofs. */
const heavy = [
  'test/batch/installed.test.ts',
  'test/batch/killed-once.test.ts',
  'test/batch/result-workbook.test.ts',
  'test/batch/undo-beside-helpers.test.ts',
  'test/browser/smoke.test.ts',
  'test/build.test.ts',
  'test/cli/cod/dispute-sheet.test.ts',
  'test/cli/complete/scripts.test.ts',
  'test/cli/printed/printed-commands.test.ts',
  'test/cli/reference.test.ts',
  'test/cli/reports/report.test.ts',
  'test/cli/workspace.test.ts',
  'test/cli/written-commands.test.ts',
  'test/cod/payment-sums.test.ts',
  'test/cod/planted-faults.test.ts',
  'test/cod/reconcile.test.ts',
  'test/mirror/first-copy.test.ts',
  'test/mirror/history.test.ts',
  'test/mirror/open-parcels.test.ts',
  'test/mirror/questions.test.ts',
  'test/mirror/sql.test.ts',
  'test/mirror/sync.test.ts',
  'test/platform/code-cache.test.ts',
  'test/platform/file-lock.test.ts',
  'test/platform/node-files.test.ts',
  'test/platform/node-streams.test.ts',
  'test/platform/service-unit.test.ts',
  'test/platform/sqlite-connection.test.ts',
  'test/promises/sending/other-kinds.test.ts',
  'test/pty/day.test.ts',
  'test/reports/referee.test.ts',
  'test/scripts/new-and-release.test.ts',
  'test/sheets/xlsx.test.ts',
  'test/simulation/agents.test.ts',
  'test/slips/slips.test.ts',
  'test/strangers/notices.test.ts',
  'test/wire/process-exit.test.ts',
  'test/workspace/clocks-and-addresses.test.ts',
  'test/workspace/equal-orders.test.ts',
  'test/workspace/event-list.test.ts',
  'test/workspace/move.test.ts',
  'test/workspace/postgres.test.ts',
  'test/workspace/printed-slips.test.ts',
  'test/workspace/workers.test.ts',
];

it('only the files named here start processes, browsers or databases in npm test', () => {
  const { slow, apart, fast } = kindsOfTests(false);
  expect([...slow, ...apart].sort()).toEqual(heavy);
  expect(heavy.length).toBeLessThanOrEqual(45);
  expect(fast.length).toBeGreaterThan(300);
});

it('every other file that needs them says in its name that it is a proof', () => {
  const { slow, apart, fast } = kindsOfTests(true);
  const all = [...slow, ...apart, ...fast];
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter((file) => !file.endsWith('.proof.test.ts'))).toEqual([]);
});
