import { PAYMENTS } from '../../cod/payments.ts';
import { EVENTS } from '../../events/store/serving.ts';
import { copySalts } from '../../ledger/store/forgotten.ts';
import { latestReport, raiseReports } from '../../ledger/store/intents.ts';
import { ledgerId } from '../../ledger/store/keys.ts';
import { type Clock, systemClock } from '../../platform/process/clock.ts';
import { epochIn, raiseEpoch } from '../../store/epoch.ts';
import type { Migration } from '../../store/event-tables-schema.ts';
import { schemaNumber } from '../../store/event-tables-schema.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import { migrations } from '../../store/migrations.ts';
import { isPostgresAddress } from '../../store/postgres-address.ts';
import type { Restoring } from '../../store/restored.ts';
import type { Sql } from '../../store/sql.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { MOVED_TO, WorkspaceError } from '../../store/workspace.ts';
import { say } from '../actions/texts.ts';
import { inSql, isServer, reading, requireAlone } from './alone.ts';
import { advanceNumbers, copyTable, type Numbers, numbersIn } from './copy-table.ts';
import { moveAddresses } from './join-addresses.ts';
import {
  endingPaths,
  eventAccounts,
  eventClashes,
  type Joining,
  joinSightings,
  joinTargets,
  sameEvents,
} from './join-events.ts';
import { joinPayments, markRepeated } from './join-payments.ts';
import { ledgerTables, type MovedTable, movedTables, numberColumns } from './moved-tables.ts';

/** How much of what has to be decided an error names. */
const CLASHES_NAMED = 10;

/** Where all is copied to, within a transaction. */
interface Target {
  readonly to: Sql;
  readonly database: WorkspaceTables;
  readonly isFile: boolean;
  /** The highest numbers of the source. */
  readonly last: Numbers;
}

/** What was moved. */
export interface Moved {
  /** The ledger that is in the target now. */
  readonly id: string;
  /** Rows, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** What is not used any more, and why. */
  readonly left: readonly { readonly what: string; readonly why: string }[];
}

/** What is moved, and to whom. */
export interface MoveSource extends Restoring {
  /** The id of its ledger. */
  readonly id: string;
  readonly place: string;
  /** To a server: the account whose the changes are that a file has received, as `accountText` writes it. */
  readonly eventsOf?: string | undefined;
}

/** The step that marks a workspace as moved: only who moves it to the same place opens it after that. */
function movedTo(place: string): Migration {
  return {
    name: `${MOVED_TO}${place}`,
    up: async (database, { number }) => {
      // Both dialects write it alike.
      const sql = sqlOf(database, number === undefined);
      await sql("insert into meta (name, value) values ('moved', ?)", [place]);
    },
  };
}

async function openMarked(place: string, target: string, clock: Clock, restoring: Restoring): Promise<Workspace> {
  const steps = [...migrations, movedTo(target)];
  if (isPostgresAddress(place)) {
    const { openPostgresWorkspace } = await import('../../store/postgres-workspace.ts');
    return openPostgresWorkspace(place, clock, { ...restoring, steps });
  }
  const { openSqliteWorkspace } = await import('../../store/sqlite-workspace.ts');
  return openSqliteWorkspace(place, { ...restoring, clock, steps });
}

/** Takes the mark back: nothing was moved. */
async function unmark(source: Workspace): Promise<void> {
  await source.write(async (database) => {
    const sql = inSql(source, database);
    await sql("delete from schema_steps where name like 'moved to %'");
    await sql("delete from meta where name = 'moved'");
    if (!isServer(source)) await sql(`pragma user_version = ${schemaNumber}`);
  });
}

async function isEmpty(sql: Sql, tables: readonly MovedTable[]): Promise<boolean> {
  for (const { name } of tables) if ((await sql(`select 1 as one from ${name} limit 1`)).length > 0) return false;
  return true;
}

/** Whether a workspace holds anything that can be moved. Throws a WorkspaceError. */
export const isUsed = async (workspace: Workspace): Promise<boolean> =>
  !(await reading(workspace, (sql) =>
    isEmpty(
      sql,
      movedTables.filter(({ name }) => name !== 'event_facts'),
    ),
  ));

/** Whether a workspace has received changes, or listeners and targets for them. Throws a WorkspaceError. */
export const hasEvents = async (workspace: Workspace): Promise<boolean> =>
  (await reading(workspace, eventAccounts)).length > 0;

/** Nothing was moved, since a person has to decide something first. */
class UndecidedError extends WorkspaceError {}

function undecided(place: string, clashes: readonly string[]): WorkspaceError {
  const more = Math.max(0, clashes.length - CLASHES_NAMED);
  const message = say().move.undecided({ place, clashes: clashes.slice(0, CLASHES_NAMED), more });
  return new UndecidedError('workspace_unusable', message, { hint: say().move.decide });
}

/** Copies all to what the target has of its own, and the id of the ledger if it has none in use. */
async function copyAll(
  from: Sql,
  target: Target,
  { place, eventsOf }: Pick<MoveSource, 'place' | 'eventsOf'>,
): Promise<Moved> {
  const { to, database, isFile, last } = target;
  const isNew = await isEmpty(to, ledgerTables);
  const id = await ledgerId(isNew ? from : to);
  const accountOf = (account: string) => (isFile ? '' : account === '' ? (eventsOf ?? '') : account);
  const offsets = await numbersIn(to, !isFile);
  const events = await sameEvents({ from, to, accountOf });
  const compared: Joining = { from, to, target: database, offsets, last, same: { events }, accountOf };
  const payments = await joinPayments(compared);
  const clashes = [...(await eventClashes(compared, isFile)), ...payments.clashes];
  if (clashes.length > 0) throw undecided(place, clashes);
  const joining: Joining = { ...compared, same: { events, cod_files: payments.same } };
  const left = (await endingPaths(joining)).map((name) => ({
    what: say().move.listenerPath({ name }),
    why: say().move.listenerThere,
  }));
  await copySalts(from, to);
  await raiseReports(to, await latestReport(from));
  await joinTargets(joining);
  const rows: Record<string, number> = {};
  for (const table of movedTables) {
    if (table.isCounted !== true) rows[table.name] = await copyTable(from, to, table, joining);
  }
  await joinSightings(joining);
  await markRepeated(joining, payments.repeats);
  await advanceNumbers(to, offsets, last, !isFile);
  await moveAddresses(from, to);
  if (isNew) {
    await to("update meta set value = ? where name = 'ledger'", [id]);
    await raiseEpoch(to, (await epochIn(from)).epoch);
  }
  return { id, rows, left };
}

/** Within a transaction, keeps out everybody else who gives numbers in the target until it ends. */
async function numberAlone(workspace: Workspace, database: WorkspaceTables): Promise<void> {
  for (const name of [EVENTS, PAYMENTS]) await workspace.alone(database, name);
  if (!isServer(workspace)) return;
  const tables = Object.keys(numberColumns).join(', ');
  await inSql(workspace, database)(`lock table ${tables} in share row exclusive mode`);
}

/**
 * Moves the ledger, the batches, the payments and the changes of the workspace at a place into another one: all or
 * nothing, and again after a crash. The source is marked first, and stays, refused from then on. Throws a WorkspaceError
 * (`workspace_busy`) while somebody works in it.
 */
export async function moveWorkspace(
  { id, place, eventsOf, ...restoring }: MoveSource,
  target: Workspace,
  clock: Clock = systemClock,
): Promise<Moved> {
  const took = `took ${id}`;
  const before = async (to: Sql): Promise<Moved | undefined> => {
    const rows = await to('select value from meta where name = ?', [took]);
    return rows.length === 0 ? undefined : { id: await ledgerId(to), rows: {}, left: [] };
  };
  const done = await reading(target, before);
  if (done !== undefined) return done;
  if ((await reading(target, ledgerId)) === id) {
    const message = say().move.copies({ place, other: target.place });
    throw new WorkspaceError('workspace_unusable', message, { hint: say().move.dropCopy });
  }
  const source = await openMarked(place, target.place, clock, restoring);
  try {
    await requireAlone(source);
    return await target.write(async (database) => {
      await numberAlone(target, database);
      const to = inSql(target, database);
      return reading(source, async (from) => {
        const last = await numbersIn(from, isServer(source));
        const moved = await copyAll(from, { to, database, isFile: !isServer(target), last }, { place, eventsOf });
        await to('insert into meta (name, value) values (?, ?)', [took, new Date(clock.now()).toISOString()]);
        return moved;
      });
    });
  } catch (error) {
    // After anything else the target may have it all: only the same move goes on then.
    const isBusy = error instanceof WorkspaceError && error.code === 'workspace_busy';
    if (isBusy || error instanceof UndecidedError) await unmark(source);
    throw error;
  } finally {
    await source.close();
  }
}
