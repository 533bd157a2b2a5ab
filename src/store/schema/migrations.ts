import { MOVED_TO, movedError } from '../moved.ts';
import type { WorkspaceTables } from '../tables.ts';
import { WorkspaceError } from '../workspace-error.ts';
import type { Migration, SchemaWords } from './migration.ts';
import { numberOfSteps } from './schema-number.ts';
import { tables } from './tables.ts';

/** All steps, in the order in which they run. Add new ones at the end, each in a file of its own. */
export const migrations: readonly Migration[] = [tables];

/** Asks for the names of the steps applied to a workspace. */
export const stepNames = (database: WorkspaceTables) => database.selectFrom('schema_steps').select('name');

/**
 * The steps applied to a workspace; none if it is new. Throws a WorkspaceError (`workspace_newer`) if this program does
 * not know one of them: the newer program might not understand what it writes; and `workspace_older` if it has steps
 * but not the first of all, as a program wrote it that was never released.
 */
export async function stepsTaken(
  database: WorkspaceTables,
  steps: readonly Migration[] = migrations,
): Promise<ReadonlySet<string>> {
  const taken = new Set((await stepNames(database).execute()).map(({ name }) => name));
  const unknown = [...taken].filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    const moved = unknown.find((name) => name.startsWith(MOVED_TO));
    if (moved !== undefined) throw movedError(moved.slice(MOVED_TO.length));
    if (!taken.has(tables.name)) throw olderError();
    const message = `the workspace was written by a newer shopctl (it knows ${unknown.join(', ')}); nothing was changed`;
    throw new WorkspaceError('workspace_newer', message);
  }
  return taken;
}

function olderError(): WorkspaceError {
  const message = 'the workspace was written by a version from before the first release; nothing was changed';
  return new WorkspaceError('workspace_older', message);
}

/**
 * Migrates a workspace to the newest schema. `write` runs its work in one transaction that excludes all other writers,
 * so that two processes that open an old workspace at once apply each step once. Throws a WorkspaceError
 * (`workspace_newer`, `workspace_older`).
 */
export async function migrate(
  write: <Result>(work: (database: WorkspaceTables) => Promise<Result>) => Promise<Result>,
  words: SchemaWords,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  await write(async (database) => {
    await words.alone?.(database);
    await database.schema
      .createTable('schema_steps')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .execute();
    const taken = await stepsTaken(database, steps);
    for (const { name, up } of steps.filter((step) => !taken.has(step.name))) {
      await up(database, words);
      await database.insertInto('schema_steps').values({ name }).execute();
    }
    await words.number?.(database, numberOfSteps(steps.length));
  });
}
