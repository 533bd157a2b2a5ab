import type { Migration } from './migration.ts';
import { neverDeleted } from './records-by-row.ts';

/** Drops the indices of records that are not deleted where none ever is: they are those of all records once more. */
export const withoutSecondIndices: Migration = {
  name: 'never deleted',
  sql: neverDeleted
    .flatMap((name) => [`${name}_kept_by_id`, `${name}_kept_by_touched`])
    .map((index) => `DROP INDEX IF EXISTS ${index};`)
    .join('\n'),
};
