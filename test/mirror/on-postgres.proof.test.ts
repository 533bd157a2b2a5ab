import { describe } from 'vitest';
import { countsFiles } from '../cod/counted-files.ts';
import { kindsHere, showPostgres } from '../support/mirrors.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';

/** What holds of a mirror in a file holds of one in a database: the same tests, once more. */
describe.skipIf(postgresPrograms === undefined)('on PostgreSQL', async () => {
  showPostgres();
  await import('./sync.test.ts');
  await import('./history.test.ts');
  await import('./questions.test.ts');
  await import('./open-parcels.test.ts');
  await import('../cod/reconcile.test.ts');
  for (const kind of kindsHere()) countsFiles(kind);
  await import('../reports/referee.test.ts');
});
