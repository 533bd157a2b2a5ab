import type { Connection } from '../../client/connection.ts';
import { isGone } from '../../client/settle/found-record.ts';
import { verdictOn } from '../../client/settle/settle-lost.ts';
import { readFields } from '../../domain/json/values.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import { lookUp, lookUpId } from '../../ledger/look-up.ts';
import type { RowWork } from '../../ledger/work.ts';
import { elapsedOn, systemClock } from '../../platform/process/clock.ts';
import type { Worker } from '../../store/leases.ts';
import type { Journal } from '../store/journal.ts';
import type { RowWithRequest } from '../store/row.ts';
import type { Blocked } from '../store/row-keys.ts';
import { batchTexts } from '../texts.ts';
import { failed, outcomeOf } from './row-outcome.ts';

/**
 * A row whose record was made by work that may not have shipped it, as it is at the service: it existed, or lacks its
 * shipment still. Nothing is sent. Throws a CallError.
 */
export async function madeBefore<Made extends RowWithRequest>(
  work: RowWork,
  row: Made,
  { tree, connection }: { readonly tree: LocationTree; readonly connection: Connection },
): Promise<Made> {
  const request = readFields(row.payload);
  const byId = row.id === null ? undefined : await lookUpId(work, row.id, connection);
  const seen = byId ?? (await lookUp(work, request, connection));
  const write = { operation: work.operation, request, derived: row.named === 0, mayHaveLeft: false };
  const found = verdictOn(write, seen.state === 'none' ? undefined : seen, tree);
  // A parcel that came back was shipped.
  const isBack = found.state === 'over' && !isGone(found.record);
  const outcome = isBack
    ? outcomeOf({ ...found, state: 'existed' }, row.name, false)
    : found.state === 'none' || found.state === 'over'
      ? failed('already_over', batchTexts.row.over)
      : outcomeOf(found, row.name, false);
  return { ...row, error_code: null, error_message: null, error_fields: null, ...outcome };
}

/**
 * Renews a worker's lease periodically while the work runs; does nothing for a worker without one. If a heartbeat fails
 * for good, its error is thrown when the work has ended: without a lease nothing more is sent.
 */
export async function whileBeating(
  worker: Worker,
  heartbeatMs: number | undefined,
  work: () => Promise<void>,
  clock = systemClock,
): Promise<void> {
  if (heartbeatMs === undefined) return work();
  const over = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const beat = async () => {
    while (!over.signal.aborted) {
      await clock.wait(heartbeatMs, over.signal).catch(() => {});
      if (!over.signal.aborted) await worker.beat();
    }
  };
  const beating = beat().catch((error: unknown) => {
    failure = { error };
  });
  try {
    await work();
  } finally {
    over.abort();
    await beating;
  }
  if (failure !== undefined) throw failure.error;
}

/** The next rows are marked when so few are left: twice as many as are in flight at most. */
const NEXT_AT = 32;

/** A row that this worker may send. */
export interface Item {
  readonly row: RowWithRequest;
  readonly maybeSent: boolean;
}

/** What claiming rows depends on. */
export interface Claiming {
  readonly journal: Journal;
  readonly worker: Worker;
  /** How many planned rows are marked at once; without a settlement only those that are sent at once. */
  readonly window: number | undefined;
  /** The longest time between two checks for rows that dead workers left. */
  readonly lookMs: number;
  /** Milliseconds of a clock that never goes back; the machine's if absent. */
  readonly elapsed?: () => number;
  /** Called before the next planned rows are claimed; false if none is to be claimed any more. */
  readonly before?: ((window: { readonly after: number; readonly limit: number }) => Promise<boolean>) | undefined;
  /** Told of rows that ended without a call. */
  readonly ended: (rows: readonly RowWithRequest[]) => void;
}

/**
 * The rows of a batch that this worker has claimed, first those that may have been sent; each is marked before it is
 * handed out.
 */
export class ClaimedRows {
  readonly #claiming: Claiming;
  #left: RowWithRequest[] = [];
  #lookAt = 0;
  #marked: RowWithRequest[] = [];
  /** The claim that is under way. */
  #marking: Promise<void> | undefined;
  /** The failure of a claim that nobody waited for: nothing more is handed out, marked or not. */
  #failure: { readonly error: unknown } | undefined;
  /** Whether no planned row was left: each further claim would be a commit that finds nothing. */
  #isExhausted = false;
  /** The last row that was looked at: what stays planned is not met twice before the rest. */
  #after = 0;
  readonly #blocked: Blocked[] = [];

  constructor(claiming: Claiming) {
    this.#claiming = claiming;
  }

  async take(room: number): Promise<readonly Item[]> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const left = await this.#takeLeft(room);
    if (left.length > 0) return left.map((row) => ({ row, maybeSent: true }));
    if (this.#marked.length === 0 && !this.#isExhausted) await this.#mark(room);
    const taken = this.#marked.splice(0, room);
    const { window } = this.#claiming;
    // The next ones are marked while the last of these are sent: otherwise the service waits for our disk.
    if (window !== undefined && this.#marked.length <= NEXT_AT && !this.#isExhausted) {
      this.#mark(room).catch((error: unknown) => {
        this.#failure ??= { error };
      });
    }
    return taken.map((row) => ({ row, maybeSent: false }));
  }

  /**
   * Claims what other workers left behind: all of it at first, and again periodically, since a worker can die at any
   * time.
   */
  async #takeLeft(room: number): Promise<RowWithRequest[]> {
    const { journal, worker, window, lookMs, elapsed = () => elapsedOn(systemClock) } = this.#claiming;
    if (this.#left.length === 0 && elapsed() >= this.#lookAt) {
      this.#left = [...(await journal.claimLeft(worker, window ?? room))];
      if (this.#left.length === 0) this.#lookAt = elapsed() + lookMs;
    }
    return this.#left.splice(0, room);
  }

  #mark(room: number): Promise<void> {
    this.#marking ??= this.#markNext(room).finally(() => {
      this.#marking = undefined;
    });
    return this.#marking;
  }

  async #markNext(room: number): Promise<void> {
    const { journal, worker, window, ended, before } = this.#claiming;
    for (;;) {
      const next = { after: this.#after, limit: window ?? room };
      if ((await before?.(next)) === false) {
        this.#isExhausted = true;
        return;
      }
      const claimed = await journal.claimPlanned(worker, next);
      ended(claimed.ended);
      this.#marked.push(...claimed.rows);
      this.#blocked.push(...claimed.blocked);
      this.#isExhausted = claimed.last === undefined;
      this.#after = claimed.last ?? 0;
      if (claimed.rows.length > 0 || this.#isExhausted) return;
    }
  }

  /** The rows whose records somebody else may be sending, as far as they were met since this was asked. */
  takeBlocked(): readonly Blocked[] {
    return this.#blocked.splice(0);
  }

  /** Marked rows that were not taken. */
  async unsent(): Promise<readonly RowWithRequest[]> {
    // A claim that fails has marked nothing, and the journal fails with whoever writes to it next.
    await this.#marking?.catch(() => {});
    return this.#marked;
  }

  /** Checks for left and planned rows with the next row instead of waiting for the interval. */
  lookNow(): void {
    this.#lookAt = 0;
    this.#isExhausted = false;
  }
}
