import { action } from '../../../action/action.ts';
import { flag, record, requiring, text } from '../../../contract/schema/scalars.ts';
import { inContext } from '../in-context.ts';
import {
  batchHints,
  file,
  fileHint,
  needs,
  PLANNING_OUTAGE,
  planningFields,
  policyFields,
  readingFields,
  runningFields,
  sheetFields,
} from '../inputs.ts';
import { mappedSheet, mappedSheetView } from '../mapped.ts';
import { batchSummary, summaryView } from '../outputs.ts';
import { batchPlan, planView } from './plan-outputs.ts';

/** Plans a sheet. */
export const plan = action({
  id: 'batch.plan',
  words: ['batch', 'plan'],
  summary: 'Show what a batch would do with each row of a sheet, and what it costs',
  description:
    'Every row is read, checked and, if it ships something, quoted: the first rows and those with warnings are listed with recipient, phone, address, goods, cash, fee, carrier and delivery. Nothing is written at the service, and no batch is stored.',
  examples: [
    'shopctl batch plan examples/orders.csv',
    'shopctl batch plan orders.csv --pick fastest --save plan.json --to plan.xlsx',
  ],
  effect: 'store',
  undo: { whyNot: 'it only checks, and writes the named plan' },
  needs,
  page: { isLook: true },
  input: requiring(
    { file },
    {
      ...sheetFields,
      ...planningFields,
      explain_fees: flag('say what insurance costs: insured parcels are quoted once more, without it'),
      save: text('write the plan to this file, to run it later, here or elsewhere'),
      to: text(
        'write the plan to this file, for somebody who approves it: xlsx (beside the columns of the sheet itself), md or html',
      ),
    },
  ),
  positional: ['file'],
  hints: {
    ...batchHints,
    file: fileHint,
    save: { placeholder: 'PLAN.json', from: 'path', page: 'never' },
    to: { placeholder: 'FILE', from: 'path', page: { download: ['xlsx', 'md', 'html'] } },
  },
  output: batchPlan,
  view: planView,
  run: (input, ports) =>
    inContext(
      ports,
      { max_outage: input.max_outage ?? PLANNING_OUTAGE, isPlan: true, file: input.file },
      async (context) => {
        const { planSheet } = await import('./plan-sheet.ts');
        return planSheet(input, context, ports);
      },
    ),
});

/** Plans and runs a sheet. */
export const run = action({
  id: 'batch.run',
  words: ['batch', 'run'],
  summary: 'Run a command for each row of a sheet, each exactly once',
  description: [
    'Plans the rows, shows what they cost, asks for confirmation and sends them. The name of the batch is printed first, on stderr: with it the batch can be resumed whatever happens.',
    'Running the same file again sends nothing twice: an unfinished batch continues; a finished one is shown, with its exit code.',
  ].join('\n\n'),
  examples: [
    'shopctl batch run examples/orders.csv --pick cheapest --yes',
    'shopctl batch run prices.csv --do "products update"',
  ],
  effect: 'create',
  mayAlso: ['store', 'spend', 'destroy'],
  undo: 'batch undo',
  confirm: 'yes',
  needs,
  page: 'allowed',
  input: record({
    file,
    ...sheetFields,
    ...runningFields,
    plan: text('a saved plan: its rows and services are used; with a file beside it, refused if the file has changed'),
  }),
  positional: ['file'],
  hints: { ...batchHints, file: fileHint, plan: { placeholder: 'PLAN.json', from: 'path', page: 'never' } },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    inContext(ports, input, async (context) => {
      const { runFile } = await import('./run-file.ts');
      return runFile(input, context, ports);
    }),
});

/** Shows how the columns of a sheet are interpreted. */
export const map = action({
  id: 'batch.map',
  words: ['batch', 'map'],
  summary: 'Map the columns of a sheet to fields, and save the mapping',
  description:
    'Proposes a field for each column by its header, Vietnamese or English, and shows how the first three rows would be read. On a terminal it asks about the columns that it does not know, where the parcels are picked up, and whether they are insured; if you stop before the end, your answers are saved and only the rest is asked the next time. Without --save it asks there for a name; of a mapping that exists it asks only what is new. A saved mapping is found by the headers of a file.',
  examples: ['shopctl batch map examples/orders.csv', 'shopctl batch map marketplace.xlsx --save marketplace'],
  effect: 'store',
  undo: 'batch map',
  needs: [],
  input: requiring(
    { file },
    {
      do: policyFields.do,
      format: readingFields.format,
      sheet: readingFields.sheet,
      header_row: readingFields.header_row,
      save: text('save the mapping under this name'),
      replace: flag('replace a saved mapping of that name'),
      ignore_columns: flag('leave out columns that no field takes, though they may be of money; asked when absent'),
    },
  ),
  positional: ['file'],
  hints: { file: fileHint, do: batchHints.do, save: { placeholder: 'NAME', from: 'path' } },
  output: mappedSheet,
  view: mappedSheetView,
  run: (input, ports) => import('../map-file.ts').then(({ mapFile }) => mapFile(input, ports)),
});
