import type { Key } from '../ledger/keys.ts';
import type { Workspace } from '../workspace.ts';

/** The name of the lock of a batch, by whatever file or command it is reached. */
export function lockOf({ number }: { readonly number: number }): string {
  return `batch-${number}`;
}

/** Whether whoever holds a key is still at it, so that waiting makes sense. Throws a WorkspaceError. */
export async function isHolderAlive(workspace: Workspace, { owner, state }: Key): Promise<boolean> {
  const { serverTime } = workspace;
  if (state !== 'sending') return false;
  if (serverTime !== undefined) {
    return workspace.read(async (database) => {
      const worker = database
        .selectFrom('batch_workers')
        .select('id')
        .where('id', '=', owner ?? '');
      return (await worker.where('lease_until', '>', serverTime).execute()).length > 0;
    });
  }
  return owner !== null && (await workspace.owners?.isAlive(owner)) === true;
}
