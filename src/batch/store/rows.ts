import type { Workspace } from '../../store/workspace.ts';
import { type EarlierRows, earlierRowsOf } from './earlier-rows.ts';
import { type RowReader, rowReaderOf } from './read-rows.ts';
import { type RepeatedRows, repeatedRowsOf } from './repeated-rows.ts';
import { type RowWriter, rowWriterOf } from './write-rows.ts';

/** The rows of the batches of a workspace. */
export type Rows = RowReader & RowWriter & RepeatedRows & EarlierRows;

/** The rows of a workspace. */
export function rowsOf(workspace: Workspace): Rows {
  return {
    ...rowReaderOf(workspace),
    ...rowWriterOf(workspace),
    ...repeatedRowsOf(workspace),
    ...earlierRowsOf(workspace),
  };
}
