import * as z from 'zod';
import { driftKinds } from '../../../contract/reading/deviations.ts';
import { int, oneOf, text, time } from '../../../contract/schema/scalars.ts';
import type { View } from '../../../contract/view.ts';

/** One way in which answers differed from the contract. */
export const finding = z.object({
  id: text('Id of the finding'),
  kind: oneOf(driftKinds, 'What it means: breaks, may break others, added, unknown value, or unchecked'),
  operation: text('The operation that answered so'),
  path: text('Path of the field; [] is any record of a list. Empty for the whole answer'),
  expected: text('What the contract says'),
  seen: text('What the service answered: its type, never its content'),
  times: int('How many answers had it', 'answers'),
  first_seen: time('When it was seen first'),
  last_seen: time('When it was seen last'),
  service: text('Origin of the service'),
});

/** The findings as a table. */
export const view: View = {
  columns: [
    { path: 'id', cut: 'never' },
    { path: 'kind' },
    { path: 'operation' },
    { path: 'path', cut: 'start' },
    { path: 'seen' },
    { path: 'times', kind: 'number' },
    { path: 'last_seen', kind: 'time', optional: true },
  ],
  fields: ['expected', 'first_seen', 'service'],
};

/** Thrown for an id that no finding has. */
export class NoSuchFindingError extends Error {
  readonly kind = 'service';
  readonly code = 'not_found';

  constructor(wanted: string) {
    super(`There is no finding ${wanted}; it may have been forgotten.`);
    this.name = 'NoSuchFindingError';
  }
}
