import type * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import type { BatchContext } from '../batch-context.ts';
import { makesRecords } from '../row-work.ts';
import { batchNamed, type Ran, resumeHeld, work } from '../runs.ts';
import { summaryOf } from '../summary.ts';
import { leftBeside, type PlannedUndo, planUndo } from '../undo.ts';
import { reportRun } from './in-context.ts';
import type { batchSummary } from './outputs.ts';

const MOST_LINES = 20;
const MOST_NAMED = 3;

const rows = (count: number) => `${count} ${count === 1 ? 'record' : 'records'}`;

function tell({ changed, left, stays, meant, unclear }: PlannedUndo, { isLook, report }: Ports): void {
  // The question names a few.
  if (isLook || meant.length > MOST_NAMED) for (const record of meant) report.say(`to be undone: ${record}`);
  for (const { cell, name, message } of left.slice(0, MOST_LINES)) report.say(`${cell} (${name}) is left: ${message}`);
  if (left.length > MOST_LINES) report.say(`… and ${rows(left.length - MOST_LINES)} more are left`);
  for (const { cell, name, fields } of changed.slice(0, MOST_LINES)) {
    report.say(`${cell} (${name}) was changed since: ${fields.join(', ')}`);
  }
  if (changed.length > MOST_LINES) report.say(`… and ${rows(changed.length - MOST_LINES)} more were changed since`);
  for (const { cell, name, fields } of stays.slice(0, MOST_LINES)) {
    report.say(`${cell} (${name}): ${fields.join(', ')} cannot be restored and stays as it is`);
  }
  if (stays.length > MOST_LINES) report.say(`… and ${rows(stays.length - MOST_LINES)} more like this`);
  if (stays.length > 0) report.verdict('partial');
  tellUnclear({ unclear }, { report });
}

/** Says that rows may have been made that no undo touches. */
function tellUnclear({ unclear }: Pick<PlannedUndo, 'unclear'>, { report }: Pick<Ports, 'report'>): void {
  if (unclear === 0) return;
  report.say(`${rows(unclear)} may have been created or changed, and were left alone: settle them first`);
  report.verdict('unknownOutcome');
}

/** The summary of an undo, and how what was undone is sent again. */
async function reported(context: BatchContext, { batch, work: { undoes } }: PlannedUndo, ran: Ran, ports: Ports) {
  const summary = await reportRun(context, batch, ran, ports);
  if (undoes !== undefined && makesRecords(undoes) && summary.counts.done > 0) {
    const way = ports.ui.advise('resend_undone');
    ports.report.notice(`the same sheet leaves out what was undone; with ${way} it is sent again`);
  }
  return summary;
}

/** Undoes what a batch has created, once agreed to; resumes an undo that was started. Throws like `planUndo`. */
export async function undoBatch(
  {
    batch: name,
    reason,
    row,
  }: {
    readonly batch: string;
    readonly reason?: string | null | undefined;
    readonly row?: readonly string[] | null | undefined;
  },
  context: BatchContext,
  ports: Ports,
): Promise<z.output<typeof batchSummary>> {
  const batch = await batchNamed(context, name);
  const planned = await ports.progress.during(() => planUndo(context, batch, reason ?? undefined, row ?? []));
  let begun = planned.isBegun;
  try {
    if (planned.isBegun) {
      const ran = await ports.progress.during(() => resumeHeld(context, planned.batch, planned.work));
      const summary = await reported(context, planned, ran, ports);
      tellUnclear(planned, ports);
      const left = await leftBeside(context, batch, planned.batch);
      if (left === 0) return summary;
      const next = ports.ui.advise('undo_batch', { batch: batch.id });
      ports.report.say(
        `${rows(left)} of batch ${batch.id} are not in the undo that was gone on with: ${next} undoes them`,
      );
      ports.report.verdict('partial');
      return { ...summary, next: summary.next ?? next };
    }
    tell(planned, ports);
    const { counts } = await summaryOf(context.batches, planned.batch);
    const { meant } = planned;
    const named =
      meant.length === 0 ? '' : ` (${meant.slice(0, MOST_NAMED).join('; ')}${meant.length > MOST_NAMED ? ' …' : ''})`;
    const message = `Undo ${rows(counts.left)}${named} of batch ${batch.id} by "${planned.work.operation.command}"?`;
    await context.beforeSending?.(planned.batch, planned.work);
    if (counts.left > 0) await ports.person.confirm({ what: 'undoing a batch', message });
    begun = true;
    context.tell({ event: 'began', batch: planned.batch.id, resumed: false });
    const ran = await ports.progress.during(() => work(context, planned.batch, planned.work));
    return await reported(context, planned, ran, ports);
  } finally {
    if (!begun) await context.batches.remove(planned.batch.number);
    planned.release();
  }
}
