import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqliteWorkspace } from '../../src/workspace/sqlite-workspace.ts';

/** A workspace in a directory of its own, until the test is over. */
export async function testWorkspace() {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-workspace-'));
  const workspace = await openSqliteWorkspace(join(directory, 'workspace.db'));
  onTestFinished(async () => {
    await workspace.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return workspace;
}
