import type { Connection } from '../../client/connection.ts';
import { CallError } from '../../client/errors.ts';
import type { Batch } from '../../workspace/batches.ts';
import type { Intent, Journal, Outcome } from '../../workspace/journal.ts';
import { withoutTexts } from '../../workspace/row-facts.ts';
import type { WholeRow } from '../../workspace/rows.ts';
import { optionsOf } from './batch-options.ts';
import type { Chosen } from './choose-service.ts';
import type { BatchDesk } from './desk.ts';
import { workOff } from './in-flight.ts';
import { Pace } from './pace.ts';
import type { RowWork } from './row-work.ts';
import { type Left, type SendingDesk, type Sent, sendRow } from './send-row.ts';

/** Rows whose intents share a commit, where a lost answer can be settled. */
const ROWS_A_COMMIT = 128;
const ROWS_READ_AHEAD = 512;
const OUTCOMES_WAIT_MS = 1_000;
/** How long what is under way is waited for after Ctrl-C. */
const LAST_WAIT_MS = 30_000;

/** How a run ended; the rows tell the rest. */
export interface RunEnd {
  /** Why it stopped before its end: Ctrl-C, or a failure that no other row would escape. */
  readonly stopped: 'interrupted' | undefined;
  readonly failure: Error | undefined;
}

interface Item {
  readonly row: WholeRow;
  readonly maybeSent: boolean;
}

/** The rows of a batch that are open, those first that may have been sent, each marked before it is given out. */
class OpenRows {
  readonly #desk: BatchDesk;
  readonly #batch: number;
  readonly #journal: Journal;
  readonly #settles: boolean;
  readonly #overMaxTotal: (row: WholeRow) => void;
  #maybeSent: WholeRow[] = [];
  #maybeAfter = 0;
  #maybeOver = false;
  #planned: WholeRow[] = [];
  #plannedAfter = 0;
  #marked: WholeRow[] = [];

  constructor(
    desk: BatchDesk,
    batch: number,
    journal: Journal,
    options: { readonly settles: boolean; readonly overMaxTotal: (row: WholeRow) => void },
  ) {
    this.#desk = desk;
    this.#batch = batch;
    this.#journal = journal;
    this.#settles = options.settles;
    this.#overMaxTotal = options.overMaxTotal;
  }

  async take(room: number): Promise<readonly Item[]> {
    const maybe = await this.#takeMaybeSent(room);
    if (maybe.length > 0) return maybe.map((row) => ({ row, maybeSent: true }));
    if (this.#marked.length === 0) await this.#mark(room);
    return this.#marked.splice(0, room).map((row) => ({ row, maybeSent: false }));
  }

  async #takeMaybeSent(room: number): Promise<WholeRow[]> {
    if (this.#maybeSent.length === 0 && !this.#maybeOver) {
      const query = { batch: this.#batch, after: this.#maybeAfter, limit: ROWS_READ_AHEAD };
      this.#maybeSent = await this.#desk.rows.next({ ...query, states: ['sending'] });
      this.#maybeAfter = this.#maybeSent.at(-1)?.row ?? this.#maybeAfter;
      this.#maybeOver = this.#maybeSent.length === 0;
    }
    return this.#maybeSent.splice(0, room);
  }

  /** Without a settlement only what is sent at once is marked, for each marked row would be unclear after a crash. */
  async #mark(room: number): Promise<void> {
    while (this.#marked.length === 0) {
      if (this.#planned.length === 0) {
        const query = { batch: this.#batch, after: this.#plannedAfter, limit: ROWS_READ_AHEAD };
        this.#planned = await this.#desk.rows.next({ ...query, states: ['planned'] });
        this.#plannedAfter = this.#planned.at(-1)?.row ?? this.#plannedAfter;
        if (this.#planned.length === 0) return;
      }
      const rows = this.#planned.splice(0, this.#settles ? ROWS_A_COMMIT : room);
      const intents = rows.map((row): Intent => ({ row, rewritten: false, reserve: row.fee ?? 0 }));
      const granted = await this.#journal.intend(intents);
      const marked = new Set(granted.map(({ row }) => row.row));
      for (const row of rows) if (!marked.has(row.row)) this.#overMaxTotal(row);
      this.#marked = rows.filter(({ row }) => marked.has(row)).map((row) => ({ ...row, attempts: row.attempts + 1 }));
    }
  }

  /** Marked rows that nobody took. */
  get left(): readonly WholeRow[] {
    return this.#marked;
  }
}

/** A marked row that was not sent after all. */
function unsent(row: WholeRow): Outcome {
  return { row: { ...withoutTexts(row), state: 'planned', attempts: row.attempts - 1 }, release: row.fee ?? 0 };
}

/** The connection for writes: not tried again below, and not cut off by Ctrl-C, which waits for what is under way. */
function withoutRetries({ signal: _, ...connection }: Connection): Connection {
  return { ...connection, maxRetries: 0 };
}

/**
 * Works off what is open in a batch that this process holds: what may have been sent is settled first, then planned rows
 * are sent, each once its intent is on disk. Throws a WorkspaceError where the journal cannot be written; then nothing
 * more is sent.
 */
export async function runRows(desk: BatchDesk, batch: Batch, work: RowWork): Promise<RunEnd> {
  const { signal, tell } = desk;
  const connection = withoutRetries(desk.connection);
  const { clock } = connection;
  const pace = new Pace({ ...desk, clock, random: connection.random });
  const journal = desk.journal(batch.number);
  let done = 0;
  let flushedAt = clock.now();
  const rest = await desk.rows.any(batch.number, ['planned', 'sending']);
  if (!rest) return { stopped: undefined, failure: undefined };

  const failRow = (row: WholeRow, error_code: string, error_message: string) => {
    journal.tell({ row: { ...withoutTexts(row), state: 'failed', error_code, error_message }, release: 0 });
    done += 1;
  };
  const open = new OpenRows(desk, batch.number, journal, {
    settles: work.operation.settlement !== undefined,
    overMaxTotal: (row) => failRow(row, 'over_max_total', `its fee of ${row.fee} is more than --max-total leaves`),
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
    journal.tell({ row: { ...withoutTexts(row), ...cleared, ...facts, state }, release: spent ? 0 : (row.fee ?? 0) });
    done += 1;
    tell({ event: 'running', done });
  };
  const leave = ({ row, maybeSent, reason }: Left) => {
    if (reason instanceof CallError) pace.fail(reason);
    // What may have been sent stays marked, and is settled by the next run.
    if (!maybeSent) journal.tell(unsent(row));
  };
  const sendOne = async ({ row, maybeSent }: Item) => {
    const end = await sendRow(sending, row, maybeSent);
    if ('fate' in end) tellOutcome(end);
    else leave(end);
    if (clock.now() - flushedAt >= OUTCOMES_WAIT_MS || journal.waiting >= ROWS_A_COMMIT) {
      flushedAt = clock.now();
      await journal.flush();
    }
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
  try {
    await workOff(pace, (room) => open.take(room), sendOne);
  } finally {
    signal.removeEventListener('abort', onAbort);
    interrupted.abort();
    for (const row of open.left) journal.tell(unsent(row));
    await journal.flush();
  }
  return { stopped: signal.aborted ? 'interrupted' : undefined, failure: pace.failure };
}
