import { setMaxListeners } from 'node:events';
import { GAPS_MS } from '../../../domain/redelivery.ts';
import { type StartTimer, startTimer } from '../../../platform/process/clock.ts';
import type { Work } from '../../engine/call.ts';
import type { Core } from '../../engine/core.ts';
import type { DueWork, Schedule, Track } from '../../engine/schedule.ts';
import { randomSecret } from '../../engine/store/ids.ts';
import { type Database, statement, tables } from '../../engine/store/statement.ts';
import type { WebhookRow } from '../../engine/store/tables.ts';
import {
  type Attempt,
  beginAttempt,
  endAttempt,
  findPrunable,
  isLeasedElsewhere,
  type Lease,
  prune,
} from './attempt.ts';
import type { Deliver } from './deliver.ts';
import { oldestChange } from './delivery-log.ts';
import { judge, noAnswer, type Verdict } from './verdict.ts';

const SECOND = 1000;

/** How often changes are sent (decisions, section 8). */
const FLUSH_MS = 5 * SECOND;

/** When changes recorded at a given time are sent: at the next multiple of 5 s. */
function flushAfter(moment: number): number {
  return (Math.floor(moment / FLUSH_MS) + 1) * FLUSH_MS;
}

/**
 * What is due, and when, in milliseconds of business time: a webhook's next delivery, or pruning if no webhook is
 * given.
 */
interface Due {
  readonly webhookId: string | undefined;
  readonly at: number;
}

const activeWebhooks = statement(() =>
  tables.selectFrom('webhooks').selectAll().where('state', '!=', 'stop').orderBy('id'),
);

/** What is due for the webhooks that are not `underWay`. */
function findDue(
  database: Database,
  now: number,
  underWay: ReadonlySet<string>,
  lease: Pick<Lease, 'now' | 'isOwn'>,
): Due[] {
  const active = database.all(activeWebhooks, {});
  const due: Due[] = [];
  for (const webhook of active) {
    if (underWay.has(webhook.id) || isLeasedElsewhere(webhook, lease)) continue;
    const at = webhook.batch_until === null ? flushMoment(database, webhook, now) : retryMoment(webhook, now);
    if (at !== undefined) due.push({ webhookId: webhook.id, at });
  }
  if (findPrunable(database) !== undefined) due.push({ webhookId: undefined, at: now });
  return due;
}

/** When a webhook processes the changes after its last one, subscribed to or not; undefined if there are none. */
function flushMoment(database: Database, { passed_seq }: WebhookRow, now: number): number | undefined {
  const first = oldestChange(database, passed_seq);
  return first && planned(Date.parse(first.time), now, flushAfter);
}

/** When failed changes are sent again; at once if they were being sent when the sandbox was killed. */
function retryMoment({ callback_id, failures, failed_at }: WebhookRow, now: number): number {
  if (callback_id !== null || failed_at === null) return now;
  return planned(failed_at, now, (failedAt) => failedAt + (GAPS_MS[failures - 1] ?? 0));
}

/**
 * A time derived from another; at once if that is in the future because the clock was set back: nothing must wait for
 * days because of that.
 */
function planned(from: number, now: number, after: (from: number) => number): number {
  return from > now ? now : after(from);
}

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
