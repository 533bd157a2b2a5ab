import { join } from 'node:path';
import type { OpenWorkspace } from '../../workspace/open-workspace.ts';
import { workspaceAddress } from '../settings/setting.ts';
import type { Ports } from './ports.ts';
import { Refusal } from './refusal.ts';

type WorkspacePorts = Pick<Ports, 'places' | 'settings'>;

/**
 * The location of the workspace in force: from the setting, otherwise a file for the profile in the state directory.
 * Throws a Refusal for a password saved in the settings.
 */
export function workspacePlace({ places, settings }: WorkspacePorts): string {
  if (settings.workspace !== undefined) {
    const { value, origin } = settings.workspace;
    const wrong = origin === 'environment' ? undefined : workspaceAddress.whyNotKept?.(value);
    if (wrong === undefined) return value;
    throw new Refusal('value_refused', `the setting workspace is refused: ${wrong}`, { kind: 'configuration' });
  }
  // A profile name is arbitrary text, and must become a single file name.
  const name = encodeURIComponent(settings.profileName?.value ?? 'default');
  return join(places.state, 'workspaces', `${name}.db`);
}

/** Opens the workspace in force. Throws a WorkspaceError. */
export async function openWorkspace(ports: WorkspacePorts): Promise<OpenWorkspace> {
  const { openWorkspace: open } = await import('../../workspace/open-workspace.ts');
  return open(workspacePlace(ports));
}
