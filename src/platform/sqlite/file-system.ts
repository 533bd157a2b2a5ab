import { existsSync, statfsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** File systems whose locks do not hold between machines, or not at all, by the number that Linux gives them. */
const shared: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
]);

/** The number of the file system that a directory is on; on another platform than Linux the numbers mean nothing. */
export type FileSystemOf = (directory: string) => number;

const ofThisMachine: FileSystemOf = (directory) => (process.platform === 'linux' ? statfsSync(directory).type : 0);

/**
 * The name of a file system on which a database cannot rely on locks, if a path is on one. What does not exist yet is
 * made where its directory is.
 */
export function unlockableAt(path: string, fileSystemOf: FileSystemOf = ofThisMachine): string | undefined {
  let directory = path;
  while (!existsSync(directory) && dirname(directory) !== directory) directory = dirname(directory);
  try {
    // A 32-bit system gives the large ones as negative.
    return shared.get(fileSystemOf(directory) >>> 0);
  } catch {
    return undefined;
  }
}

const changeOf = (path: string) =>
  stat(path).then(
    ({ mtimeMs, size }) => (size === 0 ? '' : `${mtimeMs} ${size}`),
    () => '',
  );

/** What changes whenever a SQLite file is written, its log included; the same text for a file that does not exist. */
export async function stampOf(path: string): Promise<string> {
  return (await Promise.all([changeOf(path), changeOf(`${path}-wal`)])).join(' ');
}
