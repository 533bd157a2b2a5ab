import type { Clock } from '../../platform/clock.ts';
import { type Progress, saveProgress } from '../../workspace/events/handoffs.ts';
import type { Target } from '../../workspace/events/targets.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Item, Lane } from './lanes.ts';

/** What became of a try. */
export type Ended =
  | { readonly lane: Lane; readonly item: Item; readonly as: 'accepted' }
  | {
      readonly lane: Lane;
      readonly item: Item;
      readonly as: 'dead' | 'waiting';
      readonly nextAt: number;
      readonly error: string;
    };

/** Writes down what became of tries, many with one commit; what is of their records goes on only after it. */
export interface ProgressLog {
  /** Hears of each change that was read and that the cursor has not passed. */
  opened(item: Item): void;
  /** Hears what became of a try. */
  note(ended: Ended): void;
  /** By when it is to be written down what has ended; undefined where nothing has, or it is being written. */
  dueAt(): number | undefined;
  /** Whether so much has ended that it is to be written down at once. */
  isFull(): boolean;
  /** Whether everything that has ended is on disk. */
  isWritten(): boolean;
  /** Whether another listener has the target, or it was removed: nothing is written any more. */
  isLost(): boolean;
  /** Writes down what has ended, beside whatever else goes on; one at a time. */
  write(): void;
  /** Waits for what is being written. */
  written(): Promise<void>;
  /** Nothing is to be written any more. */
  abandon(): void;
  /** Writes down the rest and how far was read; once, however that ends. */
  close(): Promise<void>;
}

/** So many ends are written down together while there is more to send; a process that is killed sends them again. */
const WRITE_TOGETHER = 1000;
const WRITE_AFTER_MS = 100;
const TROUBLE_PAUSE_MS = 1000;

/** What a log needs. */
export interface Logging {
  readonly workspace: Pick<Workspace, 'write'>;
  readonly target: Target;
  readonly clock: Clock;
  /** The number up to which everything was read. */
  readonly readUpTo: () => number;
  /** Hears what is on disk now. */
  readonly onWritten: (ended: readonly Ended[]) => void;
  /** Hears that a write is over. */
  readonly onOver: () => void;
  /** Hears why the workspace could not be written; it is tried again. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * The workspace holds a cursor, and a row for each change below it that was not accepted. The cursor moves to the furthest
 * end, and what it passes becomes a row.
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
  /** Neither accepted nor recorded; by number, in that order. */
  const open = new Map<number, Item>();
  let ended: Ended[] = [];
  let endedSince = 0;
  let cursor = Number(target.cursor);
  let writing: Promise<void> | undefined;
  let isClosing = false;
  let isLost = false;

  const progressOf = (batch: readonly Ended[]): Progress => {
    const accepted: number[] = [];
    const recorded: Progress['recorded'][number][] = [];
    let top = cursor;
    for (const one of batch) {
      const { item } = one;
      if (!item.recorded) top = Math.max(top, item.seq);
      open.delete(item.seq);
      if (one.as !== 'accepted') recorded.push(rowOf(item, one.as, one.nextAt, one.error));
      else if (item.recorded) accepted.push(item.seq);
    }
    // Whatever the cursor passes and was not accepted is recorded.
    for (const [seq, item] of open) {
      if (seq > top) break;
      recorded.push(rowOf(item, 'waiting', null, null));
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
        // Nothing of these records goes on before it is on disk.
        onTrouble(error);
        if (isClosing) return;
        await clock.wait(TROUBLE_PAUSE_MS);
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
      if (ended.length === 0) endedSince = clock.now();
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
      isClosing = true;
      isLost = true;
    },
    async close() {
      isClosing = true;
      await writing;
      await writeDown();
    },
  };
}

function rowOf(
  { seq, record, attempts, firstFailedAt }: Item,
  state: 'waiting' | 'dead',
  nextAt: number | null,
  error: string | null,
): Progress['recorded'][number] {
  return { seq, record, state, attempts, first_failed_at: firstFailedAt, next_at: nextAt, last_error: error };
}
