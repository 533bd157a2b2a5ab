import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { bothGiven, Refusal } from '../../client/refusal.ts';
import { flag, list, record, requiring, text } from '../../contract/schema/scalars.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { BatchContext } from '../batch-context.ts';
import type { Batch } from '../store/batches.ts';
import { say } from '../texts.ts';
import { inContext, reportRun } from './in-context.ts';
import {
  batchHints,
  batchName,
  file,
  fileHint,
  goingFields,
  hasOptions,
  limitFields,
  nameHint,
  needs,
  optionsFrom,
  policyFields,
  readingFields,
} from './inputs.ts';
import { batchRow, batchSummary, rowView, summaryView } from './outputs.ts';

/** The rows of a batch that are still to be sent, and what they collect and cost. */
async function aheadOf(context: BatchContext, batch: Batch) {
  const [{ feesAhead, rowsLeft }, { moneyOf, sumsOf }] = await Promise.all([
    import('../summary.ts'),
    import('./plan/planning.ts'),
  ]);
  const ahead = await feesAhead(context.batches, batch);
  const money = await moneyOf(context, { batch });
  const sums = sumsOf(ahead === 0 && money === null ? null : ahead, money);
  return { rows: await rowsLeft(context.batches, batch), sums };
}

/** Resolves once a person has agreed to orders that are sent again; nothing else is asked about. */
async function agreedAgain(
  context: BatchContext,
  { batch, prepared, work }: { readonly batch: Batch; readonly prepared: Batch; readonly work: RowWork },
  { person }: Ports,
): Promise<void> {
  if (work.resource !== 'order' || work.operation.effect !== 'create') return;
  const ahead = await aheadOf(context, prepared);
  if (ahead.rows === 0) return;
  const { retry: message, whats } = say().question;
  await person.confirm({ what: whats.retry, message: message({ batch: batch.id, ...ahead }) });
}

/** Resumes a batch. */
export const resume = action({
  id: 'batch.resume',
  words: ['batch', 'resume'],
  summary: 'Continue a batch that was stopped',
  description:
    'After Ctrl-C, a crash, an outage or a power cut: rows that may have been sent are looked up first, then the rest is sent. Without a name, the newest unfinished batch continues; if that would send rows, you are asked first (or add --yes).',
  examples: ['shopctl batch resume'],
  effect: 'create',
  mayAlso: ['store', 'spend', 'destroy'],
  undo: 'batch undo',
  confirm: 'yes',
  needs,
  page: 'allowed',
  input: record({
    batch: batchName,
    ...policyFields,
    ...goingFields,
  }),
  positional: ['batch'],
  hints: { ...batchHints, batch: nameHint },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    inContext(ports, input, async (context) => {
      const [{ accountText }, runs, { findWork }, { BatchError }] = await Promise.all([
        import('../../client/account.ts'),
        import('../runs.ts'),
        import('../row-work.ts'),
        import('../batch-error.ts'),
      ]);
      const account = accountText(context.account);
      const [newest] =
        typeof input.batch === 'string'
          ? [await runs.batchNamed(context, input.batch)]
          : await context.batches.list({ account, states: ['open'] });
      if (newest === undefined) throw new BatchError('batch_not_found', say().look.noneOpen);
      if (hasOptions(input)) runs.requireSameOptions(newest, optionsFrom(input, ports));
      const work = await findWork(newest.do, context.account.family);
      // Nobody named this batch: what it would send is agreed to first.
      if (!input.batch && (await context.rows.any(newest.number, ['planned']))) {
        const about = { batch: newest.id, command: newest.do, ...(await aheadOf(context, newest)) };
        const { resume: message, whats } = say().question;
        await ports.person.confirm({ what: whats.resume, message: message(about) });
      }
      const ran = await ports.progress.during(() => runs.resume(context, newest, work));
      return reportRun(context, newest, ran, ports);
    }),
});

/** Helps with a batch that another machine started. */
export const help = action({
  id: 'batch.work',
  words: ['batch', 'work'],
  summary: 'Work on a batch that another machine started',
  description:
    'If several machines share the workspace in a database, each of them claims rows of its own; rows of a machine that died are looked up before they are sent. The command ends when no row is left.',
  examples: ['shopctl batch work 20260131-k3f9x'],
  effect: 'create',
  mayAlso: ['store', 'spend', 'destroy'],
  undo: 'batch undo',
  needs,
  input: requiring({ batch: batchName }, goingFields),
  positional: ['batch'],
  hints: { ...batchHints, batch: nameHint },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    inContext(ports, input, async (context) => {
      const [runs, { findWork }] = await Promise.all([import('../runs.ts'), import('../row-work.ts')]);
      const batch = await runs.batchNamed(context, input.batch);
      const work = await findWork(batch.do, context.account.family);
      const ran = await ports.progress.during(() => runs.help(context, batch, work));
      ports.report.notice(say().run.doneByThis({ done: ran.applied, rows: ran.summary.counts.rows }));
      return reportRun(context, batch, ran, ports);
    }),
});

/** Retries failed rows. */
export const retry = action({
  id: 'batch.retry',
  words: ['batch', 'retry'],
  summary: 'Retry the failed rows of a batch',
  description:
    'With a file, rows are read from it again, with the mapping that the batch was run with: matched by name, otherwise by content. A changed row without a name is matched by its position, if the file has as many rows as before. Rows that a limit refused can be sent with a higher one, which the batch has from then on. Orders are quoted again, and you are asked before they are sent (or add --yes).',
  examples: [
    'shopctl batch retry 20260131-k3f9x',
    'shopctl batch retry 20260131-k3f9x fixed.csv',
    'shopctl batch retry 20260131-k3f9x --max-fee 40000',
  ],
  effect: 'create',
  mayAlso: ['store', 'spend', 'destroy'],
  undo: 'batch undo',
  confirm: 'yes',
  needs,
  page: 'allowed',
  input: requiring({ batch: batchName }, { file, ...readingFields, ...limitFields, ...goingFields }),
  positional: ['batch', 'file'],
  hints: { ...batchHints, batch: nameHint, file: fileHint },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    inContext(ports, input, async (context) => {
      const [runs, { findWork }, { retry: again }, { correctedOf }, { answering }] = await Promise.all([
        import('../runs.ts'),
        import('../row-work.ts'),
        import('../retry.ts'),
        import('./plan/planning.ts'),
        import('./answering.ts'),
      ]);
      const batch = await runs.batchNamed(context, input.batch);
      const work = await findWork(batch.do, context.account.family);
      const corrected = input.file ? await correctedOf(batch, { ...input, file: input.file }, ports) : undefined;
      const limits = { maxFee: input.max_fee ?? undefined, maxTotal: input.max_total ?? undefined };
      const given = { answers: corrected?.answers ?? {}, map: input.map };
      const agree = (prepared: Batch) => agreedAgain(context, { batch, prepared, work }, ports);
      const { during } = ports.progress;
      const ran = await answering(given, ports, (answers) =>
        again(context, batch, work, { file: corrected && { ...corrected, answers }, limits, agree, during }),
      );
      return reportRun(context, batch, ran, ports);
    }),
});

/** Records what a person found out about an unclear row. */
export const settle = action({
  id: 'batch.settle',
  words: ['batch', 'settle'],
  summary: 'Record whether an unclear row was done',
  description:
    'For what only you can find out: look at the service, then record the answer. A row that was not done can be sent with `batch retry`.',
  examples: ['shopctl batch settle 20260131-k3f9x 12 --done'],
  effect: 'store',
  takesWord: true,
  undo: { whyNot: 'an outcome is recorded once' },
  needs,
  page: 'allowed',
  input: requiring(
    { batch: batchName, row: text('the row, by its number or its name') },
    { done: flag('it was done'), not_done: flag('it was not done') },
  ),
  positional: ['batch', 'row'],
  hints: { batch: nameHint, row: { placeholder: 'ROW', from: 'path' } },
  output: batchRow,
  view: rowView,
  run: (input, ports) =>
    inContext(ports, {}, async (context) => {
      if ((input.done === true) === (input.not_done === true)) {
        throw input.done === true ? bothGiven('done', 'not_done') : new Refusal('word_missing', say().look.settleHow);
      }
      const [{ batchNamed, requireOwn, settleByHand }, { findWork }, { createsRecords, shownRow }] = await Promise.all([
        import('../runs.ts'),
        import('../row-work.ts'),
        import('./shown-row.ts'),
      ]);
      const batch = await batchNamed(context, input.batch);
      requireOwn(context, batch);
      ports.intend({ batch: batch.id, row: input.row, done: input.done === true });
      const work = await findWork(batch.do, context.account.family);
      const settled = await settleByHand(context, { batch, work }, input.row, input.done === true);
      return shownRow(settled, await createsRecords(batch));
    }),
});

/** Undoes what a batch has created or changed. */
export const undo = action({
  id: 'batch.undo',
  words: ['batch', 'undo'],
  summary: 'Undo what a batch created or changed',
  description: [
    'Each record is read first: changes made since are reported, and a parcel that was picked up is left alone (exit 9). Orders are cancelled; customers, products and the like are deleted; members are removed; updated fields get the values back that they had when the batch was planned, unless somebody has changed the record since: then it is left alone, and reported. Deletions, confirmations and cancellations cannot be undone.',
    'An undo is a batch itself: it can be resumed, and undoes nothing twice. What was undone counts as not created: the same file sends it again with --resend-ended undone.',
  ].join('\n\n'),
  examples: [
    'shopctl batch undo 20260131-k3f9x',
    'shopctl batch undo 20260131-k3f9x --row MB1015',
    'shopctl batch undo 20260131-k3f9x --reason "wrong file" --yes',
  ],
  effect: 'delete',
  mayAlso: ['store'],
  undo: { whyNot: 'what is removed or cancelled is gone' },
  confirm: 'yes',
  needs,
  page: 'allowed',
  input: requiring(
    { batch: batchName },
    {
      row: list(
        text('a row'),
        'undo only this row, by its number, its name, or a name of its record; may be given several times',
      ),
      reason: text('the reason for cancellations; names the batch when absent'),
      ...goingFields,
    },
  ),
  positional: ['batch'],
  hints: { ...batchHints, batch: nameHint, row: { placeholder: 'ROW', from: 'path' } },
  suggests: async (ports) => (await import('./undo-batch.ts')).undoableBatches(ports),
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    inContext(ports, input, async (context) => {
      const { undoBatch } = await import('./undo-batch.ts');
      return undoBatch(input, context, ports);
    }),
});
