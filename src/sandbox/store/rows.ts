import type { Kysely } from 'kysely';
import { type Entity, kinds, type RecordOf } from './kinds.ts';
import { tables } from './statement.ts';
import type { RecordRow } from './tables.ts';

/** What a kind keeps beside its records; anything that is JSON. */
export type Hidden = Readonly<Record<string, unknown>>;

/** A record with what is stored around it. */
export interface Stored<K extends Entity> {
  readonly id: string;
  readonly shopId: string;
  /** The partner that made it; undefined when the shop itself did. */
  readonly partnerId: string | undefined;
  readonly deleted: boolean;
  readonly record: RecordOf<K>;
  /** What is kept beside the record and never shown. */
  readonly hidden: Hidden;
}

/** The record tables: all have one shape, and Kysely is told so here, under the name of one of them. */
export const recordTables = tables as unknown as Kysely<{ orders: RecordRow }>;

/** The table of a kind, under the one name that stands for all of them. */
export function tableOf(kind: Entity): 'orders' {
  return kinds[kind].table as 'orders';
}

/** A row as a record. */
export function storedFrom<K extends Entity>(row: RecordRow): Stored<K> {
  return {
    id: row.id,
    shopId: row.shop_id,
    partnerId: row.partner_id ?? undefined,
    deleted: row.deleted === 1,
    record: JSON.parse(row.body) as RecordOf<K>,
    hidden: JSON.parse(row.hidden) as Hidden,
  };
}
