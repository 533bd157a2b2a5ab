import { setMaxListeners } from 'node:events';
import { type StartTimer, startTimer } from '../../../../platform/process/clock.ts';
import type { Core } from '../../../engine/core.ts';
import { randomSecret } from '../../../engine/random.ts';
import { statement, tables } from '../../../engine/store/sql/statement.ts';
import type { DueWork, Schedule, Track } from '../../../engine/time/schedule.ts';
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
  const worker = new ScheduledWorker(core, deliver, { ...defaultLimits, ...given });
  // The data were locked by the previous sandbox, so any lease left in them belongs to one that is gone.
  await core.write(({ database }) => database.run(endLeases, {}));
  schedule.add(worker);
  const stopListening = core.onCommit(() => schedule.wake(flushAfter(core.clock.now())));
  return {
    send: (delivery) => worker.send(delivery),
    async close() {
      stopListening();
      await worker.close();
    },
  };
}

class ScheduledWorker implements DueWork {
  readonly #core: Core;
  readonly #deliver: Deliver;
  readonly #limits: DeliveryLimits;
  readonly #name: string;
  /** The webhooks that this worker is serving. */
  readonly #underWay = new Set<string>();
  readonly #attempts = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #begun = 0;

  constructor(core: Core, deliver: Deliver, limits: DeliveryLimits) {
    this.#core = core;
    this.#deliver = deliver;
    this.#limits = limits;
    this.#name = randomSecret(core.random);
    // Each delivery in flight listens for the end.
    setMaxListeners(0, this.#closing.signal);
  }

  async next(): Promise<number | undefined> {
    if (this.#closing.signal.aborted) return undefined;
    const moments = this.#core.read((unit) => this.#findDue(unit)).map(({ at }) => at);
    return moments.length > 0 ? Math.min(...moments) : undefined;
  }

  async begin(track: Track): Promise<void> {
    const due = this.#core.read((unit) => this.#findDue(unit).filter(({ at }) => at <= unit.now));
    for (const { webhookId } of due) {
      if (this.#closing.signal.aborted) return;
      if (webhookId === undefined) {
        await this.#core.write(({ database }) => prune(database));
        continue;
      }
      this.#underWay.add(webhookId);
      const attempt = await this.#claim(webhookId);
      if (attempt === undefined) continue;
      const ended = this.#carryOut(attempt).finally(() => this.#attempts.delete(ended));
      this.#attempts.add(ended);
      track(ended);
    }
  }

  send(delivery: Pick<Attempt, 'url' | 'body'>): Promise<Verdict | undefined> {
    return verdictOf(delivery, this.#deliver, this.#limits, this.#closing.signal);
  }

  async close(): Promise<void> {
    const abort = this.#limits.startTimer(this.#limits.closeGraceMs, () => this.#closing.abort());
    await Promise.allSettled(this.#attempts);
    abort.stop();
    this.#closing.abort();
  }

  #isOwn(token: string): boolean {
    return token.startsWith(`${this.#name}.`);
  }

  #findDue({ database, now }: Work): ReturnType<typeof findDue> {
    const lease = { now: this.#core.machineClock.now(), isOwn: (token: string) => this.#isOwn(token) };
    return findDue(database, now, this.#underWay, lease);
  }

  #newLease(): Lease {
    this.#begun += 1;
    const now = this.#core.machineClock.now();
    const token = `${this.#name}.${this.#begun}`;
    return { token, now, until: now + this.#limits.leaseMs, isOwn: (other) => this.#isOwn(other) };
  }

  async #claim(webhookId: string): Promise<Attempt | undefined> {
    let attempt: Attempt | undefined;
    try {
      attempt = await this.#core.write((unit) => beginAttempt(unit, webhookId, this.#newLease()));
    } finally {
      if (attempt === undefined) this.#underWay.delete(webhookId);
    }
    return attempt;
  }

  async #carryOut(attempt: Attempt): Promise<void> {
    try {
      const verdict = await this.send(attempt);
      if (verdict !== undefined) await this.#core.write((work) => endAttempt(work, attempt, verdict));
    } finally {
      this.#underWay.delete(attempt.webhookId);
    }
  }
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
