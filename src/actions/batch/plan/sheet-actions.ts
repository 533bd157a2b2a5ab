import { flag, record, requiring, text } from '../../../contract/schema/scalars.ts';
import { action } from '../../action/action.ts';
import { atDesk } from '../at-desk.ts';
import {
  batchHints,
  file,
  fileHint,
  needs,
  policyFields,
  readingFields,
  runningFields,
  sheetFields,
} from '../inputs.ts';
import { mappedColumns, mappedView } from '../map/mapped.ts';
import { batchSummary, summaryView } from '../outputs.ts';

/** Plans a sheet. */
export const plan = action({
  id: 'batch.plan',
  words: ['batch', 'plan'],
  summary: 'Read a sheet and say what would be done with each row, and what it costs',
  description:
    'Every row is read and judged, and quoted where there is something to ship. Nothing is written at the service, and no batch is left behind.',
  examples: ['shopctl batch plan examples/orders.csv', 'shopctl batch plan orders.csv --pick fastest --save plan.json'],
  effect: 'read',
  needs,
  input: requiring({ file }, { ...sheetFields, save: text('write the plan to this file, to run it later') }),
  positional: ['file'],
  hints: { ...batchHints, file: fileHint, save: { placeholder: 'PLAN.json', from: 'path' } },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    atDesk(ports, {}, async (desk) => {
      const { planSheet } = await import('./plan-sheet.ts');
      return planSheet(input, desk, ports);
    }),
});

/** Plans and runs a sheet. */
export const run = action({
  id: 'batch.run',
  words: ['batch', 'run'],
  summary: 'Run a command for each row of a sheet, each exactly once',
  description: [
    'Plans, shows what it costs, asks, and sends. The name of the batch comes first, on stderr: with it the batch can be resumed whatever happens.',
    'Running the same file again sends nothing twice: an unfinished batch continues; a finished one is shown, with its exit code.',
  ].join('\n\n'),
  examples: [
    'shopctl batch run examples/orders.csv --pick cheapest --yes',
    'shopctl batch run prices.csv --do "products update"',
  ],
  effect: 'create',
  needs,
  input: record({
    file,
    ...sheetFields,
    ...runningFields,
    plan: text('a saved plan: its services are taken, and it is refused if anything has changed since'),
  }),
  positional: ['file'],
  hints: { ...batchHints, file: fileHint, plan: { placeholder: 'PLAN.json', from: 'path' } },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    atDesk(ports, input, async (desk) => {
      const { runFile } = await import('./run-file.ts');
      return runFile(input, desk, ports);
    }),
});

/** Shows how the columns of a sheet are interpreted. */
export const map = action({
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
      replace: flag('replace a saved mapping of that name'),
    },
  ),
  positional: ['file'],
  hints: { file: fileHint, do: batchHints.do, save: { placeholder: 'NAME', from: 'path' } },
  output: mappedColumns,
  view: mappedView,
  run: (input, ports) => import('../map/map-file.ts').then(({ mapFile }) => mapFile(input, ports)),
});
