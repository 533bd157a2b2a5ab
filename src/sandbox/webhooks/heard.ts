import type { Selectable } from 'kysely';
import type { Database, OutboxRow, WebhookRow } from '../store/tables.ts';
import { entitiesOf } from './webhook.ts';

/** A change as it is read from the outbox. */
export type HeardChange = Selectable<OutboxRow>;

/** How many changes one delivery holds at most (decisions, section 8). */
export const MOST_CHANGES = 1000;

/**
 * The changes after `after`, up to `until` and oldest first, that a webhook is to hear: of its entities, and of its own
 * shop or, for a partner's, of every shop with a live link, from the moment it stood (decisions, section 8). The same
 * bounds give the same changes whenever they are asked for, but for shops that removed their link in between.
 */
export function changesHeard(
  database: Database,
  webhook: Pick<WebhookRow, 'owner' | 'owner_id' | 'entities'>,
  after: number,
  until: number,
): Promise<HeardChange[]> {
  const query = database
    .selectFrom('outbox')
    .selectAll()
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .where('entity', 'in', entitiesOf(webhook))
    .orderBy('seq')
    .limit(MOST_CHANGES);
  if (webhook.owner === 'shop') return query.where('shop_id', '=', webhook.owner_id).execute();
  return query
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('links')
          .select('links.shop_id')
          .whereRef('links.shop_id', '=', 'outbox.shop_id')
          .where('links.partner_id', '=', webhook.owner_id)
          .where('links.removed_at', 'is', null)
          .whereRef('links.linked_seq', '<', 'outbox.seq'),
      ),
    )
    .execute();
}

/** The body of a delivery: a Callback (contract, "Change (event payload)"). The records stand in the outbox as the wire shows them. */
export function callbackBody(id: string, changes: readonly HeardChange[]): string {
  const written = changes.map(({ change_type, entity, time, changed, latest }) => {
    const head = JSON.stringify({ change_type, entity, time }).slice(0, -1);
    return `${head},"changed":{"${entity}":${changed}},"latest":{"${entity}":${latest}}}`;
  });
  return `{"id":${JSON.stringify(id)},"changes":[${written.join(',')}]}`;
}

/** The oldest change in the outbox, of those after `after`. */
export function oldestChange(database: Database, after = 0): Promise<Pick<HeardChange, 'seq' | 'time'> | undefined> {
  return database
    .selectFrom('outbox')
    .select(['seq', 'time'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
}
