import { createHash } from 'node:crypto';
import { keysOf } from '../../../domain/json/keys-of.ts';
import { readFields } from '../../../domain/json/values.ts';
import { readSetting, writeSetting } from '../business-clock.ts';
import { fieldsOf } from '../complete-answer.ts';
import { completeRecord, kindSchema } from './found-records.ts';
import { type Entity, kinds } from './record-kinds.ts';
import { tableOf } from './rows.ts';
import type { Database } from './statement.ts';
import { statements, tables } from './statement.ts';
import type { RecordRow } from './tables.ts';

const WHOLE = 'whole records';
const ENTITIES = keysOf(kinds);

let fields: string | undefined;

/** Identifies the current set of fields of all records. */
function fieldsNow(): string {
  fields ??= createHash('sha256')
    .update(JSON.stringify(ENTITIES.map((kind) => [kind, fieldsOf(kindSchema(kind))])))
    .digest('hex');
  return fields;
}

/**
 * Completes all records in the data if they were written by a shopctl that knew other fields, within a transaction,
 * because answers return records as stored. Returns whether there was anything to do.
 */
export function keepRecordsWhole(database: Database): boolean {
  if (readSetting(database, WHOLE) === fieldsNow()) return false;
  for (const kind of ENTITIES) {
    for (const { id, shop_id, body } of database.all(bodies(kind), {})) {
      const whole = JSON.stringify(completeRecord(kind, readFields(body)));
      if (whole !== body) database.run(replaceBody(kind), { id, shop_id, body: whole });
    }
  }
  writeSetting(database, WHOLE, fieldsNow());
  return true;
}

const bodies = statements(
  (kind: Entity) => kind,
  (kind) => tables.selectFrom(tableOf(kind)).select(['id', 'shop_id', 'body']),
);
const replaceBody = statements(
  (kind: Entity) => kind,
  (kind, { id, shop_id, body }: Pick<RecordRow, 'id' | 'shop_id' | 'body'>) =>
    tables.updateTable(tableOf(kind)).set({ body }).where('shop_id', '=', shop_id).where('id', '=', id),
);
