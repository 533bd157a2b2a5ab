import { rmSync } from 'node:fs';
import { mirrorExists, openMirror } from './open-mirror.ts';
import { readFact } from './store/facts.ts';

/**
 * Deletes the mirror of a service, once no sync is using it. Returns whether there was one. Throws a WorkspaceError for
 * the mirror of another service.
 */
export async function forgetMirror(place: string, origin: string, signal: AbortSignal): Promise<boolean> {
  if (!mirrorExists(place)) return false;
  const mirror = await openMirror(place, origin);
  const release = await mirror.hold('mirror sync', { signal });
  try {
    const was = await mirror.read((session) => readFact(session, 'origin'));
    if (mirror.dialect.name === 'postgres') await mirror.write((session) => session.run('drop schema mirror cascade'));
    return was !== undefined;
  } finally {
    release();
    await mirror.close();
    if (mirror.dialect.name === 'sqlite')
      for (const end of ['', '-wal', '-shm']) rmSync(`${place}${end}`, { force: true });
  }
}
