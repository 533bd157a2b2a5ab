import { readFields } from '../../domain/json/values.ts';
import { setEnded, setUndone, type Undoing } from '../../ledger/store/undone.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import { pieces } from '../../store/sql.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { RowWithRequest } from './row.ts';

/** What a row that sends again what has ended keeps of that: who has made it. */
export function resending(holder: string): string {
  return JSON.stringify({ resends: holder });
}

/** Who has made what a row sends again; undefined for any other row. */
export function resentBy({ old_values }: Pick<RowWithRequest, 'old_values'>): string | undefined {
  const { resends } = readFields(old_values ?? '{}');
  return typeof resends === 'string' ? resends : undefined;
}

const HOLDERS_A_STATEMENT = 500;

/** Marks as undone what rows of an undo have found gone already. Throws a WorkspaceError. */
export function undoneByOthers(
  { write, serverTime }: Workspace,
  undoing: Undoing & { readonly by: number },
): Promise<void> {
  return write(async (database) => {
    const gone = await database
      .selectFrom('batch_rows')
      .select('made_by')
      .where('batch', '=', undoing.by)
      .where('state', '=', 'existed')
      .execute();
    const holders = gone.flatMap(({ made_by }) => made_by ?? []);
    const sql = sqlOf(database, serverTime !== undefined);
    for (const piece of pieces(holders, HOLDERS_A_STATEMENT)) await setUndone(sql, undoing, piece);
  });
}

/**
 * Marks as undone what has made these records, which were seen to have ended, and these makers, whose records were known
 * by their names alone. Throws a WorkspaceError.
 */
export function undoneAsEnded(
  { write, serverTime }: Workspace,
  undoing: Undoing,
  { ids, makers }: { readonly ids: readonly string[]; readonly makers: readonly string[] },
): Promise<void> {
  return write(async (database) => {
    const sql = sqlOf(database, serverTime !== undefined);
    await setEnded(sql, undoing, { ids });
    for (const piece of pieces(makers, HOLDERS_A_STATEMENT)) await setUndone(sql, undoing, piece);
  });
}
