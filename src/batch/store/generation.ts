import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type Batch, removed } from './batches.ts';
import { type WholeRow, wholeRows } from './row.ts';
import { replaceRow } from './write-rows.ts';

const ROWS_AT_ONCE = 500;

/** How a row stands in a corrected file. */
export type WrittenCells = Pick<WholeRow, 'row' | 'cell' | 'cells'>;

/**
 * How a batch reads since its file was corrected: its content, its source, and the cells of all its rows; and the limits
 * that it has from now on.
 */
export type NewFacts = Partial<Pick<Batch, 'content' | 'max_total' | 'options' | 'source'>> & {
  readonly written?: readonly WrittenCells[];
};

/**
 * Puts rows that were prepared aside, in a batch of their own, in the place of rows that failed: all of them, complete
 * and in one transaction, so that nobody can claim one before. Each is a new generation of its row. The other batch
 * is removed. Throws a WorkspaceError.
 */
export function takeUp(
  { write }: Workspace,
  batch: Batch,
  prepared: Batch,
  { written = [], ...facts }: NewFacts,
): Promise<void> {
  return write(async (database) => {
    for (let after = 0; ; ) {
      const rows = await wholeRows(database)
        .where('r.batch', '=', prepared.number)
        .where('r.row', '>', after)
        .orderBy('r.row')
        .limit(ROWS_AT_ONCE)
        .execute();
      after = rows.at(-1)?.row ?? after;
      for (const row of rows) {
        if (await isReplaceable(database, batch.number, row))
          await replaceRow(database, { ...row, batch: batch.number });
      }
      if (rows.length < ROWS_AT_ONCE) break;
    }
    for (const { row, cell, cells } of written) {
      const at = { batch: batch.number, row };
      await database
        .updateTable('batch_rows')
        .set({ cell })
        .where((build) => build.and(at))
        .execute();
      await database
        .updateTable('batch_contents')
        .set({ cells })
        .where((build) => build.and(at))
        .execute();
    }
    await removed(database, prepared.number);
    const open = { state: 'open' as const, finished_at: null, ...facts };
    await database.updateTable('batches').set(open).where('number', '=', batch.number).execute();
  });
}

/** Whether a row is still the generation before, and was not made. */
async function isReplaceable(
  database: WorkspaceTables,
  batch: number,
  { row, generation }: { readonly row: number; readonly generation: number },
): Promise<boolean> {
  const found = await database
    .selectFrom('batch_rows')
    .select('row')
    .where('batch', '=', batch)
    .where('row', '=', row)
    .where('generation', '=', generation - 1)
    .where('state', 'in', ['failed', 'skipped'])
    .executeTakeFirst();
  return found !== undefined;
}
