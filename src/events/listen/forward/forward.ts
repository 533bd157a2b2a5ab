import { setMaxListeners } from 'node:events';
import { type Clock, elapsedOn, type StartTimer, startTimer } from '../../../platform/process/clock.ts';
import type { Workspace } from '../../../store/workspace.ts';
import { changeTexts } from '../../store/handoffs.ts';
import type { EventIds } from '../../store/ids.ts';
import type { Target } from '../../store/targets.ts';
import { createChangeSignal } from '../change-signal.ts';
import { livenessOf, retryGapMs } from './liveness.ts';
import { type Ended, openProgressLog } from './progress-log.ts';
import type { Hand, HandVerdict } from './queues.ts';
import { createQueues, type Item, type Queue } from './queues.ts';
import { readAheadFor } from './read-ahead.ts';

/** Rings at a moment; ringing too early is harmless. */
interface Timer {
  /** Rings at this moment at the latest, in milliseconds of `elapsedOn`; Infinity means never. */
  setFor(at: number): void;
  cancel(): void;
}

/** An alarm with a single timer, however many changes per second set it. */
function createTimer(clock: Clock, ring: () => void): Timer {
  let set: { readonly at: number; readonly cancel: () => void } | undefined;
  return {
    setFor(at) {
      if (at >= (set?.at ?? Number.POSITIVE_INFINITY)) return;
      set?.cancel();
      const waiting = new AbortController();
      const own = { at, cancel: () => waiting.abort() };
      set = own;
      const over = () => {
        if (set !== own) return;
        set = undefined;
        ring();
      };
      clock.wait(Math.max(0, at - elapsedOn(clock)), waiting.signal).then(over, () => {});
    },
    cancel() {
      set?.cancel();
      set = undefined;
    },
  };
}

/** What forwarding to one target depends on. */
export interface Forwarding {
  readonly workspace: Pick<Workspace, 'read' | 'write'>;
  readonly target: Target;
  readonly ids: EventIds;
  readonly hand: Hand;
  /** How many changes are in flight at once, each of a different record. */
  readonly mostAtOnce: number;
  readonly clock: Clock;
  /** For the grace period at the end; the machine's timers if absent. */
  readonly startTimer?: StartTimer;
  readonly random: () => number;
  /** Whether this listener still holds the target: nothing is sent otherwise. */
  readonly holds?: () => boolean;
  /** Called with the end of each attempt. */
  readonly onOutcome?: (outcome: HandOutcome) => void;
  /** Called with the error when the workspace could not be read or written; it is retried. */
  readonly onTrouble?: (error: unknown) => void;
}

/** How an attempt to hand over a change ended. */
export interface HandOutcome {
  /** Id of the change. */
  readonly id: string;
  readonly tookMs: number;
  /** How it was accepted, or why it was not, in words. */
  readonly answer: string;
  readonly accepted: boolean;
  /** When it is tried again, after now; absent if it was accepted or given up. */
  readonly againInMs?: number;
}

/** Forwards to one target until it is closed. */
export interface Forwarder {
  /** Signals that there may be more. */
  wake(): void;
  /** Resolves once every change was accepted or has failed at least once. */
  settled(): Promise<void>;
  /** Stops immediately, because another listener may hold the target: aborts what is in flight and writes nothing. */
  abandon(): Promise<void>;
  /** Starts nothing more, waits briefly for what is in flight, and writes the known outcomes. */
  close(): Promise<void>;
}

const TROUBLE_PAUSE_MS = 1000;
const CLOSE_GRACE_MS = 2000;

/**
 * Hands changes to one target: those of one record in order and one at a time, the next only when the acceptance of the
 * previous one is on disk; those of different records concurrently. A failure is retried, and later changes of its
 * record wait behind it until it is given up. Delivery is at least once: a change that was accepted but not yet
 * recorded when the process is killed is sent again.
 *
 * A target that does not answer at all is considered away: it is probed periodically with one change, and no change is
 * given up because of that.
 */
export function startForwarder(forwarding: Forwarding): Forwarder {
  const { workspace, target, ids, hand, mostAtOnce, clock, random, startTimer: begin = startTimer } = forwarding;
  const { holds = () => true, onOutcome = () => {}, onTrouble = () => {} } = forwarding;
  const giveUpMs = Number(target.give_up_ms);
  const elapsed = () => elapsedOn(clock);
  const changeSignal = createChangeSignal();
  const timer = createTimer(clock, changeSignal.ring);
  const queues = createQueues(elapsed);
  const liveness = livenessOf(clock, random);
  const ahead = readAheadFor(forwarding, queues, (item, notBefore) => {
    if (!item.recorded) log.opened(item);
    queues.admit(item, notBefore);
  });
  const log = openProgressLog({
    workspace,
    target,
    clock,
    readUpTo: ahead.upTo,
    onWritten(batch) {
      for (const one of batch) {
        if (one.as === 'waiting') queues.putBack(one.queue, one.nextAt);
        else queues.letGo(one.queue);
      }
    },
    onOver: changeSignal.ring,
    onTrouble,
  });
  /** Aborts what is in flight; nothing more starts after `closing`. */
  const sending = new AbortController();
  const closing = new AbortController();
  // One listener for each change in flight.
  setMaxListeners(0, sending.signal);
  let inFlight = 0;
  const waiters: (() => void)[] = [];

  const send = async (queue: Queue, item: Item) => {
    const began = elapsed();
    const id = ids.idOf(item.seq);
    try {
      const text = item.text ?? (await workspace.read((database) => changeTexts(database, [item.seq]))).get(item.seq);
      // The change was deleted meanwhile, so there is nothing left to deliver.
      const verdict: HandVerdict =
        text === undefined ? { accepted: true, answer: 'removed' } : await hand({ id, text }, sending.signal);
      if (verdict.accepted || verdict.answered) liveness.answered();
      else liveness.silent(began);
      // The item is kept until its outcome is written; its text is no longer needed.
      item.text = undefined;
      if (verdict.accepted) onOutcome({ id, tookMs: elapsed() - began, answer: verdict.answer, accepted: true });
      end(
        verdict.accepted ? { queue, item, as: 'accepted' } : failed(queue, item, { id, began, error: verdict.error }),
      );
    } catch (error) {
      if (!sending.signal.aborted) {
        onTrouble(error);
        end(failed(queue, item, { id, began, error: 'the change could not be read from the workspace' }));
      }
    } finally {
      inFlight -= 1;
      sendMore();
      if (needsTurn()) changeSignal.ring();
    }
  };

  const failed = (
    queue: Queue,
    item: Item,
    { id, began, error }: { id: string; began: number; error: string },
  ): Ended => {
    item.attempts += 1;
    item.firstFailedAt ??= began;
    const now = elapsed();
    const isOver = now - item.firstFailedAt >= giveUpMs && liveness.hasAnsweredSince(item.firstFailedAt);
    const againInMs = retryGapMs(item.attempts, random);
    onOutcome({ id, tookMs: now - began, answer: error, accepted: false, ...(isOver ? {} : { againInMs }) });
    return { queue, item, as: isOver ? 'dead' : 'waiting', nextAt: now + againInMs, error };
  };

  const end = (ended: Ended) => {
    log.note(ended);
    timer.setFor(log.dueAt() ?? Number.POSITIVE_INFINITY);
  };

  const sendMore = () => {
    const now = elapsed();
    queues.unblock(now);
    const most = liveness.isAway() ? 1 : mostAtOnce;
    while (inFlight < most && liveness.until() <= now && !closing.signal.aborted && !log.isLost() && holds()) {
      const next = queues.take();
      if (next === undefined) return;
      inFlight += 1;
      void send(next.queue, next.item);
    }
  };

  /** Whether there is anything to do besides sending the next change. */
  const needsTurn = () =>
    closing.signal.aborted || inFlight === 0 || queues.ready() === 0 || log.isFull() || ahead.isWanted();

  const isSettled = () => {
    if (inFlight > 0) return false;
    if (log.isLost()) return true;
    return log.isWritten() && (liveness.until() > elapsed() || (ahead.isAtEnd() && queues.ready() === 0));
  };

  const takeTurn = async () => {
    if (liveness.until() <= elapsed()) await ahead.fill(closing.signal);
    sendMore();
    // While there is more to send, finished changes are written in batches.
    const isIdle = queues.ready() === 0 || inFlight === 0;
    if (log.dueAt() !== undefined && (isIdle || log.isFull() || elapsed() >= (log.dueAt() ?? 0))) log.write();
    if (isSettled()) sayEnd();
    const due = [queues.nextDue(), liveness.until() > elapsed() ? liveness.until() : undefined, log.dueAt()];
    timer.setFor(Math.min(...due.filter((at) => at !== undefined)));
  };

  const run = async () => {
    while (!closing.signal.aborted) {
      try {
        await takeTurn();
      } catch (error) {
        onTrouble(error);
        await clock.wait(TROUBLE_PAUSE_MS, closing.signal).catch(() => {});
        continue;
      }
      if (!closing.signal.aborted) await changeSignal.heard();
    }
    timer.cancel();
  };

  /** Starts nothing more; resolves once nothing is in flight. */
  const stop = async () => {
    closing.abort();
    changeSignal.ring();
    await running;
    while (inFlight > 0) await changeSignal.heard();
  };
  const sayEnd = () => {
    for (const resolve of waiters.splice(0)) resolve();
  };

  const running = run();
  return {
    wake() {
      ahead.wake();
      changeSignal.ring();
    },
    settled: () =>
      new Promise((resolve) => {
        waiters.push(resolve);
        changeSignal.ring();
      }),
    async abandon() {
      log.abandon();
      sending.abort();
      await stop();
      await log.written();
      sayEnd();
    },
    async close() {
      const grace = begin(CLOSE_GRACE_MS, () => sending.abort());
      await stop();
      grace.stop();
      await log.close();
      sayEnd();
    },
  };
}
