import { holderOf } from '../../ledger/store/undone.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import { pieces, placeholders } from '../../store/sql.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { WholeRow } from './row.ts';
import { RowKeys, type RowRule } from './row-keys.ts';
import { replaceRow } from './write-rows.ts';

const ROWS_A_STATEMENT = 500;

/**
 * Gives the unclear rows of a batch back to whoever runs it, as rows that may have been sent: they are looked up, and
 * sent again only where that is safe. Returns how many there were. Throws a WorkspaceError.
 */
export function reopenUnclear({ write, serverTime }: Workspace, batch: number): Promise<number> {
  return write(async (database) => {
    const rows = await database
      .updateTable('batch_rows')
      .set({ state: 'sending', worker: null })
      .where('batch', '=', batch)
      .where('state', '=', 'unclear')
      .returning(['batch', 'row', 'generation'])
      .execute();
    if (rows.length === 0) return 0;
    // Killed right after, it is a batch that goes on.
    const open = { state: 'open' as const, finished_at: null };
    await database.updateTable('batches').set(open).where('number', '=', batch).execute();
    const run = sqlOf(database, serverTime !== undefined);
    for (const piece of pieces(rows.map(holderOf), ROWS_A_STATEMENT)) {
      const held = `holder in ${placeholders(1, piece.length)}`;
      await run(`update ledger_keys set state = 'sending', owner = null where state = 'unclear' and ${held}`, piece);
    }
    return rows.length;
  });
}

/**
 * Writes an unclear row that a person has settled, and its key; false if the row was changed since it was read: a resume
 * has opened or settled it. Throws a WorkspaceError.
 */
export function writeSettled({ write, serverTime }: Workspace, rule: RowRule, row: WholeRow): Promise<boolean> {
  return write(async (database) => {
    const { batch, row: number, generation, attempts } = row;
    const unchanged = { batch, row: number, generation, attempts, state: 'unclear' as const };
    const [found] = await database
      .updateTable('batch_rows')
      .set({ worker: null })
      .where((build) => build.and(unchanged))
      .returning('row')
      .execute();
    if (found === undefined) return false;
    await replaceRow(database, row);
    const keys = new RowKeys(database, serverTime !== undefined, rule);
    await keys.settle([{ ...row, worker: null }]);
    if (row.state === 'done') await keys.undo([row], batch);
    return true;
  });
}
