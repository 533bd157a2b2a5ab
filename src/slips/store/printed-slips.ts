import { pieces } from '../../store/sql/sql.ts';
import type { Workspace } from '../../store/workspace.ts';

/** The orders whose slip was printed. Each function is one read or one transaction; all throw a WorkspaceError. */
export interface PrintedSlips {
  /** Those of these orders whose slip was printed. */
  among(account: string, orderIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Records that their slips were printed; `at` is ISO 8601, UTC. */
  add(account: string, orderIds: readonly string[], at: string): Promise<void>;
}

const IDS_A_STATEMENT = 2_000;

/** The printed slips of a workspace. */
export function printedSlipsOf({ read, write }: Workspace): PrintedSlips {
  return {
    among: (account, orderIds) =>
      read(async (database) => {
        const printed = new Set<string>();
        for (const piece of pieces(orderIds, IDS_A_STATEMENT)) {
          const rows = await database
            .selectFrom('printed_slips')
            .select('order_id')
            .where('account', '=', account)
            .where('order_id', 'in', piece)
            .execute();
          for (const { order_id } of rows) printed.add(order_id);
        }
        return printed;
      }),
    add: (account, orderIds, printed_at) =>
      write(async (database) => {
        for (const piece of pieces([...new Set(orderIds)], IDS_A_STATEMENT)) {
          await database
            .insertInto('printed_slips')
            .values(piece.map((order_id) => ({ account, order_id, printed_at })))
            .onConflict((conflict) => conflict.columns(['account', 'order_id']).doUpdateSet({ printed_at }))
            .execute();
        }
      }),
  };
}
