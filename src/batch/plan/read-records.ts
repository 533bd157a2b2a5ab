import type { Connection } from '../../client/connection.ts';
import { CallError } from '../../client/errors.ts';
import { LARGEST_PAGE, listRecords } from '../../client/pages.ts';
import { cameBack, endsRecord } from '../../client/settle/found-record.ts';
import { allOperations } from '../../contract/areas.ts';
import type { Operation } from '../../contract/operation.ts';
import { jsonSchema } from '../../contract/schema/json-schema.ts';
import { entryAt } from '../../domain/json/keys-of.ts';
import { readFields } from '../../domain/json/values.ts';
import { type Found, lookUp, lookUpId } from '../../ledger/look-up.ts';
import { resourceOf } from '../../ledger/read-operations.ts';
import type { RowWork } from '../../ledger/work.ts';
import { pieces } from '../../store/sql.ts';
import type { BatchContext } from '../batch-context.ts';
import { BatchError } from '../batch-error.ts';
import type { Batch } from '../store/batches.ts';
import type { Row, RowWithRequest, WholeRow } from '../store/row.ts';
import { say } from '../texts.ts';

/** What the service says of the record of a row now; `unread` if it did not answer, and why. */
export type Read = Found | { readonly state: 'unread'; readonly why: string };

/** So many records are read one by one: where no list has them by their ids. */
export const MOST_ONE_BY_ONE = 300;
const AT_ONCE = 8;

/** Operations of the same kind of record, with the same kind of key. */
async function ofKind({ operation, resource }: RowWork): Promise<readonly Operation[]> {
  const family = operation.id.split('.')[0];
  return (await allOperations()).filter((one) => one.id.split('.')[0] === family && resourceOf(one) === resource);
}

/** The list of such records by their ids, and whether it also tells of deleted ones; undefined if there is none. */
async function listByIds(
  work: RowWork,
): Promise<{ readonly list: Operation; readonly isOfDeleted: boolean } | undefined> {
  for (const list of await ofKind(work)) {
    const { include_deleted, filter } = jsonSchema(list.request).properties ?? {};
    const isOne = list.effect === 'read' && list.page !== undefined && filter?.properties?.id !== undefined;
    if (isOne) return { list, isOfDeleted: include_deleted !== undefined };
  }
  return undefined;
}

/** Whether anything deletes such records: of what nothing deletes, a record that is not found tells nothing. */
export const isDeletable = async (work: RowWork): Promise<boolean> =>
  (await ofKind(work)).some((one) => endsRecord(one) && one.effect === 'delete');

const reasonOf = (error: unknown): string => {
  if (!(error instanceof CallError) || error.code === 'unauthenticated') throw error;
  return error.message;
};

/** The records of these ids, by id, as a list has them. Throws a CallError. */
async function listed(
  { list, isOfDeleted }: { readonly list: Operation; readonly isOfDeleted: boolean },
  ids: readonly string[],
  connection: Connection,
): Promise<ReadonlyMap<string, Found>> {
  const request = { filter: { id: ids.join(',') }, ...(isOfDeleted ? { include_deleted: true } : {}) };
  const found = new Map<string, Found>();
  for await (const record of listRecords(list, request, connection, { limit: ids.length, isProof: true })) {
    const id = String(record.id);
    if (ids.includes(id)) found.set(id, { state: 'there', record, answer: record });
  }
  return found;
}

/** Reads the records of rows as they are at the service: by a list where there is one, otherwise one by one. */
export class RecordReader {
  readonly #context: BatchContext;
  readonly #work: RowWork;
  /** Why nothing more is asked: the service does not answer. */
  #away: string | undefined;

  constructor(context: BatchContext, work: RowWork) {
    this.#context = context;
    this.#work = work;
  }

  /** What each of these rows has, by its number. Throws a CallError if the key is refused. */
  async read(rows: readonly RowWithRequest[]): Promise<ReadonlyMap<number, Read>> {
    const found = new Map<number, Read>();
    const known = rows.filter(({ id }) => id !== null);
    for (const some of pieces(known, LARGEST_PAGE)) await this.#together(some, found);
    // A list that leaves out what it was asked for has not said that it is not there.
    const rest = rows.filter(({ row }) => !found.has(row));
    for (const some of pieces(rest, AT_ONCE)) {
      const all = await Promise.all(some.map((row) => this.#ask(() => this.#one(row))));
      for (const [index, { row }] of some.entries()) {
        const one = entryAt(all, index);
        found.set(row, typeof one === 'string' ? unread(one) : one);
      }
    }
    await this.#addParcels(known, found);
    return found;
  }

  /** A list does not say of a parcel that did not arrive whether it came back or was lost: its record alone does. */
  async #addParcels(rows: readonly RowWithRequest[], found: Map<number, Read>): Promise<void> {
    const listedAlone = rows.filter(({ row }) => {
      const one = found.get(row);
      return one?.state === 'there' && one.answer === one.record && cameBack(one.record);
    });
    for (const some of pieces(listedAlone.slice(0, MOST_ONE_BY_ONE), AT_ONCE)) {
      const all = await Promise.all(some.map((row) => this.#ask(() => this.#one(row))));
      for (const [index, { row }] of some.entries()) {
        const one = entryAt(all, index);
        if (typeof one !== 'string' && one.state === 'there') found.set(row, one);
      }
    }
  }

  async #together(rows: readonly RowWithRequest[], found: Map<number, Read>): Promise<void> {
    const byIds = await listByIds(this.#work);
    if (byIds === undefined) return;
    const records = await this.#ask(() => listed(byIds, idsOf(rows), this.#context.lookups));
    for (const { row, id } of rows) {
      const one = typeof records === 'string' ? unread(records) : records.get(id ?? '');
      if (one !== undefined) found.set(row, one);
    }
  }

  async #one(row: RowWithRequest): Promise<Found> {
    const { lookups } = this.#context;
    const byId = row.id === null ? undefined : await lookUpId(this.#work, row.id, lookups);
    if (byId !== undefined) return byId;
    if (this.#work.lookup === undefined) return { state: 'none' };
    return lookUp(this.#work, readFields(row.payload), lookups);
  }

  /** The answer, or why there is none. */
  async #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer | string> {
    if (this.#away !== undefined) return this.#away;
    try {
      return await ask();
    } catch (error) {
      this.#context.signal.throwIfAborted();
      const why = reasonOf(error);
      if (error instanceof CallError && error.kind === 'network') this.#away = why;
      return why;
    }
  }
}

const unread = (why: string): Read => ({ state: 'unread', why });

const idsOf = (rows: readonly Row[]) => [...new Set(rows.flatMap(({ id }) => id ?? []))];

/** Compares ids by their size, which is longer than a number may be: a later record has a larger one. */
const later = (one: string, other: string) =>
  one.length === other.length ? (one < other ? 1 : -1) : other.length - one.length;

/** The numbers of the rows whose records are read one by one: those of the newest; undefined if all are. */
export async function newestOf(
  work: RowWork,
  rows: AsyncIterable<readonly Row[]>,
): Promise<ReadonlySet<number> | undefined> {
  if ((await listByIds(work)) !== undefined) return undefined;
  const all: { readonly row: number; readonly id: string }[] = [];
  for await (const some of rows) all.push(...some.map(({ row, id }) => ({ row, id: id ?? '' })));
  if (all.length <= MOST_ONE_BY_ONE) return undefined;
  const newest = all.sort((one, other) => later(one.id, other.id)).slice(0, MOST_ONE_BY_ONE);
  return new Set(newest.map(({ row }) => row));
}

/** So many rows are looked up at most: usually the first record is there. */
export const MOST_LOOKED_UP = 5;

async function recordOf(work: RowWork, { id, payload }: WholeRow, { lookups }: BatchContext): Promise<Found> {
  const byId = id === null ? undefined : await lookUpId(work, id, lookups);
  return byId ?? (await lookUp(work, readFields(payload), lookups));
}

/** Whether the service says of any of these rows' records that it was deleted: after a reset it does not know of it. */
async function anyDeleted(work: RowWork, rows: readonly WholeRow[], { lookups }: BatchContext): Promise<boolean> {
  if (work.lookup?.by === 'list') {
    for (const { payload } of rows) {
      if ((await lookUp(work, readFields(payload), lookups, { deleted: true })).state === 'there') return true;
    }
    return false;
  }
  const byIds = await listByIds(work);
  const ids = rows.flatMap(({ id }) => id ?? []);
  if (byIds === undefined || ids.length === 0) return false;
  return (await listed(byIds, ids, lookups)).size > 0;
}

/**
 * Looks up a few rows that are done: after the service was reset, as a sandbox can be, their records are gone, and the
 * workspace would wrongly count them as done. What somebody has deleted is gone too, but the service knows of it. Throws a
 * BatchError (`records_gone`), or a CallError.
 */
export async function requireStillThere(
  context: BatchContext,
  work: RowWork,
  batch: Pick<Batch, 'id' | 'number'>,
): Promise<void> {
  const rows = await context.rows.next({ batch: batch.number, states: ['done'], after: 0, limit: MOST_LOOKED_UP });
  await requireAnyThere(context, work, batch, rows);
}

/** The same for a few rows that were made before. */
export async function requireAnyThere(
  context: BatchContext,
  work: RowWork,
  batch: Pick<Batch, 'id' | 'number'>,
  rows: readonly WholeRow[],
): Promise<void> {
  const [first] = rows;
  if (work.operation.effect !== 'create' || work.lookup === undefined || first === undefined) return;
  for (const row of rows) {
    if ((await recordOf(work, row, context)).state === 'there') return;
  }
  if (await anyDeleted(work, rows, context)) return;
  const isOpen = await context.rows.any(batch.number, ['sending', 'unclear']);
  const message = say().refused.recordsGone({ name: first.name, batch: batch.id });
  throw new BatchError('records_gone', message, {
    meta: { batch: batch.id, row: first.name, ...(isOpen ? { open: 'yes' } : {}) },
  });
}
