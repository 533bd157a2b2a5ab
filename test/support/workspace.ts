import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openWorkspace } from '../../src/store/open-workspace.ts';

async function newFile(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-workspace-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'workspace.db');
}

/** Where test workspaces are created, new and empty: files, unless a suite is repeated on a server. */
export const newWorkspaces = { place: newFile, areFiles: true };

/** A private workspace for the duration of a test. */
export async function testWorkspace() {
  const workspace = await openWorkspace(await newWorkspaces.place());
  onTestFinished(() => workspace.close());
  return workspace;
}
