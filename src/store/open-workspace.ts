import type { DriverError, SqliteDatabase } from '../platform/sqlite/sqlite.ts';
import { isPostgresAddress } from './postgres-address.ts';
import type { Restoring } from './restored.ts';
import type { Workspace } from './workspace.ts';

/**
 * The driver that opens SQLite files here: better-sqlite3, or node:sqlite where that cannot be loaded, and from Node 24 on. With
 * what prevents better-sqlite3 where that is the one that is meant for this Node. Throws if neither can be loaded.
 */
export async function sqliteDriver(): Promise<{
  readonly driver: SqliteDatabase['driver'];
  /** The version of this Node. */
  readonly node: string;
  readonly unloaded?: DriverError;
  /** As nodeHeaders says. */
  readonly headers?: string | undefined;
}> {
  const {
    betterSqlite,
    DriverError,
    nodeHeaders,
    nodeVersion: node,
    openSqlite,
    takesBetterSqlite,
  } = await import('../platform/sqlite/sqlite.ts');
  const { driver, close } = await openSqlite(':memory:');
  close();
  if (!takesBetterSqlite || driver === 'better-sqlite3') return { driver, node };
  const unloaded: unknown = await betterSqlite().catch((error: unknown) => error);
  return unloaded instanceof DriverError ? { driver, node, unloaded, headers: nodeHeaders() } : { driver, node };
}

/**
 * Opens a workspace: a file path, created if missing, or a `postgres://` url. Import it only when needed: the
 * implementations are separate files in the build. With `inThread`, the statements of a file run in a thread of their
 * own. Throws a WorkspaceError.
 */
export async function openWorkspace(
  place: string,
  { inThread = false, ...options }: Restoring & { readonly inThread?: boolean } = {},
): Promise<Workspace> {
  if (isPostgresAddress(place)) {
    const { openPostgresWorkspace } = await import('./postgres-workspace.ts');
    return openPostgresWorkspace(place, undefined, options);
  }
  const { openSqliteWorkspace } = await import('./sqlite-workspace.ts');
  if (!inThread) return openSqliteWorkspace(place, options);
  const { openSqliteInThread } = await import('../platform/sqlite/sqlite-thread.ts');
  return openSqliteWorkspace(place, { ...options, open: openSqliteInThread });
}
