import { afterAll, beforeAll, describe } from 'vitest';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../support/postgres-cluster.ts';
import { places } from './batch-world.ts';

let cluster: PostgresCluster | undefined;

/** What holds of a batch in a file holds of one in a database: the same tests, once more. */
describe.skipIf(postgresPrograms === undefined)('on PostgreSQL', async () => {
  beforeAll(async () => {
    cluster = await startPostgres();
    places.next = async () => cluster?.newDatabase() ?? '';
  });
  afterAll(() => cluster?.remove());
  await import('./exactly-once.test.ts');
  await import('./ship.test.ts');
  await import('./any-command.test.ts');
});
