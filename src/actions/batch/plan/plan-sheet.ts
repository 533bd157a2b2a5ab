import type * as z from 'zod';
import { formatMoney } from '../../../domain/amounts/money.ts';
import type { BatchDesk } from '../../../flows/batch/desk.ts';
import { planBatch } from '../../../flows/batch/plan/plan.ts';
import type { Ports } from '../../action/ports.ts';
import { linesOf, shownSummary } from '../at-desk.ts';
import { optionsFrom } from '../inputs.ts';
import type { batchSummary } from '../outputs.ts';
import { pathFrom, savePlan } from './plan-file.ts';
import { type FileInput, factsToSay, plannedSummary, planRequestOf } from './planning.ts';

/** The exit code for an unusable file. */
const BAD_FILE = 2;

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
    for (const { cell, value, message } of [...facts.faults, ...unquoted].slice(0, 20)) {
      ports.report.notice(`${cell}: ${value === '' ? '' : `${JSON.stringify(value)} `}${message}`);
    }
    const bad = facts.faultCount + unquoted.length;
    if (bad > 0) ports.report.notice(`${bad} of these have to be mended, or left out, before anything is sent`);
    if (facts.shared > 0) {
      const [[other] = ['']] = facts.sharedWith;
      ports.report.notice(
        `${facts.shared} rows were sent before, by batch ${other}; ${facts.similar} new ones go to a recipient who got something before`,
      );
    }
    for (const line of linesOf(summary)) ports.report.notice(line);
    const { max_total: most } = planned.batch;
    if (most !== null && (summary.fees?.total ?? 0) > most) {
      ports.report.notice(`that is more than the ${formatMoney(most)} that all rows may cost: a run would be refused`);
    }
    if (bad > 0) {
      // Leaving out the bad rows yields a plan of the others.
      if (input.skip_bad === true) ports.report.verdict('partial');
      else ports.report.passOn(BAD_FILE);
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
