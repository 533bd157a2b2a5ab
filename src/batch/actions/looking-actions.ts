import * as z from 'zod';
import { action } from '../../action/action.ts';
import { shopOfAccount } from '../../client/account.ts';
import { int, list, oneOf, record, requiring, text } from '../../contract/schema/scalars.ts';
import { shopAskedFor } from '../../settings/keys.ts';
import { nameOfShop } from '../../settings/shop-names.ts';
import { linesOf, reasonLines, shownSummary } from './in-context.ts';
import { batchName, nameHint } from './inputs.ts';
import {
  batchList,
  batchSummary,
  listView,
  rowOfRecord,
  rowOfRecordView,
  rowOfSheet,
  rowStates,
  rowView,
  summaryView,
  withoutUse,
} from './outputs.ts';

/** Lists batches. */
export const listBatches = action({
  id: 'batch.list',
  words: ['batch', 'list'],
  summary: 'List batches, newest first',
  description: 'With --shop, only those of that shop.',
  examples: ['shopctl batch list', 'shopctl batch list -o json'],
  effect: 'read',
  agents: 'read',
  needs: ['workspace'],
  page: { beside: 'day' },
  input: z.object({}),
  output: batchList,
  view: listView,
  run: (_, ports) =>
    import('./looking.ts').then(({ looking }) =>
      looking(ports, async ({ batches }) => {
        const { summaryOf } = await import('../summary.ts');
        const asked = shopAskedFor(ports.settings);
        const listed = (await batches.list({})).map((batch) => ({ batch, id: shopOfAccount(batch.account) }));
        return Promise.all(
          listed
            .filter(({ id }) => asked === undefined || id === asked)
            .map(async ({ batch, id }) => {
              const shop = nameOfShop(ports.settings.profile, id ?? '') ?? id;
              return { ...shownSummary(await summaryOf(batches, batch), batch, ports), shop_id: id, shop };
            }),
        );
      }),
    ),
});

/** Shows a batch. */
export const show = action({
  id: 'batch.show',
  words: ['batch', 'show'],
  summary: 'Show the progress of a batch',
  description: 'Without a name, the newest batch.',
  examples: ['shopctl batch show', 'shopctl batch show 20260131-k3f9x'],
  effect: 'read',
  agents: 'read',
  needs: ['workspace'],
  page: { without: withoutUse },
  input: record({ batch: batchName }),
  positional: ['batch'],
  hints: { batch: nameHint },
  output: batchSummary,
  view: summaryView,
  run: (input, ports) =>
    import('./looking.ts').then(({ looking }) =>
      looking(ports, async ({ batches }) => {
        const [{ summaryOf }, { batchNamed }] = await Promise.all([import('../summary.ts'), import('../runs.ts')]);
        const batch = await batchNamed({ batches }, input.batch, shopAskedFor(ports.settings));
        const summary = shownSummary(await summaryOf(batches, batch), batch, ports);
        for (const line of await reasonLines({ batches }, batch, ports)) ports.report.notice(line);
        for (const line of linesOf(summary)) ports.report.notice(line);
        return summary;
      }),
    ),
});

/** Lists the rows of a batch. */
export const rows = action({
  id: 'batch.rows',
  words: ['batch', 'rows'],
  summary: 'List the rows of a batch in the order of the file',
  description: 'Without a name, those of the newest batch.',
  examples: ['shopctl batch rows 20260131-k3f9x --state failed', 'shopctl batch rows 20260131-k3f9x -o jsonl'],
  effect: 'read',
  agents: 'read',
  needs: ['workspace'],
  page: 'allowed',
  input: record({
    batch: batchName,
    state: list(oneOf(rowStates, 'a state'), 'only rows in this state; may be given several times'),
  }),
  positional: ['batch'],
  hints: { batch: nameHint },
  output: list(rowOfSheet, 'Rows in the order of the file'),
  view: rowView,
  async *run(input, ports) {
    const { rowsShown } = await import('./looking.ts');
    yield* rowsShown(ports, input.batch, input.state ?? undefined);
  },
});

/** Finds the rows that created or changed a record. */
export const find = action({
  id: 'batch.find',
  words: ['batch', 'find'],
  summary: 'Find the rows of batches with a name, or that created or changed a record',
  description:
    'By the name of the row, or the id, code or parcel code of its record. With the batch, the file and the place in it. Searches every stored batch, newest first.',
  examples: ['shopctl batch find MB1004', 'shopctl batch find 1234567890123456789 -o json'],
  effect: 'read',
  agents: 'read',
  needs: ['workspace'],
  page: { about: 'record' },
  input: requiring({ record: text('name of the row, or id, code or parcel code of its record') }, {}),
  positional: ['record'],
  hints: { record: { placeholder: 'NAME', from: 'path' } },
  output: list(rowOfRecord, 'The rows, those of the newest batch first'),
  view: rowOfRecordView,
  run: (input, ports) => import('./looking.ts').then(({ rowsOfRecord }) => rowsOfRecord(ports, input.record)),
});

/** Writes the sheet with its results. */
export const result = action({
  id: 'batch.result',
  words: ['batch', 'result'],
  summary: 'Write the sheet with the result of each row',
  description:
    'Rows and columns stay in their order; the results are added in columns after them. Without a name, those of the newest batch. The original file is not needed. The extension decides the format: csv, tsv, xlsx or jsonl.',
  examples: ['shopctl batch result 20260131-k3f9x --to result.csv'],
  effect: 'store',
  undo: { whyNot: 'it only writes the named file' },
  needs: ['workspace'],
  page: 'allowed',
  input: requiring({ to: text('the file to write') }, { batch: batchName }),
  positional: ['batch'],
  hints: {
    batch: nameHint,
    to: { placeholder: 'FILE', from: 'path', page: { download: ['xlsx', 'csv', 'tsv', 'jsonl'] } },
  },
  output: requiring({ file: text('The file'), lines: int('How many lines it has', 'lines') }, {}),
  // The lines of a file: a number under that name is one of payment lines.
  view: { columns: [{ path: 'file' }, { path: 'lines' }], name: 'file' },
  run: (input, ports) => import('./write-result.ts').then(({ writeResult }) => writeResult(input, ports)),
});

/** Removes a batch. */
export const forget = action({
  id: 'batch.forget',
  words: ['batch', 'forget'],
  summary: "Remove a batch's stored data, personal data included",
  description:
    'Refused while a row is unclear or may have been sent. Afterwards the same file counts as new: only names that the service knows prevent it from being sent again.',
  examples: ['shopctl batch forget 20260131-k3f9x'],
  effect: 'remove',
  undo: { whyNot: 'what is removed is gone' },
  destructive: true,
  needs: ['workspace'],
  page: 'allowed',
  input: requiring({ batch: batchName }, {}),
  positional: ['batch'],
  hints: { batch: nameHint },
  output: requiring({ forgotten: text('The batch') }, {}),
  run: (input, ports) => import('./looking.ts').then(({ forgetBatch }) => forgetBatch(ports, input.batch)),
});
