import { afterAll, beforeAll, describe } from 'vitest';
import {
  forManyDatabases,
  type PostgresCluster,
  postgresPrograms,
  SERVER_HOOK_MS,
  startPostgres,
} from '../support/postgres-cluster.ts';
import { places } from './batch-world.ts';

let cluster: PostgresCluster | undefined;

/** What holds of a batch in a file holds of one in a database: the same tests, once more. */
describe.skipIf(postgresPrograms === undefined)('on PostgreSQL', async () => {
  beforeAll(async () => {
    cluster = await startPostgres(forManyDatabases);
    places.next = async () => cluster?.newDatabase() ?? '';
  }, SERVER_HOOK_MS);
  afterAll(() => cluster?.remove(), SERVER_HOOK_MS);
  await import('./exactly-once.test.ts');
  await import('./ship.test.ts');
  await import('./any-command.test.ts');
  await import('./undo.test.ts');
  await import('./command-line.test.ts');
});
