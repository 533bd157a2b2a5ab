import type { changeType } from '../../contract/enums.ts';
import type { Entity } from './kinds.ts';
import { statement, tables } from './statement.ts';
import type { Database, OutboxRow } from './tables.ts';

export type ChangeType = (typeof changeType)[number];

/** Writes changes into the outbox, within the transaction that writes their records (decisions, section 8). */
export interface ChangeRecorder {
  /**
   * `changed` holds the ids and what changed, for a create all of it; `latest` is the whole record at the commit. Both
   * are the JSON that the wire shows, made where it is recorded.
   */
  record(entity: Entity, changeType: ChangeType, shopId: string, changed: () => string, latest: () => string): void;
  /** How many were recorded. */
  count(): number;
}

const insertChange = statement((row: Omit<OutboxRow, 'seq'>) => tables.insertInto('outbox').values(row));
const newestChange = statement(() => tables.selectFrom('outbox').select(({ fn }) => fn.max('seq').as('seq')));

/** A recorder for one transaction; all its changes bear the same time. */
export function createChangeRecorder(database: Database, time: string): ChangeRecorder {
  let recorded = 0;
  return {
    record(entity, changeType, shopId, changed, latest) {
      recorded += 1;
      database.run(insertChange, {
        shop_id: shopId,
        entity,
        change_type: changeType,
        time,
        changed: changed(),
        latest: latest(),
      });
    },
    count: () => recorded,
  };
}

/** A recorder that forgets: what is planted happened before anybody could hear of it. */
export const silentRecorder: ChangeRecorder = { record: () => {}, count: () => 0 };

/** The number of the last change; 0 before the first. */
export function lastChange(database: Database): number {
  return database.first(newestChange, {})?.seq ?? 0;
}
