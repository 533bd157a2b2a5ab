import { accountText } from '../../client/account.ts';
import type { Batch } from '../../workspace/batches/batches.ts';
import { BatchError } from './batch-error.ts';
import type { BatchDesk } from './desk.ts';
import { type BatchOptions, optionDifferences, optionsOf } from './plan/batch-options.ts';
import { lockOf } from './plan/plan.ts';
import { requireStillThere } from './plan/still-there.ts';
import { sourceOf } from './report/result-table.ts';
import { type BatchSummary, summaryOf } from './report/summary.ts';
import type { RowWork } from './row-work.ts';
import { type RunEnd, runRows } from './send/run-rows.ts';

/** The result of a run. */
export interface Ran extends RunEnd {
  readonly summary: BatchSummary;
}

/** The batch whose id starts with this text. Throws a BatchError. */
export async function batchNamed({ batches }: Pick<BatchDesk, 'batches'>, beginning: string): Promise<Batch> {
  const [found, another] = await batches.named(beginning);
  if (found === undefined) throw new BatchError('batch_not_found', `there is no batch ${beginning}`);
  if (another !== undefined && found.id !== beginning) {
    throw new BatchError('batch_ambiguous', `several batches begin with ${beginning}`);
  }
  return found;
}

/** Refuses a batch of another account: its records would not be found there, and would be sent a second time. */
export function requireOwn({ account }: BatchDesk, batch: Batch): void {
  if (batch.account === accountText(account)) return;
  throw new BatchError('batch_elsewhere', `batch ${batch.id} belongs to another account or service: ${batch.account}`);
}

/** Refuses options that differ from those that a batch was started with. */
export function requireSameOptions(batch: Batch, options: BatchOptions): void {
  const different = optionDifferences(optionsOf(batch.options), options);
  if (different.length === 0) return;
  throw new BatchError(
    'options_differ',
    `batch ${batch.id} keeps the options of its first run: ${different.join('; ')}`,
  );
}

/** Marks what an undo has undone as not made in the original batch; must happen before the undo counts as finished. */
async function tellWhatIsUndone({ rows }: BatchDesk, batch: Batch): Promise<void> {
  const { undoes } = sourceOf(batch);
  if (undoes !== undefined) await rows.markUndone(batch.account, undoes, batch.number);
}

/** Sends the open rows of a batch that this process holds, and closes it if nothing is left. */
export async function work(desk: BatchDesk, batch: Batch, rowWork: RowWork): Promise<Ran> {
  const { batches, rows, connection, tell } = desk;
  if (batch.state !== 'planning') tell({ event: 'began', batch: batch.id, resumed: true });
  await batches.move(batch.number, 'open', null);
  const end = await runRows(desk, batch, rowWork);
  await tellWhatIsUndone(desk, batch);
  const isOver = !(await rows.any(batch.number, ['planned', 'sending']));
  if (isOver) await batches.move(batch.number, 'finished', new Date(connection.clock.now()).toISOString());
  const state = isOver ? 'finished' : 'open';
  return { ...end, summary: await summaryOf(batches, { ...batch, state }) };
}

/**
 * Helps with a batch in progress, beside its other workers; in a workspace of this machine alone, one process works on
 * a batch at a time, so this one waits. Throws as `resume` does.
 */
export async function help(desk: BatchDesk, batch: Batch, rowWork: RowWork): Promise<Ran> {
  if (desk.workspace.serverTime === undefined) return resume(desk, batch, rowWork);
  requireOwn(desk, batch);
  if (batch.state !== 'finished') return work(desk, batch, rowWork);
  return { stopped: undefined, failure: undefined, summary: await summaryOf(desk.batches, batch) };
}

/** Looks up unclear rows once more when a batch is resumed; they are never sent automatically. */
async function lookAgainAtUnclear(desk: BatchDesk, batch: Batch, rowWork: RowWork): Promise<void> {
  if (rowWork.lookup === undefined) return;
  const { settleUnclear } = await import('./send/settle-unclear.ts');
  await settleUnclear(desk, batch, rowWork);
}

/** Resumes a batch that this process holds, or returns its outcome. Throws as `resume` does. */
export async function resumeHeld(desk: BatchDesk, batch: Batch, rowWork: RowWork): Promise<Ran> {
  const { rows, batches } = desk;
  const now = await batchNamed(desk, batch.id);
  const [done] = await rows.next({ batch: now.number, states: ['done'], after: 0, limit: 1 });
  if (done !== undefined) await requireStillThere(desk, rowWork, done, now);
  await lookAgainAtUnclear(desk, now, rowWork);
  if (now.state !== 'finished') return work(desk, now, rowWork);
  await tellWhatIsUndone(desk, now);
  return { stopped: undefined, failure: undefined, summary: await summaryOf(batches, now) };
}

/**
 * Resumes a batch: waits for its current worker, then settles what may have been sent and sends what is left. Throws a
 * BatchError, a CallError before anything was sent, or a WorkspaceError.
 */
export async function resume(desk: BatchDesk, batch: Batch, rowWork: RowWork): Promise<Ran> {
  requireOwn(desk, batch);
  const { workspace, signal, tell } = desk;
  const release = await workspace.hold(lockOf(batch), {
    signal,
    onWait: () => tell({ event: 'waiting', batch: batch.id }),
  });
  try {
    return await resumeHeld(desk, batch, rowWork);
  } finally {
    release();
  }
}
