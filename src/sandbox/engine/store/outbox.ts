import type { changeType } from '../../../contract/enums.ts';
import type { Entity } from './record-kinds.ts';
import type { Database } from './statement.ts';
import { statement, tables } from './statement.ts';
import type { OutboxRow } from './tables.ts';

export type ChangeType = (typeof changeType)[number];

/** Writes changes to the outbox, within the transaction that writes their records (decisions, section 8). */
export interface ChangeRecorder {
  /**
   * `changed` contains the ids and the changed fields, for a create all fields; `latest` is the whole record at the
   * commit. Both are JSON in the wire form, generated when recorded; the same function for both if they are the same.
   */
  record(entity: Entity, changeType: ChangeType, shopId: string, changed: () => string, latest: () => string): void;
  /** How many changes were recorded. */
  count(): number;
}

/** Stored as `changed` if that is the whole record, as for every create. */
const WHOLE = '';

/** The changed fields of a change, as JSON in the wire form. */
export function changedOf({ changed, latest }: Pick<OutboxRow, 'changed' | 'latest'>): string {
  return changed === WHOLE ? latest : changed;
}

const insertChange = statement((row: Omit<OutboxRow, 'seq'>) => tables.insertInto('outbox').values(row));
const newestChange = statement(() => tables.selectFrom('outbox').select(({ fn }) => fn.max('seq').as('seq')));

const anyWebhook = statement(() => tables.selectFrom('webhooks').select('id').limit(1));

/**
 * A recorder for one transaction; all its changes have the same time. While there is no webhook, and not `always`,
 * nothing is recorded: nobody hears it, since a new webhook hears only what changes later.
 */
export function createChangeRecorder(database: Database, time: string, always: boolean): ChangeRecorder {
  let recorded = 0;
  let isHeard: boolean | undefined = always || undefined;
  return {
    record(entity, changeType, shopId, changed, latest) {
      isHeard ??= database.first(anyWebhook, {}) !== undefined;
      if (!isHeard) return;
      recorded += 1;
      const whole = latest();
      const fields = changed === latest ? WHOLE : changed();
      const change = { shop_id: shopId, entity, change_type: changeType, time, changed: fields, latest: whole };
      database.run(insertChange, change);
    },
    count: () => recorded,
  };
}

/** A recorder that discards changes: populated records predate every webhook. */
export const silentRecorder: ChangeRecorder = { record: () => {}, count: () => 0 };

/** The number of the last change; 0 before the first. */
export function lastChange(database: Database): number {
  return database.first(newestChange, {})?.seq ?? 0;
}
