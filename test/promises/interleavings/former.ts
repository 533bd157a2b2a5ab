import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteHere } from '../../../src/platform/sqlite/sqlite-connection.ts';
import { ledger } from '../../../src/workspace/migrations/ledger/ledger.ts';
import { migrations } from '../../../src/workspace/migrations.ts';
import { openSqliteWorkspace } from '../../../src/workspace/sqlite/sqlite-workspace.ts';

const formerSteps = migrations.slice(0, migrations.indexOf(ledger));

/**
 * Makes what a machine has stored what the version before the ledger would have left: a file of one profile, with the
 * batches and their rows, and no keys. False if there is nothing yet.
 */
export async function makeFormer(directory: string): Promise<boolean> {
  const state = join(directory, 'state');
  const now = join(state, 'workspace.db');
  if (!existsSync(now)) return false;
  const former = join(state, 'workspaces', 'test.db');
  await (await openSqliteWorkspace(former, { steps: formerSteps })).close();
  const sqlite = await openSqliteHere(former);
  try {
    await sqlite.run('attach database ? as now', [now]);
    const { rows: made } = await sqlite.run("select 1 from now.sqlite_master where name = 'batch_contents'");
    // It was killed before it had made its tables.
    if (made.length === 0) return false;
    for (const table of ['batches', 'batch_rows', 'batch_contents']) {
      const { rows } = await sqlite.run(`pragma main.table_info(${table})`);
      const columns = rows.map(({ name }) => `"${String(name)}"`).join(', ');
      await sqlite.run(`insert into main.${table} (${columns}) select ${columns} from now.${table}`);
    }
  } finally {
    await sqlite.close();
  }
  for (const ending of ['', '-wal', '-shm']) rmSync(`${now}${ending}`, { force: true });
  return true;
}
