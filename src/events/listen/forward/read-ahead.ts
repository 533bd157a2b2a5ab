import { type Clock, elapsedOn } from '../../../platform/process/clock.ts';
import type { Workspace } from '../../../store/workspace.ts';
import { changeTexts, nextHandoffs, waitingHandoffs } from '../../store/handoffs.ts';
import type { Target } from '../../store/targets.ts';
import type { Item, Queues } from './queues.ts';

const LEAST_MS = 1000;
const MOST_MS = 60 * 60 * 1000;

/**
 * The backoff after so many failures: random up to a bound that doubles (full jitter), so that clients do not retry all
 * at once.
 */
export function retryGapMs(failures: number, random: () => number): number {
  return Math.ceil(random() * longestGapMs(failures));
}

/** The bound of the backoff after so many failures. */
function longestGapMs(failures: number): number {
  return Math.min(MOST_MS, LEAST_MS * 2 ** Math.min(failures - 1, 30));
}

/** Whether a target is reachable. Times are milliseconds of `elapsedOn`. */
interface Liveness {
  /** Some answer arrived. */
  answered(): void;
  /** An attempt that began at `began` got no answer. */
  silent(began: number): void;
  /** Whether the last attempt got no answer. */
  isAway(): boolean;
  /** Until when nothing is sent because the target is away; 0 if it is reachable. */
  until(): number;
  /** Whether it has answered anything since that moment. */
  hasAnsweredSince(moment: number): boolean;
}

/** A target that is considered reachable until it does not answer at all; then it is probed with growing backoff. */
export function livenessOf(clock: Clock, random: () => number): Liveness {
  let answeredAt = Number.NEGATIVE_INFINITY;
  let [failures, failedAt, until] = [0, 0, 0];
  return {
    answered() {
      answeredAt = elapsedOn(clock);
      [failures, failedAt, until] = [0, 0, 0];
    },
    silent(began) {
      // Attempts that were in flight together count as one failure.
      if (answeredAt >= began || (failures > 0 && began <= failedAt)) return;
      failures += 1;
      failedAt = elapsedOn(clock);
      until = failedAt + retryGapMs(failures, random);
    },
    isAway: () => failures > 0,
    until: () => until,
    hasAnsweredSince: (moment) => answeredAt >= moment,
  };
}

/**
 * When a change is due that waits in the workspace, in milliseconds of `elapsedOn`. It was stored with a clock that may
 * have been set since, or another machine's: nothing waits longer than after its last failure.
 */
function dueOn(clock: Clock, nextAt: number | null, failures: number): number {
  if (nextAt === null) return 0;
  return elapsedOn(clock) + Math.min(nextAt - clock.now(), longestGapMs(failures));
}

/** The moment of `elapsedOn` for one in milliseconds since 1970; what is to come counts as now. */
function sinceOn(clock: Clock, moment: number | null): number | null {
  return moment === null ? null : elapsedOn(clock) - Math.max(0, clock.now() - moment);
}

/** The moment in milliseconds since 1970 for one of `elapsedOn`. */
export function dateOn(clock: Clock, moment: number | null): number | null {
  return moment === null ? null : clock.now() + moment - elapsedOn(clock);
}

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
