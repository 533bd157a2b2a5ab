import { closeSync, openSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import type { Workspace } from './workspace.ts';

/**
 * Copies the workspace of a file into a new one, as it is at one moment, also while others write. The copy is its user's
 * alone; one that is there already is left alone (`EEXIST`). Throws a WorkspaceError or the system's error.
 */
export async function backUpFile({ read }: Workspace, path: string): Promise<void> {
  closeSync(openSync(path, 'wx', 0o600));
  try {
    await read((database) => sql`vacuum into ${path}`.execute(database));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
