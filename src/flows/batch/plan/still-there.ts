import { listRecords } from '../../../client/pages.ts';
import { isGone } from '../../../client/settle/found-record.ts';
import type { Operation } from '../../../contract/operation.ts';
import { jsonSchema } from '../../../contract/schema/json-schema.ts';
import { readFields } from '../../../domain/json/value-at.ts';
import type { Batch } from '../../../workspace/batches/batches.ts';
import { undoneAsEnded } from '../../../workspace/batches/undone.ts';
import type { WholeRow } from '../../../workspace/rows/row.ts';
import { readsOf } from '../../ledger/lookup.ts';
import type { BatchContext } from '../batch-context.ts';
import { BatchError } from '../batch-error.ts';
import { type Found, lookUp, lookUpId } from '../look-up.ts';
import { paced, workOff } from '../pace/in-flight.ts';
import { rowRuleOf } from '../row-rule.ts';
import type { RowWork } from '../row-work.ts';

/** So many rows are looked up at most: usually the first record is there. */
const MOST_LOOKED_UP = 5;

async function recordOf(work: RowWork, { id, payload }: WholeRow, { looks }: BatchContext): Promise<Found> {
  const byId = id === null ? undefined : await lookUpId(work, id, looks);
  return byId ?? (await lookUp(work, readFields(payload), looks));
}

const hasEnded = (found: Found) => found.state === 'none' || isGone(found.record);

/** The list of such records by their ids which also tells of deleted ones; orders, which stay, have none. */
async function listWithDeleted({ operation }: RowWork): Promise<Operation | undefined> {
  return (await readsOf(operation)).find(({ request }) => {
    const { include_deleted, filter } = jsonSchema(request).properties ?? {};
    return include_deleted !== undefined && filter?.properties?.id !== undefined;
  });
}

/** Whether the service says of any of these rows' records that it was deleted: after a reset it does not know of it. */
async function anyDeleted(work: RowWork, rows: readonly WholeRow[], { looks }: BatchContext): Promise<boolean> {
  if (work.lookup?.by === 'list') {
    for (const { payload } of rows) {
      if ((await lookUp(work, readFields(payload), looks, { deleted: true })).state === 'there') return true;
    }
    return false;
  }
  const list = await listWithDeleted(work);
  const ids = rows.flatMap(({ id }) => id ?? []);
  if (list === undefined || ids.length === 0) return false;
  const request = { filter: { id: ids.join(',') }, include_deleted: true };
  for await (const { id, deleted } of listRecords(list, request, looks, { limit: ids.length })) {
    if (deleted === true && ids.includes(String(id))) return true;
  }
  return false;
}

/**
 * Looks up a few rows that are done: after the service was reset, as a sandbox can be, their records are gone, and the
 * workspace would wrongly count them as done. What somebody has deleted is gone too, but the service knows of it. Returns
 * whether the first of them has ended. Throws a BatchError (`records_gone`), or a CallError.
 */
export async function requireStillThere(
  context: BatchContext,
  work: RowWork,
  batch: Pick<Batch, 'id' | 'number'>,
  state: 'done' | 'existed',
): Promise<boolean> {
  if (work.operation.effect !== 'create' || work.lookup === undefined) return false;
  const query = { batch: batch.number, states: [state], after: 0, limit: MOST_LOOKED_UP };
  const rows = await context.rows.next(query);
  const [first] = rows;
  if (first === undefined) return false;
  for (const row of rows) {
    const found = await recordOf(work, row, context);
    if (found.state === 'there') return row !== first || hasEnded(found);
  }
  if (await anyDeleted(work, rows, context)) return true;
  const isOpen = await context.rows.any(batch.number, ['sending', 'unclear']);
  const message = `${first.name} of batch ${batch.id} no longer exists at the service, which knows of no deletion: was it reset?`;
  throw new BatchError('records_gone', message, {
    meta: { batch: batch.id, row: first.name, ...(isOpen ? { open: 'yes' } : {}) },
  });
}

/**
 * Plans the rows of a batch anew whose records were made before and have ended since, as the service says now of each;
 * what made them counts as undone. Throws a CallError.
 */
export async function makeEndedAgain(context: BatchContext, batch: Batch, work: RowWork): Promise<void> {
  const ids: string[] = [];
  const makers: string[] = [];
  const look = async (row: WholeRow) => {
    const found = await recordOf(work, row, context);
    // What a person said was made may not be there under its name yet.
    if (!hasEnded(found) || (row.id === null && found.state === 'none')) return;
    if (row.id !== null) ids.push(row.id);
    else if (row.made_by !== null) makers.push(row.made_by);
    const none = { id: null, code: null, shipping_code: null, carrier: null, fee: null, made_by: null };
    await context.rows.replace([{ ...row, ...none, state: 'planned' }]);
  };
  for await (const rows of context.rows.pages({ batch: batch.number, states: ['existed'] })) {
    const waiting = [...rows];
    const take = async (room: number) => waiting.splice(0, room);
    await paced(context, (pace) => workOff(pace, take, (row) => pace.through(() => look(row))));
  }
  if (ids.length + makers.length === 0) return;
  const { account, resource } = rowRuleOf(context, batch, work);
  await undoneAsEnded(context.workspace, { account, resource, at: context.time.now() }, { ids, makers });
}
