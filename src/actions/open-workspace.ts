import { join } from 'node:path';
import type { Workspace } from '../workspace/workspace.ts';
import type { Ports } from './ports.ts';

/** The file of the workspace of the profile in force. */
export function workspaceFile({ places, settings }: Pick<Ports, 'places' | 'settings'>): string {
  // A name is the person's own text, and must stay one file's name.
  const name = encodeURIComponent(settings.profileName?.value ?? 'default');
  return join(places.state, 'workspaces', `${name}.db`);
}

/** Opens the workspace of the profile in force: a file of its own in the state directory. Throws a WorkspaceError. */
export async function openWorkspace({ places, settings }: Pick<Ports, 'places' | 'settings'>): Promise<Workspace> {
  const { openSqliteWorkspace } = await import('../workspace/open-workspace.ts');
  return openSqliteWorkspace(workspaceFile({ places, settings }));
}
