import type { WholeRow } from '../../src/workspace/rows/row.ts';

/** A planned row of a batch under a name of its own, with a fee of 100. */
export const plannedRow = (batch: number, row: number, changes: Partial<WholeRow> = {}): WholeRow => ({
  batch,
  row,
  cell: `line ${row + 1}`,
  name: `SO-${row}`,
  named: 1,
  content: `content-${row}`,
  recipient: null,
  goods: null,
  pick: null,
  identity: `key of ${row}`,
  generation: 0,
  made_by: null,
  state: 'planned',
  attempts: 0,
  id: null,
  code: null,
  shipping_code: null,
  carrier: 'swift',
  fee: 100,
  error_code: null,
  error_message: null,
  cells: '[]',
  payload: '{}',
  ...changes,
});
