import { existsSync, rmSync } from 'node:fs';
import type { Waiting } from '../../platform/process/interruptible.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { isPostgresAddress } from '../../store/postgres-address.ts';
import { WorkspaceError } from '../../store/workspace.ts';
import { say } from '../texts.ts';
import { areaStates } from './area-states.ts';
import { ensureSchema } from './ensure-tables.ts';
import { holdNow, type Mirror, mirrorIn } from './mirror.ts';

const isDamaged = (error: unknown): boolean => error instanceof WorkspaceError && error.code === 'mirror_damaged';

const isFile = ({ dialect }: Mirror): boolean => dialect.name === 'sqlite';

function removeFiles(place: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${place}${end}`, { force: true });
}

/**
 * Deletes the mirror of a service; also one that is damaged, which none can use. Returns whether there was one. Throws a
 * WorkspaceError for the mirror of another service, and for one that another process is working on.
 */
export async function forgetMirror(place: string, origin: string, signal: AbortSignal): Promise<boolean> {
  if (!mirrorExists(place)) return false;
  let mirror: Mirror;
  try {
    mirror = await openMirror(place, origin, { waiting: { signal } });
  } catch (error) {
    if (!isDamaged(error)) throw error;
    removeFiles(place);
    return true;
  }
  const release = await holdNow(mirror).catch(async (error: unknown) => {
    await mirror.close();
    throw error;
  });
  try {
    const wasUsed = await areaStates(mirror).then(
      (states) => states.length > 0,
      (error: unknown) => {
        if (isDamaged(error)) return true;
        throw error;
      },
    );
    if (!isFile(mirror)) await mirror.write((session) => session.run('drop schema mirror cascade'));
    return wasUsed;
  } finally {
    // A server's hold is one of the connections that closing waits for; a file may not be opened before it is removed.
    if (!isFile(mirror)) release();
    await mirror.close();
    if (isFile(mirror)) {
      removeFiles(place);
      release();
    }
  }
}

/**
 * Records as JSON have some kilobytes: in pages of SQLite's own size, every other half page would stay empty, and be
 * written all the same.
 */
const PAGE_BYTES = 16_384;

/** How a mirror is opened. */
export interface MirrorOptions {
  /** Whether a lot will be read or written: the statements of a file then run in a thread of their own, and this one hears Ctrl-C. */
  readonly worksLong?: boolean;
  /** How its database is waited for. */
  readonly waiting?: Waiting | undefined;
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

/** The error of a damaged mirror, which holds nothing but copies, whatever a workspace with that fault had lost. */
export function damagedMirror(place: string, cause: unknown): WorkspaceError {
  const message = say().place.damaged({ place: makeSafe(place) });
  return new WorkspaceError('mirror_damaged', message, { cause });
}

/** Words an error of a workspace for a mirror: neither what was sent is in it, nor anything else that is lost with it. */
function worded(error: unknown, place: string): unknown {
  if (!(error instanceof WorkspaceError)) return error;
  if (error.code === 'workspace_damaged') return damagedMirror(place, error.cause);
  if (error.code === 'workspace_full') return new WorkspaceError('mirror_full', error.message, { cause: error.cause });
  return error;
}

async function openAt(place: string, { worksLong = false, waiting }: MirrorOptions): Promise<Mirror> {
  if (isPostgresAddress(place)) {
    const { openPostgresWorkspace } = await import('../../store/postgres-workspace.ts');
    return mirrorIn(await openPostgresWorkspace(place, undefined, { waiting }));
  }
  const [{ openSqliteWorkspace }, { asWorkspaceError }] = await Promise.all([
    import('../../store/sqlite-workspace.ts'),
    import('../../store/sqlite-file.ts'),
  ]);
  const { openSqliteInThread } = await import('../../platform/sqlite/sqlite-thread.ts');
  const threaded = worksLong ? { open: openSqliteInThread } : {};
  const pragmas = { synchronous: 'NORMAL', pageBytes: PAGE_BYTES } as const;
  const asError = (error: unknown, path: string) => worded(asWorkspaceError(error, path), path);
  return mirrorIn(await openSqliteWorkspace(place, { steps: [], asError, waiting, ...pragmas, ...threaded }));
}

/** Whether a mirror was ever made at that place; on a server, opening it tells. */
export function mirrorExists(place: string): boolean {
  return isPostgresAddress(place) || existsSync(place);
}
