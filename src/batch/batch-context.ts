import type { Account } from '../client/account.ts';
import type { Connection } from '../client/connection.ts';
import type { LocationTree } from '../domain/places/places.ts';
import type { Derivation } from '../ledger/identity.ts';
import type { PartnerShops } from '../ledger/known/other-shop.ts';
import type { ServiceTime } from '../ledger/service-time.ts';
import type { RowWork } from '../ledger/work.ts';
import type { LeaseTimes } from '../store/leases.ts';
import type { OpenBatches } from './open.ts';
import type { Batch } from './store/batches.ts';

/** What happens while a batch is planned or run, for the user interface. */
export type BatchEvent =
  /** The batch has its name and nothing was sent yet; or an earlier batch is resumed. */
  | { readonly event: 'began'; readonly batch: string; readonly resumed: boolean }
  /** A batch that began ends before anything was sent, and is no more. */
  | { readonly event: 'dropped'; readonly batch: string }
  | { readonly event: 'waiting'; readonly batch: string }
  | { readonly event: 'planning'; readonly done: number }
  /** Rows whose records are read, quoted or sent; `failed` of them without success, of `all` that there are to do. */
  | {
      readonly event: 'reading' | 'quoting' | 'running';
      readonly done: number;
      readonly failed: number;
      readonly all: number;
    }
  | { readonly event: 'away'; readonly reason: string }
  | { readonly event: 'back'; readonly afterMs: number }
  | { readonly event: 'throttled'; readonly inFlight: number }
  | { readonly event: 'others' }
  /** A retry that has nothing to send: `bad` of the rows have invalid cells. */
  | { readonly event: 'nothing'; readonly bad: number }
  | { readonly event: 'stopping'; readonly inFlight: number };

/** What planning and running depend on. */
export interface BatchContext extends OpenBatches {
  /** By the service's name in the ledger. */
  readonly account: Account;
  /** For a partner, the shops that its profile is signed in to. */
  readonly shops?: PartnerShops | undefined;
  /** Every attempt is counted in this layer, so calls on it are not retried below. Its signal aborts reads only. */
  readonly connection: Connection;
  /** The same connection for look-ups of the batch itself rather than of a row: retried as usual. */
  readonly lookups: Connection;
  /** The service's time, as far as an answer has told it. */
  readonly time: ServiceTime;
  /** Aborted by Ctrl-C: nothing new is started then. */
  readonly signal: AbortSignal;
  readonly randomBytes: (length: number) => Uint8Array;
  /** By which names are derived; that of today if absent. */
  readonly derivation?: Derivation | undefined;
  readonly tree: LocationTree;
  /** IANA name of the zone whose days batches are named by; UTC if absent. */
  readonly timeZone?: string | undefined;
  readonly tell: (event: BatchEvent) => void;
  /** How many rows are in flight at once; if absent, the batch adapts it. */
  readonly concurrency?: number | undefined;
  /** How long the service may be unavailable before the batch stops. */
  readonly maxOutageMs: number;
  /** How long a lease lasts without a heartbeat; the default if absent. */
  readonly lease?: LeaseTimes | undefined;
  /** Throws a WorkspaceError if the account has another name by now; a worker asks once it holds its lease. */
  requireSameService(): Promise<void>;
  /** Called before the first row of a batch is sent; what it throws ends the run, of which nothing was sent. */
  readonly beforeSending?: ((batch: Batch, work: RowWork) => Promise<void>) | undefined;
}
