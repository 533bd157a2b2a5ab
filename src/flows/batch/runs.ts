import { accountText } from '../../client/account.ts';
import type { Batch } from '../../workspace/batches/batches.ts';
import { lockOf } from '../../workspace/batches/batches.ts';
import { reopenUnclear } from '../../workspace/batches/unclear.ts';
import { undoneByOthers } from '../../workspace/batches/undone.ts';
import { BatchError } from './batch-error.ts';
import type { BatchDesk } from './desk.ts';
import { type BatchOptions, optionDifferences, optionsOf } from './plan/batch-options.ts';
import { requireStillThere } from './plan/still-there.ts';
import { sourceOf } from './read/kept-source.ts';
import { type BatchSummary, summaryOf } from './report/summary.ts';
import { rowRuleOf } from './row-rule.ts';
import type { RowWork } from './row-work.ts';
import { type RunEnd, runRows } from './send/run-rows.ts';
import { type BatchOutcome, Tally } from './send/tally.ts';

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
export function requireOwn({ account }: Pick<BatchDesk, 'account'>, batch: Batch): void {
  if (batch.account === accountText(account)) return;
  const [origin = '', family = '', shop = '']: string[] = JSON.parse(batch.account);
  throw new BatchError('batch_elsewhere', `batch ${batch.id} belongs to another account: shop ${shop} at ${origin}`, {
    meta: { batch: batch.id, origin, family, shop },
  });
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

/** What an undo found gone already is not made either; must happen before the undo counts as finished. */
async function writeGone(desk: BatchDesk, batch: Batch, rowWork: RowWork): Promise<void> {
  if (sourceOf(batch).undoes === undefined) return;
  const { workspace } = desk;
  const { account, resource, now } = rowRuleOf(desk, batch, rowWork);
  await undoneByOthers(workspace, { account, resource, by: batch.number, at: now() });
}

/** Sends the open rows of a batch that this process holds, and closes it if nothing is left. */
export async function work(desk: BatchDesk, batch: Batch, rowWork: RowWork): Promise<Ran> {
  const tally = new Tally();
  try {
    return await counted(desk, batch, rowWork, tally);
  } catch (error) {
    throw tally.stoppedBy(batch.id, error);
  }
}

/** Whether earlier processes have applied rows of a batch, or may have. */
async function sentEarlier({ rows }: BatchDesk, { number }: Batch): Promise<BatchOutcome> {
  if (await rows.any(number, ['sending', 'unclear'])) return 'unknown';
  return (await rows.any(number, ['done', 'undone'])) ? 'partial' : 'not_applied';
}

async function counted(desk: BatchDesk, batch: Batch, rowWork: RowWork, tally: Tally): Promise<Ran> {
  const { batches, rows, connection, tell } = desk;
  if (batch.state !== 'planning') {
    tell({ event: 'began', batch: batch.id, resumed: true });
    tally.earlier = await sentEarlier(desk, batch);
  }
  await batches.move(batch.number, 'open', null);
  const end = await runRows(desk, batch, rowWork, tally);
  await writeGone(desk, batch, rowWork);
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
  return { ...nothingRan, summary: await summaryOf(desk.batches, batch) };
}

const nothingRan = { stopped: undefined, failure: undefined, held: [] } as const;

/** Resumes a batch that this process holds, or returns its outcome. Throws as `resume` does. */
export async function resumeHeld(desk: BatchDesk, batch: Batch, rowWork: RowWork): Promise<Ran> {
  const { rows, batches } = desk;
  const now = await batchNamed(desk, batch.id);
  const [done] = await rows.next({ batch: now.number, states: ['done'], after: 0, limit: 1 });
  if (done !== undefined) await requireStillThere(desk, rowWork, done, now);
  // What is unclear is looked up once more, and sent again only where that is safe.
  const reopened = rowWork.lookup === undefined ? 0 : await reopenUnclear(desk.workspace, now.number);
  const isOpen = now.state !== 'finished' || reopened > 0 || (await rows.any(now.number, ['planned', 'sending']));
  if (isOpen) return work(desk, now, rowWork);
  await writeGone(desk, now, rowWork);
  return { ...nothingRan, summary: await summaryOf(batches, now) };
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
