import type { Connection } from '../../client/connection.ts';
import { CallError } from '../../client/errors.ts';
import { readFields } from '../../domain/json/values.ts';
import { ledgerAccount, madeUnder, targetIdentity } from '../../ledger/identity.ts';
import { byId, changedRecord, type Finding } from '../../ledger/known/changed-record.ts';
import { takenElsewhere } from '../../ledger/known/other-shop.ts';
import { lookUp } from '../../ledger/look-up.ts';
import { isHolderAlive } from '../../ledger/store/intents.ts';
import { rowOfHolder } from '../../ledger/store/undone.ts';
import type { RowWork } from '../../ledger/work.ts';
import { elapsedOn, systemClock } from '../../platform/process/clock.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import { type LeaseTimes, standardLease, type Worker, workerAt } from '../../store/leases.ts';
import { WorkspaceError } from '../../store/workspace.ts';
import type { BatchContext } from '../batch-context.ts';
import { optionsOf } from '../plan/new-batch.ts';
import { rowRuleOf } from '../row-rule.ts';
import { callsRecords } from '../row-work.ts';
import type { Batch } from '../store/batches.ts';
import type { Journal, Outcome } from '../store/journal.ts';
import { type Row, type RowWithRequest, withoutTexts } from '../store/row.ts';
import type { Blocked, RowRecord } from '../store/row-keys.ts';
import { requireNoUndo } from '../stored-source.ts';
import { rowsLeft } from '../summary.ts';
import { batchTexts } from '../texts.ts';
import { ClaimedRows, type Item, madeBefore, whileBeating } from './claimed-rows.ts';
import { workOff } from './in-flight.ts';
import { Pace, Stopped } from './pace.ts';
import { failed } from './row-outcome.ts';
import { type Left, type SendingContext, type Sent, sendRow, stopsAll } from './send-row.ts';
import type { Tally } from './tally.ts';

/** What finding the records of rows depends on. */
export interface RecordContext {
  readonly context: BatchContext;
  /** The number of the batch. */
  readonly batch: number;
  readonly work: RowWork;
  readonly pace: Pace;
  readonly connection: Connection;
}

/** Which rows are looked at: so many planned ones behind this one. */
type Window = Parameters<Journal['claimPlanned']>[1];

/**
 * The records that the rows of a batch change, whatever their sheet calls them by: found out before a row is claimed, so
 * that each row takes the one key that its record has.
 */
export class RowRecords {
  /** Those of the rows that were found out, by number. */
  readonly known = new Map<number, RowRecord>();
  readonly #of: RecordContext;
  readonly #finding: Finding;

  constructor(of: RecordContext) {
    const { account, workspace } = of.context;
    this.#of = of;
    this.#finding = {
      account: ledgerAccount(account),
      resource: of.work.resource,
      read: (work) => workspace.read((database) => work(sqlOf(database, workspace.serverTime !== undefined))),
      lookups: of.connection,
    };
  }

  /**
   * Finds the records of the next planned rows, by the ledger or by one read each, and stores them. Returns the rows that
   * fail for it: nothing is sent for those. Throws a WorkspaceError.
   */
  async find(journal: Journal, window: Window): Promise<readonly RowWithRequest[]> {
    const { batch, context } = this.#of;
    const rows = await context.rows.next({ batch, states: ['planned'], ...window });
    const open = rows.filter(({ row }) => this.known.get(row)?.hasId !== true);
    const found = (await Promise.all(open.map((row) => this.#findOne(row)))).filter((row) => row !== undefined);
    const named = found.filter(({ state }) => state === 'planned');
    const ended = found.filter(({ state }) => state === 'failed');
    if (named.length > 0) await journal.name(named);
    if (ended.length > 0) await journal.judge(ended);
    return ended;
  }

  /** A row as it is stored from now on; undefined if that is as it is. */
  async #findOne(row: RowWithRequest): Promise<RowWithRequest | undefined> {
    const { work, pace } = this.#of;
    const request = readFields(row.payload);
    try {
      const record = await pace.through(() => changedRecord(work.operation, request, this.#finding));
      const { field, value, external_id } = record;
      const hasId = field === 'id';
      this.known.set(row.row, { hasId, name: external_id === '' ? undefined : madeUnder(external_id) });
      const payload = JSON.stringify(hasId ? byId(work.operation, request, value) : request);
      const identity = targetIdentity(field, value);
      return payload === row.payload && identity === row.identity ? undefined : { ...row, payload, identity };
    } catch (error) {
      if (error instanceof Stopped) return undefined;
      if (!(error instanceof CallError)) throw error;
      if (!stopsAll(error)) return { ...row, ...failed(error.code, error.message) };
      pace.fail(error);
      return undefined;
    }
  }
}

/** How many rows share the commit of their intents, if a lost answer can be settled. */
const ROWS_A_COMMIT = 128;
/** The same where other workers help: few enough that each of them gets a share of what is left. */
const ROWS_A_SHARED_COMMIT = 32;
/** How long to wait between two checks for rows that other workers left. */
const OTHERS_MS = 500;
const OUTCOMES_WAIT_MS = 1_000;
/** How long to wait for calls in flight after Ctrl-C. */
const LAST_WAIT_MS = 30_000;

/** How a run ended; the rows hold the details. */
export interface RunEnd {
  /** Why it stopped early: Ctrl-C, or a failure that every other row would run into as well. */
  readonly stopped: 'interrupted' | undefined;
  readonly failure: Error | undefined;
  /** Who has the records of rows that stay planned, and does not know what became of them: holders of keys. */
  readonly held: readonly string[];
}

/** The outcome of a marked row that was not sent after all. */
function unsent(row: RowWithRequest): Outcome {
  return { row: { ...withoutTexts(row), state: 'planned', attempts: row.attempts - 1 }, release: row.fee ?? 0 };
}

/** A row whose record somebody else has. */
function heldRow({ row, key }: Blocked): Row {
  const who = rowOfHolder(key?.holder ?? '');
  const { heldBy, heldByRow } = batchTexts.row;
  const error_message =
    who === undefined
      ? heldBy({ holder: `${key?.holder}` })
      : heldByRow({ row: String(who.row), batch: String(who.batch) });
  return { ...row, error_code: 'held_by', error_message };
}

/** Whether anybody who holds the keys of rows is still at it. */
async function anyAlive({ workspace }: BatchContext, blocked: readonly Blocked[]): Promise<boolean> {
  const keys = new Map(blocked.map(({ key }) => [key?.holder.split(' ', 2).join(' '), key]));
  for (const key of keys.values()) if (key === undefined || (await isHolderAlive(workspace, key))) return true;
  return false;
}

/** Waits for other workers to make progress; shorter if this run is to stop. */
async function othersTime(signal: AbortSignal, clock = systemClock): Promise<void> {
  await clock.wait(OTHERS_MS, signal).catch(() => {});
}

/**
 * The connection for writes: without retries of its own, and not aborted by Ctrl-C, which waits for calls in flight as
 * long as its patience lasts.
 */
function withoutRetries({ signal: _, ...connection }: Connection): Connection {
  const { patience } = connection;
  return { ...connection, ...(patience === undefined ? {} : { signal: patience.signal }), maxRetries: 0 };
}

/** One process at the rows of a batch. */
class RowRun {
  readonly #context: BatchContext;
  readonly #batch: Batch;
  readonly #tally: Tally;
  readonly #pace: Pace;
  readonly #journal: Journal;
  readonly #records: RowRecords | undefined;
  readonly #worker: Worker;
  readonly #own: ClaimedRows;
  readonly #lease: LeaseTimes;
  readonly #isShared: boolean;
  readonly #held = new Set<string>();
  readonly #sending: SendingContext;
  #done = 0;
  #failed = 0;
  /** How many rows were left when it began. */
  #all = 0;
  /** When the oldest outcome that waits for a commit was told. */
  #waitingSince = 0;

  constructor(context: BatchContext, batch: Batch, work: RowWork, tally: Tally) {
    this.#context = context;
    this.#batch = batch;
    this.#tally = tally;
    const connection = withoutRetries(context.connection);
    this.#pace = new Pace({ ...context, clock: connection.clock, random: connection.random });
    const of = { context, batch: batch.number, work, pace: this.#pace, connection };
    this.#records = callsRecords(work) ? new RowRecords(of) : undefined;
    this.#journal = context.journal(batch.number, rowRuleOf(context, batch, work, this.#records?.known));
    this.#lease = context.lease ?? standardLease;
    this.#isShared = context.workspace.serverTime !== undefined;
    this.#worker = workerAt(context.workspace, batch.number, this.#lease);
    const most = this.#isShared ? ROWS_A_SHARED_COMMIT : ROWS_A_COMMIT;
    this.#own = new ClaimedRows({
      journal: this.#journal,
      worker: this.#worker,
      window: work.operation.settlement === undefined ? undefined : most,
      lookMs: this.#isShared ? this.#lease.heartbeatMs : Number.POSITIVE_INFINITY,
      before: this.#records && ((window) => this.#findRecords(window)),
      ended: (rows) => {
        this.#done += rows.length;
      },
    });
    this.#sending = {
      work,
      options: optionsOf(batch.options),
      connection,
      pace: this.#pace,
      tree: context.tree,
      // A worker that was silent for too long has lost its rows: whoever claims them next looks them up.
      owns: ({ worker }) => this.#worker.holds(worker),
      elsewhere: async (name) =>
        (await takenElsewhere(context.rows.keysAt, context.account, context.shops ?? {}, name))?.message,
      begunAt: batch.created_at,
      rewrite: (row, rewritten) => this.#rewrite(row, rewritten),
    };
  }

  async run(): Promise<RunEnd> {
    const { signal } = this.#context;
    if (this.#isShared) await this.#begin();
    this.#all = await rowsLeft(this.#context.batches, this.#batch);
    const interrupted = new AbortController();
    const onAbort = () => this.#stop(interrupted.signal);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    try {
      await whileBeating(this.#worker, this.#isShared ? this.#lease.heartbeatMs : undefined, () => this.#workOffAll());
    } catch (error) {
      // The patience with a server that is unreachable has been used up already.
      if (!(error instanceof WorkspaceError && error.code === 'workspace_away')) await this.#giveBack();
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      interrupted.abort();
    }
    await this.#giveBack();
    // What was sent is stored: that a copy from before is recognised is worth no failure.
    await this.#context.workspace.beginEpoch().catch(() => {});
    const stopped = signal.aborted ? 'interrupted' : undefined;
    return { stopped, failure: this.#pace.failure, held: [...this.#held] };
  }

  /** Takes the lease before it looks for an undo, which looks for leases: one of the two sees the other. */
  async #begin(): Promise<void> {
    await this.#worker.beat();
    await this.#context.requireSameService();
    try {
      await requireNoUndo(this.#context, this.#batch);
    } catch (error) {
      await this.#worker.end();
      throw error;
    }
  }

  /** Ctrl-C: nothing new is begun, and what is in flight is waited for. */
  #stop(ended: AbortSignal): void {
    this.#pace.stop();
    this.#context.tell({ event: 'stopping', inFlight: this.#pace.limit });
    const leave = () => this.#pace.leave();
    const { clock, patience } = this.#context.connection;
    // A second signal.
    patience?.signal.addEventListener('abort', leave, { once: true, signal: ended });
    clock.wait(LAST_WAIT_MS, ended).then(leave, () => {});
  }

  async #giveBack(): Promise<void> {
    for (const row of await this.#own.unsent()) this.#journal.tell(unsent(row));
    await this.#journal.flush();
    await this.#worker.end();
  }

  async #workOffAll(): Promise<void> {
    const { rows, tell, signal } = this.#context;
    const { number } = this.#batch;
    let wasDead = false;
    for (let reported = false; ; reported = true) {
      await workOff(
        this.#pace,
        (room) => this.#own.take(room),
        (item) => this.#sendOne(item),
      );
      await this.#journal.flush();
      const conflict = this.#own.takeBlocked();
      const undated = conflict.find(({ isUndated }) => isUndated);
      if (undated !== undefined) await this.#askTime(undated.row);
      const blocked = await this.#lookAtMade(conflict.filter(({ isUndated }) => !isUndated));
      if (this.#pace.stopped || !(await rows.any(number, ['planned', 'sending']))) return;
      if (undated !== undefined) {
        this.#own.lookNow();
        continue;
      }
      if (blocked.length === 0 && !this.#isShared) return;
      const isInFlight = await rows.any(number, ['sending']);
      const isDead = blocked.length > 0 && !isInFlight && !(await anyAlive(this.#context, blocked));
      if (isDead && wasDead) return this.#hold(blocked);
      // Whoever has ended since may have stored its outcomes before: that is looked at once more.
      wasDead = isDead;
      if (!reported) tell({ event: 'others' });
      if (!isDead) await othersTime(signal);
      this.#own.lookNow();
    }
  }

  /** Finds out which records the next rows are about; false if nothing new may start. */
  async #findRecords(window: { readonly after: number; readonly limit: number }): Promise<boolean> {
    const ended = (await this.#records?.find(this.#journal, window)) ?? [];
    this.#done += ended.length;
    this.#failed += ended.length;
    return !this.#pace.stopped;
  }

  /** Ends rows whose records are there, by what is seen of them; returns those whose records may be on their way. */
  async #lookAtMade(blocked: readonly Blocked[]): Promise<readonly Blocked[]> {
    const made = blocked.flatMap(({ row, key }) => (key?.state === 'done' ? [row] : []));
    await workOff(
      this.#pace,
      async (room) => made.splice(0, room),
      async (row) => {
        const { work, connection } = this.#sending;
        const look = () => madeBefore(work, row, { tree: this.#context.tree, connection });
        try {
          await this.#journal.judge([await this.#pace.through(look)]);
          this.#done += 1;
        } catch (error) {
          if (error instanceof CallError) this.#pace.fail(error);
          else if (!(error instanceof Stopped)) throw error;
        }
      },
    );
    return blocked.filter(({ key }) => key?.state !== 'done');
  }

  /** Asks the service for its time, by a look-up of a row that is not sent before. */
  async #askTime(row: RowWithRequest): Promise<void> {
    const { work, connection } = this.#sending;
    const look = () => lookUp(work, readFields(row.payload), connection);
    try {
      await this.#context.time.ask(() => this.#pace.through(look));
    } catch (error) {
      if (error instanceof CallError) this.#pace.fail(error);
      else if (!(error instanceof Stopped)) throw error;
    }
  }

  /** Whoever has the records of these rows is gone, and nobody here can tell what became of them. */
  async #hold(blocked: readonly Blocked[]): Promise<void> {
    await this.#journal.judge(blocked.map(heldRow));
    for (const { key } of blocked) if (key !== undefined) this.#held.add(key.holder);
  }

  async #sendOne({ row, maybeSent }: Item): Promise<void> {
    this.#tally.begin();
    const end = await sendRow(this.#sending, row, maybeSent);
    if ('outcome' in end) this.#tellOutcome(end);
    else this.#leave(end);
    // Usually the next claim comes first, and takes the outcomes into its commit.
    const waited = elapsedOn(this.#context.connection.clock) - this.#waitingSince;
    if (this.#journal.waiting > 0 && waited >= OUTCOMES_WAIT_MS) await this.#journal.flush();
  }

  #tellOutcome({ row, outcome }: Sent): void {
    const { state, isGone, ...facts } = outcome;
    this.#tally.end(state);
    const spent = state === 'done' || state === 'unclear';
    const cleared = { error_code: null, error_message: null, error_fields: null };
    if (this.#journal.waiting === 0) this.#waitingSince = elapsedOn(this.#context.connection.clock);
    const release = spent ? 0 : (row.fee ?? 0);
    this.#journal.tell({ row: { ...withoutTexts(row), ...cleared, ...facts, state }, release, isGone });
    this.#done += 1;
    if (state === 'failed' || state === 'unclear') this.#failed += 1;
    this.#context.tell({ event: 'running', done: this.#done, failed: this.#failed, all: this.#all });
  }

  #leave({ row, maybeSent, reason }: Left): void {
    this.#tally.end(undefined, maybeSent);
    if (reason instanceof CallError) this.#pace.fail(reason);
    // A row that may have been sent stays marked, and the next run settles it.
    if (!maybeSent) this.#journal.tell(unsent(row));
  }

  /** Stores a row before it is sent, which costs no more; false if another worker has it. */
  async #rewrite(row: RowWithRequest, rewritten: RowWithRequest): Promise<boolean> {
    if (!(await this.#journal.rewrite(rewritten))) return false;
    const release = (row.fee ?? 0) - (rewritten.fee ?? 0);
    if (release > 0) this.#journal.tell({ row: { ...withoutTexts(rewritten), state: 'sending' }, release });
    return true;
  }
}

/**
 * Processes the open rows of a batch: first settles those that may have been sent, then sends the planned ones, each
 * once its intent is on disk and it has the key of its record. In a shared workspace it waits for rows that other
 * workers hold, and ends only when no row is open but those whose records somebody else may have made. Throws a
 * WorkspaceError if the journal cannot be written; then nothing more is sent.
 */
export async function runRows(context: BatchContext, batch: Batch, work: RowWork, tally: Tally): Promise<RunEnd> {
  if (await context.rows.any(batch.number, ['existed'])) {
    await context.journal(batch.number, rowRuleOf(context, batch, work)).readUndone();
  }
  const isOpen = await context.rows.any(batch.number, ['planned', 'sending']);
  if (!isOpen) return { stopped: undefined, failure: undefined, held: [] };
  return new RowRun(context, batch, work, tally).run();
}
