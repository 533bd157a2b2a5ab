import { sql } from 'kysely';
import type { Workspace } from '../../store/workspace.ts';

/** A row whose record is there twice: another piece of work had made one under the same identity. */
export interface Double {
  readonly name: string;
  /** The id of the row's own record, and that of the one that the ledger's key stands for. */
  readonly id: string;
  readonly other: string;
  /** The batch's account, as `accountText` writes it, and its operation. */
  readonly account: string;
  readonly operation: string;
  /** Those of the key, as the ledger writes them. */
  readonly key_account: string;
  readonly resource: string;
}

/**
 * Rows whose identity is another record's, as two ledgers make them that are joined later; identities of other accounts and kinds of
 * records may be among them. Throws a WorkspaceError.
 */
export async function rowsMadeTwice({ read }: Workspace): Promise<readonly Double[]> {
  const { rows } = await read((database) =>
    sql<Double>`select r.name, r.id, k.record_id as other, b.account, b.operation, k.account as key_account, k.resource
      from batch_rows as r join batches as b on b.number = r.batch join ledger_keys as k on k.identity = r.identity
      where r.state = 'done' and k.state = 'done' and k.record_id <> r.id
        and k.holder <> 'batch ' || r.batch || ' ' || r.row || ' ' || r.generation
      order by r.batch, r.row`.execute(database),
  );
  return rows;
}
