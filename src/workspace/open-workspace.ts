import { type Batches, batchesOf } from './batches.ts';
import { type Journal, journalOf } from './journal.ts';
import { type Rows, rowsOf } from './rows.ts';
import { openSqliteWorkspace } from './sqlite-workspace.ts';
import type { Workspace } from './workspace.ts';

export { openSqliteWorkspace };

/** An open workspace with what is kept in it. */
export interface OpenWorkspace {
  readonly workspace: Workspace;
  readonly batches: Batches;
  readonly rows: Rows;
  /** The journal of one batch, by its number. */
  journal(batch: number): Journal;
}

/**
 * Opens the workspace of a file, which is made where it is missing. To be imported when it is needed: what stands behind it
 * is a file of its own. Throws a WorkspaceError.
 */
export async function openWorkspace(path: string): Promise<OpenWorkspace> {
  const workspace = await openSqliteWorkspace(path);
  return {
    workspace,
    batches: batchesOf(workspace),
    rows: rowsOf(workspace),
    journal: (batch) => journalOf(workspace, batch),
  };
}
