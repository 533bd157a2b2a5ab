import { fieldsIn } from './json/value-at.ts';

/** A record whose lists may be streams: each can be read once. */
export type Coming<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? {
        readonly [Key in keyof Value]:
          | Value[Key]
          | (Value[Key] extends readonly (infer Row)[] ? AsyncIterable<Row> : never);
      }
    : Value;

/** Whether the value is a list that is still coming. */
export const isComing = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Whether the value is a record with a list that is still coming. */
export const hasComing = (value: unknown): boolean => !isComing(value) && Object.values(fieldsIn(value)).some(isComing);

/** A record with its lists read to their ends; any other value unchanged. */
export async function whole(value: unknown): Promise<unknown> {
  if (!hasComing(value)) return value;
  const fields: Record<string, unknown> = { ...fieldsIn(value) };
  for (const [name, field] of Object.entries(fields)) {
    if (!isComing(field)) continue;
    const rows: unknown[] = [];
    for await (const row of field) rows.push(row);
    fields[name] = rows;
  }
  return fields;
}
