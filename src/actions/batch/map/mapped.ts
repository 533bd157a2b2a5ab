import * as z from 'zod';
import { list, text } from '../../../contract/schema/scalars.ts';
import type { View } from '../../../contract/view.ts';

/** How the columns of a sheet are read, and its first rows. */
export const mappedColumns = z.object({
  columns: list(
    z.object({
      column: text('Its header'),
      field: z.nullable(text('The field that it is; null for one that is left out')),
      unit: z.nullable(text('The unit that its header tells, where the field has another one')),
    }),
    'The columns of the sheet',
  ),
  rows: list(
    z.object({ place: text('Where the row stands'), read: text('How it is understood, as JSON') }),
    'The first rows',
  ),
  saved: z.nullable(text('The file of the mapping; null where it was not saved')),
});

/** How that is shown. */
export const mappedView: View = {
  columns: [
    { path: 'columns', each: [{ path: 'column' }, { path: 'field' }, { path: 'unit' }] },
    { path: 'rows', each: [{ path: 'place' }, { path: 'read' }] },
    { path: 'saved' },
  ],
  name: 'saved',
};
