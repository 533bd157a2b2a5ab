import type { Account } from '../../client/account.ts';
import type { Connection } from '../../client/connection.ts';
import type { LocationTree } from '../../domain/places.ts';
import type { OpenWorkspace } from '../../workspace/open-workspace.ts';
import type { LeaseTimes } from '../../workspace/workers.ts';

/** What happens while a batch is planned or run, for whoever shows it. */
export type BatchEvent =
  /** A batch has its name, and nothing of it was sent yet; or one that was begun goes on. */
  | { readonly event: 'began'; readonly batch: string; readonly resumed: boolean }
  | { readonly event: 'waiting'; readonly batch: string }
  | { readonly event: 'planning' | 'quoting' | 'running'; readonly done: number; readonly of?: number }
  | { readonly event: 'away'; readonly reason: string }
  | { readonly event: 'back'; readonly afterMs: number }
  | { readonly event: 'throttled'; readonly inFlight: number }
  | { readonly event: 'others' }
  | { readonly event: 'stopping'; readonly inFlight: number };

/** What planning and running need of the world. */
export interface BatchDesk extends OpenWorkspace {
  readonly account: Account;
  /** Every attempt counts here: calls are not tried again below. Its signal ends reads alone. */
  readonly connection: Connection;
  /** The same, for a look of the batch's own that is not a row's: tried again as anywhere else. */
  readonly looks: Connection;
  /** Aborted by Ctrl-C: nothing new is begun then. */
  readonly signal: AbortSignal;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly tree: LocationTree;
  readonly tell: (event: BatchEvent) => void;
  /** How many rows are under way at once; absent, the batch finds it out. */
  readonly concurrency?: number | undefined;
  /** How long the service may be away before the batch stops. */
  readonly maxOutageMs: number;
  /** How long a worker that says nothing is waited for; absent, the standard. */
  readonly lease?: LeaseTimes | undefined;
}
