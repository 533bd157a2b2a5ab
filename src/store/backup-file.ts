import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { openSqliteHere } from '../platform/sqlite/sqlite-connection.ts';
import { OF_A_BACKUP } from './restored.ts';
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

const copies = new Map<string, Promise<string>>();

async function copied(path: string, copy: string): Promise<string> {
  if (!existsSync(path)) return copy;
  try {
    const source = await openSqliteHere(path);
    await source.run('vacuum into ?', [copy]).finally(source.close);
    return copy;
  } catch {
    // What is wrong with it is said by whoever opens it.
    rmSync(copy, { force: true });
    return path;
  }
}

/**
 * The path of a copy of a database file in a directory, made once, for whoever only looks: nothing that is written there
 * is kept. Where there is no file, there is no copy either, and a new one is made at that path.
 */
export function copyToLook(path: string, directory: string): Promise<string> {
  const copy = join(directory, basename(path));
  const made = copies.get(copy) ?? copied(path, copy);
  copies.set(copy, made);
  return made;
}
