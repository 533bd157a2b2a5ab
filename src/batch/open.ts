import { openWorkspace } from '../store/open-workspace.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Batches, batchesOf } from './store/batches.ts';
import { type Journal, journalOf } from './store/journal.ts';
import type { RowRule } from './store/row-keys.ts';
import { type Rows, rowsOf } from './store/rows.ts';

export { openWorkspace };

/** An open workspace with the batches in it. */
export interface OpenBatches {
  readonly workspace: Workspace;
  readonly batches: Batches;
  readonly rows: Rows;
  /** The journal of one batch, by its number, whose rows are guarded by this rule. */
  journal(batch: number, rule: RowRule): Journal;
}

/** The batches of a workspace. */
export const batchesIn = (workspace: Workspace): OpenBatches => ({
  workspace,
  batches: batchesOf(workspace),
  rows: rowsOf(workspace),
  journal: (batch, rule) => journalOf(workspace, batch, rule),
});

/** Opens a workspace as `openWorkspace` does, for its batches. Throws a WorkspaceError. */
export async function openBatches(...given: Parameters<typeof openWorkspace>): Promise<OpenBatches> {
  return batchesIn(await openWorkspace(...given));
}
