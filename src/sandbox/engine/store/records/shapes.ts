import type * as z from 'zod';
import { change } from '../../../../contract/records/account/change.ts';
import { fieldsIn } from '../../../../domain/json/json-extent.ts';
import { complete, shapeOf } from '../../http/complete.ts';
import type { Entity, RecordOf } from './kinds.ts';

/** The schema of each kind, as a Change carries it. */
const schemas = change.shape.latest.unwrap().unwrap().shape;

/** The schema of the records of one kind. */
export function kindSchema(kind: Entity): z.ZodType {
  return schemas[kind];
}

const fieldNames = new Map<Entity, ReadonlySet<string>>();

/** Whether records of a kind have such a field on the wire. */
export function hasField(kind: Entity, name: string): boolean {
  let names = fieldNames.get(kind);
  if (!names) {
    names = new Set(Object.keys(schemas[kind].unwrap().unwrap().shape));
    fieldNames.set(kind, names);
  }
  return names.has(name);
}

/** The fields, typed as a record of the kind. */
function recordOf<K extends Entity>(_kind: K, fields: Readonly<Record<string, unknown>>): RecordOf<K> {
  return fields as RecordOf<K>;
}

/** Keeps the fields that the kind has on the wire. */
export function ownFields<K extends Entity>(kind: K, fields: Readonly<Record<string, unknown>>): RecordOf<K> {
  return recordOf(kind, Object.fromEntries(Object.entries(fields).filter(([name]) => hasField(kind, name))));
}

/** A complete record in its wire form (decisions, section 2); missing fields are taken from `supplied`. */
export function completeRecord<K extends Entity>(kind: K, record: object, supplied?: object): RecordOf<K> {
  return recordOf(kind, fieldsIn(complete(schemas[kind], record, supplied)));
}

/** A complete record with other values of some fields, in its wire form; only those are completed. */
export function withFields<K extends Entity>(
  kind: K,
  record: RecordOf<K>,
  fields: Readonly<Record<string, unknown>>,
): RecordOf<K> {
  const shape = shapeOf(schemas[kind]);
  const whole: Record<string, unknown> = { ...record };
  for (const name in fields) {
    const field = shape?.[name];
    if (field !== undefined) whole[name] = complete(field, fields[name]);
  }
  return recordOf(kind, whole);
}

const namingFields = [
  'id',
  'shop_id',
  'customer_id',
  'group_id',
  'collection_id',
  'product_id',
  'variant_id',
  'order_id',
] as const;

/** The identifying fields of a record, which a sparse record always contains (decisions, section 8). */
export function idsOfRecord<K extends Entity>(kind: K, record: RecordOf<K>): RecordOf<K> {
  const fields = fieldsIn(record);
  const naming = namingFields.filter((name) => hasField(kind, name) && fields[name]);
  return recordOf(kind, Object.fromEntries(naming.map((name) => [name, fields[name]])));
}

/** A deleted record in a list: its identifying fields, and `deleted` if the kind has it (decisions, section 4). */
export function deletedRecord<K extends Entity>(kind: K, record: RecordOf<K>): RecordOf<K> {
  const { id, ...rest } = fieldsIn(idsOfRecord(kind, record));
  return ownFields(kind, { ...(id === undefined ? rest : { id }), deleted: true });
}
