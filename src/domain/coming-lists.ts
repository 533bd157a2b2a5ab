import { fieldsIn } from './json/values.ts';

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

/**
 * The rows of a list as they come; `waits` is called whenever the next one is not there at once, with a signal that it
 * came.
 */
export async function* whileWaiting<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  waits: (came: AbortSignal) => Promise<void>,
): AsyncGenerator<Row> {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let isEnded = false;
  try {
    for (;;) {
      const next = Promise.resolve(iterator.next());
      const turn = new Promise((over) => setImmediate(over, undefined));
      if ((await Promise.race([next, turn])) === undefined) {
        const came = new AbortController();
        waits(came.signal).catch(() => {});
        await next.finally(() => came.abort());
      }
      const { done, value } = await next;
      isEnded = done === true;
      if (isEnded) return;
      yield value;
    }
  } finally {
    if (!isEnded) await iterator.return?.();
  }
}

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
