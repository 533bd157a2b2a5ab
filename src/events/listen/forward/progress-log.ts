import { type Clock, elapsedOn } from '../../../platform/process/clock.ts';
import type { Workspace } from '../../../store/workspace.ts';
import { type Progress, saveProgress } from '../../store/handoffs.ts';
import type { Target } from '../../store/targets.ts';
import { dateOn } from './liveness.ts';
import type { Item, Queue } from './queues.ts';

/** The outcome of an attempt. */
export type Ended =
  | { readonly queue: Queue; readonly item: Item; readonly as: 'accepted' }
  | {
      readonly queue: Queue;
      readonly item: Item;
      readonly as: 'dead' | 'waiting';
      readonly nextAt: number;
      readonly error: string;
    };

/** Records the outcomes of attempts, many per commit; a record's next change starts only after that. */
export interface ProgressLog {
  /** Registers each change that was read and is not yet below the cursor. */
  opened(item: Item): void;
  /** Registers the outcome of an attempt. */
  note(ended: Ended): void;
  /** When the outcomes so far must be written; undefined if there are none, or a write is in progress. */
  dueAt(): number | undefined;
  /** Whether there are so many outcomes that they must be written at once. */
  isFull(): boolean;
  /** Whether every outcome is on disk. */
  isWritten(): boolean;
  /** Whether another listener has the target, or it was removed: then nothing is written any more. */
  isLost(): boolean;
  /** Writes the outcomes in the background; one write at a time. */
  write(): void;
  /** Waits for the write in progress. */
  written(): Promise<void>;
  /** Writes nothing any more. */
  abandon(): void;
  /** Writes the rest and how far was read; once, whatever the result. */
  close(): Promise<void>;
}

/**
 * How many outcomes share a commit while there is more to send; if the process is killed, these changes are sent again.
 */
const WRITE_TOGETHER = 1000;
const WRITE_AFTER_MS = 100;
const TROUBLE_PAUSE_MS = 1000;

/** What a log depends on. */
export interface Logging {
  readonly workspace: Pick<Workspace, 'write'>;
  readonly target: Target;
  readonly clock: Clock;
  /** The number up to which everything was read. */
  readonly readUpTo: () => number;
  /** Called with the outcomes that are now on disk. */
  readonly onWritten: (ended: readonly Ended[]) => void;
  /** Called when a write has ended. */
  readonly onOver: () => void;
  /** Called with the error when the workspace could not be written; it is retried. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * The workspace stores a cursor, and a row for each change below it that was not accepted. The cursor moves to the
 * highest finished change, and each unfinished one that it passes gets a row.
 */
export function openProgressLog({
  workspace,
  target,
  clock,
  readUpTo,
  onWritten,
  onOver,
  onTrouble,
}: Logging): ProgressLog {
  /** Changes that are neither accepted nor recorded, in order of number. */
  const open = new Map<number, Item>();
  let ended: Ended[] = [];
  let endedSince = 0;
  let cursor = Number(target.cursor);
  let writing: Promise<void> | undefined;
  const closing = new AbortController();
  let isLost = false;

  const progressOf = (batch: readonly Ended[]): Progress => {
    const accepted: number[] = [];
    const recorded: Progress['recorded'][number][] = [];
    let top = cursor;
    for (const one of batch) {
      const { item } = one;
      if (!item.recorded) top = Math.max(top, item.seq);
      open.delete(item.seq);
      if (one.as !== 'accepted') recorded.push(rowOf(clock, one));
      else if (item.recorded) accepted.push(item.seq);
    }
    // A change that the cursor passes without acceptance is recorded.
    for (const [seq, item] of open) {
      if (seq > top) break;
      recorded.push(rowOf(clock, { item, as: 'waiting', nextAt: null, error: null }));
      item.recorded = true;
      open.delete(seq);
    }
    const last = batch.at(-1);
    const isAccepted = batch.some(({ as }) => as === 'accepted');
    return {
      target,
      worker: target.worker,
      cursor: open.size === 0 ? readUpTo() : top,
      accepted,
      recorded,
      lastAcceptedAt: isAccepted ? new Date(clock.now()).toISOString() : undefined,
      lastError: last === undefined ? undefined : last.as === 'accepted' ? null : last.error,
    };
  };

  const writeDown = async () => {
    const batch = ended;
    ended = [];
    const progress = progressOf(batch);
    while (!isLost) {
      try {
        isLost = !(await workspace.write((database) => saveProgress(database, progress)));
        break;
      } catch (error) {
        // Nothing of these records continues before the outcome is on disk.
        onTrouble(error);
        if (closing.signal.aborted) return;
        await clock.wait(TROUBLE_PAUSE_MS, closing.signal).catch(() => {});
      }
    }
    if (isLost) return;
    cursor = progress.cursor;
    for (const { item, as } of batch) item.recorded ||= as === 'waiting';
    onWritten(batch);
  };

  return {
    opened: (item) => void open.set(item.seq, item),
    note(one) {
      if (ended.length === 0) endedSince = elapsedOn(clock);
      ended.push(one);
    },
    dueAt: () => (ended.length > 0 && writing === undefined && !isLost ? endedSince + WRITE_AFTER_MS : undefined),
    isFull: () => ended.length >= WRITE_TOGETHER,
    isWritten: () => ended.length === 0 && writing === undefined,
    isLost: () => isLost,
    write() {
      if (isLost) return;
      writing ??= writeDown().finally(() => {
        writing = undefined;
        onOver();
      });
    },
    async written() {
      await writing;
    },
    abandon() {
      closing.abort();
      isLost = true;
    },
    async close() {
      closing.abort();
      await writing;
      await writeDown();
    },
  };
}

function rowOf(
  clock: Clock,
  { item, as, nextAt, error }: { item: Item; as: 'waiting' | 'dead'; nextAt: number | null; error: string | null },
): Progress['recorded'][number] {
  const { seq, record, attempts } = item;
  const times = { first_failed_at: dateOn(clock, item.firstFailedAt), next_at: dateOn(clock, nextAt) };
  return { seq, record, state: as, attempts, ...times, last_error: error };
}
