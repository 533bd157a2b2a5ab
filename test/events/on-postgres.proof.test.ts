import { describe } from 'vitest';
import { onPostgres } from '../support/on-postgres.ts';

/** What holds of changes in a file holds of changes in a database: the same tests, once more. */
describe.skipIf(onPostgres.missing)('on PostgreSQL', async () => {
  onPostgres.use();
  await import('./keep.test.ts');
  await import('./forward.test.ts');
  await import('./receiver.test.ts');
});
