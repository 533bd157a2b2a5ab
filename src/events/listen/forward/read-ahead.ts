import type { Clock } from '../../../platform/process/clock.ts';
import type { Workspace } from '../../../store/workspace.ts';
import { changeTexts, nextHandoffs, waitingHandoffs } from '../../store/handoffs.ts';
import type { Target } from '../../store/targets.ts';
import { dueOn, sinceOn } from './liveness.ts';
import type { Item, Queues } from './queues.ts';

/** Reads the changes for a target from the workspace: first those waiting below its cursor, then those beyond it. */
export interface ReadAhead {
  /** Whether the last read found nothing more. */
  isAtEnd(): boolean;
  /** Whether to read more: few records can be tried, and not too many changes are held. */
  isWanted(): boolean;
  /** The number up to which everything was read. */
  upTo(): number;
  /** Signals that there may be more. */
  wake(): void;
  /** Reads until nothing more is wanted. Throws a WorkspaceError. */
  fill(signal: AbortSignal): Promise<void>;
}

/** How many ready records to read ahead: no more than needed, since each holds a text. */
const READY_AHEAD = 100;
const READ_AT_ONCE = 500;
/** How many changes may wait in memory behind failures; beyond that a target gets nothing new until it recovers. */
const MOST_HELD = 50_000;

/** Reads ahead for a target; each change is passed to `admit` with the earliest moment to try it. */
export function readAheadFor(
  { workspace, target, clock }: { workspace: Pick<Workspace, 'read'>; target: Target; clock: Clock },
  queues: Pick<Queues, 'ready' | 'held' | 'isBlocked'>,
  admit: (item: Item, notBefore: number) => void,
): ReadAhead {
  let upTo = Number(target.cursor);
  let lastWaiting = 0;
  let isWaitingRead = false;
  let isAtEnd = false;

  const readWaiting = async () => {
    const { handoffs, texts } = await workspace.read(async (database) => {
      const found = await waitingHandoffs(database, target, lastWaiting, READ_AT_ONCE);
      // A change behind a failed one waits without its text.
      const soon = found.filter(({ record }) => !queues.isBlocked(record)).map(({ seq }) => seq);
      return { handoffs: found, texts: await changeTexts(database, soon) };
    });
    for (const { nextAt, firstFailedAt, ...handoff } of handoffs) {
      const item = { ...handoff, firstFailedAt: sinceOn(clock, firstFailedAt), recorded: true };
      admit({ ...item, text: texts.get(handoff.seq) }, dueOn(clock, nextAt, handoff.attempts));
    }
    lastWaiting = handoffs.at(-1)?.seq ?? lastWaiting;
    isWaitingRead = handoffs.length < READ_AT_ONCE;
  };
  const readNext = async () => {
    const next = await workspace.read((database) => nextHandoffs(database, { ...target, cursor: upTo }, READ_AT_ONCE));
    for (const { seq, record, text } of next.handoffs) {
      admit({ seq, record, attempts: 0, firstFailedAt: null, recorded: false, text }, 0);
    }
    upTo = next.upTo;
    isAtEnd = next.handoffs.length < READ_AT_ONCE;
  };
  const isWanted = () => !isAtEnd && queues.ready() < READY_AHEAD && queues.held() < MOST_HELD;

  return {
    isAtEnd: () => isAtEnd,
    isWanted,
    upTo: () => upTo,
    wake() {
      isAtEnd = false;
    },
    async fill(signal) {
      while (isWanted() && !signal.aborted) await (isWaitingRead ? readNext() : readWaiting());
    },
  };
}
