import * as z from 'zod';
import { flag, list, oneOf, record, requiring, text } from '../contract/scalars.ts';
import { action } from './action.ts';
import { atDesk, linesOf, reported } from './batch/at-desk.ts';
import {
  batchHints,
  batchName,
  hasOptions,
  meetingFields,
  optionsFrom,
  policyFields,
  readingFields,
  runningFields,
} from './batch/inputs.ts';
import { batchList, batchRow, batchSummary, rowStates, rowView, summaryView } from './batch/outputs.ts';
import { bothGiven, Refusal } from './refusal.ts';

const file = text('the file: csv, tsv, xlsx, json, jsonl or yaml; - for stdin');
const fileHint = { placeholder: 'FILE', from: 'path' } as const;
const nameHint = { placeholder: 'BATCH', from: 'path' } as const;
const needs = ['key', 'workspace'] as const;

/** The exit of a file that cannot be used as it is. */
const BAD_FILE = 2;

const plan = action({
  id: 'batch.plan',
  words: ['batch', 'plan'],
  summary: 'Read a sheet and say what would be done with each row, and what it costs',
  description:
    'Every row is read and judged, and quoted where there is something to ship. Nothing is written at the service, and no batch is left behind.',
  examples: ['shopctl batch plan examples/orders.csv', 'shopctl batch plan orders.csv --pick fastest --save plan.json'],
  effect: 'read',
  needs,
  input: requiring(
    { file },
    { ...policyFields, ...readingFields, ...meetingFields, save: text('write the plan to this file, for a run of it') },
  ),
  positional: ['file'],
  hints: { ...batchHints, file: fileHint, save: { placeholder: 'PLAN.json', from: 'path' } },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    atDesk(ports, {}, async (desk) => {
      const [{ planBatch }, planning, { pathFrom, savePlan }] = await Promise.all([
        import('../flows/batch/plan.ts'),
        import('./batch/planning.ts'),
        import('./batch/plan-file.ts'),
      ]);
      const request = await planning.planRequestOf(input, optionsFrom(input), desk, ports, true);
      const planned = await ports.progress.during(() => planBatch(desk, request));
      try {
        const summary = await planning.plannedSummary(desk, planned);
        if (planned.kind === 'known') {
          ports.report.notice(`these rows were run as ${planned.batch.id}`);
          return summary;
        }
        const { facts, unquoted } = planned;
        for (const line of planning.factsToSay(facts, planned)) ports.report.notice(line);
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
        if (bad > 0) {
          // Whoever leaves bad rows out has a plan of the others.
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
    }),
});

const run = action({
  id: 'batch.run',
  words: ['batch', 'run'],
  summary: 'Do a command with each row of a sheet, each exactly once',
  description: [
    'Plans, shows what it costs, asks, and does it. The name of the batch stands on stderr first: with it the batch is resumed after anything.',
    'The same file again sends nothing: an unfinished batch goes on, a finished one is told, and the exit is that one’s.',
  ].join('\n\n'),
  examples: [
    'shopctl batch run examples/orders.csv --pick cheapest --yes',
    'shopctl batch run prices.csv --do "products update"',
  ],
  effect: 'create',
  needs,
  input: record({
    file,
    ...policyFields,
    ...readingFields,
    ...meetingFields,
    ...runningFields,
    plan: text('a plan that was saved: its services are taken, and it is refused where anything changed since'),
  }),
  positional: ['file'],
  hints: { ...batchHints, file: fileHint, plan: { placeholder: 'PLAN.json', from: 'path' } },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    atDesk(ports, input, async (desk) => {
      const { runFile } = await import('./batch/run-file.ts');
      return runFile(input, desk, ports);
    }),
});

const resume = action({
  id: 'batch.resume',
  words: ['batch', 'resume'],
  summary: 'Go on with a batch that was stopped',
  description:
    'After Ctrl-C, a crash, an outage or a power cut: what may have been sent is looked up first, then what is left is sent. Without a name the newest unfinished batch goes on.',
  examples: ['shopctl batch resume'],
  effect: 'create',
  needs,
  input: record({
    batch: batchName,
    ...policyFields,
    concurrency: runningFields.concurrency,
    max_outage: runningFields.max_outage,
  }),
  positional: ['batch'],
  hints: { ...batchHints, batch: nameHint },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    atDesk(ports, input, async (desk) => {
      const [{ accountText }, runs, { findWork }, { BatchError }] = await Promise.all([
        import('../client/account.ts'),
        import('../flows/batch/runs.ts'),
        import('../flows/batch/row-work.ts'),
        import('../flows/batch/batch-error.ts'),
      ]);
      const account = accountText(desk.account);
      const [newest] = input.batch
        ? [await runs.batchNamed(desk, input.batch)]
        : await desk.batches.list({ account, states: ['open'] });
      if (newest === undefined) throw new BatchError('batch_not_found', 'there is no unfinished batch');
      if (hasOptions(input)) runs.requireSameOptions(newest, optionsFrom(input));
      const work = await findWork(newest.do, desk.account.family);
      const ran = await ports.progress.during(() => runs.resume(desk, newest, work));
      return reported(desk, newest, ran, ports);
    }),
});

const help = action({
  id: 'batch.work',
  words: ['batch', 'work'],
  summary: 'Help with a batch that another machine began',
  description:
    'Where the workspace is a database that several machines share, each of them claims rows of its own; rows of a machine that died are looked up before they are sent. It ends when no row is open.',
  examples: ['shopctl batch work 20260131-k3f9x'],
  effect: 'create',
  needs,
  input: requiring(
    { batch: batchName },
    { concurrency: runningFields.concurrency, max_outage: runningFields.max_outage },
  ),
  positional: ['batch'],
  hints: { ...batchHints, batch: nameHint },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    atDesk(ports, input, async (desk) => {
      const [runs, { findWork }] = await Promise.all([
        import('../flows/batch/runs.ts'),
        import('../flows/batch/row-work.ts'),
      ]);
      const batch = await runs.batchNamed(desk, input.batch);
      const work = await findWork(batch.do, desk.account.family);
      const ran = await ports.progress.during(() => runs.help(desk, batch, work));
      return reported(desk, batch, ran, ports);
    }),
});

const retry = action({
  id: 'batch.retry',
  words: ['batch', 'retry'],
  summary: 'Send the failed rows of a batch once more',
  description:
    'With a file the rows are taken as they stand in it: by their names, else by their content. A changed row without a name is told by its place, where the file has as many rows as before.',
  examples: ['shopctl batch retry 20260131-k3f9x', 'shopctl batch retry 20260131-k3f9x mended.csv'],
  effect: 'create',
  needs,
  input: requiring(
    { batch: batchName },
    { file, ...readingFields, concurrency: runningFields.concurrency, max_outage: runningFields.max_outage },
  ),
  positional: ['batch', 'file'],
  hints: { ...batchHints, batch: nameHint, file: fileHint },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    atDesk(ports, input, async (desk) => {
      const [runs, { findWork }, { retry: again }, { readingOf }] = await Promise.all([
        import('../flows/batch/runs.ts'),
        import('../flows/batch/row-work.ts'),
        import('../flows/batch/retry.ts'),
        import('./batch/planning.ts'),
      ]);
      const batch = await runs.batchNamed(desk, input.batch);
      const work = await findWork(batch.do, desk.account.family);
      const mended = input.file ? await readingOf({ ...input, file: input.file }, ports) : undefined;
      const ran = await ports.progress.during(() => again(desk, batch, work, mended));
      return reported(desk, batch, ran, ports);
    }),
});

const settle = action({
  id: 'batch.settle',
  words: ['batch', 'settle'],
  summary: 'Say of an unclear row whether it was done',
  description:
    'For what nothing but a person can tell: look at the service, then say it. A row that was not done can be sent by a retry.',
  examples: ['shopctl batch settle 20260131-k3f9x 12 --done'],
  effect: 'local',
  needs,
  input: requiring(
    { batch: batchName, row: text('the row, by its number or its name') },
    { done: flag('it was done'), not_done: flag('it was not done') },
  ),
  positional: ['batch', 'row'],
  hints: { batch: nameHint, row: { placeholder: 'ROW', from: 'path' } },
  output: batchRow,
  view: rowView,
  run: (input, ports) =>
    atDesk(ports, {}, async (desk) => {
      if ((input.done === true) === (input.not_done === true)) {
        throw input.done === true
          ? bothGiven('done', 'not_done')
          : new Refusal('word_missing', 'it has to be said whether the row was done or not');
      }
      const [{ batchNamed, requireOwn }, { settleByHand }, { shownRow }] = await Promise.all([
        import('../flows/batch/runs.ts'),
        import('../flows/batch/settle-unclear.ts'),
        import('./batch/shown-row.ts'),
      ]);
      const batch = await batchNamed(desk, input.batch);
      requireOwn(desk, batch);
      ports.intend({ batch: batch.id, row: input.row, done: input.done === true });
      return shownRow(await settleByHand(desk, batch, input.row, input.done === true));
    }),
});

const listBatches = action({
  id: 'batch.list',
  words: ['batch', 'list'],
  summary: 'List batches, newest first',
  examples: ['shopctl batch list', 'shopctl batch list -o json'],
  effect: 'read',
  needs: ['workspace'],
  input: z.object({}),
  output: batchList,
  view: summaryView,
  run: (_, ports) =>
    import('./batch/looking.ts').then(({ looking }) =>
      looking(ports, async ({ batches }) => {
        const { summaryOf } = await import('../flows/batch/summary.ts');
        return Promise.all((await batches.list({})).map((batch) => summaryOf(batches, batch)));
      }),
    ),
});

const show = action({
  id: 'batch.show',
  words: ['batch', 'show'],
  summary: 'Show how far a batch is',
  examples: ['shopctl batch show 20260131-k3f9x'],
  effect: 'read',
  needs: ['workspace'],
  input: requiring({ batch: batchName }, {}),
  positional: ['batch'],
  hints: { batch: nameHint },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    import('./batch/looking.ts').then(({ looking }) =>
      looking(ports, async ({ batches }) => {
        const [{ summaryOf }, { batchNamed }] = await Promise.all([
          import('../flows/batch/summary.ts'),
          import('../flows/batch/runs.ts'),
        ]);
        const summary = await summaryOf(batches, await batchNamed({ batches }, input.batch));
        for (const line of linesOf(summary)) ports.report.notice(line);
        return summary;
      }),
    ),
});

const rows = action({
  id: 'batch.rows',
  words: ['batch', 'rows'],
  summary: 'List the rows of a batch in the order of the file',
  examples: ['shopctl batch rows 20260131-k3f9x --state failed', 'shopctl batch rows 20260131-k3f9x -o jsonl'],
  effect: 'read',
  needs: ['workspace'],
  input: requiring(
    { batch: batchName },
    { state: list(oneOf(rowStates, 'a state'), 'only rows in this state; may be given several times') },
  ),
  positional: ['batch'],
  hints: { batch: nameHint },
  output: list(batchRow, 'Rows in the order of the file'),
  view: rowView,
  async *run(input, ports) {
    const { rowsShown } = await import('./batch/looking.ts');
    yield* rowsShown(ports, input.batch, input.state ?? undefined);
  },
});

const result = action({
  id: 'batch.result',
  words: ['batch', 'result'],
  summary: 'Write the sheet again, with what became of each row',
  description:
    'Rows in their order, columns untouched, the result in columns behind them. The original file is not needed for it. The ending of the name tells the format: csv, tsv, xlsx or jsonl.',
  examples: ['shopctl batch result 20260131-k3f9x --to result.csv'],
  effect: 'local',
  needs: ['workspace'],
  input: requiring({ batch: batchName, to: text('the file to write') }, {}),
  positional: ['batch'],
  hints: { batch: nameHint, to: { placeholder: 'FILE', from: 'path' } },
  output: requiring({ file: text('The file'), lines: text('How many lines it has') }, {}),
  run: (input, ports) => import('./batch/write-result.ts').then(({ writeResult }) => writeResult(input, ports)),
});

const map = action({
  id: 'batch.map',
  words: ['batch', 'map'],
  summary: 'Say how the columns of a sheet are understood, and save that',
  description:
    'Proposes a field for each column by its header, Vietnamese or English, and shows the first three rows as they would be understood. On a terminal it asks for the columns that it does not know. A saved mapping is found by the headers of a file.',
  examples: ['shopctl batch map examples/orders.csv', 'shopctl batch map marketplace.xlsx --save marketplace'],
  effect: 'local',
  needs: [],
  input: requiring(
    { file },
    {
      do: policyFields.do,
      format: readingFields.format,
      sheet: readingFields.sheet,
      save: text('save the mapping under this name'),
    },
  ),
  positional: ['file'],
  hints: { file: fileHint, do: batchHints.do, save: { placeholder: 'NAME', from: 'path' } },
  output: z.object({
    columns: list(
      z.object({
        column: text('Its header'),
        field: z.nullable(text('The field that it is; null for one that is left out')),
        unit: z.nullable(text('The unit that its header tells, where the field has another one')),
      }),
      'The columns of the sheet',
    ),
    rows: list(
      z.object({ place: text('Where the row stands'), read: text('What it is understood as, as JSON') }),
      'The first rows',
    ),
    saved: z.nullable(text('The file of the mapping; null where it was not saved')),
  }),
  run: (input, ports) => import('./batch/map-file.ts').then(({ mapFile }) => mapFile(input, ports)),
});

const undo = action({
  id: 'batch.undo',
  words: ['batch', 'undo'],
  summary: 'Take back what a batch has made',
  description: [
    'Each record is read first: what was changed since is told, and a parcel that was picked up is left (exit 9). Orders are cancelled; customers, products and the like are deleted; members are removed. Updates, deletes, confirmations and cancellations have no way back.',
    'It is a batch itself: it can be resumed, and takes nothing back twice. What was taken back counts as not made, so that the same file offers it again.',
  ].join('\n\n'),
  examples: ['shopctl batch undo 20260131-k3f9x', 'shopctl batch undo 20260131-k3f9x --reason "wrong file" --yes'],
  effect: 'delete',
  needs,
  input: requiring(
    { batch: batchName },
    {
      reason: text('why, for what is cancelled; undone, and the batch, when absent'),
      concurrency: runningFields.concurrency,
      max_outage: runningFields.max_outage,
    },
  ),
  positional: ['batch'],
  hints: { ...batchHints, batch: nameHint },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    atDesk(ports, input, async (desk) => {
      const { undoBatch } = await import('./batch/undo-batch.ts');
      return undoBatch(input, desk, ports);
    }),
});

const forget = action({
  id: 'batch.forget',
  words: ['batch', 'forget'],
  summary: 'Remove what is kept of a batch, with its personal data',
  description:
    'Refused while a row is unclear or may have been sent. The same file is a new one then: only names that the service knows protect from sending it again.',
  examples: ['shopctl batch forget 20260131-k3f9x'],
  effect: 'local',
  destructive: true,
  needs: ['workspace'],
  input: requiring({ batch: batchName }, {}),
  positional: ['batch'],
  hints: { batch: nameHint },
  output: requiring({ forgotten: text('The batch') }, {}),
  run: (input, ports) => import('./batch/looking.ts').then(({ forgetBatch }) => forgetBatch(ports, input.batch)),
});

/** A spreadsheet of work, done exactly once. */
export const actions = [map, plan, run, resume, help, retry, settle, listBatches, show, rows, result, undo, forget];
