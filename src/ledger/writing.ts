import type { Account } from '../client/account.ts';
import { type Connection, through } from '../client/connection.ts';
import { CallError, OutcomeUnknownError, ServiceError } from '../client/errors.ts';
import { isProof, isRefusedForGood } from '../client/settle/settle-lost.ts';
import { fieldsIn } from '../domain/json/values.ts';
import { TransportError } from '../platform/http/transport.ts';
import { elapsedOn } from '../platform/process/clock.ts';
import type { Owner } from '../store/owner.ts';
import { DraftError } from './errors.ts';
import { serviceOf } from './known/service.ts';
import { knownClock, type ServiceTime, timed } from './service-time.ts';
import { isHolderAlive, type LedgerStore } from './store/intents.ts';
import type { Key } from './store/keys.ts';
import { say } from './texts.ts';

const WAIT_STEP_MS = 100;

/** What one write through the ledger depends on. */
export interface WritingContext {
  /** Opens the ledger; it is closed when the write has ended. */
  readonly open: () => Promise<LedgerStore>;
  readonly connection: Connection;
  /** Whose the record is, at the address that is dialled. */
  readonly account: Account;
  /** How long to wait for another process that writes the same, in milliseconds. */
  readonly waitMs: number;
  /** Called once if another process has to be waited for. */
  readonly onWait?: () => void;
}

/**
 * What an owner sends: nothing once it does not own any more what it took. Counts every time that bytes may have left,
 * retries of the transport included, and learns the service's time.
 */
export class Sending {
  /** The connection that the write is sent over. */
  readonly connection: Connection;
  /** The same for reads, which are no attempts. */
  readonly lookups: Connection;
  /** The service's time, as far as an answer has told it. */
  readonly time: ServiceTime;
  #left = 0;

  constructor(connection: Connection, owner: Owner) {
    const own = timed(connection);
    this.lookups = own.connection;
    this.time = own.time;
    this.connection = through(own.connection, async (request, next) => {
      if (!owner.holds()) throw new TransportError('aborted', 'no', say().refused.leaseEnded);
      this.#left += 1;
      try {
        return await next(request);
      } catch (error) {
        if (fieldsIn(error).sent === 'no') this.#left -= 1;
        throw error;
      }
    });
  }

  /** How many attempts may have reached the service. */
  get left(): number {
    return this.#left;
  }

  /** The service's time, as far as an answer has told it; otherwise this machine's. Milliseconds since 1970. */
  get now(): number {
    return this.time.now();
  }

  /**
   * Whether a failure proves that nothing was or can be applied: no attempt but its own may have arrived. `isEarlier` is
   * whether an earlier process may have sent the same, of which no failure here tells.
   */
  isProved(error: CallError, isEarlier = false): boolean {
    // One that did not leave tells nothing of an earlier one that did.
    const answered = error.kind === 'service' || error.kind === 'contract' ? 1 : 0;
    return isProof(error) && !isEarlier && this.#left <= answered;
  }

  /**
   * A failure as it may be reported: whatever does not prove that nothing was or can be applied leaves it open. Where all
   * attempts were looked up (`isWanted`), a refusal of the content proves it, though others left before.
   */
  known(error: unknown, request: object, { isEarlier = false, isWanted = false } = {}): unknown {
    if (!(error instanceof CallError) || error.outcome !== 'not_applied') return error;
    // A code that is taken may be taken by what an earlier attempt has made.
    const isOfContent = isWanted && isRefusedForGood(error) && error.code !== 'already_exists';
    if (isOfContent || this.isProved(error, isEarlier)) return error;
    const { operation = '' } = error;
    const message = isEarlier ? say().refused.earlierAttempt(error) : error.message;
    // Recorded once more and left open, so that the way to find out is reported.
    this.connection.ledger?.enter(operation, JSON.stringify(request));
    if (!(error instanceof ServiceError)) return new OutcomeUnknownError(operation, message, { cause: error });
    const { code, meta, status, retryAfterMs } = error;
    return new ServiceError(operation, { code, msg: message, meta, status, retryAfterMs, outcome: 'unknown' });
  }
}

/** One process at one write of an open ledger. */
export class Writing extends Sending {
  readonly store: LedgerStore;
  /** Who sends, as keys say it. */
  readonly owner: string;
  readonly #context: WritingContext;
  readonly #deadline: number;
  #account: Account;
  #waited = false;

  constructor(context: WritingContext, store: LedgerStore, owner: Owner) {
    super(context.connection, owner);
    this.#context = context;
    this.#account = context.account;
    this.store = store;
    this.owner = owner.id;
    this.#deadline = elapsedOn(context.connection.clock) + context.waitMs;
  }

  /** Whose the record is, by the service's name in the ledger. */
  get account(): Account {
    return this.#account;
  }

  /** Learns which service it is, before anything is sent. Throws as `serviceOf` does. */
  async identify(): Promise<void> {
    const { account, connection } = this.#context;
    const known = await serviceOf(this.store, account, connection, this.lookups);
    await known.keep();
    this.#account = known.account;
  }

  /** That others send the same record for too long. */
  busy(): DraftError {
    return new DraftError('draft_busy', say().refused.sameRecord);
  }

  /**
   * Whether a process that lives has a key: then a while has been waited for it. Throws a DraftError (`draft_busy`) if it
   * takes too long.
   */
  async waitsFor(key: Key): Promise<boolean> {
    if (!(await isHolderAlive(this.store, key))) return false;
    const { connection, onWait } = this.#context;
    if (elapsedOn(connection.clock) >= this.#deadline) throw this.busy();
    if (!this.#waited) onWait?.();
    this.#waited = true;
    await connection.clock.wait(WAIT_STEP_MS, connection.signal);
    return true;
  }
}

/** Opens the ledger, and owns in it what `work` takes until that has ended. */
export async function writing<Result>(
  context: WritingContext,
  work: (writing: Writing) => Promise<Result>,
): Promise<Result> {
  const store = await context.open();
  try {
    const own = new Writing(context, store, await store.own());
    const clock = await knownClock(store, context.account, own.time);
    await own.identify();
    return await work(own).finally(() => clock.keep());
  } finally {
    await store.close().catch(() => {});
  }
}
