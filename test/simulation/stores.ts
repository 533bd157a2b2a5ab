import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { newId } from '../../src/platform/process/new-id.ts';
import { openSqliteWorkspace } from '../../src/workspace/sqlite/sqlite-workspace.ts';
import { closeIdle, openSqliteHere } from './substitutes/sqlite-connection.ts';

/** The file of an empty store with the newest schema. */
export async function freshStore(path: string): Promise<Buffer> {
  await (await openSqliteWorkspace(path)).close();
  // What is still in its log comes into the file.
  closeIdle(path);
  return readFileSync(path);
}

/** Gives a machine an empty store, which is a ledger of its own. */
export async function plantStore(path: string, fresh: Buffer): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, fresh, { mode: 0o600 });
  const sqlite = await openSqliteHere(path);
  await sqlite.run("update meta set value = ? where name = 'ledger'", [newId()]);
  await sqlite.run("delete from meta where name = 'incarnation'");
  await sqlite.close();
}
