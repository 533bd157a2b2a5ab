import type { Migration, SchemaWords } from './migration.ts';
import { batchTables } from './migrations/batch-tables.ts';
import { batchWorkers } from './migrations/batch-workers.ts';
import { contentIndex } from './migrations/content-index.ts';
import { closedGaps } from './migrations/events/closed-gaps.ts';
import { eventAccounts } from './migrations/events/event-accounts.ts';
import { eventLookups } from './migrations/events/event-lookups.ts';
import { eventPolls } from './migrations/events/event-polls.ts';
import { eventTables } from './migrations/events/event-tables.ts';
import { batchKeys } from './migrations/ledger/batch-keys.ts';
import { clocksAndAddresses } from './migrations/ledger/clocks-and-addresses.ts';
import { ledger } from './migrations/ledger/ledger.ts';
import { reportNumbers } from './migrations/ledger/report-numbers.ts';
import { oldValues } from './migrations/old-values.ts';
import { paymentRows } from './migrations/payments/payment-rows.ts';
import { paymentTables } from './migrations/payments/payment-tables.ts';
import { printedSlips } from './migrations/printed-slips.ts';
import { recordIndex } from './migrations/record-index.ts';
import { writeMarks } from './migrations/write-marks.ts';
import { MOVED_TO, movedError } from './move/moved.ts';
import type { WorkspaceTables } from './tables.ts';
import { WorkspaceError } from './workspace-error.ts';

/** All steps, in the order in which they run. Add new ones at the end, each in a file of its own. */
export const migrations: readonly Migration[] = [
  batchTables,
  writeMarks,
  printedSlips,
  eventTables,
  batchWorkers,
  eventAccounts,
  eventLookups,
  contentIndex,
  eventPolls,
  ledger,
  batchKeys,
  paymentTables,
  closedGaps,
  oldValues,
  recordIndex,
  clocksAndAddresses,
  paymentRows,
  reportNumbers,
];

/** Asks for the names of the steps applied to a workspace. */
export const stepNames = (database: WorkspaceTables) => database.selectFrom('schema_steps').select('name');

/**
 * The steps applied to a workspace; none if it is new. Throws a WorkspaceError (`workspace_newer`) if this program does
 * not know one of them: the newer program might not understand what it writes.
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
    const message = `the workspace was written by a newer shopctl (it knows ${unknown.join(', ')}); nothing was changed`;
    throw new WorkspaceError('workspace_newer', message);
  }
  return taken;
}

/**
 * Migrates a workspace to the newest schema. `write` runs its work in one transaction that excludes all other writers,
 * so that two processes that open an old workspace at once apply each step once. Throws a WorkspaceError
 * (`workspace_newer`).
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
    await words.number?.(database, steps.length);
  });
}
