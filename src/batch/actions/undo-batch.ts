import type * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { shopOfAccount } from '../../client/account.ts';
import { shopAskedFor } from '../../settings/keys.ts';
import type { BatchContext } from '../batch-context.ts';
import { findWork, makesRecords, UNDO } from '../row-work.ts';
import { batchNamed, type Ran, resumeHeld, work } from '../runs.ts';
import { summaryOf } from '../summary.ts';
import { inWords, say } from '../texts.ts';
import { leftBeside, type PlannedUndo, planUndo } from '../undo.ts';
import { placed } from './fault-lines.ts';
import { reportRun } from './in-context.ts';
import { looking } from './looking.ts';
import type { batchSummary } from './outputs.ts';

const MOST_LINES = 20;
const MOST_NAMED = 3;

function tell({ changed, left, stays, meant, unclear }: PlannedUndo, { isLook, report }: Ports): void {
  // The question names a few.
  const said = say().undo;
  const more = (of: readonly unknown[], line: typeof said.moreLeft) => {
    if (of.length > MOST_LINES) report.say(line({ count: of.length - MOST_LINES }));
  };
  if (isLook || meant.length > MOST_NAMED) for (const record of meant) report.say(said.toBeUndone({ record }));
  for (const row of left.slice(0, MOST_LINES)) report.say(said.left({ ...placed(row), message: inWords(row.message) }));
  more(left, said.moreLeft);
  for (const row of changed.slice(0, MOST_LINES)) report.say(said.changed(placed(row)));
  more(changed, said.moreChanged);
  for (const row of stays.slice(0, MOST_LINES)) report.say(said.stays(placed(row)));
  more(stays, said.moreStay);
  if (stays.length > 0) report.verdict('partial');
  tellUnclear({ unclear }, { report });
}

/** Says that rows may have been made that no undo touches. */
function tellUnclear({ unclear }: Pick<PlannedUndo, 'unclear'>, { report }: Pick<Ports, 'report'>): void {
  if (unclear === 0) return;
  report.say(say().undo.unclear({ count: unclear }));
  report.verdict('unknownOutcome');
}

const MOST_OFFERED = 3;

/** The newest batches that can be undone, in words; undefined if there is none. Throws a WorkspaceError. */
export function undoableBatches(ports: Ports): Promise<string | undefined> {
  const shop = shopAskedFor(ports.settings);
  const family = ports.settings.as?.value ?? 'partner';
  return looking(ports, async ({ batches }) => {
    const found: { batch: string; command: string; count: number }[] = [];
    for (const batch of await batches.list({})) {
      if (found.length === MOST_OFFERED) break;
      if (batch.do.startsWith(UNDO) || (shop !== undefined && shopOfAccount(batch.account) !== shop)) continue;
      const { counts } = await summaryOf(batches, batch);
      const hasWay = counts.done > 0 && (await findWork(`${UNDO}${batch.do}`, family).catch(() => undefined));
      if (hasWay) found.push({ batch: batch.id, command: batch.do, count: counts.done });
    }
    return found.length === 0 ? undefined : say().undo.newest({ batches: found });
  });
}

/** The summary of an undo, and how what was undone is sent again. */
async function reported(context: BatchContext, { batch, work: { undoes } }: PlannedUndo, ran: Ran, ports: Ports) {
  const summary = await reportRun(context, batch, ran, ports);
  if (undoes !== undefined && makesRecords(undoes) && summary.counts.done > 0) {
    const way = ports.ui.advise('resend_undone');
    ports.report.notice(say().undo.resend({ way }));
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
      ports.report.say(say().undo.beside({ count: left, batch: batch.id, way: next }));
      ports.report.verdict('partial');
      return { ...summary, next: summary.next ?? next };
    }
    tell(planned, ports);
    const { counts } = await summaryOf(context.batches, planned.batch);
    const { meant } = planned;
    const { operation, undoes } = planned.work;
    const isShip = undoes?.do === 'ship';
    const named = { named: meant.slice(0, MOST_NAMED), more: meant.length > MOST_NAMED };
    const { undo, whats } = say().question;
    const message = undo({ isShip, records: counts.left, ...named, batch: batch.id, command: operation.command });
    await context.beforeSending?.(planned.batch, planned.work);
    if (counts.left > 0) await ports.person.confirm({ what: whats.undo, message });
    begun = true;
    context.tell({ event: 'began', batch: planned.batch.id, resumed: false });
    const ran = await ports.progress.during(() => work(context, planned.batch, planned.work));
    return await reported(context, planned, ran, ports);
  } finally {
    if (!begun) await context.batches.remove(planned.batch.number);
    planned.release();
  }
}
