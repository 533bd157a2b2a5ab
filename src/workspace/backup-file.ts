import { closeSync, openSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import { openSqliteHere } from '../platform/sqlite/sqlite-connection.ts';
import { OF_A_BACKUP } from './move/restored.ts';
import type { Workspace } from './workspace.ts';

/**
 * Copies a file workspace to a new file as a consistent snapshot, even while other processes write. The copy is
 * readable by its owner only; an existing file is never overwritten (`EEXIST`). Throws a WorkspaceError or the system's
 * error. Whoever opens the copy learns that what was sent since is missing from it.
 */
export async function backUpFile({ read }: Workspace, path: string): Promise<void> {
  closeSync(openSync(path, 'wx', 0o600));
  try {
    await read((database) => sql`vacuum into ${path}`.execute(database));
    const copy = await openSqliteHere(path);
    const mark = `insert into meta (name, value) values ('incarnation', ?)
      on conflict (name) do update set value = excluded.value`;
    await copy.run(mark, [OF_A_BACKUP]).finally(copy.close);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
