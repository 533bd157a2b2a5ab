import type { Generated } from 'kysely';
import type { Entity, Key, Keys, kinds } from './record-kinds.ts';

/** A row of any record table: queried fields are columns, the rest is in `body`. */
export interface RecordRow extends Keys {
  id: string;
  shop_id: string;
  /** The partner that made the record; null if the shop itself did. */
  partner_id: string | null;
  deleted: 0 | 1;
  /**
   * Greater with every write of any record: the order of changes, even within one second or when the clock goes back.
   */
  touched: number;
  /** The record in its wire form, as JSON. */
  body: string;
  /** Stored with the record and never shown, as JSON. */
  hidden: string;
}

/** A row as it is inserted: a key that it lacks is null. */
export type NewRecordRow = Omit<RecordRow, Key> & Partial<Keys>;

type RecordTable = Omit<RecordRow, Key> & { [Name in Key]: Generated<Keys[Name]> };

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

/** An account's own API key. Stored in clear, because `sandbox credentials` must show it again. */
export interface ApiKeyRow {
  owner: 'partner' | 'shop';
  owner_id: string;
  secret: string;
}

/** The link of a shop with a partner (decisions, section 3). */
export interface LinkRow {
  partner_id: string;
  shop_id: string;
  /** The secret of the shop key. AuthorizeShop returns it repeatedly, so it is stored in clear. */
  secret: string;
  linked_at: number;
  /** The last change before the link was created: the partner's webhooks get the later ones. */
  linked_seq: number;
  removed_at: number | null;
}

/** A request token issued by AuthorizeShop. */
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

/** The last number of a named counter in a shop, for codes like KH000001. */
export interface SequenceRow {
  shop_id: string;
  name: string;
  last: number;
}

/** A change, written in the transaction of its record (decisions, section 8); `seq` is the commit order. */
export interface OutboxRow {
  seq: Generated<number>;
  shop_id: string;
  entity: Entity;
  change_type: 'create' | 'update' | 'delete';
  time: string;
  /** Ids and changed fields, as JSON; empty for a create, where it is `latest`. */
  changed: string;
  /** The whole record at the commit, as JSON. */
  latest: string;
}

/** A subscription to changes (contract, "Webhook"), and the state of its deliveries (decisions, section 8). */
export interface WebhookRow {
  id: string;
  owner: 'partner' | 'shop';
  owner_id: string;
  url: string;
  /** The kinds of records it subscribes to, as JSON. */
  entities: string;
  metadata: string | null;
  /** Milliseconds since 1970 by the business clock, like all times here except the lease's. */
  created_at: number;
  /** All changes up to this one are processed: delivered, or not for this webhook. */
  passed_seq: number;
  state: 'ok' | 'retry' | 'stop';
  /** Consecutive failures. */
  failures: number;
  failed_at: number | null;
  last_sent_at: number | null;
  /** As JSON. */
  last_error: string | null;
  /** The last change of the delivery that was started and not accepted yet. */
  batch_until: number | null;
  /** The callback id of an attempt whose outcome is not known yet. */
  callback_id: string | null;
  /** The delivering worker, and until when it has exclusive use, by the machine's clock. */
  lease_token: string | null;
  lease_until: number | null;
}

/** One delivery attempt. */
export interface DeliveryRow {
  /** The callback id. */
  id: string;
  webhook_id: string;
  /** How many changes it contained. */
  changes: number;
  /** 1 for the first attempt after a success. */
  attempt: number;
  sent_at: number;
  outcome: 'pending' | 'ok' | 'failed';
  /** The HTTP status, 0 if there was no answer; null while it is pending. */
  status: number | null;
  error: string | null;
}

/** A shipment that moves by itself: of an order, or on demand. */
export interface ShipmentPlanRow {
  shipment_id: string;
  /** The target state, or `reconciled`. */
  target: string;
  /** The target substate; null if any will do. */
  substate: string | null;
  /** When it takes its next step, in milliseconds by the business clock. */
  due_at: number;
}

/** A fact about the store itself, or a setting of the sandbox, as JSON. */
export interface SettingRow {
  name: string;
  value: string;
}

type RecordTables = Record<(typeof kinds)[Entity]['table'], RecordTable>;

/** Every table of the core. An area with tables of its own adds them here and in `schema/tables.ts`. */
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
