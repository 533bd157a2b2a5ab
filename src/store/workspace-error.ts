/** Why a workspace cannot be used. */
export type WorkspaceProblem =
  | 'workspace_full'
  | 'workspace_newer'
  | 'workspace_older'
  | 'workspace_damaged'
  | 'workspace_unusable'
  | 'workspace_busy'
  | 'workspace_moved'
  | 'workspace_restored'
  | 'workspace_elsewhere'
  | 'workspace_away'
  | 'mirror_damaged'
  | 'mirror_full';

/** Thrown when the workspace cannot be opened, read or written; `code` says why. Earlier commits are not affected. */
export class WorkspaceError extends Error {
  readonly kind = 'workspace';
  readonly code: WorkspaceProblem;
  readonly hint?: string;

  constructor(code: WorkspaceProblem, message: string, options: { cause?: unknown; hint?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WorkspaceError';
    this.code = code;
    if (options.hint !== undefined) this.hint = options.hint;
  }
}
