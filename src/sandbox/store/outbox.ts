import type { changeType } from '../../contract/enums.ts';
import type { Entity, RecordOf } from './kinds.ts';
import { completeRecord } from './shapes.ts';
import type { Database } from './tables.ts';

export type ChangeType = (typeof changeType)[number];

/** Writes changes into the outbox, within the transaction that writes their records (decisions, section 8). */
export interface ChangeRecorder {
  /** `changed` holds the ids and what changed, for a create all of it; `latest` is the whole record at the commit. */
  record<K extends Entity>(
    entity: K,
    changeType: ChangeType,
    shopId: string,
    changed: RecordOf<K>,
    latest: RecordOf<K>,
  ): Promise<void>;
  /** How many were recorded. */
  count(): number;
}

/** A recorder for one transaction; all its changes bear the same time. */
export function createChangeRecorder(database: Database, time: string): ChangeRecorder {
  let recorded = 0;
  return {
    async record(entity, changeType, shopId, changed, latest) {
      recorded += 1;
      await database
        .insertInto('outbox')
        .values({
          shop_id: shopId,
          entity,
          change_type: changeType,
          time,
          changed: JSON.stringify(changed),
          latest: JSON.stringify(completeRecord(entity, latest)),
        })
        .execute();
    },
    count: () => recorded,
  };
}

/** A recorder that forgets: what is planted happened before anybody could hear of it. */
export const silentRecorder: ChangeRecorder = { record: async () => {}, count: () => 0 };

/** The number of the last change; 0 before the first. */
export async function lastChange(database: Database): Promise<number> {
  const row = await database
    .selectFrom('outbox')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst();
  return row?.seq ?? 0;
}
