import type { Connection } from '../../../client/connection.ts';
import { CallError } from '../../../client/errors.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import type { Batch } from '../../../workspace/batches/batches.ts';
import type { Journal, Outcome } from '../../../workspace/batches/journal.ts';
import { standardLease, type Worker, workerAt } from '../../../workspace/batches/workers.ts';
import type { RowWithRequest } from '../../../workspace/rows/row.ts';
import { withoutTexts } from '../../../workspace/rows/row.ts';
import { BatchError } from '../batch-error.ts';
import type { BatchDesk } from '../desk.ts';
import { workOff } from '../pace/in-flight.ts';
import { Pace } from '../pace/pace.ts';
import { optionsOf } from '../plan/batch-options.ts';
import type { Chosen } from '../plan/choose-service.ts';
import type { RowWork } from '../row-work.ts';
import { undoOf } from '../undo/undo-of.ts';
import { whileBeating } from './heartbeat.ts';
import { type Left, type SendingDesk, type Sent, sendRow } from './send-row.ts';

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
}

interface Item {
  readonly row: RowWithRequest;
  readonly maybeSent: boolean;
}

/** What claiming rows depends on. */
interface Owning {
  readonly journal: Journal;
  readonly worker: Worker;
  /** How many planned rows are marked at once; without a settlement only those that are sent at once. */
  readonly window: number | undefined;
  /** The longest time between two checks for rows that dead workers left. */
  readonly lookMs: number;
  readonly refused: (rows: readonly RowWithRequest[]) => void;
}

/**
 * The rows of a batch that this worker has claimed, first those that may have been sent; each is marked before it is
 * handed out.
 */
class OwnRows {
  readonly #owning: Owning;
  #left: RowWithRequest[] = [];
  #lookAt = 0;
  #marked: RowWithRequest[] = [];
  /** The claim that is under way. */
  #marking: Promise<void> | undefined;
  /** The failure of a claim that nobody waited for: nothing more is handed out, marked or not. */
  #failure: { readonly error: unknown } | undefined;
  /** Whether no planned row was left: each further claim would be a commit that finds nothing. */
  #isExhausted = false;

  constructor(owning: Owning) {
    this.#owning = owning;
  }

  async take(room: number): Promise<readonly Item[]> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const left = await this.#takeLeft(room);
    if (left.length > 0) return left.map((row) => ({ row, maybeSent: true }));
    if (this.#marked.length === 0 && !this.#isExhausted) await this.#mark(room);
    const taken = this.#marked.splice(0, room);
    const { window } = this.#owning;
    // The next ones are marked while the last of these are sent: otherwise the service waits for our disk.
    if (window !== undefined && this.#marked.length <= window / 4 && !this.#isExhausted) {
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
    const { journal, worker, window, lookMs } = this.#owning;
    if (this.#left.length === 0 && performance.now() >= this.#lookAt) {
      this.#left = [...(await journal.claimLeft(worker, window ?? room))];
      if (this.#left.length === 0) this.#lookAt = performance.now() + lookMs;
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
    const { journal, worker, window, refused } = this.#owning;
    for (;;) {
      const claimed = await journal.claimPlanned(worker, window ?? room, (row) => ({
        error_code: 'over_max_total',
        error_message: `its fee of ${row.fee} is more than is left of what all rows may cost`,
      }));
      refused(claimed.refused);
      this.#marked.push(...claimed.rows);
      this.#isExhausted = claimed.rows.length === 0 && claimed.refused.length === 0;
      if (claimed.rows.length > 0 || this.#isExhausted) return;
    }
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

/** The outcome of a marked row that was not sent after all. */
function unsent(row: RowWithRequest): Outcome {
  return { row: { ...withoutTexts(row), state: 'planned', attempts: row.attempts - 1 }, release: row.fee ?? 0 };
}

/** Waits for other workers to make progress; shorter if this run is to stop. */
async function othersTime(signal: AbortSignal): Promise<void> {
  await systemClock.wait(OTHERS_MS, signal).catch(() => {});
}

/**
 * The connection for writes: without retries of its own, and not aborted by Ctrl-C, which waits for calls in flight.
 */
function withoutRetries({ signal: _, ...connection }: Connection): Connection {
  return { ...connection, maxRetries: 0 };
}

/**
 * Refuses to send rows of a batch that is being undone. Throws a BatchError; the worker must already hold its lease.
 */
async function requireNoUndo(desk: BatchDesk, batch: Batch, worker: Worker): Promise<void> {
  await worker.beat();
  const undo = await undoOf(desk, batch, ['planning', 'open']);
  if (undo === undefined) return;
  await worker.end();
  const message = `batch ${batch.id} is being undone by ${undo.id}`;
  throw new BatchError('batch_open', message, { meta: { batch: undo.id } });
}

/**
 * Processes the open rows of a batch: first settles those that may have been sent, then sends the planned ones, each
 * once its intent is on disk. In a shared workspace it waits for rows that other workers hold, and ends only when no
 * row is open. Throws a WorkspaceError if the journal cannot be written; then nothing more is sent.
 */
export async function runRows(desk: BatchDesk, batch: Batch, work: RowWork): Promise<RunEnd> {
  const { signal, tell } = desk;
  const connection = withoutRetries(desk.connection);
  const { clock } = connection;
  const pace = new Pace({ ...desk, clock, random: connection.random });
  const journal = desk.journal(batch.number);
  let done = 0;
  /** When the oldest outcome that waits for a commit was told. */
  let waitingSince = 0;
  const rest = await desk.rows.any(batch.number, ['planned', 'sending']);
  if (!rest) return { stopped: undefined, failure: undefined };

  const lease = desk.lease ?? standardLease;
  const isShared = desk.workspace.serverTime !== undefined;
  const worker = workerAt(desk.workspace, batch.number, lease);
  if (isShared) await requireNoUndo(desk, batch, worker);
  const most = isShared ? ROWS_A_SHARED_COMMIT : ROWS_A_COMMIT;
  const own = new OwnRows({
    journal,
    worker,
    window: work.operation.settlement === undefined ? undefined : most,
    lookMs: isShared ? lease.heartbeatMs : Number.POSITIVE_INFINITY,
    refused: (rows) => {
      done += rows.length;
    },
  });
  const sending: SendingDesk = {
    work,
    options: optionsOf(batch.options),
    connection,
    pace,
    tree: desk.tree,
    begunAt: batch.created_at,
    rewrite: async (row, { payload, carrier, fee }: Chosen) => {
      const rewritten = { ...row, payload: JSON.stringify(payload), carrier, fee };
      const reserve = Math.max(0, fee - (row.fee ?? 0));
      const [granted] = await journal.intend([{ row: rewritten, rewritten: true, reserve }]);
      if (granted === undefined) return undefined;
      if (fee < (row.fee ?? 0)) {
        journal.tell({ row: { ...withoutTexts(rewritten), state: 'sending' }, release: (row.fee ?? 0) - fee });
      }
      return rewritten;
    },
  };

  const tellOutcome = ({ row, fate }: Sent) => {
    const { state, ...facts } = fate;
    const spent = state === 'done' || state === 'unclear';
    const cleared = { error_code: null, error_message: null };
    if (journal.waiting === 0) waitingSince = clock.now();
    journal.tell({ row: { ...withoutTexts(row), ...cleared, ...facts, state }, release: spent ? 0 : (row.fee ?? 0) });
    done += 1;
    tell({ event: 'running', done });
  };
  const leave = ({ row, maybeSent, reason }: Left) => {
    if (reason instanceof CallError) pace.fail(reason);
    // A row that may have been sent stays marked, and the next run settles it.
    if (!maybeSent) journal.tell(unsent(row));
  };
  const sendOne = async ({ row, maybeSent }: Item) => {
    // A worker that was silent for too long has lost its rows: whoever claims them next looks them up.
    if (!worker.holds(row.worker)) return;
    const end = await sendRow(sending, row, maybeSent);
    if ('fate' in end) tellOutcome(end);
    else leave(end);
    // Usually the next claim comes first, and takes the outcomes into its commit.
    if (journal.waiting > 0 && clock.now() - waitingSince >= OUTCOMES_WAIT_MS) await journal.flush();
  };

  const interrupted = new AbortController();
  const onAbort = () => {
    pace.stop();
    tell({ event: 'stopping', inFlight: pace.limit });
    clock.wait(LAST_WAIT_MS, interrupted.signal).then(
      () => pace.leave(),
      () => {},
    );
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const workOffAll = async () => {
    for (let told = false; ; told = true) {
      await workOff(pace, (room) => own.take(room), sendOne);
      await journal.flush();
      if (!isShared || pace.stopped || !(await desk.rows.any(batch.number, ['planned', 'sending']))) return;
      if (!told) tell({ event: 'others' });
      await othersTime(signal);
      own.lookNow();
    }
  };
  try {
    await whileBeating(worker, isShared ? lease.heartbeatMs : undefined, workOffAll);
  } finally {
    signal.removeEventListener('abort', onAbort);
    interrupted.abort();
    for (const row of await own.unsent()) journal.tell(unsent(row));
    await journal.flush();
    await worker.end();
  }
  return { stopped: signal.aborted ? 'interrupted' : undefined, failure: pace.failure };
}
