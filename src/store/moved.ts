import { WorkspaceError } from './workspace-error.ts';

/** How the schema steps of a workspace record that it was moved; the new location follows. */
export const MOVED_TO = 'moved to ';

/** A workspace that was moved to this place is neither read nor written any more. */
export function movedError(place: string): WorkspaceError {
  return new WorkspaceError('workspace_moved', `the workspace was moved to ${place}; nothing was read or written here`);
}
