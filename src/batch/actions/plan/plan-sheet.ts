import type * as z from 'zod';
import type { Ports } from '../../../action/ports.ts';

import type { RowWork } from '../../../ledger/work.ts';
import type { Answers } from '../../../sheets/account/questions.ts';
import { placeText } from '../../../sheets/formats/sheet.ts';
import { cellsAsShown, type SourceRow } from '../../../sheets/source-row.ts';
import type { BatchContext } from '../../batch-context.ts';
import { type InsurancePrice, insurancePrice } from '../../plan/choose-service.ts';
import { type Planned, planBatch, refusalOf } from '../../plan/plan.ts';
import { senderNamed } from '../../plan/row-names.ts';
import { type PlanRow, planRows } from '../../plan-rows.ts';
import type { Doubles } from '../../store/repeated-rows.ts';
import type { BatchSummary } from '../../summary.ts';
import { say } from '../../texts.ts';
import { answering, questionsDecided, type Said } from '../answering.ts';
import { annotations, faultLines } from '../fault-lines.ts';
import { linesOf, MOST_ROWS, shownSummary } from '../in-context.ts';
import { optionsFrom } from '../inputs.ts';
import { mappedFirst } from '../map-file.ts';
import { sendingChanged } from '../what-to-change.ts';
import { type PlanToSave, pathFrom, savePlan } from './plan-file.ts';
import type { batchPlan } from './plan-outputs.ts';
import {
  changesToSay,
  type FileInput,
  factsToSay,
  fileLines,
  happenedLines,
  largeChanges,
  moneyOf,
  planLines,
  plannedSummary,
  planRequestOf,
} from './planning.ts';
import { warnedRows } from './warning-lines.ts';
import type { OwnCells, PlanRemark } from './write-plan.ts';

type Input = FileInput & {
  readonly save?: string | null | undefined;
  readonly to?: string | null | undefined;
  readonly explain_fees?: boolean | null | undefined;
};
type NewPlan = Extract<Planned, { kind: 'planned' }>;

/** So many rows are shown all together; of more the first ones. */
const MOST_SHOWN = 50;
const SHOWN_ROWS = 20;

/** The first rows of an iteration. */
async function firstOf<Item>(items: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const first: Item[] = [];
  for await (const item of items) {
    if (first.push(item) >= most) break;
  }
  return first;
}

/** The rows that a person sees before agreeing: all of them, or the first ones and those with warnings. */
export async function shownRows(context: BatchContext, planned: NewPlan, work: RowWork): Promise<PlanRow[]> {
  const all = () => planRows(context, { ...planned, work });
  const first = await firstOf(all(), MOST_SHOWN + 1);
  if (first.length <= MOST_SHOWN) return first;
  const warned = new Set(warnedRows(planned.facts, largeChanges(planned.changes)));
  const rows: PlanRow[] = [];
  let left = warned.size;
  let at = 0;
  for await (const row of all()) {
    at += 1;
    const isWarned = warned.has(row.row);
    if (isWarned || at <= SHOWN_ROWS) rows.push(row);
    if (isWarned) left -= 1;
    if (at >= SHOWN_ROWS && left === 0) break;
  }
  return rows;
}

/** What a table of the first rows does not show; undefined if it has all of them. */
export function restOf(shown: number, all: number): string | undefined {
  return shown >= all ? undefined : say().plan.moreThanShown({ count: all - shown });
}

/** Rows that may be one, as a warning of its kind at the first of them. */
function ofGroup(
  code: string,
  said: ReturnType<typeof say>['plan']['duplicates'],
  { cells, rows }: Doubles['first'][number],
) {
  return {
    code,
    cell: cells[0] ?? null,
    value: null,
    message: said({ cells: cells.map(placeText), rest: rows - cells.length }),
  };
}

/** What became of every line of a file, and what is said of its cells. */
function accountOf(
  { facts: { read, remarks, rows: orders }, doubles, together }: NewPlan,
  said: Said,
): NonNullable<z.output<typeof batchPlan>['read']> {
  const { sheets, lines, leftOut, warnings } = read;
  const cells = remarks.warnings.map(({ code, cell, value, message }) => ({ code, cell, value, message }));
  const ofFile = warnings.map(({ code, message }) => ({ code, cell: null, value: null, message }));
  const groups = [
    ...doubles.first.map((group) => ofGroup('possible_duplicate', say().plan.duplicates, group)),
    ...together.first.map((group) => ofGroup('one_phone', say().plan.couldBeTogether, group)),
  ];
  const readings = remarks.readings.map(({ cell, value, message }) => ({ cell, value, message }));
  const left_out = [...leftOut];
  const questions = questionsDecided(read.decided, said);
  return {
    sheets: [...sheets],
    lines,
    orders,
    left_out,
    readings,
    warnings: [...ofFile, ...groups, ...cells],
    questions,
  };
}

/** What insurance costs, in a sentence for a person. */
function insuranceLines(price: InsurancePrice | undefined): string[] {
  if (price === undefined) return [];
  return [say().plan.insuranceCost(price)];
}

/** Writes what was asked for besides the answer: the plan to run later, and the plan to read. */
async function writeFiles(
  { save, to, file }: Input,
  context: BatchContext,
  ports: Ports,
  plan: {
    planned: NewPlan;
    work: RowWork;
    lines: readonly string[];
    saved: PlanToSave;
    remarks: readonly PlanRemark[];
    own: OwnCells;
  },
): Promise<void> {
  if (save) {
    await savePlan(pathFrom(ports.workingDirectory, save), context, plan.saved);
    const way = ports.ui.advise('run_plan', { plan: save });
    ports.report.notice(say().plan.savedIn({ file: save, way }));
  }
  if (to) {
    const { writePlan } = await import('./write-plan.ts');
    await writePlan(pathFrom(ports.workingDirectory, to), {
      title: say().written.title({ file, command: plan.work.do }),
      lines: plan.lines,
      rows: planRows(context, { ...plan.planned, work: plan.work }),
      remarks: plan.remarks,
      own: plan.own,
      timeZone: ports.timeZone(),
    });
    ports.report.notice(say().plan.writtenTo({ file: to }));
  }
}

/** Reports what stands in the way of a plan, or what it leaves out. */
function tellPlan(input: Input, { facts, unquoted, batch }: NewPlan, fees: number, ports: Ports) {
  const { report } = ports;
  const refusal = refusalOf(facts, unquoted);
  if (refusal !== undefined && input.skip_bad === true) {
    // Leaving out the bad rows yields a plan of the others.
    for (const line of faultLines(refusal.faults, refusal.rows)) report.notice(line);
    for (const line of annotations(refusal.faults, input.file, ports.env)) report.notice(line, { code: 'annotation' });
    report.verdict('partial');
  }
  if (facts.shared > 0) {
    const [[sender] = ['']] = facts.sharedWith;
    const { shared: count, similar } = facts;
    report.notice(say().plan.sentBefore({ count, by: senderNamed(sender), similar }));
  }
  const { max_total: most } = batch;
  if (most !== null && fees > most) {
    report.notice(say().plan.overLimit({ most }));
  }
  return input.skip_bad === true ? undefined : refusal;
}

/** The rows that a plan shows, and its sums; everything else that a person should know is reported. */
async function reportedOf(
  planned: NewPlan,
  found: BatchSummary,
  { input, work, context, ports }: { input: Input; work: RowWork; context: BatchContext; ports: Ports },
) {
  const { facts, batch } = planned;
  const isTable = ports.settings.output.value === 'table';
  const rows = isTable
    ? await shownRows(context, planned, work)
    : await firstOf(planRows(context, { ...planned, work }), MOST_ROWS);
  const money = await moneyOf(context, planned);
  const price = () => ports.progress.during(() => insurancePrice(context, batch, work));
  const insurance = input.explain_fees === true && money !== null && money.insured > 0 ? await price() : undefined;
  const collect = money && { ...money, insurance_fee: insurance?.total ?? null };
  const lines = [...planLines(found, money, planned), ...insuranceLines(insurance)];
  const rest = restOf(rows.length, found.counts.left);
  const listed = () => say().plan.moreThanListed({ count: found.counts.left - rows.length });
  if (rest !== undefined) ports.report.notice(isTable ? rest : listed());
  const refused = planned.happened.differing.flatMap(({ name, isRefused }) => (isRefused ? [name] : []));
  const about = [
    ...factsToSay(facts, planned),
    ...changesToSay(planned, work),
    ...happenedLines(planned, ports),
    ...sendingChanged(refused, { operation: work.operation.id, do: work.do, file: input.file }, ports),
  ];
  for (const line of [...about, ...lines]) ports.report.notice(line);
  return { rows, collect, lines };
}

/** What has happened to the records of rows since they were sent. */
const happenedTo = ({ ended, differing, unread }: NewPlan['happened']) => ({
  ended: [...ended],
  differs: differing.map(({ isRefused: _, ...one }) => ({
    ...one,
    fields: [...one.fields],
    changes: [...one.changes],
  })),
  not_read_again: unread,
});

/**
 * Plans a sheet, reports what would be done with its rows, and saves or writes the plan if requested; leaves no batch
 * behind.
 */
export async function planSheet(
  input: Input,
  context: BatchContext,
  ports: Ports,
): Promise<z.output<typeof batchPlan>> {
  if (input.to) (await import('./write-plan.ts')).requirePlanFormat(input.to);
  const read: SourceRow[] = [];
  const ownLines: ReturnType<typeof cellsAsShown>[] = [];
  const onRow = (row: SourceRow) => {
    if (input.save) read.push(row);
    if (input.to) ownLines.push(cellsAsShown(row));
  };
  const request = { ...(await planRequestOf(input, optionsFrom(input, ports), context, ports, true)), onRow };
  const { work } = request;
  let atPrompt: Answers = {};
  const plan = (answers: Answers, said: Answers) => {
    atPrompt = said;
    read.length = 0;
    ownLines.length = 0;
    return ports.progress.during(() => planBatch(context, { ...request, answers }));
  };
  const planned = await mappedFirst(input, ports, () =>
    answering({ answers: request.answers ?? {}, map: input.map }, ports, plan),
  );
  try {
    const found = await plannedSummary(context, planned);
    const summary = shownSummary(found, planned.batch, ports);
    if (planned.kind === 'known') {
      ports.report.notice(say().plan.ranAs({ batch: planned.batch.id }));
      for (const line of linesOf(summary)) ports.report.notice(line);
      return { ...summary, collect: null, read: null, ended: [], differs: [], not_read_again: 0, rows: [] };
    }
    const { facts, deliveries, batch, happened } = planned;
    const { rows, collect, lines } = await reportedOf(planned, found, { input, work, context, ports });
    const refusal = tellPlan(input, planned, found.fees?.total ?? 0, ports);
    const account = accountOf(planned, { byFlag: request.answers ?? {}, atPrompt });
    const plan = { ...summary, batch: null, collect, read: account, ...happenedTo(happened), rows };
    if (refusal !== undefined) {
      // What the other rows would do, and cost, is shown beside what is wrong.
      await ports.report.result(plan);
      throw refusal;
    }
    const { source } = facts;
    const saved = { batch, read, deliveries, source, mapping: request.mapping, skipBad: request.skipBad };
    const remarks = [...account.warnings, ...account.readings];
    const own = { columns: source.columns, linesOf: (row: number) => ownLines[row - 1] ?? [] };
    await writeFiles(input, context, ports, {
      planned,
      work,
      lines: [...fileLines(facts), ...lines],
      saved,
      remarks,
      own,
    });
    return plan;
  } finally {
    if (planned.kind === 'planned') await context.batches.remove(planned.batch.number);
    planned.release();
  }
}
