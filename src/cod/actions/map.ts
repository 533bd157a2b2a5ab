import { action } from '../../action/action.ts';
import { mappedPayments, mappedPaymentsView } from '../../batch/actions/map/mapped.ts';
import { flag, requiring, text } from '../../contract/schema/scalars.ts';

/** `cod map`. */
export const mapPayments = action({
  id: 'cod.map',
  words: ['cod', 'map'],
  summary: 'Define how the columns of a payment file are read, and save the layout',
  description:
    'Proposes a field for each column by its header, Vietnamese or English, and shows the first three rows as they would be read. On a terminal it asks about the columns that it does not know. A saved layout is found by the headers of a file.',
  examples: ['shopctl cod map spx.xlsx', 'shopctl cod map spx.xlsx --save spx'],
  effect: 'local',
  needs: [],
  input: requiring(
    { file: text('a payment file: csv, tsv or xlsx') },
    {
      format: text('format of the file, where its name does not say it'),
      sheet: text('name of the sheet, for files that have several'),
      save: text('save the layout under this name'),
      replace: flag('replace a saved layout of that name'),
    },
  ),
  positional: ['file'],
  hints: { file: { placeholder: 'FILE', from: 'path' }, save: { placeholder: 'NAME', from: 'path' } },
  output: mappedPayments,
  view: mappedPaymentsView,
  run: async (given, ports) => (await import('./map-payments.ts')).mapPaymentFile(given, ports),
});
