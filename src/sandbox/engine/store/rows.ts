import { type Fields, readOwn } from '../../../domain/json/values.ts';
import { type Entity, kinds, type RecordOf, StoredJson } from './record-kinds.ts';
import type { RecordRow } from './tables.ts';

/** What a kind stores beside its records; any JSON. */
export type Hidden = Fields;

/** A record with what is stored with it. */
export interface Stored<K extends Entity> {
  readonly id: string;
  readonly shopId: string;
  /** The partner that made it; undefined if the shop itself did. */
  readonly partnerId: string | undefined;
  readonly deleted: boolean;
  /** The record as an answer shows it, without parsing it. */
  readonly shown: StoredJson;
  readonly record: RecordOf<K>;
  /** Stored with the record and never shown. */
  readonly hidden: Hidden;
}

/** The table of a kind; all have the same columns, so for Kysely they are typed as one of them. */
export function tableOf(kind: Entity): 'orders' {
  return kinds[kind].table as 'orders';
}

/** The columns that a record is read from; the others are only used in conditions. */
export const readColumns = ['id', 'shop_id', 'partner_id', 'deleted', 'touched', 'body', 'hidden'] as const;

/** A row as it is read. */
export type ReadRow = Pick<RecordRow, (typeof readColumns)[number]>;

/** The parsed parts of a row, so that a cached row is parsed only once. */
interface Parsed<K extends Entity> {
  record?: RecordOf<K>;
  hidden?: Hidden;
}

/** A row as a record, which is parsed on first access: most records are only passed on. */
export function storedFrom<K extends Entity>(
  kind: K,
  row: Omit<ReadRow, 'touched'> & { parsed?: Parsed<K> },
): Stored<K> {
  const parsed = () => {
    row.parsed ??= {};
    return row.parsed;
  };
  return {
    id: row.id,
    shopId: row.shop_id,
    partnerId: row.partner_id ?? undefined,
    deleted: row.deleted === 1,
    shown: new StoredJson(kind, row.body),
    get record() {
      const kept = parsed();
      const record = kept.record ?? readOwn<RecordOf<K>>(row.body);
      kept.record = record;
      return record;
    },
    get hidden() {
      const kept = parsed();
      const hidden: Hidden = kept.hidden ?? JSON.parse(row.hidden);
      kept.hidden = hidden;
      return hidden;
    },
  };
}
