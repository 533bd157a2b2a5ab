import type * as z from 'zod';
import { formatMoney } from '../../../domain/amounts/money.ts';
import type { BatchDesk } from '../../../flows/batch/desk.ts';
import { planBatch, refusalOf } from '../../../flows/batch/plan/plan.ts';
import type { Ports } from '../../action/ports.ts';
import { linesOf, shownSummary } from '../at-desk.ts';
import { faultLines } from '../fault-lines.ts';
import { optionsFrom } from '../inputs.ts';
import type { batchSummary } from '../outputs.ts';
import { pathFrom, savePlan } from './plan-file.ts';
import { type FileInput, factsToSay, plannedSummary, planRequestOf } from './planning.ts';

/** Plans a sheet, reports what would be done with its rows, and saves the plan if requested; leaves no batch behind. */
export async function planSheet(
  input: FileInput & { readonly save?: string | null | undefined },
  desk: BatchDesk,
  ports: Ports,
): Promise<z.output<typeof batchSummary>> {
  const request = await planRequestOf(input, optionsFrom(input), desk, ports, true);
  const planned = await ports.progress.during(() => planBatch(desk, request));
  try {
    const summary = shownSummary(await plannedSummary(desk, planned), ports);
    if (planned.kind === 'known') {
      ports.report.notice(`these rows were run as ${planned.batch.id}`);
      return summary;
    }
    const { facts, unquoted } = planned;
    for (const line of factsToSay(facts, planned)) ports.report.notice(line);
    const refusal = refusalOf(facts, unquoted);
    if (refusal !== undefined && input.skip_bad === true) {
      // Leaving out the bad rows yields a plan of the others.
      for (const line of faultLines(refusal.faults)) ports.report.notice(line);
      ports.report.verdict('partial');
    }
    if (facts.shared > 0) {
      const [[other] = ['']] = facts.sharedWith;
      ports.report.notice(
        `${facts.shared} rows were sent before, by batch ${other}; ${facts.similar} new ones go to a recipient of an earlier row`,
      );
    }
    for (const line of linesOf(summary)) ports.report.notice(line);
    const { max_total: most } = planned.batch;
    if (most !== null && (summary.fees?.total ?? 0) > most) {
      ports.report.notice(`that is more than the limit of ${formatMoney(most)}: a run would be refused`);
    }
    if (refusal !== undefined && input.skip_bad !== true) {
      // What the other rows cost is shown beside what is wrong.
      await ports.report.result({ ...summary, batch: null });
      throw refusal;
    }
    if (input.save) {
      const path = pathFrom(ports.workingDirectory, input.save);
      const head = { file: pathFrom(ports.workingDirectory, input.file), format: facts.source.format };
      await savePlan(path, desk, planned.batch, head);
      ports.report.notice(`the plan is in ${input.save}`);
    }
    return { ...summary, batch: null };
  } finally {
    if (planned.kind === 'planned') await desk.batches.remove(planned.batch.number);
    planned.release();
  }
}
