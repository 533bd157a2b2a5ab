import { createHash } from 'node:crypto';
import { differences } from '../client/settle/compare.ts';
import { type Fields, readFields } from '../domain/json/values.ts';
import type { LocationTree } from '../domain/places/places.ts';
import { targetIdentity } from '../ledger/identity.ts';
import { type Found, lookUp, lookUpId } from '../ledger/look-up.ts';
import { holderOf } from '../ledger/store/undone.ts';
import type { RowWork } from '../ledger/work.ts';
import { placeText } from '../sheets/formats/sheet.ts';
import { isWorkedAt } from '../store/leases.ts';
import type { BatchContext } from './batch-context.ts';
import { BatchError } from './batch-error.ts';
import { newBatch, optionsText, sweepPlanning } from './plan/new-batch.ts';
import { findWork, isComparable, UNDO } from './row-work.ts';
import { requireOwn, rowsNamed, shownName } from './runs.ts';
import { paced, workOff } from './send/in-flight.ts';
import type { Batch } from './store/batches.ts';
import { lockOf } from './store/batches.ts';
import type { WholeRow } from './store/row.ts';
import { sourceOf, undoOf } from './stored-source.ts';
import { batchTexts, say } from './texts.ts';
import { type Restoring, restoringOf } from './undo-restoring.ts';
import {
  addedSince,
  heldUnder,
  ofAnother,
  type UndoneAlready,
  undoneAlready,
  updatedFields,
} from './undone-already.ts';

/** A planned undo: every record was read, and nothing was sent. */
export interface PlannedUndo {
  readonly batch: Batch;
  readonly work: RowWork;
  /** Records that were changed since, with the fields. */
  readonly changed: readonly { readonly cell: string; readonly name: string; readonly fields: readonly string[] }[];
  /** Fields of records that stay as they are, because nothing can give them their old values. */
  readonly stays: readonly { readonly cell: string; readonly name: string; readonly fields: readonly string[] }[];
  /** Records that are left alone, and why. */
  readonly left: readonly { readonly cell: string; readonly name: string; readonly message: string }[];
  /** The records of single rows that are undone, in a line each: an order with its buyer and its cash. */
  readonly meant: readonly string[];
  /** How many rows may or may not have been made: they are not touched. */
  readonly unclear: number;
  /** Whether it was started before. */
  readonly isBegun: boolean;
  /** Releases the locks on both batches. */
  release(): void;
}

/**
 * The request that undoes a record: its id, or the names it was created with; and the reason, if the service asks for
 * one.
 */
function requestOf(work: RowWork, row: WholeRow, id: string | null, reason: string): Fields {
  const payload = readFields(row.payload);
  const names = Object.keys(work.schema.properties ?? {});
  const why = names.filter((name) => name.endsWith('_reason')).map((name) => [name, reason]);
  const which = names.includes('id')
    ? [['id', id]]
    : names.filter((name) => name in payload).map((name) => [name, payload[name]]);
  return Object.fromEntries([...which, ...why]);
}

async function read(made: RowWork, row: WholeRow, { connection }: BatchContext): Promise<Found> {
  const byId = row.id === null ? undefined : await lookUpId(made, row.id, connection);
  if (byId !== undefined) return byId;
  // Nothing reads one of these records: it is ended as it was made.
  if (made.lookup === undefined) return { state: 'there', record: {}, answer: {} };
  return lookUp(made, readFields(row.payload), connection);
}

interface Looked {
  readonly row: WholeRow;
  readonly found: Found;
}

/** Reads the records of rows, several at a time; returns them in the rows' order. Throws a CallError. */
async function lookAtAll(context: BatchContext, made: RowWork, rows: readonly WholeRow[]): Promise<Looked[]> {
  const found = new Map<number, Found>();
  const waiting = [...rows];
  await paced(context, (pace) =>
    workOff(
      pace,
      async (room) => waiting.splice(0, room),
      async (row) => {
        found.set(row.row, await pace.through(() => read(made, row, context)));
        context.tell({ event: 'planning', done: row.row });
      },
    ),
  );
  return rows.flatMap((row) => {
    const one = found.get(row.row);
    return one === undefined ? [] : [{ row, found: one }];
  });
}

const none = {
  attempts: 0,
  carrier: null,
  fee: null,
  pick: null,
  recipient: null,
  goods: null,
  shipping_code: null,
  error_code: null,
  error_message: null,
  error_fields: null,
} as const;

/** What ends the record of a row, or why it is left. */
function endingOf(
  work: RowWork,
  row: WholeRow,
  found: Found,
  {
    reason,
    tree,
    held,
  }: { readonly reason: string; readonly tree: LocationTree; readonly held: UndoneAlready | undefined },
): Restoring {
  const another = ofAnother(row, found, tree);
  const already = undoneAlready(work.operation, found, row.name) ?? another ?? held;
  const payload = JSON.stringify(requestOf(work, row, another === undefined ? idOf(row, found) : null, reason));
  return { payload, old_values: null, ...(already === undefined ? {} : { already }), stays: [] };
}

const idOf = ({ id }: WholeRow, found: Found) =>
  id ?? (found.state === 'there' && typeof found.record.id === 'string' ? found.record.id : null);

/** The fields of a record to be ended that differ from what was sent, or of `given` were given since. */
function changedSince(
  row: WholeRow,
  found: Found,
  { already }: Restoring,
  { tree, given }: { readonly tree: LocationTree; readonly given: readonly string[] | undefined },
): string[] {
  if (given === undefined || already !== undefined || found.state === 'none') return [];
  const sent = readFields(row.payload);
  return [...differences(sent, found.record, tree), ...addedSince(sent, found.record, given)];
}

/** A row that is undone, with its record as it is found: its name, and for an order its buyer, state and cash. */
function calledAs({ operation: { before } }: RowWork, row: WholeRow, found: Found, { already }: Restoring): string[] {
  if (already !== undefined) return [];
  const seen = found.state === 'there' ? before?.of(found.answer) : undefined;
  return [[`${placeText(row.cell)} (${shownName(row)})`, ...(seen === undefined ? [] : [seen.subject])].join(', ')];
}

/** A row of an undo: it ends or restores the record of another one. */
function undoingRow(undo: Batch, row: WholeRow, found: Found, way: Restoring): WholeRow {
  const { payload, old_values, already } = way;
  const id = already?.state === 'failed' ? row.id : idOf(row, found);
  const content = createHash('sha256')
    .update(JSON.stringify(['undo', undo.id, row.row]))
    .digest('hex');
  // What is undone is held by its id; a record without one by who made it.
  const identity = id === null ? targetIdentity('made by', holderOf(row)) : targetIdentity('id', id);
  const own = { identity, generation: 0, made_by: holderOf(row) };
  const request = { batch: undo.number, id, content, payload, old_values, state: 'planned' as const };
  return { ...row, ...none, ...own, ...request, ...already };
}

type Seen = Pick<PlannedUndo, 'changed' | 'left' | 'stays' | 'meant'>;

/**
 * The numbers of the rows that are meant; undefined for all. Throws a BatchError for a word that names no row that was
 * made, or several: undoing another parcel than the one that is meant cannot be undone.
 */
async function meantRows(
  context: BatchContext,
  batch: Batch,
  words: readonly string[],
): Promise<ReadonlySet<number> | undefined> {
  if (words.length === 0) return undefined;
  const found = await rowsNamed(context, batch, words);
  for (const [word, row] of found) {
    if (row?.state === 'done') continue;
    const message = say().undo.noRow({ word, batch: batch.id });
    throw new BatchError('nothing_made', message, { meta: { batch: batch.id } });
  }
  return new Set([...found.values()].flatMap((row) => row?.row ?? []));
}

const nothingMade = ({ id: batch }: Batch) =>
  new BatchError('nothing_made', say().undo.nothingMade({ batch }), { meta: { batch } });

/** Refuses single rows while an undo of others is open: it would go on with them. Throws a BatchError. */
function requireNoneBegun(begun: Batch | undefined, batch: Batch, words: readonly string[]): void {
  if (begun === undefined || words.length === 0) return;
  const message = say().undo.notFinished({ undo: begun.id, batch: batch.id });
  throw new BatchError('batch_open', message, { meta: { batch: begun.id } });
}

/** The undo that is planned, and what it undoes. */
interface Undoing {
  readonly batch: Batch;
  readonly undo: Batch;
  /** The numbers of the rows; undefined for all. */
  readonly only: ReadonlySet<number> | undefined;
}

async function addRows(
  context: BatchContext,
  { batch, undo, only }: Undoing,
  work: RowWork,
  reason: string,
): Promise<Seen> {
  const { undoes = work } = work;
  const restores = isComparable(work);
  const changed: PlannedUndo['changed'][number][] = [];
  const left: PlannedUndo['left'][number][] = [];
  const stays: PlannedUndo['stays'][number][] = [];
  const meant: string[] = [];
  const given = restores ? undefined : await updatedFields(undoes.operation);
  const { tree, connection } = context;
  for await (const made of context.rows.pages({ batch: batch.number, states: ['done'] })) {
    const rows = made.filter(({ row }) => only === undefined || only.has(row));
    if (rows.length === 0) continue;
    const looked = await lookAtAll(context, undoes, rows);
    const records = looked.map(({ found }) => found);
    const held = await heldUnder(work.operation, records, connection);
    const kept = looked.map(({ row, found }): WholeRow => {
      const about = { cell: row.cell, name: shownName(row) };
      const ending = () => endingOf(work, row, found, { reason, tree, held: held.get(idOf(row, found)) });
      const way = restores ? restoringOf(work, row, found) : ending();
      if (way.already?.state === 'failed') left.push({ ...about, message: way.already.error_message ?? '' });
      const fields = changedSince(row, found, way, { tree, given });
      if (fields.length > 0) changed.push({ ...about, fields });
      if (way.already === undefined && way.stays.length > 0) stays.push({ ...about, fields: way.stays });
      if (only !== undefined) meant.push(...calledAs(work, row, found, way));
      return undoingRow(undo, row, found, way);
    });
    await context.rows.add(kept);
  }
  return { changed, left, stays, meant };
}

/**
 * Plans the undo of a batch: reads every record, reports what was changed since, and leaves parcels that were picked
 * up; of all rows, or of those that are named. An undo that was started is continued. The caller runs it or removes its batch. Throws a BatchError if the batch
 * is being sent, made nothing or cannot be undone, a CallError or a WorkspaceError; then nothing is left behind.
 */
export async function planUndo(
  context: BatchContext,
  batch: Batch,
  reason: string | undefined,
  words: readonly string[] = [],
): Promise<PlannedUndo> {
  requireOwn(context, batch);
  const { batches, rows, workspace } = context;
  const work = await findWork(`${UNDO}${batch.do}`, context.account.family);
  const releaseBatch = await workspace.tryHold(lockOf(batch));
  if (releaseBatch === undefined || (await rows.any(batch.number, ['sending']))) {
    releaseBatch?.();
    const why = releaseBatch === undefined ? say().undo.beingSent : say().undo.inFlight;
    throw new BatchError('batch_open', why({ batch: batch.id }), { meta: { batch: batch.id } });
  }
  let undo: Batch | undefined;
  let releaseUndo: (() => void) | undefined;
  let releaseName: (() => void) | undefined;
  const release = () => {
    releaseName?.();
    releaseUndo?.();
    releaseBatch();
  };
  try {
    const unclear = (await batches.shares(batch.number))
      .filter(({ state }) => state === 'unclear')
      .reduce((sum, share) => sum + share.rows, 0);
    await sweepPlanning(context);
    const begun = await undoOf(context, batch, ['open']);
    requireNoneBegun(begun, batch, words);
    if (begun !== undefined) {
      releaseUndo = await workspace.hold(lockOf(begun), { signal: context.signal });
      return { batch: begun, work, changed: [], left: [], stays: [], meant: [], unclear, isBegun: true, release };
    }
    if (!(await rows.any(batch.number, ['done']))) throw nothingMade(batch);
    const only = await meantRows(context, batch, words);
    const fields = { do: work.do, operation: work.operation.id, max_total: null };
    const made = await newBatch(context, { ...fields, options: optionsText({ carriers: [], blankClears: false }) });
    releaseName = made.release;
    const { id } = made.batch;
    const source = JSON.stringify({ ...sourceOf(batch), undoes: batch.number });
    const facts = { content: `undo ${batch.id} ${id}`, source };
    undo = { ...made.batch, ...facts };
    await batches.describe(undo.number, facts);
    releaseUndo = await workspace.hold(lockOf(undo), { signal: context.signal });
    // A helping worker checks for an undo after it has its lease, so one of the two always sees the other.
    if (await isWorkedAt(workspace, batch.number)) {
      const message = say().undo.helped({ batch: batch.id });
      throw new BatchError('batch_open', message, { meta: { batch: batch.id } });
    }
    const why = reason ?? batchTexts.row.undoneBatch({ batch: batch.id });
    const seen = await addRows(context, { batch, undo, only }, work, why);
    return { batch: undo, work, ...seen, unclear, isBegun: false, release };
  } catch (error) {
    if (undo !== undefined) await batches.remove(undo.number).catch(() => {});
    release();
    throw error;
  }
}

/** How many records of a batch an undo leaves that was begun before they were made, or of other rows. */
export async function leftBeside({ rows }: BatchContext, batch: Batch, undo: Batch): Promise<number> {
  const [ofUndo, made] = [new Set<number>(), new Set<number>()];
  for await (const { row } of rows.each({ batch: undo.number })) ofUndo.add(row);
  for await (const { row } of rows.each({ batch: batch.number, states: ['done'] })) made.add(row);
  return [...made].filter((row) => !ofUndo.has(row)).length;
}
