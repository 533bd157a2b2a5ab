import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteLedger } from '../../src/ledger/store/sqlite-ledger.ts';
import { asWorkspaceError } from '../../src/store/sqlite-file.ts';
import { openSqliteWorkspace } from '../../src/store/sqlite-workspace.ts';

const kinds = [
  ['NFS', 0x6969],
  ['SMB', 0x517b],
  ['SMB', 0xff534d42],
  ['SMB', -0x1acb2be],
  ['9p', 0x01021997],
  ['FUSE', 0x65735546],
] as const;

function place(): string {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-disk-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'state', 'workspace.db');
}

it.each(kinds)('a workspace on %s (%i) is refused before anything is made, with the way out', async (name, type) => {
  const path = place();
  for (const open of [openSqliteWorkspace, openSqliteLedger]) {
    await expect(open(path, { fileSystemOf: () => type })).rejects.toMatchObject({
      code: 'workspace_unusable',
      message: expect.stringContaining(`is on ${name}, where locks do not hold`),
      hint: expect.stringMatching(/SHOPCTL_STATE_DIR.*postgres:/),
    });
  }
  expect(existsSync(path)).toBe(false);
});

it('a disk of this machine, and one that does not say what it is, are taken', async () => {
  const path = place();
  const sources = [
    () => 0xef53,
    () => {
      throw new Error('ENOSYS');
    },
  ];
  for (const fileSystemOf of sources) await (await openSqliteLedger(path, { fileSystemOf })).close();
  expect(existsSync(path)).toBe(true);
});

it('names the way out where the file cannot be written, as in a container without a writable home', () => {
  const error = Object.assign(new Error("EROFS: read-only file system, mkdir '/srv/shop/.local'"), { code: 'EROFS' });
  expect(asWorkspaceError(error, '/srv/shop/.local/state/shopctl/workspace.db')).toMatchObject({
    code: 'workspace_unusable',
    hint: expect.stringContaining('SHOPCTL_STATE_DIR'),
  });
});

it('what is no file, as a device may be, is no workspace, and stays as open as it was', async () => {
  const path = place();
  mkdirSync(path, { recursive: true, mode: 0o755 });
  await expect(openSqliteWorkspace(path)).rejects.toMatchObject({
    code: 'workspace_unusable',
    message: expect.stringContaining('is no file'),
  });
  expect(statSync(path).mode & 0o777).toBe(0o755);
});
