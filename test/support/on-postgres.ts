import { beforeAll } from 'vitest';
import { sharedPostgres } from '../once/made-once.ts';
import { postgresPrograms } from './postgres-cluster.ts';
import { newWorkspaces } from './workspace.ts';

/** Runs the suite that calls `use` with workspaces on a server. */
export const onPostgres = {
  /** Whether no server is installed on this machine. */
  missing: postgresPrograms === undefined,
  use(): void {
    // Immediately: suites imported next read it.
    newWorkspaces.areFiles = false;
    beforeAll(async () => {
      const server = await sharedPostgres('quick');
      newWorkspaces.place = async () => server.newDatabase();
    });
  },
};
