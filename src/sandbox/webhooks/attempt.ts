import { lastChange } from '../store/outbox.ts';
import type { Database, WebhookRow } from '../store/tables.ts';
import type { Work } from '../work.ts';
import { GAPS_MS } from './gaps.ts';
import { callbackBody, changesHeard, MOST_CHANGES } from './heard.ts';
import { prune } from './prune.ts';
import type { Verdict } from './verdict.ts';
import type { LastError } from './webhook.ts';

/** A delivery that was begun: what is sent, and the lease under which its outcome may be written. */
export interface Attempt {
  readonly webhookId: string;
  readonly url: string;
  readonly callbackId: string;
  readonly body: string;
  readonly leaseToken: string;
}

/** The lease that a worker asks for, by the machine's clock: business time must not end it. */
export interface Lease {
  /** Unique to this attempt; whoever no longer holds it writes nothing. */
  readonly token: string;
  readonly now: number;
  readonly until: number;
  /** Whether a token is of this worker, which knows better than any lease what it is doing. */
  isOwn(token: string): boolean;
}

/** How many attempts are remembered. */
const KEPT_DELIVERIES = 1000;

/**
 * Begins the next delivery to a webhook: freezes which changes it holds and under which callback id, before anything
 * is sent. Failed changes come again under a new id; an attempt whose outcome nobody knows, because the sandbox was
 * killed, under the same. Undefined where there is nothing to send or someone else is at it.
 */
export async function beginAttempt(work: Work, webhookId: string, lease: Lease): Promise<Attempt | undefined> {
  const { database } = work;
  const webhook = await database
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .where('state', '!=', 'stop')
    .executeTakeFirst();
  if (webhook === undefined || isLeasedElsewhere(webhook, lease)) return undefined;

  const last = webhook.batch_until ?? (await lastChange(database));
  const changes = await changesHeard(database, webhook, webhook.passed_seq, last);
  if (changes.length === 0) {
    await pass(database, webhookId, Math.max(last, webhook.passed_seq));
    return undefined;
  }
  // A full batch ends with its last change; any other goes up to the last change there is, heard or not.
  const batch_until = changes.length < MOST_CHANGES ? last : Number(changes.at(-1)?.seq);
  const callback_id = webhook.callback_id ?? work.nextId();
  await database
    .updateTable('webhooks')
    .set({ batch_until, callback_id, last_sent_at: work.now, lease_token: lease.token, lease_until: lease.until })
    .where('id', '=', webhookId)
    .execute();
  await rememberDelivery(database, {
    id: callback_id,
    webhook_id: webhookId,
    changes: changes.length,
    attempt: webhook.failures + 1,
    sent_at: work.now,
  });
  return {
    webhookId,
    url: webhook.url,
    callbackId: callback_id,
    body: callbackBody(callback_id, changes),
    leaseToken: lease.token,
  };
}

/** Whether another worker is at this webhook. */
export function isLeasedElsewhere(
  { lease_token, lease_until }: Pick<WebhookRow, 'lease_token' | 'lease_until'>,
  { now, isOwn }: Pick<Lease, 'now' | 'isOwn'>,
): boolean {
  return lease_token !== null && lease_until !== null && lease_until > now && !isOwn(lease_token);
}

/** Leaves behind all changes up to `seq`. */
async function pass(database: Database, webhookId: string, seq: number): Promise<void> {
  await database
    .updateTable('webhooks')
    .set({ passed_seq: seq, batch_until: null, callback_id: null })
    .where('id', '=', webhookId)
    .execute();
  await prune(database);
}

/** An attempt that goes on after a kill has its row already. */
async function rememberDelivery(
  database: Database,
  row: { id: string; webhook_id: string; changes: number; attempt: number; sent_at: number },
): Promise<void> {
  const fresh = { ...row, outcome: 'pending' as const, status: null, error: null };
  await database
    .insertInto('deliveries')
    .values(fresh)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(fresh))
    .execute();
  await database
    .deleteFrom('deliveries')
    .where('id', '<=', (of) =>
      of.selectFrom('deliveries').select('id').orderBy('id', 'desc').limit(1).offset(KEPT_DELIVERIES),
    )
    .execute();
}

/**
 * Writes down how an attempt went: the webhook goes on to later changes, waits for the next gap, or stops for good
 * (decisions, section 8). Does nothing where the webhook is gone or the lease is someone else's by now.
 */
export async function endAttempt(work: Work, attempt: Attempt, verdict: Verdict): Promise<void> {
  const { database, now } = work;
  const webhook = await database
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', attempt.webhookId)
    .where('lease_token', '=', attempt.leaseToken)
    .executeTakeFirst();
  if (webhook === undefined) return;
  const ended = { callback_id: null, lease_token: null, lease_until: null };
  const change = verdict.accepted ? { ...ended, ...success(webhook) } : { ...ended, ...failure(webhook, verdict, now) };
  await database.updateTable('webhooks').set(change).where('id', '=', webhook.id).execute();
  await database
    .updateTable('deliveries')
    .set({
      outcome: verdict.accepted ? 'ok' : 'failed',
      status: verdict.resp_status,
      error: verdict.accepted ? null : verdict.error,
    })
    .where('id', '=', attempt.callbackId)
    .execute();
  await prune(database);
}

type Change = Partial<Omit<WebhookRow, 'id'>>;

/** The first success ends a series of failures; what the last one was stays to be read. */
function success({ batch_until, passed_seq }: WebhookRow): Change {
  return { state: 'ok', failures: 0, failed_at: null, passed_seq: batch_until ?? passed_seq, batch_until: null };
}

function failure(
  { failures, last_sent_at }: WebhookRow,
  { error, resp_status, resp_body }: Verdict & { accepted: false },
  now: number,
): Change {
  const lastError: LastError = { error, resp_status, resp_body, retried: failures, sent_at: last_sent_at ?? now };
  return {
    state: failures < GAPS_MS.length ? 'retry' : 'stop',
    failures: failures + 1,
    failed_at: now,
    last_error: JSON.stringify(lastError),
  };
}
