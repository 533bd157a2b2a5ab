import { sqlOf } from '../../store/kysely-sql.ts';
import type { Sql } from '../../store/sql.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { WorkspaceError } from '../../store/workspace.ts';
import { say } from '../actions/texts.ts';

/** Whether a workspace is a database on a server. */
export const isServer = ({ serverTime }: Workspace): boolean => serverTime !== undefined;

/** Runs statements inside a transaction of a workspace. */
export const inSql = (workspace: Workspace, database: WorkspaceTables): Sql => sqlOf(database, isServer(workspace));

/** Reads a workspace by statements. Throws a WorkspaceError. */
export const reading = <Result>(workspace: Workspace, work: (sql: Sql) => Promise<Result>): Promise<Result> =>
  workspace.read((database) => work(inSql(workspace, database)));

/** Throws a WorkspaceError (`workspace_busy`) while another process has it open, or may send what it holds. */
export async function requireAlone(source: Workspace, what: 'moved' | 'changed' = 'moved'): Promise<void> {
  const { place } = source;
  const message = what === 'moved' ? say().move.atWork({ place }) : say().move.atWorkToJoin({ place });
  const busy = new WorkspaceError('workspace_busy', message, { hint: say().move.stopFirst });
  if (isServer(source)) {
    const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
    const alive = await reading(source, (sql) => sql(`select id from batch_workers where lease_until > ${now}`));
    if (alive.length > 0) throw busy;
    return;
  }
  // SQLite leaves the write-ahead log only if nobody else has the file open.
  const [mode] = await reading(source, (sql) => sql('pragma journal_mode = delete')).catch((error: unknown) => {
    throw error instanceof WorkspaceError && error.code === 'workspace_busy' ? busy : error;
  });
  if (mode?.journal_mode !== 'delete') throw busy;
}
