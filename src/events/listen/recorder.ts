import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { WorkspaceError } from '../../store/workspace.ts';
import { EVENTS } from '../store/serving.ts';
import { type IncomingCallback, type StoredChange, storeCallbacks } from '../store/store-changes.ts';

/** Stores callbacks on disk, many per write. */
export interface Recorder {
  /** Resolves once the callback is on disk, with its new changes; rejects if it could not be stored. */
  keep(callback: IncomingCallback): Promise<readonly StoredChange[]>;
  /** Waits for writes in progress. */
  close(): Promise<void>;
}

/** What hears of new changes. */
export interface Recording {
  readonly onStored?: (kept: readonly StoredChange[]) => void;
  /** Writes what else follows from them, in the transaction that stores them. */
  readonly beside?: ((database: WorkspaceTables, kept: readonly StoredChange[]) => Promise<void>) | undefined;
}

interface Waiting {
  readonly callback: IncomingCallback;
  readonly resolve: (kept: readonly StoredChange[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The most changes per write. */
const MOST_AT_ONCE = 2000;

/**
 * A recorder over a workspace. Callbacks that arrive during a write share the next one: the disk is awaited once for all
 * of them, and each is acknowledged only after that. `onStored` is called with the new changes, in order.
 */
export function createRecorder(
  workspace: Pick<Workspace, 'alone' | 'write'>,
  account: string,
  { onStored = () => {}, beside = async () => {} }: Recording = {},
): Recorder {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const write = async (some: readonly Waiting[]) => {
    try {
      const callbacks = some.map(({ callback }) => callback);
      const kept = await workspace.write(async (database) => {
        await workspace.alone(database, EVENTS);
        const kept = await storeCallbacks(database, account, callbacks);
        await beside(database, kept);
        return kept;
      });
      onStored(kept);
      const byChange = new Map(kept.map((one) => [one.change, one]));
      for (const { callback, resolve } of some) {
        resolve(callback.changes.flatMap((change) => byChange.get(change) ?? []));
      }
    } catch (error) {
      // One bad callback must not fail the others; if nothing can be stored, all are rejected at once.
      if (some.length === 1 || error instanceof WorkspaceError) for (const { reject } of some) reject(error);
      else for (const one of some) await write([one]);
    }
  };

  const run = async () => {
    while (waiting.length > 0) {
      let changes = 0;
      const enough = waiting.findIndex(({ callback }) => {
        changes += callback.changes.length;
        return changes >= MOST_AT_ONCE;
      });
      const some = enough < 0 ? waiting : waiting.slice(0, enough + 1);
      waiting = waiting.slice(some.length);
      await write(some);
    }
    running = undefined;
  };

  return {
    keep: (callback) =>
      new Promise((resolve, reject) => {
        waiting.push({ callback, resolve, reject });
        // In the next turn of the event loop, so that callbacks that arrived together share a write.
        running ??= new Promise<void>((begin) => setImmediate(begin)).then(run);
      }),
    async close() {
      await running;
    },
  };
}
