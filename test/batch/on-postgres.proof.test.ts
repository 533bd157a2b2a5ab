import { beforeAll, describe } from 'vitest';
import { sharedPostgres } from '../once/made-once.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';
import { places } from './batch-world.ts';

/** What holds of a batch in a file holds of one in a database: the same tests, once more. */
describe.skipIf(postgresPrograms === undefined)('on PostgreSQL', async () => {
  beforeAll(async () => {
    const server = await sharedPostgres('quick');
    places.next = async () => server.newDatabase();
  });
  await import('./exactly-once.test.ts');
  await import('./ship.test.ts');
  await import('./any-command.test.ts');
  await import('./undo.test.ts');
  await import('./updates-beside-others.test.ts');
  await import('./command-line.test.ts');
  await import('./ended/ended.test.ts');
  await import('./ended/ended-and-asked.test.ts');
});
