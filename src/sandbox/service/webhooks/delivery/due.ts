import { GAPS_MS } from '../../../../domain/redelivery.ts';
import type { Database } from '../../../engine/store/sql/statement.ts';
import { statement, tables } from '../../../engine/store/sql/statement.ts';
import type { WebhookRow } from '../../../engine/store/sql/tables.ts';
import { oldestChange } from '../heard.ts';
import { findPrunable } from '../prune.ts';
import { isLeasedElsewhere, type Lease } from './attempt.ts';
import { flushAfter } from './gaps.ts';

/**
 * What is due, and when, in milliseconds of business time: a webhook's next delivery, or pruning if no webhook is
 * given.
 */
export interface Due {
  readonly webhookId: string | undefined;
  readonly at: number;
}

const activeWebhooks = statement(() =>
  tables.selectFrom('webhooks').selectAll().where('state', '!=', 'stop').orderBy('id'),
);

/** What is due for the webhooks that are not `underWay`. */
export function findDue(
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
