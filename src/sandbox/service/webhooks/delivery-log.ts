import type { Selectable } from 'kysely';
import { GAPS_MS } from '../../../domain/redelivery.ts';
import { wireTime } from '../../engine/business-clock.ts';
import type { Work } from '../../engine/call.ts';
import { invalid } from '../../engine/refusal.ts';
import { changedOf, lastChange } from '../../engine/store/outbox.ts';
import type { Entity } from '../../engine/store/record-kinds.ts';
import { oneOf } from '../../engine/store/record-lists.ts';
import { type Database, statement, tables } from '../../engine/store/statement.ts';
import type { DeliveryRow, OutboxRow, WebhookRow } from '../../engine/store/tables.ts';
import { entitiesOf } from './webhook.ts';

/** A change as read from the outbox. */
type HeardChange = Selectable<OutboxRow>;

/** The most changes in one delivery (decisions, section 8). */
export const MOST_CHANGES = 1000;

/**
 * The changes after `after`, up to `until` and oldest first, that a webhook subscribes to: of its entities, and of its
 * own shop or, for a partner's, of every shop with an active link, since the link was created (decisions, section 8).
 * The same bounds always give the same changes, except for shops that removed their link in between.
 */
export function changesHeard(
  database: Database,
  webhook: Pick<WebhookRow, 'owner' | 'owner_id' | 'entities'>,
  after: number,
  until: number,
): HeardChange[] {
  const bounds = { entities: JSON.stringify(entitiesOf(webhook)), after, until };
  const { owner, owner_id } = webhook;
  return database.all(heard, { ...bounds, ...(owner === 'shop' ? { shop: owner_id } : { partner: owner_id }) });
}

interface Hearing {
  readonly after: number;
  readonly until: number;
  /** As JSON. */
  readonly entities: string;
  readonly shop?: string;
  readonly partner?: string;
}

const heard = statement(({ after, until, entities, shop, partner }: Hearing) => {
  const query = tables
    .selectFrom('outbox')
    .selectAll()
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .where('entity', 'in', oneOf<Entity>(entities))
    .orderBy('seq')
    .limit(MOST_CHANGES);
  if (partner === undefined) return query.where('shop_id', '=', shop ?? '');
  return query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('links')
        .select('links.shop_id')
        .whereRef('links.shop_id', '=', 'outbox.shop_id')
        .where('links.partner_id', '=', partner)
        .where('links.removed_at', 'is', null)
        .whereRef('links.linked_seq', '<', 'outbox.seq'),
    ),
  );
});

/**
 * The body of a delivery: a Callback (contract, "Change (event payload)"). The outbox has the records in their wire
 * form.
 */
export function callbackBody(id: string, changes: readonly HeardChange[]): string {
  const written = changes.map((change) => {
    const { change_type, entity, time, latest } = change;
    const head = JSON.stringify({ change_type, entity, time }).slice(0, -1);
    return `${head},"changed":{"${entity}":${changedOf(change)}},"latest":{"${entity}":${latest}}}`;
  });
  return `{"id":${JSON.stringify(id)},"changes":[${written.join(',')}]}`;
}

/** The oldest change in the outbox after `after`. */
export function oldestChange(database: Database, after = 0): Pick<HeardChange, 'seq' | 'time'> | undefined {
  return database.first(oldestAfter, { after });
}

const oldestAfter = statement(({ after }: { readonly after: number }) =>
  tables.selectFrom('outbox').select(['seq', 'time']).where('seq', '>', after).orderBy('seq').limit(1),
);

/** One delivery attempt, as shown by the control plane. */
export interface DeliveryAttempt {
  readonly callback_id: string;
  readonly webhook_id: string;
  /** Where it was sent; null if the webhook is gone. */
  readonly url: string | null;
  /** How many changes it contained. */
  readonly changes: number;
  /** 1 for the first attempt after a success. */
  readonly attempt: number;
  /** By the business clock. */
  readonly sent_at: string;
  readonly outcome: 'pending' | 'ok' | 'failed';
  /** The HTTP status, 0 if there was no answer; null while it is pending. */
  readonly status: number | null;
  readonly error: string | null;
  /** What the error means for the receiver. */
  readonly explanation: string | null;
  /** When the same changes are sent again, by the business clock; null if they are not. */
  readonly next_attempt_at: string | null;
  /** How long the answer took; null while it is pending, and for attempts of an earlier run. */
  readonly milliseconds?: number | null;
}

/** An attempt with its payload and answer. */
export interface ShownDelivery extends DeliveryAttempt {
  /** Null if it is no longer kept. */
  readonly payload: unknown;
  readonly answer: string | null;
}

/** Which attempts to show: those of one webhook, or all; the newest `limit`. */
export interface DeliveryFilter {
  readonly webhookId?: string | undefined;
  /** 1 to 1000; 100 when absent. */
  readonly limit?: number | undefined;
  /** The attempt with this callback id. */
  readonly show?: string | undefined;
}

const MOST_SHOWN = 1000;

const newestDeliveries = statement(
  ({ webhookId, limit, show }: { webhookId: string | undefined; limit: number; show?: string | undefined }) => {
    const newest = tables.selectFrom('deliveries').selectAll().orderBy('id', 'desc').limit(limit);
    const ofHook = webhookId === undefined ? newest : newest.where('webhook_id', '=', webhookId);
    return show === undefined ? ofHook : ofHook.where('id', '=', show);
  },
);
const allWebhooks = statement(() => tables.selectFrom('webhooks').selectAll());

/** What an error means for the receiver, if its message does not say so. */
function explanationOf({ outcome, error }: DeliveryRow): string | null {
  if (outcome !== 'failed' || error === null) return null;
  if (error === 'unexpected response') return 'the status was 200, but the body must be exactly ok';
  if (error.startsWith('unexpected status: 3'))
    return 'a redirect is not followed: answer status 200 and ok at this url';
  if (error.startsWith('unexpected status')) return 'only status 200 with a body of ok is an acknowledgement';
  if (error.includes('ECONNREFUSED'))
    return 'nothing listens at this url: is the receiver running, and the port right?';
  if (error.includes('ENOTFOUND')) return 'no machine of this name is known';
  return 'no answer came: is the receiver running, and does it answer within 60 s?';
}

/** The latest attempts, newest first. Refuses a limit out of range with 400. */
export function readDeliveries(
  { database }: Work,
  { webhookId, limit = 100, show }: DeliveryFilter,
): { deliveries: DeliveryAttempt[] } {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_SHOWN) {
    throw invalid('limit', `must be a whole number from 1 to ${MOST_SHOWN}`);
  }
  const rows = database.all(newestDeliveries, { webhookId, limit, show });
  const webhooks = new Map(database.all(allWebhooks, {}).map((webhook) => [webhook.id, webhook]));
  /** The first row of a webhook is its newest attempt, unless only one was requested. */
  const isNewest = ({ id, webhook_id }: DeliveryRow) =>
    database.all(newestDeliveries, { webhookId: webhook_id, limit: 1 })[0]?.id === id;
  return {
    deliveries: rows.map((row) => ({
      callback_id: row.id,
      webhook_id: row.webhook_id,
      url: webhooks.get(row.webhook_id)?.url ?? null,
      changes: row.changes,
      attempt: row.attempt,
      sent_at: wireTime(row.sent_at),
      outcome: row.outcome,
      status: row.status,
      error: row.error,
      explanation: explanationOf(row),
      next_attempt_at: row.outcome === 'failed' && isNewest(row) ? nextAttemptAt(webhooks.get(row.webhook_id)) : null,
    })),
  };
}

/** How many webhooks have changes, of one record or of any, that no attempt has held yet. */
export function webhooksWaiting({ database }: Work, record?: string): number {
  const last = lastChange(database);
  const isAbout = ({ latest }: HeardChange) => record === undefined || latest.includes(`"${record}"`);
  return database
    .all(allWebhooks, {})
    .filter((webhook) => webhook.state !== 'stop')
    .filter((webhook) => changesHeard(database, webhook, webhook.batch_until ?? webhook.passed_seq, last).some(isAbout))
    .length;
}

function nextAttemptAt(webhook: WebhookRow | undefined): string | null {
  if (webhook?.state !== 'retry') return null;
  const { failures, failed_at } = webhook;
  return failed_at === null ? null : wireTime(failed_at + (GAPS_MS[failures - 1] ?? 0));
}
