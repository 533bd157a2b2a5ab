import { join } from 'node:path';
import type { Workspace } from '../workspace/workspace.ts';
import type { Ports } from './ports.ts';

/** Opens the workspace of the profile in force: a file of its own in the state directory. Throws a WorkspaceError. */
export async function openWorkspace({ places, settings }: Pick<Ports, 'places' | 'settings'>): Promise<Workspace> {
  const { openSqliteWorkspace } = await import('../workspace/sqlite-workspace.ts');
  // A name is the person's own text, and must stay one file's name.
  const name = encodeURIComponent(settings.profileName?.value ?? 'default');
  return openSqliteWorkspace(join(places.state, 'workspaces', `${name}.db`));
}
