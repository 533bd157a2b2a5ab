import { GAPS_MS } from '../../../domain/redelivery.ts';
import type { Work } from '../../engine/call.ts';
import { lastChange } from '../../engine/store/outbox.ts';
import { type Database, statement, tables } from '../../engine/store/statement.ts';
import type { DeliveryRow, WebhookRow } from '../../engine/store/tables.ts';
import { callbackBody, changesHeard, MOST_CHANGES, oldestChange } from './delivery-log.ts';
import type { Verdict } from './verdict.ts';
import type { LastError } from './webhook.ts';

/** How many changes are kept after every webhook has processed them, for debugging. */
const KEPT_CHANGES = 1000;
/** How many are deleted at once, since other work waits meanwhile. */
const DROPPED_AT_ONCE = 5000;

const passedByAll = statement(() =>
  tables
    .selectFrom('webhooks')
    .select(({ fn }) => fn.min('passed_seq').as('passed'))
    .where('state', '!=', 'stop'),
);
const dropChanges = statement(({ last }: { readonly last: number }) =>
  tables.deleteFrom('outbox').where('seq', '<=', last),
);

/**
 * The last change that can be deleted now: every webhook has processed it; a stopped one never returns to it. Undefined
 * if there is none.
 */
export function findPrunable(database: Database): number | undefined {
  const oldest = oldestChange(database);
  if (oldest === undefined) return undefined;
  const passed = database.first(passedByAll, {})?.passed;
  const beforeKept = lastChange(database) - KEPT_CHANGES;
  const last = Math.min(passed ?? beforeKept, beforeKept, oldest.seq + DROPPED_AT_ONCE - 1);
  return last < oldest.seq ? undefined : last;
}

/** Deletes changes that no webhook needs any more; if more remain, they are due at once. */
export function prune(database: Database): void {
  const last = findPrunable(database);
  if (last !== undefined) database.run(dropChanges, { last });
}

/** A delivery that was started: what to send, and the lease under which its outcome may be written. */
export interface Attempt {
  readonly webhookId: string;
  readonly url: string;
  readonly callbackId: string;
  readonly body: string;
  readonly leaseToken: string;
}

/** The lease that a worker requests, by the machine's clock: business time must not end it. */
export interface Lease {
  /** Unique to this attempt; a worker that has lost it writes nothing. */
  readonly token: string;
  readonly now: number;
  readonly until: number;
  /** Whether a token belongs to this worker, which knows its own work better than any lease does. */
  isOwn(token: string): boolean;
}

/** How many attempts are kept. */
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
 * Starts the next delivery to a webhook: fixes its changes and its callback id before anything is sent. Failed changes
 * are sent again under a new id; an attempt with an unknown outcome, because the sandbox was killed, under the same
 * one. Undefined if there is nothing to send or another worker holds the lease.
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
  // A full batch ends with its last change; any other extends to the last change there is, whether subscribed to or
  // not.
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

/** Whether another worker holds this webhook's lease. */
export function isLeasedElsewhere(
  { lease_token, lease_until }: Pick<WebhookRow, 'lease_token' | 'lease_until'>,
  { now, isOwn }: Pick<Lease, 'now' | 'isOwn'>,
): boolean {
  return lease_token !== null && lease_until !== null && lease_until > now && !isOwn(lease_token);
}

/** Marks all changes up to `seq` as processed. */
function pass(database: Database, webhookId: string, seq: number): void {
  database.run(changeWebhook, { id: webhookId, passed_seq: seq, batch_until: null, callback_id: null });
  prune(database);
}

/** An attempt that continues after a kill already has its row. */
export function rememberDelivery(
  database: Database,
  row: { id: string; webhook_id: string; changes: number; attempt: number; sent_at: number },
): void {
  database.run(putDelivery, { ...row, outcome: 'pending', status: null, error: null });
  database.run(dropDeliveries, {});
}

/**
 * Records the outcome of an attempt: the webhook continues with later changes, waits for its backoff, or stops for good
 * (decisions, section 8). Does nothing if the webhook is gone or another worker holds the lease.
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

/** Records the outcome of a delivery only, without changing its webhook. */
export function rememberVerdict(database: Database, callbackId: string, verdict: Verdict): void {
  database.run(endDelivery, {
    id: callbackId,
    outcome: verdict.accepted ? 'ok' : 'failed',
    status: verdict.resp_status,
    error: verdict.accepted ? null : verdict.error,
  });
}

/** The first success ends a series of failures; the last error stays readable. */
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
