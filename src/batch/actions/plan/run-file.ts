import * as z from 'zod';
import type { Ports } from '../../../action/ports.ts';
import { Refusal } from '../../../client/refusal.ts';
import { DAY_MS } from '../../../domain/calendar.ts';
import { onceMore } from '../../../ledger/actions/how-sent.ts';
import { firstOf } from '../../../ledger/identity.ts';
import type { RowWork } from '../../../ledger/work.ts';
import { type Answers, answersOf } from '../../../sheets/account/questions.ts';
import type { BatchContext } from '../../batch-context.ts';
import { BatchError } from '../../batch-error.ts';
import type { BatchOptions } from '../../plan/new-batch.ts';
import { type Planned, type PlanRequest, planBatch } from '../../plan/plan.ts';
import { findWork } from '../../row-work.ts';
import { batchNamed, requireSameOptions, resumeHeld, work } from '../../runs.ts';
import { say } from '../../texts.ts';
import { answering } from '../answering.ts';
import { reportRun } from '../in-context.ts';
import { hasOptions, optionsFrom, type SheetInput } from '../inputs.ts';
import { mappedFirst } from '../map-file.ts';
import type { batchSummary } from '../outputs.ts';
import { agreedIn, pathFrom, planIn, rowsOfPlan, type SavedPlan } from './plan-file.ts';
import { planView } from './plan-outputs.ts';
import { restOf, shownRows } from './plan-sheet.ts';
import {
  changesToSay,
  doubtsIn,
  factsToSay,
  happenedLines,
  moneyOf,
  planLines,
  plannedSummary,
  planRequestOf,
  questionOf,
} from './planning.ts';

type NewPlan = Extract<Planned, { kind: 'planned' }>;

type Input = SheetInput & {
  readonly file?: string | null | undefined;
  readonly plan?: string | null | undefined;
  readonly keep?: number | null | undefined;
};

const KEPT_DAYS = 90;

/** Removes finished batches after a while, unless one of their rows is unclear. */
async function forgetOld({ batches, connection }: BatchContext, days: number): Promise<void> {
  const oldest = new Date(connection.clock.now() - days * DAY_MS).toISOString();
  for (const { number, finished_at } of await batches.list({ states: ['finished'] })) {
    if (finished_at !== null && finished_at < oldest) await batches.forget(number, firstOf);
  }
}

async function savedPlan({ plan, file }: Input, ports: Ports): Promise<SavedPlan | undefined> {
  if (!plan) {
    if (file) return undefined;
    throw new Refusal('file_missing', say().refused.noFile);
  }
  return planIn(await ports.files.read(pathFrom(ports.workingDirectory, plan)), plan);
}

/** How the rows of a saved plan are read: as they are in the plan, or from the file that was given beside it. */
function asPlanned(
  saved: SavedPlan,
  { input, given }: { readonly input: Input; readonly given: BatchOptions },
  { mapping, format, sheet }: PlanRequest,
  context: BatchContext,
) {
  const { source } = saved;
  return {
    agreed: agreedIn(saved, context, hasOptions(input) ? given : undefined),
    ...(input.file
      ? {
          mapping: mapping ?? saved.mapping ?? undefined,
          format: format ?? source.format,
          sheet: sheet ?? source.sheet,
        }
      : { saved: rowsOfPlan(saved) }),
  };
}

/** Plans a file and, once agreed to, runs it; if it was run before, resumes or reports that batch. */
export async function runFile(
  input: Input,
  context: BatchContext,
  ports: Ports,
): Promise<z.output<typeof batchSummary>> {
  const result = await ranFile(input, context, ports);
  // Only an answer tells that a day has passed: this machine's clock may have been set. What cannot be forgotten now, as on a
  // full disk, is by a later run: this one has ended as it has said.
  if (context.time.isKnown) await context.batches.forgetContents(context.time.moment).catch(() => {});
  return result;
}

async function ranFile(input: Input, context: BatchContext, ports: Ports): Promise<z.output<typeof batchSummary>> {
  const saved = await savedPlan(input, ports);
  const given: BatchOptions = optionsFrom(input, ports);
  const options = saved?.options ?? given;
  if (!ports.isLook) await forgetOld(context, input.keep ?? KEPT_DAYS);
  const file = input.file ?? saved?.source.name ?? '';
  const request = await planRequestOf(
    { ...input, file, do: saved?.do ?? input.do, skip_bad: saved?.skip_bad ?? input.skip_bad },
    options,
    context,
    ports,
    false,
  );
  const { isThere, hasAgreed } = ports.person;
  // Nobody will be able to agree to it: the service is not asked for quotes first.
  const beforeQuotes =
    isThere || hasAgreed ? undefined : () => ports.person.confirm({ what: say().question.whats.run, message: '' });
  const asksEnded = isThere && !hasAgreed && saved === undefined;
  const asSaved = saved && asPlanned(saved, { input, given }, request, context);
  let { meeting } = request;
  const planOf = (answers: Answers): Promise<Planned> => {
    const whole = { ...request, meeting, beforeQuotes, asksEnded, ...asSaved, answers };
    return ports.progress
      .during(() => planBatch(context, whole))
      .catch(async (error: unknown) => {
        meeting = await continuing(error, meeting, context, ports);
        return planOf(answers);
      });
  };
  const answers = answersOf(request.answers, saved?.source.answers);
  const planned = await mappedFirst({ ...input, file }, ports, () =>
    answering({ answers, map: input.map }, ports, planOf),
  );
  try {
    if (planned.kind === 'known') {
      const asked = saved === undefined && !hasOptions(input) ? undefined : options;
      return await known(planned, { options: asked, isAgain: input.again === true }, context, ports);
    }
    return await agreedTo(planned, context, ports);
  } finally {
    planned.release();
  }
}

/** How a file goes on whose rows a batch has sent before, if a person says so; otherwise throws what was thrown. */
async function continuing(
  error: unknown,
  { continues, again }: PlanRequest['meeting'],
  context: BatchContext,
  { person }: Ports,
): Promise<PlanRequest['meeting']> {
  const sender = error instanceof BatchError && error.code === 'rows_shared' ? error.meta.batch : undefined;
  const isAsked = person.isThere && !person.hasAgreed && continues === undefined && !again;
  if (!isAsked || sender === undefined || !(error instanceof BatchError)) throw error;
  const message = say().question.continue({ about: error.message });
  if (!(await person.ask({ name: 'continue', message, schema: z.boolean(), initial: true }))) throw error;
  return { again: false, continues: (await batchNamed(context, sender)).number };
}

/** Resumes an unfinished batch of the same rows; reports a finished one. */
async function known(
  { batch }: Extract<Planned, { kind: 'known' }>,
  { options, isAgain }: { readonly options: BatchOptions | undefined; readonly isAgain: boolean },
  context: BatchContext,
  ports: Ports,
) {
  if (options !== undefined) requireSameOptions(batch, options);
  if (batch.state === 'finished') ports.report.say(say().run.ranBefore({ batch: batch.id }));
  if (isAgain) ports.report.say(onceMore());
  const rowWork = await findWork(batch.do, context.account.family);
  const ran = await ports.progress.during(() => resumeHeld(context, batch, rowWork));
  return reportRun(context, batch, ran, ports);
}

/** Shows the first rows above the question whether to send them. */
async function showRows(planned: NewPlan, rowWork: RowWork, context: BatchContext, { person }: Ports): Promise<void> {
  const rows = await shownRows(context, planned, rowWork);
  const { list: _, ...view } = planView;
  await person.show(rows, view);
  const { counts } = await plannedSummary(context, planned);
  const rest = restOf(rows.length, counts.left);
  if (rest !== undefined) await person.tell(rest);
}

async function agreedTo(planned: NewPlan, context: BatchContext, ports: Ports) {
  const { batch, facts } = planned;
  let begun = false;
  let reported: readonly string[] = [];
  const rowWork = await findWork(batch.do, context.account.family);
  try {
    const summary = await plannedSummary(context, planned);
    const money = await moneyOf(context, planned);
    const { isThere, hasAgreed } = ports.person;
    const isAsked = isThere && !hasAgreed && summary.counts.left > 0;
    const happened = happenedLines(planned, ports);
    const lines = planLines(summary, money, planned);
    reported = [...factsToSay(facts, planned), ...changesToSay(planned, rowWork), ...happened, ...lines];
    if (isAsked) await showRows(planned, rowWork, context, ports);
    // Right above the question, however many rows there are.
    const doubts = doubtsIn(planned);
    for (const line of reported) {
      if (doubts.lines.includes(line)) ports.report.insist(line);
      else ports.report.say(line);
    }
    const message = questionOf(summary, money, doubts);
    if (summary.counts.left > 0) await ports.person.confirm({ what: say().question.whats.run, message });
    await context.beforeSending?.(batch, rowWork);
    begun = true;
  } finally {
    if (!begun) {
      await context.batches.remove(batch.number);
      context.tell({ event: 'dropped', batch: batch.id });
    }
  }
  const ran = await ports.progress.during(() => work(context, batch, rowWork));
  return reportRun(context, batch, ran, ports, reported);
}
