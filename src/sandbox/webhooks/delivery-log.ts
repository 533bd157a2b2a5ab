import { wireTime } from '../business-clock.ts';
import { invalid } from '../refusal.ts';
import { statement, tables } from '../store/statement.ts';
import type { Work } from '../work.ts';

/** One attempt to deliver, as the control plane shows it. */
export interface DeliveryAttempt {
  readonly callback_id: string;
  readonly webhook_id: string;
  /** How many changes it held. */
  readonly changes: number;
  /** 1 for the first attempt after a success. */
  readonly attempt: number;
  /** By the business clock. */
  readonly sent_at: string;
  readonly outcome: 'pending' | 'ok' | 'failed';
  /** The HTTP status, 0 where there was no answer; null while it is pending. */
  readonly status: number | null;
  readonly error: string | null;
}

/** Which attempts are asked for: those to one webhook, or all; the newest so many. */
export interface DeliveryFilter {
  readonly webhookId?: string | undefined;
  /** 1 to 1000; 100 when absent. */
  readonly limit?: number | undefined;
}

const MOST_SHOWN = 1000;

const newestDeliveries = statement(({ webhookId, limit }: { webhookId: string | undefined; limit: number }) => {
  const newest = tables.selectFrom('deliveries').selectAll().orderBy('id', 'desc').limit(limit);
  return webhookId === undefined ? newest : newest.where('webhook_id', '=', webhookId);
});

/** The newest attempts, the newest first. Refuses a limit out of its range with 400. */
export function readDeliveries(
  { database }: Work,
  { webhookId, limit = 100 }: DeliveryFilter,
): { deliveries: DeliveryAttempt[] } {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_SHOWN) {
    throw invalid('limit', `must be a whole number from 1 to ${MOST_SHOWN}`);
  }
  const rows = database.all(newestDeliveries, { webhookId, limit });
  return {
    deliveries: rows.map(({ id, sent_at, ...row }) => ({
      callback_id: id,
      webhook_id: row.webhook_id,
      changes: row.changes,
      attempt: row.attempt,
      sent_at: wireTime(sent_at),
      outcome: row.outcome,
      status: row.status,
      error: row.error,
    })),
  };
}
