import { type StartTimer, startTimer } from '../../../../platform/process/clock.ts';
import type { Core } from '../../../engine/core.ts';
import { randomSecret } from '../../../engine/random.ts';
import { statement, tables } from '../../../engine/store/sql/statement.ts';
import type { DueWork, Schedule } from '../../../engine/time/schedule.ts';
import type { Work } from '../../../engine/work.ts';
import { prune } from '../prune.ts';
import { type Attempt, beginAttempt, endAttempt, type Lease } from './attempt.ts';
import type { Deliver } from './deliver.ts';
import { findDue } from './due.ts';
import { flushAfter } from './gaps.ts';
import { judge, noAnswer, type Verdict } from './verdict.ts';

/** Delivers changes to webhooks, each at its own pace. */
export interface DeliveryWorker {
  /** Sends something outside the schedule and evaluates the answer; undefined if the sandbox closed meanwhile. */
  send(delivery: { readonly url: string; readonly body: string }): Promise<Verdict | undefined>;
  /**
   * Starts nothing more, waits briefly for deliveries in flight, then abandons them: they are sent again after a
   * restart.
   */
  close(): Promise<void>;
}

/** Time limits in real time: moving the business clock does not affect them. */
export interface DeliveryLimits {
  /** How long a receiver has to answer. */
  readonly timeoutMs: number;
  /** How long a worker has exclusive use of a webhook; longer than any attempt takes, including writing its outcome. */
  readonly leaseMs: number;
  /** How long closing waits for deliveries in flight. */
  readonly closeGraceMs: number;
  readonly startTimer: StartTimer;
}

/** The timeout is the one of decisions, section 8. */
const defaultLimits: DeliveryLimits = { timeoutMs: 60_000, leaseMs: 90_000, closeGraceMs: 1000, startTimer };

const endLeases = statement(() => tables.updateTable('webhooks').set({ lease_token: null, lease_until: null }));

/**
 * A worker that delivers by the schedule. There may be several on one core: each webhook is served by one of them at a
 * time.
 */
export async function startDeliveryWorker(
  core: Core,
  schedule: Schedule,
  deliver: Deliver,
  given: Partial<DeliveryLimits> = {},
): Promise<DeliveryWorker> {
  const limits = { ...defaultLimits, ...given };
  const name = randomSecret(core.random);
  const isOwn = (token: string) => token.startsWith(`${name}.`);
  /** The webhooks that this worker is serving. */
  const underWay = new Set<string>();
  const attempts = new Set<Promise<void>>();
  const closing = new AbortController();
  let begun = 0;

  const findDueHere = ({ database, now }: Work) =>
    findDue(database, now, underWay, { now: core.machineClock.now(), isOwn });

  const newLease = (): Lease => {
    begun += 1;
    const now = core.machineClock.now();
    return { token: `${name}.${begun}`, now, until: now + limits.leaseMs, isOwn };
  };

  const claim = async (webhookId: string) => {
    let attempt: Attempt | undefined;
    try {
      attempt = await core.write((unit) => beginAttempt(unit, webhookId, newLease()));
    } finally {
      if (attempt === undefined) underWay.delete(webhookId);
    }
    return attempt;
  };

  const carryOut = async (attempt: Attempt) => {
    try {
      const verdict = await verdictOf(attempt, deliver, limits, closing.signal);
      if (verdict !== undefined) await core.write((work) => endAttempt(work, attempt, verdict));
    } finally {
      underWay.delete(attempt.webhookId);
    }
  };

  const work: DueWork = {
    async next() {
      if (closing.signal.aborted) return undefined;
      const moments = core.read(findDueHere).map(({ at }) => at);
      return moments.length > 0 ? Math.min(...moments) : undefined;
    },
    async begin(track) {
      const due = core.read((unit) => findDueHere(unit).filter(({ at }) => at <= unit.now));
      for (const { webhookId } of due) {
        if (closing.signal.aborted) return;
        if (webhookId === undefined) {
          await core.write(({ database }) => prune(database));
          continue;
        }
        underWay.add(webhookId);
        const attempt = await claim(webhookId);
        if (attempt === undefined) continue;
        const ended = carryOut(attempt).finally(() => attempts.delete(ended));
        attempts.add(ended);
        track(ended);
      }
    },
  };

  // The data were locked by the previous sandbox, so any lease left in them belongs to one that is gone.
  await core.write(({ database }) => database.run(endLeases, {}));
  schedule.add(work);
  const stopListening = core.onCommit(() => schedule.wake(flushAfter(core.clock.now())));
  return {
    send: (delivery) => verdictOf(delivery, deliver, limits, closing.signal),
    async close() {
      stopListening();
      const abort = limits.startTimer(limits.closeGraceMs, () => closing.abort());
      await Promise.allSettled(attempts);
      abort.stop();
      closing.abort();
    },
  };
}

/** Sends one delivery and evaluates its answer; undefined if the sandbox closed before the outcome was known. */
async function verdictOf(
  { url, body }: Pick<Attempt, 'url' | 'body'>,
  deliver: Deliver,
  { timeoutMs, startTimer: begin }: DeliveryLimits,
  closing: AbortSignal,
): Promise<Verdict | undefined> {
  const ending = new AbortController();
  const cut = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true });
  });
  const onClosing = () => ending.abort(new Error('the sandbox closed'));
  closing.addEventListener('abort', onClosing, { once: true });
  const timer = begin(timeoutMs, () => ending.abort(new Error(`no answer within ${timeoutMs / 1000} s`)));
  timer.unref();
  try {
    return judge(await Promise.race([deliver({ url, body, signal: ending.signal }), cut]));
  } catch (error) {
    return closing.aborted ? undefined : noAnswer(error);
  } finally {
    timer.stop();
    closing.removeEventListener('abort', onClosing);
  }
}
