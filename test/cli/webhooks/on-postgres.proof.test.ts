import { describe } from 'vitest';
import { onPostgres } from '../../support/on-postgres.ts';

/** What holds of a listener with a file holds of one with a database: the same tests, once more. */
describe.skipIf(onPostgres.missing)('on PostgreSQL', async () => {
  onPostgres.use();
  await import('./listen.test.ts');
  await import('./events.test.ts');
});
