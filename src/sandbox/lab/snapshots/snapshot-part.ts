import type { Core } from '../../engine/core.ts';
import type { Part } from '../../engine/part.ts';
import { Refusal } from '../../engine/refusal.ts';
import { OtherSchemaError } from '../../engine/store/schema/migrations.ts';
import { createTurns } from '../../engine/store/sql/turns.ts';
import { reseed } from '../seeds/seed.ts';
import { copyInto, modernize, replaceBy } from './copy-data.ts';
import { type Snapshot, snapshotFiles } from './snapshot-files.ts';

/**
 * Snapshots of all data: records, accounts with their keys, webhooks with their pending changes, plans of shipments,
 * the business clock. Faults and the log belong to a run, not to the data, and are not affected.
 */
export interface SnapshotControl {
  readonly snapshots: {
    /** Saves the data. Refuses with 409 an existing name, unless it is to be replaced. */
    save(name: string, options?: { readonly replace?: boolean }): Promise<Snapshot>;
    /** Restores the data, including the business clock; 404 if there is no such snapshot. */
    restore(name: string): Promise<Snapshot>;
    list(): Promise<{ readonly snapshots: readonly Snapshot[] }>;
    remove(name: string): Promise<{ readonly removed: string }>;
  };
  /**
   * Resets the data to their initial content. Accounts keep their ids and keys, so that clients can continue; the
   * business clock also continues, because the same seed at the same time gives the same ids.
   */
  reset(): Promise<{ readonly seed: string }>;
}

/** The part for snapshots. Its operations run one at a time, while requests continue. */
export function snapshotPart(core: Core): Part<SnapshotControl> {
  const files = snapshotFiles(core.data);
  const inTurn = createTurns();
  return {
    control: {
      snapshots: {
        save: (name, { replace = false } = {}) =>
          inTurn(() => files.save(name, replace, (path) => core.store.exclusively((sqlite) => copyInto(sqlite, path)))),
        restore: (name) =>
          inTurn(() =>
            files.open(name, async (path) => {
              await modernize(path).catch((error: unknown) => {
                throw unreadable(name, error);
              });
              await core.exchange((sqlite) => {
                replaceBy(sqlite, path);
                // A delivery that was in progress at that time belongs to no worker now.
                sqlite.exec('UPDATE webhooks SET lease_token = NULL, lease_until = NULL');
              });
            }),
          ),
        list: () => inTurn(async () => ({ snapshots: await files.list() })),
        remove: (name) =>
          inTurn(async () => {
            await files.remove(name);
            return { removed: name };
          }),
      },
      reset: () => inTurn(() => reseed(core)),
    },
    close: () => inTurn(() => files.close()),
  };
}

function unreadable(name: string, error: unknown): Refusal {
  const reason = error instanceof OtherSchemaError ? error.message : 'it is not a snapshot of a sandbox';
  return new Refusal('failed_precondition', `snapshot ${JSON.stringify(name)} cannot be restored: ${reason}`);
}
