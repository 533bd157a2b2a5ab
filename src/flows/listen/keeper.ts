import { type IncomingCallback, type KeptChange, keepCallbacks } from '../../workspace/events/keep.ts';
import { EVENTS } from '../../workspace/events/serving.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';

/** Keeps callbacks on disk, many with one write. */
export interface Keeper {
  /** Resolves once the callback is on disk, with what of it was new; rejects where it could not be kept. */
  keep(callback: IncomingCallback): Promise<readonly KeptChange[]>;
  /** Waits for what is being kept. */
  close(): Promise<void>;
}

interface Waiting {
  readonly callback: IncomingCallback;
  readonly resolve: (kept: readonly KeptChange[]) => void;
  readonly reject: (error: unknown) => void;
}

/** How many changes are written at once. */
const MOST_AT_ONCE = 2000;

/**
 * A keeper over a workspace. What comes while one write is under way shares the next: the disk is waited for once for
 * all of it, and each callback is acknowledged only after that. `onKept` hears of what is new, in its order.
 */
export function createKeeper(
  workspace: Pick<Workspace, 'alone' | 'write'>,
  account: string,
  onKept: (kept: readonly KeptChange[]) => void = () => {},
): Keeper {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const write = async (some: readonly Waiting[]) => {
    try {
      const callbacks = some.map(({ callback }) => callback);
      const kept = await workspace.write(async (database) => {
        await workspace.alone(database, EVENTS);
        return keepCallbacks(database, account, callbacks);
      });
      onKept(kept);
      const byChange = new Map(kept.map((one) => [one.change, one]));
      for (const { callback, resolve } of some) {
        resolve(callback.changes.flatMap((change) => byChange.get(change) ?? []));
      }
    } catch (error) {
      // One that cannot be kept must not take others with it; where nothing can be kept, all hear it at once.
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
        // In the next turn of the loop, so that what has arrived together is written together.
        running ??= new Promise<void>((begin) => setImmediate(begin)).then(run);
      }),
    async close() {
      await running;
    },
  };
}
