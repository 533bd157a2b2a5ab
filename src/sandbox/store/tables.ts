import type { Generated } from 'kysely';
import type { Entity, Keys, kinds } from './kinds.ts';
import type { Statement } from './statement.ts';

/** A row of any record table: what is queried stands in columns, the rest in `body`. */
export interface RecordRow extends Keys {
  id: string;
  shop_id: string;
  /** The partner that made the record; null when the shop itself did. */
  partner_id: string | null;
  deleted: 0 | 1;
  /** Greater with every write of any record: the order of changes, also within one second and when the clock goes back. */
  touched: number;
  /** The record as the wire shows it, as JSON. */
  body: string;
  /** What is kept beside the record and never shown, as JSON. */
  hidden: string;
}

/** An account that uses the partner family. */
export interface PartnerRow {
  id: string;
  name: string;
  created_at: number;
}

/** An account that sells. */
export interface ShopRow {
  id: string;
  name: string;
  email: string | null;
  phone: string | null;
  created_at: number;
}

/** An account's own API key. Kept in clear, for `sandbox credentials` must show it again. */
export interface ApiKeyRow {
  owner: 'partner' | 'shop';
  owner_id: string;
  secret: string;
}

/** That a shop uses a partner's service (decisions, section 3). */
export interface LinkRow {
  partner_id: string;
  shop_id: string;
  /** The secret of the shop key. AuthorizeShop answers it again and again, so it is kept in clear. */
  secret: string;
  linked_at: number;
  /** The last change before the link stood: the partner hears the later ones. */
  linked_seq: number;
  removed_at: number | null;
}

/** A request token that AuthorizeShop gave out. */
export interface RequestTokenRow {
  token: string;
  partner_id: string;
  email: string | null;
  phone: string | null;
  name: string | null;
  redirect_url: string | null;
  /** Milliseconds since 1970 by the business clock. */
  expires_at: number;
  /** The shop that signed in with it. */
  used_by: string | null;
}

/** The last number given out under a name in a shop, for codes like KH000001. */
export interface SequenceRow {
  shop_id: string;
  name: string;
  last: number;
}

/** A change, written in the transaction of its record (decisions, section 8); `seq` is the order of commits. */
export interface OutboxRow {
  seq: Generated<number>;
  shop_id: string;
  entity: Entity;
  change_type: 'create' | 'update' | 'delete';
  time: string;
  /** Ids and what changed, as JSON; for a create, all of it. */
  changed: string;
  /** The whole record at the commit, as JSON. */
  latest: string;
}

/** A subscription to changes (contract, "Webhook"), and where its deliveries stand (decisions, section 8). */
export interface WebhookRow {
  id: string;
  owner: 'partner' | 'shop';
  owner_id: string;
  url: string;
  /** The kinds of records it hears of, as JSON. */
  entities: string;
  metadata: string | null;
  /** Milliseconds since 1970 by the business clock, like the other moments here but the lease's. */
  created_at: number;
  /** All changes up to this one are behind it: delivered, or not for it. */
  passed_seq: number;
  state: 'ok' | 'retry' | 'stop';
  /** Consecutive failures. */
  failures: number;
  failed_at: number | null;
  last_sent_at: number | null;
  /** As JSON. */
  last_error: string | null;
  /** The last change of the delivery that was begun and not accepted yet. */
  batch_until: number | null;
  /** The callback id of an attempt whose outcome is not known yet. */
  callback_id: string | null;
  /** Who is delivering, and until when nobody else may, by the machine's clock. */
  lease_token: string | null;
  lease_until: number | null;
}

/** One attempt to deliver. */
export interface DeliveryRow {
  /** The callback id. */
  id: string;
  webhook_id: string;
  /** How many changes it held. */
  changes: number;
  /** 1 for the first attempt after a success. */
  attempt: number;
  sent_at: number;
  outcome: 'pending' | 'ok' | 'failed';
  /** The HTTP status, 0 where there was no answer; null while it is pending. */
  status: number | null;
  error: string | null;
}

/** A shipment that moves by itself: of an order, or on demand. */
export interface ShipmentPlanRow {
  shipment_id: string;
  /** The state it goes to, or `reconciled`. */
  target: string;
  /** What is said of it there; null where that does not matter. */
  substate: string | null;
  /** When it takes its next step, in milliseconds by the business clock. */
  due_at: number;
}

/** A fact about the store itself, or a setting of the sandbox, as JSON. */
export interface SettingRow {
  name: string;
  value: string;
}

type RecordTables = { [K in Entity as (typeof kinds)[K]['table']]: RecordRow };

/** Every table of the core. An area with tables of its own adds them here and in `migrations.ts`. */
export interface Tables extends RecordTables {
  partners: PartnerRow;
  shops: ShopRow;
  api_keys: ApiKeyRow;
  links: LinkRow;
  request_tokens: RequestTokenRow;
  sequences: SequenceRow;
  outbox: OutboxRow;
  webhooks: WebhookRow;
  deliveries: DeliveryRow;
  shipment_plans: ShipmentPlanRow;
  settings: SettingRow;
}

/** What runs statements: inside a unit of work that writes, in its transaction. */
export interface Database {
  /** All rows that a statement answers. */
  all<Given extends object, Row>(statement: Statement<Given, Row>, given: Given): Row[];
  /** The first row, if there is one. */
  first<Given extends object, Row>(statement: Statement<Given, Row>, given: Given): Row | undefined;
  /** Runs a statement that answers no rows; answers how many it changed. */
  run<Given extends object>(statement: Statement<Given, unknown>, given: Given): number;
}
