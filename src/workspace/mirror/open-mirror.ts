import { existsSync } from 'node:fs';
import { isPostgresAddress } from '../postgres/postgres-address.ts';
import { ensureSchema } from './schema/ensure.ts';
import { type Mirror, mirrorIn } from './store/mirror.ts';

/**
 * Records as JSON have some kilobytes: in pages of SQLite's own size, every other half page would stay empty, and be
 * written all the same.
 */
const PAGE_BYTES = 16_384;

/** How a mirror is opened. */
export interface MirrorOptions {
  /** Whether a lot will be read or written: the statements of a file then run in a thread of their own, and this one hears Ctrl-C. */
  readonly worksLong?: boolean;
}

/**
 * Opens the mirror of a service, created if missing: a file path, or the `postgres://` url of the workspace whose
 * database holds it. Throws a WorkspaceError.
 */
export async function openMirror(place: string, origin: string, options: MirrorOptions = {}): Promise<Mirror> {
  const mirror = await openAt(place, options);
  try {
    await ensureSchema(mirror, origin);
  } catch (error) {
    await mirror.close();
    throw error;
  }
  return mirror;
}

async function openAt(place: string, { worksLong = false }: MirrorOptions): Promise<Mirror> {
  if (isPostgresAddress(place)) {
    const { openPostgresWorkspace } = await import('../postgres/postgres-workspace.ts');
    return mirrorIn(await openPostgresWorkspace(place));
  }
  const { openSqliteWorkspace } = await import('../sqlite/sqlite-workspace.ts');
  const { openSqliteInThread } = await import('../../platform/sqlite/sqlite-thread.ts');
  const threaded = worksLong ? { open: openSqliteInThread } : {};
  const pragmas = { synchronous: 'NORMAL', pageBytes: PAGE_BYTES } as const;
  return mirrorIn(await openSqliteWorkspace(place, { steps: [], ...pragmas, ...threaded }));
}

/** Whether a mirror was ever made at that place; on a server, opening it tells. */
export function mirrorExists(place: string): boolean {
  return isPostgresAddress(place) || existsSync(place);
}
