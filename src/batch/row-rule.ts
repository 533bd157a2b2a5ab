import type { Account } from '../client/account.ts';
import type { Connection } from '../client/connection.ts';
import { requestDifferences } from '../client/settle/compare.ts';
import { endsRecord, textIn } from '../client/settle/found-record.ts';
import { readFields } from '../domain/json/json-extent.ts';
import type { LocationTree } from '../domain/places/places.ts';
import { contentIdentity, ledgerAccount, madeUnder, targetIdentity } from '../ledger/identity.ts';
import type { PartnerShops } from '../ledger/known/other-shop.ts';
import { digestsOf } from '../ledger/row-keys.ts';
import type { ServiceTime } from '../ledger/service-time.ts';
import type { RowWork } from '../ledger/work.ts';
import type { LeaseTimes } from '../store/leases.ts';
import type { OpenBatches } from './open.ts';
import { numbered } from './read/identity.ts';
import { sourceOf } from './report/result-table.ts';
import { makesRecords } from './row-work.ts';
import type { Batch } from './store/batches.ts';
import type { RowRecord, RowRule } from './store/row-keys.ts';

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
  readonly looks: Connection;
  /** The service's time, as far as an answer has told it. */
  readonly time: ServiceTime;
  /** Aborted by Ctrl-C: nothing new is started then. */
  readonly signal: AbortSignal;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly tree: LocationTree;
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

const DAY_MS = 86_400_000;

/** The name that is derived from the content of a row, without its number. */
const unnumbered = (name: string) => name.replace(/^(shopctl-r1-[0-9a-f]{20})-\d+$/, '$1');

/** How equal orders of other work meet the rows of a batch. */
function equalsOf(said: 'again' | 'continue' | undefined): RowRule['equals'] {
  if (said === 'again') return { by: 'any' };
  return { within: DAY_MS, by: said === undefined ? 'any' : 'commands' };
}

/** How the ledger guards the rows of a batch; `records` as of the rule. */
export function rowRuleOf(
  { account, time, tree }: BatchContext,
  batch: Batch,
  work: RowWork,
  records?: ReadonlyMap<number, RowRecord>,
): RowRule {
  const { operation, resource, shippers } = work;
  // A relationship is there or not: it can be made again as soon as it is not on its way.
  const creates = makesRecords(work);
  const isOrder = creates && resource === 'order';
  return {
    account: ledgerAccount(account),
    resource,
    family: account.family,
    creates,
    ends: endsRecord(operation),
    undoes: work.undoes !== undefined,
    ...(shippers === undefined ? {} : { shippers }),
    equals: isOrder ? equalsOf(sourceOf(batch).equals) : undefined,
    now: () => time.moment,
    hasPassed: (milliseconds, since) => time.hasPassed(milliseconds, since),
    digestsOf: (payload) => digestsOf(isOrder, payload, tree),
    ...(records === undefined ? {} : { records }),
    changesOf: (id) => targetIdentity('id', id),
    endedRecord(payload) {
      const request = readFields(payload);
      const [id, external_id] = [textIn(request[operation.positional ?? 'id']), textIn(request.external_id)];
      if (id !== '') return { id };
      return external_id === '' ? {} : { name: madeUnder(external_id) };
    },
    differences: (one, other) => requestDifferences(readFields(one), readFields(other), tree),
    renumbered(row, number) {
      const name = numbered(unnumbered(row.name), number);
      const payload = readFields(row.payload);
      const named = payload.external_id === row.name ? JSON.stringify({ ...payload, external_id: name }) : row.payload;
      return { ...row, name, identity: contentIdentity(row.content, number), payload: named };
    },
  };
}
