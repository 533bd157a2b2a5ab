import { afterAll, beforeAll } from 'vitest';
import {
  forManyDatabases,
  type PostgresCluster,
  postgresPrograms,
  SERVER_HOOK_MS,
  startPostgres,
} from './postgres-cluster.ts';
import { newWorkspaces } from './workspace.ts';

/** Runs the suite that calls `use` with workspaces on a private server. */
export const onPostgres = {
  /** Whether no server is installed on this machine. */
  missing: postgresPrograms === undefined,
  use(): void {
    let cluster: PostgresCluster | undefined;
    // Immediately: suites imported next read it.
    newWorkspaces.areFiles = false;
    beforeAll(async () => {
      const started = await startPostgres(forManyDatabases);
      cluster = started;
      newWorkspaces.place = async () => started.newDatabase();
    }, SERVER_HOOK_MS);
    afterAll(() => cluster?.remove(), SERVER_HOOK_MS);
  },
};
