import { rmSync } from 'node:fs';
import { WorkspaceError } from '../../store/workspace.ts';
import { areaStates } from './area-states.ts';
import { holdNow, type Mirror } from './mirror.ts';
import { mirrorExists, openMirror } from './open-mirror.ts';

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
