import { rmSync } from 'node:fs';
import { WorkspaceError } from '../workspace-error.ts';
import { mirrorExists, openMirror } from './open-mirror.ts';
import { readFact } from './store/facts.ts';
import type { Mirror } from './store/mirror.ts';

const isDamaged = (error: unknown): boolean => error instanceof WorkspaceError && error.code === 'mirror_damaged';

function removeFiles(place: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${place}${end}`, { force: true });
}

/**
 * Deletes the mirror of a service, once no sync is using it; one that is damaged, which none can use, at once. Returns
 * whether there was one. Throws a WorkspaceError for the mirror of another service.
 */
export async function forgetMirror(place: string, origin: string, signal: AbortSignal): Promise<boolean> {
  if (!mirrorExists(place)) return false;
  let mirror: Mirror;
  try {
    mirror = await openMirror(place, origin);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    removeFiles(place);
    return true;
  }
  const release = await mirror.hold('mirror sync', { signal });
  try {
    const was = await mirror
      .read((session) => readFact(session, 'origin'))
      .catch((error: unknown) => {
        if (isDamaged(error)) return 'damaged';
        throw error;
      });
    if (mirror.dialect.name === 'postgres') await mirror.write((session) => session.run('drop schema mirror cascade'));
    return was !== undefined;
  } finally {
    await mirror.close();
    if (mirror.dialect.name === 'sqlite') removeFiles(place);
    release();
  }
}
