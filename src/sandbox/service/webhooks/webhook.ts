import type * as z from 'zod';
import type { webhook } from '../../../contract/records/webhook.ts';
import type { Account } from '../../engine/account.ts';
import { wireTime } from '../../engine/business-clock.ts';
import type { Entity } from '../../engine/store/record-kinds.ts';
import type { WebhookRow } from '../../engine/store/tables.ts';

/** A webhook in its wire form (contract, "Webhook"). */
export type Webhook = z.output<typeof webhook>;

/** The owner of a webhook: a shop, or a partner for all shops linked with it. */
export type Owner = Pick<WebhookRow, 'owner' | 'owner_id'>;

/** The last failure, as stored. */
export interface LastError {
  readonly error: string;
  readonly resp_status: number;
  readonly resp_body: string;
  readonly retried: number;
  /** Milliseconds since 1970 by the business clock. */
  readonly sent_at: number;
}

/** The account that webhook operations act for. */
export function ownerOf(account: Account): Owner {
  if (account.kind === 'partner') return { owner: 'partner', owner_id: account.partnerId };
  return { owner: 'shop', owner_id: account.shopId };
}

/** The kinds of records that it subscribes to. */
export function entitiesOf({ entities }: Pick<WebhookRow, 'entities'>): Entity[] {
  return JSON.parse(entities);
}

/** A stored webhook in its wire form. */
export function webhookOf(row: WebhookRow): Webhook {
  const { id, url, metadata, created_at, state, last_sent_at } = row;
  const lastError: LastError | null = row.last_error === null ? null : JSON.parse(row.last_error);
  return {
    id,
    url,
    entities: entitiesOf(row),
    fields: [],
    metadata,
    created_at: wireTime(created_at),
    states: {
      state,
      last_sent_at: last_sent_at === null ? null : wireTime(last_sent_at),
      last_error: lastError && { ...lastError, sent_at: wireTime(lastError.sent_at) },
    },
  };
}
