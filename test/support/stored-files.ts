import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What SQLite keeps beside a database while somebody has it open: it holds nothing of its own once that is closed. */
const isBeside = (path: string) => /-(?:shm|wal)$/.test(path) && statSync(path).size === 0;

/** Every file below the directory of a machine, with the hash of what is in it: settings, state and data; no caches. */
export function storedFiles(directory: string): Readonly<Record<string, string>> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(directory, path).startsWith('cache') && !isBeside(path));
  return Object.fromEntries(
    files
      .sort()
      .map((path) => [relative(directory, path), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}
