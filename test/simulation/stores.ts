import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newId } from '../../src/platform/process/new-id.ts';
import { openSqliteWorkspace } from '../../src/store/sqlite-workspace.ts';
import { closeIdle, openSqliteHere } from './substitutes/sqlite-connection.ts';

/** An empty store with the newest schema. */
export interface FreshStore {
  readonly content: Buffer;
  /** SQLite counts the changes of a schema: another one has other tables. */
  readonly schema: unknown;
  readonly tables: readonly string[];
}

const schemaOf = async (path: string) => {
  const sqlite = await openSqliteHere(path);
  const [version] = (await sqlite.run('pragma schema_version')).rows;
  // A ledger that was moved away has one step more, which marks it.
  const [steps] = (await sqlite.run('pragma user_version')).rows;
  const { rows } = await sqlite.run("select name from sqlite_schema where type = 'table' and name <> 'schema_steps'");
  await sqlite.close();
  return { schema: `${version?.schema_version} ${steps?.user_version}`, tables: rows.map(({ name }) => String(name)) };
};

export async function freshStore(path: string): Promise<FreshStore> {
  await (await openSqliteWorkspace(path)).close();
  const schema = await schemaOf(path);
  // What is still in its log comes into the file.
  closeIdle(path);
  return { content: readFileSync(path), ...schema };
}

/** Gives a machine an empty store, which is a ledger of its own: what another world left there is emptied. */
export async function emptyStore(path: string, fresh: FreshStore): Promise<void> {
  if (!existsSync(path) || (await schemaOf(path)).schema !== fresh.schema) {
    removeStore(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, fresh.content, { mode: 0o600 });
  }
  const sqlite = await openSqliteHere(path);
  await sqlite.runAll([
    { sql: 'pragma defer_foreign_keys = on', parameters: [] },
    ...fresh.tables.map((table) => ({ sql: `delete from "${table}"`, parameters: [] })),
    { sql: "insert into meta (name, value) values ('ledger', ?)", parameters: [newId()] },
  ]);
  await sqlite.close();
}

/** Whether nobody has a store open: whoever closes it last removes its log. */
function isClosed(path: string): boolean {
  closeIdle(path);
  return existsSync(path) && !existsSync(`${path}-wal`);
}

/** Copies a store that nobody has open; what it returns puts the copy back into the same file, if nobody has it open then. */
export function backUpStore(path: string): (() => boolean) | undefined {
  if (!isClosed(path)) return undefined;
  const content = readFileSync(path);
  return () => {
    if (!isClosed(path)) return false;
    writeFileSync(path, content);
    return true;
  };
}

/** Whether a row of a store is done with this record. */
export async function isRowDone(path: string, id: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const sqlite = await openSqliteHere(path);
  const { rows } = await sqlite.run("select 1 from batch_rows where id = ? and state = 'done'", [id]);
  await sqlite.close();
  return rows.length > 0;
}

export function removeStore(path: string): void {
  closeIdle(path);
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
}

/** Removes what a world left, but for the stores of its machines, whose connections stay open. */
export function sweepWorld(directory: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort().reverse()) {
    if (/^machine-\d+(?:\/state(?:\/workspace\.db(?:-wal|-shm)?)?)?$/.test(name)) continue;
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}
