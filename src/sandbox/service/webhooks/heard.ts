import type { Selectable } from 'kysely';
import { changedOf } from '../../engine/store/outbox.ts';
import type { Entity } from '../../engine/store/records/kinds.ts';
import { oneOf } from '../../engine/store/records/lists.ts';
import type { Database } from '../../engine/store/sql/statement.ts';
import { statement, tables } from '../../engine/store/sql/statement.ts';
import type { OutboxRow, WebhookRow } from '../../engine/store/sql/tables.ts';
import { entitiesOf } from './webhook.ts';

/** A change as read from the outbox. */
export type HeardChange = Selectable<OutboxRow>;

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
