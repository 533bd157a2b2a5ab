import type { Kysely } from 'kysely';

/** The walk of one area of one shop: how far it has come, and what is known because of it. */
export interface AreaTable {
  shop_id: string;
  area: string;
  /** The number of the last walk that was started; records that it met carry it. */
  walk: number;
  /** What kind of walk is unfinished; null if none is. */
  walking: 'whole' | 'changes' | null;
  /** The cursor behind the last page that was stored by the unfinished walk. */
  cursor: string | null;
  /** The service's time at the first answer of the unfinished walk, in milliseconds since 1970. */
  began: number | null;
  /** Positions of earlier pages as JSON: `[[cursor, newest time]]`, oldest first. */
  pages: string;
  /** 1 where the service refused to sort this list. */
  unsorted: number;
  /** The newest updated_at of its records, in milliseconds since 1970. */
  newest: number | null;
  /** The moment up to which it is complete, by the service's clock: milliseconds since 1970. */
  complete_until: number | null;
  /** When the last walk that finished had begun, by this machine's clock; only ever compared with that clock. */
  began_here: number | null;
  /** The moment up to which its records were compared with the service's. */
  verified_through: number | null;
  /** 1 where the next walk must be whole. */
  needs_whole: number;
}

/** What is known of one record besides its columns. */
export interface RecordTable {
  area: string;
  id: string;
  shop_id: string;
  /** Its updated_at, otherwise the service's time when it was read: milliseconds since 1970. */
  version: number;
  /** Hash of the record as it was read. */
  fingerprint: string;
  /** The last whole walk that met it. */
  walk: number;
  /** 1 once it was deleted. */
  gone: number;
}

/** A change that a sync found, until a listener has reported it or found it explained. */
export interface NewsTable {
  area: string;
  id: string;
  shop_id: string;
  change_type: 'create' | 'update' | 'delete';
  /** When the record changed by the service's clock: milliseconds since 1970. */
  changed: number;
  /** How often a poll has left it for the next one. */
  looks: number;
}

/** The JSON of the present version of a record. */
export interface RecordJsonTable {
  area: string;
  id: string;
  shop_id: string;
  seen_at: string;
  /** `list`, `webhook` or `poll`. */
  source: string;
  json: string;
}

/** The JSON of an earlier version of a record. */
export interface PastVersionTable extends RecordJsonTable {
  replaced_at: string;
}

/** Single values: the version of the schema, the time zone of the rollups, the origin. */
export interface FactTable {
  name: string;
  value: string;
}

/** The tables that the mirror needs for itself; those of the areas are derived from the contract. */
export interface MirrorTables {
  mirror_areas: AreaTable;
  mirror_records: RecordTable;
  mirror_facts: FactTable;
  mirror_news: NewsTable;
  records_json: RecordJsonTable;
  past_versions: PastVersionTable;
}

export type MirrorDatabase = Kysely<MirrorTables>;
