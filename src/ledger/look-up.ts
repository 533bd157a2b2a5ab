import { ofAnother } from '../client/answer.ts';
import { callRaw } from '../client/call.ts';
import type { Connection } from '../client/connection.ts';
import { ServiceError } from '../client/errors.ts';
import { listRecords } from '../client/pages.ts';
import { isOver, recordIn } from '../client/settle/found-record.ts';
import type { Operation } from '../contract/operation.ts';
import { jsonSchema } from '../contract/schema/json-schema.ts';
import { type Fields, fieldsIn } from '../domain/json/values.ts';
import { lookupOf } from './read-operations.ts';
import type { RowWork } from './work.ts';

/** What looking up a row's record at the service found. */
export type Found =
  | { readonly state: 'none' }
  | { readonly state: 'there'; readonly record: Fields; readonly answer: Fields };

const none: Found = { state: 'none' };

async function ask(operation: Operation, request: Fields, connection: Connection): Promise<Found> {
  const { id, credential } = operation;
  try {
    const target = { id, credential, operation };
    // An answer without a record does not say that there is none: it is asked for once more, and then refused.
    for (const _ of ['first', 'again']) {
      const answer = await callRaw(target, JSON.stringify(request), connection);
      const record = recordIn(answer);
      if (record !== undefined) return { state: 'there', record, answer: fieldsIn(answer) };
    }
    throw ofAnother(id, Object.keys(request)[0] ?? 'id', 200);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return none;
    throw error;
  }
}

/**
 * Looks up a row's record by the contents of its request; a relationship that was ended only if that is asked for. Throws
 * a CallError.
 */
export async function lookUp(
  work: RowWork,
  payload: Fields,
  connection: Connection,
  { deleted = false } = {},
): Promise<Found> {
  const { lookup } = work;
  if (lookup?.by === 'list') {
    const filter = { [lookup.filter]: String(payload[lookup.filter]) };
    const request = deleted ? { filter, include_deleted: true } : { filter };
    for await (const record of listRecords(lookup.operation, request, connection, { isProof: true })) {
      const same = Object.entries(payload).every(([name, value]) => String(record[name]) === String(value));
      if (same && (deleted || record.deleted !== true)) return { state: 'there', record, answer: record };
    }
    return none;
  }
  const fields = lookup?.fields ?? {};
  const request = Object.fromEntries(
    Object.entries(fields).flatMap(([name, own]) => (payload[own] ? [[name, payload[own]]] : [])),
  );
  if (lookup === undefined) throw new TypeError(`${work.do} has no look-up`);
  return ask(lookup.operation, request, connection);
}

/** Looks up a record by the service's own id; undefined if nothing reads it by one. Throws a CallError. */
export async function lookUpId(work: RowWork, id: string, connection: Connection): Promise<Found | undefined> {
  const { lookup, operation } = work;
  if (lookup?.by === 'list') return undefined;
  // What a create without a name of its own has made is read by its id alone.
  const read = lookup?.operation ?? (await lookupOf(operation, 'id'));
  if (read === undefined || jsonSchema(read.request).properties?.id === undefined) return undefined;
  return ask(read, { id }, connection);
}

const empty: ReadonlySet<unknown> = new Set([null, undefined, '', 0]);

/** Whether a record has a value that was sent. A cleared field comes back as "", 0, [] or null. */
export function isSameValue(sent: unknown, found: unknown): boolean {
  const isEmpty = (value: unknown) => empty.has(value) || (Array.isArray(value) && value.length === 0);
  return (isEmpty(sent) && isEmpty(found)) || JSON.stringify(sent) === JSON.stringify(found);
}

/** Whether what was found shows that a write other than a create was applied. */
export function isAchieved(work: RowWork, payload: Fields, found: Found): boolean {
  const { operation, targets, lookup } = work;
  const { effect, destructive } = operation;
  if (effect === 'delete') return found.state === 'none' || (lookup?.by === 'name' && found.record.deleted === true);
  if (found.state === 'none') return false;
  const { record } = found;
  if (effect === 'transition') return destructive === true ? isOver(record) : record.confirm_status === 'P';
  // A relationship either exists or not.
  if (lookup?.by === 'list') return true;
  return Object.entries(payload)
    .filter(([name]) => !targets.includes(name))
    .every(([name, value]) => isSameValue(value, record[name]));
}
