import { call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { CallError, ContractBrokenError, ServiceError } from '../../client/errors.ts';
import { endsRecord, isGone as isGoneRecord, recordIn, textIn } from '../../client/settle/found-record.ts';
import { isProof } from '../../client/settle/settle-lost.ts';
import type { Operation } from '../../contract/operation.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import type { Sql } from '../../store/sql.ts';
import { madeUnder, membershipText } from '../identity.ts';
import { NAMES, readsOf } from '../read-operations.ts';
import { anyOfUnknownRecord, type Key, makersNamed, openKeys } from '../store/keys.ts';
import { say } from '../texts.ts';

/** The record that a change is about, whatever it was called by. */
export interface ChangedRecord {
  /** `id`; `membership`, whose value is all of its fields; or `external_id`, while its create is open. */
  readonly field: 'id' | 'membership' | 'external_id';
  readonly value: string;
  /** The external_id that it has, as far as that is known: it may have been made under it. */
  readonly external_id: string;
}

/** What finding it out depends on. */
export interface Finding {
  readonly account: string;
  readonly resource: string;
  /** Reads the ledger. */
  readonly read: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /** For reads of the service. */
  readonly lookups: Connection;
}

/** The names by which a request says which record it is about. */
function namesIn({ positional }: Operation, request: Fields): Readonly<Record<string, string>> {
  const own = positional === undefined || NAMES.includes(positional) ? '' : textIn(request[positional]);
  const given = NAMES.flatMap((name) => (textIn(request[name]) === '' ? [] : [[name, textIn(request[name])]]));
  return { ...(own === '' ? {} : { id: own }), ...Object.fromEntries(given) };
}

/** Reads a record by these names; undefined if no operation of its area takes them. Throws a CallError. */
async function readBy(operation: Operation, names: Fields, lookups: Connection): Promise<Fields | undefined> {
  const takes = ({ page, request }: Operation) =>
    page === undefined && Object.keys(names).every((name) => Object.hasOwn(request.shape, name));
  const lookup = (await readsOf(operation)).find(takes);
  return lookup && (recordIn(fieldsIn(await call(lookup, names, lookups))) ?? {});
}

/** Whether nobody knows yet what became of it. */
export const isOpen = ({ state }: Key): boolean => state === 'sending' || state === 'unclear';

/** Whether something that was made under a name is open: nobody knows yet whose record has which id. */
const isOpenMaker =
  ({ account, resource }: Finding) =>
  (key: Key) =>
    key.account === account && key.resource === resource && key.recordId === null && !key.holder.startsWith('change ');

/** Whether a record may have been made by a write that knows its name alone. */
const mayBeMade = async (sql: Sql, finding: Finding) =>
  (await openKeys(sql)).some(isOpenMaker(finding)) || anyOfUnknownRecord(sql, finding.account, finding.resource);

/**
 * The record that a change is about: its id as it was given, as the ledger knows it, or as one read tells it. Where a write
 * of the ledger is open, or of a record that nobody knows, what ends a record is read for its name. Throws a CallError; then nothing may be sent.
 */
export async function changedRecord(operation: Operation, request: Fields, finding: Finding): Promise<ChangedRecord> {
  if (operation.id.includes('Relationship/')) {
    return { field: 'membership', value: membershipText(request), external_id: '' };
  }
  const { account, resource, read, lookups } = finding;
  const { id, ...names } = namesIn(operation, request);
  const external_id = names.external_id ?? '';
  if (id !== undefined) {
    const isAsked = endsRecord(operation) && external_id === '' && (await read((sql) => mayBeMade(sql, finding)));
    const seen = isAsked ? await readBy(operation, { id }, lookups) : undefined;
    return { field: 'id', value: id, external_id: external_id || textIn(seen?.external_id) };
  }
  if (external_id !== '') {
    const made = (await read((sql) => makersNamed(sql, account, resource, [madeUnder(external_id)]))).get(external_id);
    if (made?.state === 'done' && made.recordId !== null) return { field: 'id', value: made.recordId, external_id };
    // Nobody can tell yet whether there is such a record to end.
    if (made !== undefined && isOpen(made) && endsRecord(operation))
      return { field: 'external_id', value: external_id, external_id };
  }
  const record = Object.keys(names).length === 0 ? undefined : await readBy(operation, names, lookups);
  const found = textIn(record?.id);
  if (found !== '') return { field: 'id', value: found, external_id: external_id || textIn(record?.external_id) };
  const message = say().refused.whichRecord(operation);
  throw new ContractBrokenError(operation.id, 'id', message, 200, 'not_applied');
}

/** A request that calls its record by the id, where the operation takes one. */
export function byId<Request extends object>({ request: { shape } }: Operation, request: Request, id: string): Request {
  if (!Object.hasOwn(shape, 'id') || 'id' in request) return request;
  const called = Object.assign({}, request, { id });
  for (const name of NAMES) if (name !== 'id') Reflect.deleteProperty(called, name);
  return called;
}

/** Codes by which the service says that there is nothing left to change: an earlier copy of the change does nothing, then. */
const OF_OVER: ReadonlySet<string> = new Set(['not_found', 'failed_precondition']);

/** Whether the service proves by a refusal that there is nothing left to change. */
export const isDoneBefore = (error: unknown) =>
  error instanceof ServiceError && isProof(error) && OF_OVER.has(error.code);

/** How often a look has to say "not found" before it is believed of what may have been made: once may be one copy of many. */
const TIMES_NOT_FOUND = 2;

/** What a look finds; undefined if it is not there, which a single look does not prove. Throws a CallError. */
export async function foundTwice<Found>(look: () => Promise<Found>): Promise<Found | undefined> {
  for (let number = 1; number <= TIMES_NOT_FOUND; number += 1) {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'not_found')) throw error;
    }
  }
  return undefined;
}

/**
 * Whether the service says of the record of a name that it is gone: deleted, or cancelled; undefined if it cannot be asked.
 */
export async function isGone(operation: Operation, called: Fields, lookups: Connection): Promise<boolean | undefined> {
  try {
    const found = await foundTwice(async () => ({ record: await readBy(operation, called, lookups) }));
    if (found === undefined) return true;
    return found.record && isGoneRecord(found.record);
  } catch (error) {
    if (error instanceof CallError) return undefined;
    throw error;
  }
}
