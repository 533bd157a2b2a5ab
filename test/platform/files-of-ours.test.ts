import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { nodeFiles } from '../../src/platform/files/node-files.ts';

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-files-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

it('lists the names in a directory, sorted, and none where there is no such directory', async () => {
  const directory = scratch();
  for (const name of ['b.json', 'a.json']) writeFileSync(join(directory, name), '{}');
  expect(await nodeFiles.list(directory)).toEqual(['a.json', 'b.json']);
  expect(await nodeFiles.list(join(directory, 'none'))).toEqual([]);
  await expect(nodeFiles.list(join(directory, 'a.json'))).rejects.toMatchObject({ kind: 'file', code: 'ENOTDIR' });
});

it('removes a file, also one that is not there, and no directory', async () => {
  const directory = scratch();
  writeFileSync(join(directory, 'a.json'), '{}');
  await nodeFiles.remove(join(directory, 'a.json'));
  await nodeFiles.remove(join(directory, 'a.json'));
  expect(readdirSync(directory)).toEqual([]);
  await expect(nodeFiles.remove(directory)).rejects.toMatchObject({ kind: 'file' });
});

it('lets one holder at a lock, in a directory of its own that it makes', async () => {
  const path = join(scratch(), 'below', 'draft.lock');
  const release = await nodeFiles.lock(path, 0);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  await expect(nodeFiles.lock(path, 0)).rejects.toMatchObject({ name: 'LockError' });
  release();
  (await nodeFiles.lock(path, 0))();
  expect(readdirSync(join(path, '..'))).toEqual([]);
});
