import { GAPS_MS } from '../../domain/redelivery.ts';
import { lastChange } from '../store/outbox.ts';
import { statement, tables } from '../store/statement.ts';
import type { Database, DeliveryRow, WebhookRow } from '../store/tables.ts';
import type { Work } from '../work.ts';
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

type Change = Partial<Omit<WebhookRow, 'id'>>;

const activeWebhook = statement(({ id }: Pick<WebhookRow, 'id'>) =>
  tables.selectFrom('webhooks').selectAll().where('id', '=', id).where('state', '!=', 'stop'),
);
const leasedWebhook = statement(({ id, token }: { readonly id: string; readonly token: string }) =>
  tables.selectFrom('webhooks').selectAll().where('id', '=', id).where('lease_token', '=', token),
);
const changeWebhook = statement(({ id, ...change }: Pick<WebhookRow, 'id'> & Change) =>
  tables.updateTable('webhooks').set(change).where('id', '=', id),
);
const putDelivery = statement((row: DeliveryRow) =>
  tables
    .insertInto('deliveries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
);
const endDelivery = statement(({ id, ...change }: Pick<DeliveryRow, 'id' | 'outcome' | 'status' | 'error'>) =>
  tables.updateTable('deliveries').set(change).where('id', '=', id),
);
const dropDeliveries = statement(() =>
  tables
    .deleteFrom('deliveries')
    .where('id', '<=', (of) =>
      of.selectFrom('deliveries').select('id').orderBy('id', 'desc').limit(1).offset(KEPT_DELIVERIES),
    ),
);

/**
 * Begins the next delivery to a webhook: freezes which changes it holds and under which callback id, before anything
 * is sent. Failed changes come again under a new id; an attempt whose outcome nobody knows, because the sandbox was
 * killed, under the same. Undefined where there is nothing to send or someone else is at it.
 */
export function beginAttempt(work: Work, webhookId: string, lease: Lease): Attempt | undefined {
  const { database } = work;
  const webhook = database.first(activeWebhook, { id: webhookId });
  if (webhook === undefined || isLeasedElsewhere(webhook, lease)) return undefined;

  const last = webhook.batch_until ?? lastChange(database);
  const changes = changesHeard(database, webhook, webhook.passed_seq, last);
  if (changes.length === 0) {
    pass(database, webhookId, Math.max(last, webhook.passed_seq));
    return undefined;
  }
  // A full batch ends with its last change; any other goes up to the last change there is, heard or not.
  const batch_until = changes.length < MOST_CHANGES ? last : Number(changes.at(-1)?.seq);
  const callback_id = webhook.callback_id ?? work.nextId();
  database.run(changeWebhook, {
    id: webhookId,
    batch_until,
    callback_id,
    last_sent_at: work.now,
    lease_token: lease.token,
    lease_until: lease.until,
  });
  rememberDelivery(database, {
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
function pass(database: Database, webhookId: string, seq: number): void {
  database.run(changeWebhook, { id: webhookId, passed_seq: seq, batch_until: null, callback_id: null });
  prune(database);
}

/** An attempt that goes on after a kill has its row already. */
export function rememberDelivery(
  database: Database,
  row: { id: string; webhook_id: string; changes: number; attempt: number; sent_at: number },
): void {
  database.run(putDelivery, { ...row, outcome: 'pending', status: null, error: null });
  database.run(dropDeliveries, {});
}

/**
 * Writes down how an attempt went: the webhook goes on to later changes, waits for the next gap, or stops for good
 * (decisions, section 8). Does nothing where the webhook is gone or the lease is someone else's by now.
 */
export function endAttempt(work: Work, attempt: Attempt, verdict: Verdict): void {
  const { database, now } = work;
  const webhook = database.first(leasedWebhook, { id: attempt.webhookId, token: attempt.leaseToken });
  if (webhook === undefined) return;
  const ended = { callback_id: null, lease_token: null, lease_until: null };
  const change = verdict.accepted ? { ...ended, ...success(webhook) } : { ...ended, ...failure(webhook, verdict, now) };
  database.run(changeWebhook, { id: webhook.id, ...change });
  rememberVerdict(database, attempt.callbackId, verdict);
  prune(database);
}

/** Writes down how a delivery went, and nothing of its webhook. */
export function rememberVerdict(database: Database, callbackId: string, verdict: Verdict): void {
  database.run(endDelivery, {
    id: callbackId,
    outcome: verdict.accepted ? 'ok' : 'failed',
    status: verdict.resp_status,
    error: verdict.accepted ? null : verdict.error,
  });
}

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
