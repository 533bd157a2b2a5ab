import { stat } from 'node:fs/promises';

const changeOf = (path: string) =>
  stat(path).then(
    ({ mtimeMs, size }) => (size === 0 ? '' : `${mtimeMs} ${size}`),
    () => '',
  );

/** What changes whenever a SQLite file is written, its log included; the same text for a file that does not exist. */
export async function stampOf(path: string): Promise<string> {
  return (await Promise.all([changeOf(path), changeOf(`${path}-wal`)])).join(' ');
}
