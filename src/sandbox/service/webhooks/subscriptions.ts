import type * as z from 'zod';
import type { newWebhook } from '../../../contract/records/webhook.ts';
import { webhookRules } from '../../../contract/schema/webhook-rules.ts';
import { inEnglish } from '../../../domain/language.ts';
import { refusedTarget } from '../../engine/allowed-hosts.ts';
import type { WithoutNulls, Work } from '../../engine/call.ts';
import { invalid, notFound, Refusal } from '../../engine/refusal.ts';
import { lastChange } from '../../engine/store/outbox.ts';
import { statement, tables } from '../../engine/store/statement.ts';
import type { WebhookRow } from '../../engine/store/tables.ts';
import { type Owner, type Webhook, webhookOf } from './webhook.ts';

/** How many webhooks an account may have (decisions, section 8). */
const MOST_WEBHOOKS = 5;

/**
 * Registers a webhook, which gets the changes from now on. An invalid request is refused with 400, a sixth webhook with
 * 412.
 */
export function createWebhook(
  work: Work,
  owner: Owner,
  { url, entities, metadata }: WithoutNulls<z.output<typeof newWebhook>>,
): Webhook {
  const [problem] = inEnglish(() => webhookRules({ url, entities }));
  if (problem !== undefined) throw invalid(problem.path, problem.message);
  const refused = refusedTarget(url, work.allowedHosts);
  if (refused !== undefined) throw invalid('url', refused);
  if (rowsOf(work, owner).length >= MOST_WEBHOOKS) {
    throw new Refusal('failed_precondition', `an account has at most ${MOST_WEBHOOKS} webhooks: delete one first`);
  }
  const row: WebhookRow = {
    id: work.nextId(),
    ...owner,
    url,
    entities: JSON.stringify(entities),
    metadata: metadata ?? null,
    created_at: work.now,
    passed_seq: lastChange(work.database),
    state: 'ok',
    failures: 0,
    failed_at: null,
    last_sent_at: null,
    last_error: null,
    batch_until: null,
    callback_id: null,
    lease_token: null,
    lease_until: null,
  };
  work.database.run(insertWebhook, row);
  return webhookOf(row);
}

/** The webhooks of an account, oldest first. */
export function listWebhooks(work: Work, owner: Owner): { webhooks: Webhook[] } {
  return { webhooks: rowsOf(work, owner).map(webhookOf) };
}

/**
 * Deletes a webhook; an attempt in progress does not affect it any more. Returns the remaining ones; 404 if there is
 * none with that id.
 */
export function deleteWebhook(work: Work, owner: Owner, id: string): { webhooks: Webhook[] } {
  if (work.database.run(removeWebhook, { id, ...owner }) === 0) throw notFound('webhook');
  return listWebhooks(work, owner);
}

function rowsOf({ database }: Work, { owner, owner_id }: Owner): WebhookRow[] {
  return database.all(webhooksOf, { owner, owner_id });
}

const insertWebhook = statement((row: WebhookRow) => tables.insertInto('webhooks').values(row));
const removeWebhook = statement(({ id, owner, owner_id }: Pick<WebhookRow, 'id' | 'owner' | 'owner_id'>) =>
  tables.deleteFrom('webhooks').where('id', '=', id).where('owner', '=', owner).where('owner_id', '=', owner_id),
);
const webhooksOf = statement(({ owner, owner_id }: Owner) =>
  tables.selectFrom('webhooks').selectAll().where('owner', '=', owner).where('owner_id', '=', owner_id).orderBy('id'),
);
