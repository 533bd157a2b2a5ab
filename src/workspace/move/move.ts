import { readFields } from '../../domain/json/value-at.ts';
import { type Clock, systemClock } from '../../platform/process/clock.ts';
import { copySalts } from '../ledger/forgotten.ts';
import { latestReport, raiseReports } from '../ledger/intents.ts';
import { ledgerId } from '../ledger/keys.ts';
import type { Migration } from '../migration.ts';
import { migrations } from '../migrations.ts';
import { isPostgresAddress } from '../postgres/postgres-address.ts';
import { schemaNumber } from '../schema-number.ts';
import { sqlOf } from '../sql/kysely-sql.ts';
import { numberOf, placeholders, type Sql, type SqlRow, type SqlValue, textOf } from '../sql/sql.ts';
import type { Workspace } from '../workspace.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { inSql, isServer, reading, requireAlone } from './alone.ts';
import { epochIn, raiseEpoch } from './epoch.ts';
import { moveAddresses } from './join-addresses.ts';
import { MOVED_TO } from './moved.ts';
import { type MovedTable, movedGroups, type Numbered, numberColumns, ofAnAccount } from './moved-tables.ts';
import type { Restoring } from './restored.ts';

const ROWS_A_PAGE = 1_000;
/** SQLite allows 32,766 parameters a statement. */
const PARAMETERS = 30_000;

/** What was moved. */
export interface Moved {
  /** The ledger that is in the target now. */
  readonly id: string;
  /** Rows, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** What stayed behind, and why. */
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
    const { openPostgresWorkspace } = await import('../postgres/postgres-workspace.ts');
    return openPostgresWorkspace(place, clock, { ...restoring, steps });
  }
  const { openSqliteWorkspace } = await import('../sqlite/sqlite-workspace.ts');
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
      movedGroups.flatMap(({ tables }) => tables).filter(({ name }) => name !== 'event_facts'),
    ),
  ));

/** Whether a workspace has received changes, or listeners and targets for them. Throws a WorkspaceError. */
export const hasEvents = async (workspace: Workspace): Promise<boolean> =>
  (await reading(workspace, eventAccounts)).length > 0;

type Offsets = Readonly<Record<Numbered, number>>;

/** How rows become those of the target. */
interface Translation {
  readonly offsets: Offsets;
  /** The account of received changes there: in a file it is empty. */
  readonly accountOf: (account: string) => string;
}

async function offsetsIn(sql: Sql): Promise<Offsets> {
  const offsets = { batches: 0, events: 0, cod_files: 0, event_gaps: 0 };
  for (const [table, column] of entriesOf(numberColumns)) {
    const [row] = await sql(`select coalesce(max(${column}), 0) as last from ${table}`);
    offsets[table] = row === undefined ? 0 : numberOf(row, 'last');
  }
  return offsets;
}

function entriesOf(columns: typeof numberColumns): [Numbered, string][] {
  return Object.entries(columns).flatMap(([table, column]) => (isNumbered(table) ? [[table, column]] : []));
}

function isNumbered(table: string): table is Numbered {
  return Object.hasOwn(numberColumns, table);
}

/** A row as it is in the target: with the numbers that its batch, file or change has there. */
function translated(row: SqlRow, table: MovedTable, { offsets, accountOf }: Translation): SqlValue[] {
  const { name, numbers = {}, holder, within } = table;
  return Object.entries(row).map(([column, value]) => {
    if (typeof value === 'string' && column === 'account' && name.startsWith('event')) return accountOf(value);
    const of = numbers[column];
    if (of !== undefined) return Number(value) + offsets[of];
    if (typeof value === 'string' && column === holder) {
      return value.replace(/^batch (\d+) /, (_, batch) => `batch ${Number(batch) + offsets.batches} `);
    }
    if (typeof value === 'string' && column === within?.column) return renumbered(value, within, offsets);
    return typeof value === 'string' || typeof value === 'number' ? value : null;
  });
}

/** JSON with the number in it that a batch has in the target, if it names one. */
function renumbered(json: string, { name, of }: NonNullable<MovedTable['within']>, offsets: Offsets): string {
  const fields = readFields(json);
  const number = fields[name];
  return typeof number === 'number' ? JSON.stringify({ ...fields, [name]: number + offsets[of] }) : json;
}

/** Two ledgers that are joined may both have a key, or the mark of a slip: what to do about the target's own. */
function onConflict({ key, numbers, replaces }: MovedTable, columns: readonly string[]): string {
  if (numbers !== undefined) return '';
  if (replaces === undefined) return 'on conflict do nothing';
  const values = columns.map((column) => `"${column}" = excluded."${column}"`).join(', ');
  return `on conflict (${key.join(', ')}) do update set ${values} where ${replaces}`;
}

/** Copies a table, page by page; returns how many rows it has. */
async function copyTable(from: Sql, to: Sql, table: MovedTable, translation: Translation): Promise<number> {
  const { name, key } = table;
  for (let at = 0; ; at += ROWS_A_PAGE) {
    const rows = await from(`select * from ${name} order by ${key.join(', ')} limit ${ROWS_A_PAGE} offset ${at}`);
    const columns = Object.keys(rows[0] ?? {});
    const most = Math.floor(PARAMETERS / Math.max(1, columns.length));
    for (let first = 0; first < rows.length; first += most) {
      const piece = rows.slice(first, first + most);
      await to(
        `insert into ${name} (${columns.map((column) => `"${column}"`).join(', ')})
          values ${placeholders(piece.length, columns.length)}
          ${onConflict(table, columns)}`,
        piece.flatMap((row) => translated(row, table, translation)),
      );
    }
    if (rows.length < ROWS_A_PAGE) return at + rows.length;
  }
}

/** The accounts that have received changes, or listeners and targets for them. */
async function eventAccounts(sql: Sql): Promise<readonly string[]> {
  const accounts = ofAnAccount.map((table) => `select account from ${table}`).join(' union ');
  return (await sql(accounts)).map((row) => textOf(row, 'account'));
}

/** Why the tables of a group cannot be taken by the target; undefined if they can, or if there is nothing in them. */
async function whyLeft(
  { whole, tables }: (typeof movedGroups)[number],
  { from, to, isFile, accountOf }: Pick<Translation, 'accountOf'> & Record<'from' | 'to', Sql> & { isFile: boolean },
): Promise<string | undefined> {
  if (whole === undefined || (await isEmpty(from, tables))) return undefined;
  if (whole === 'of all') return (await isEmpty(to, tables)) ? undefined : 'it has some of its own';
  const accounts = await eventAccounts(from);
  if (isFile && accounts.length > 1) return `they are of ${accounts.length} accounts, and a file has those of one`;
  const own = new Set(await eventAccounts(to));
  return accounts.some((account) => own.has(accountOf(account))) ? 'it has some of the same account' : undefined;
}

/** Copies all that the target can take, and the id of the ledger if it has none in use. */
async function copyAll(from: Sql, to: Sql, isFile: boolean, eventsOf: string | undefined): Promise<Moved> {
  const [ledger] = movedGroups;
  const isNew = await isEmpty(to, ledger?.tables ?? []);
  const id = await ledgerId(isNew ? from : to);
  const accountOf = (account: string) => (isFile ? '' : account === '' ? (eventsOf ?? '') : account);
  const translation = { offsets: await offsetsIn(to), accountOf };
  await copySalts(from, to);
  await raiseReports(to, await latestReport(from));
  const rows: Record<string, number> = {};
  const left: Moved['left'][number][] = [];
  for (const group of movedGroups) {
    const why = await whyLeft(group, { from, to, isFile, accountOf });
    if (why !== undefined) left.push({ what: group.what, why });
    else for (const table of group.tables) rows[table.name] = await copyTable(from, to, table, translation);
  }
  await moveAddresses(from, to);
  if (isNew) {
    await to("update meta set value = ? where name = 'ledger'", [id]);
    await raiseEpoch(to, (await epochIn(from)).epoch);
  }
  return { id, rows, left };
}

/** On a server, new numbers follow those that were copied. */
async function advanceNumbers(sql: Sql): Promise<void> {
  for (const [table, column] of entriesOf(numberColumns)) {
    await sql(
      `select setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) from ${table} having count(*) > 0`,
    );
  }
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
    const message = `${place} and ${target.place} are copies of one workspace: nothing was moved`;
    throw new WorkspaceError('workspace_unusable', message, { hint: 'delete or rename the copy that is out of date' });
  }
  const source = await openMarked(place, target.place, clock, restoring);
  try {
    await requireAlone(source);
    return await target.write((database) => {
      const to = inSql(target, database);
      return reading(source, async (from) => {
        const moved = await copyAll(from, to, !isServer(target), eventsOf);
        if (isServer(target)) await advanceNumbers(to);
        await to('insert into meta (name, value) values (?, ?)', [took, new Date(clock.now()).toISOString()]);
        return moved;
      });
    });
  } catch (error) {
    // After anything else the target may have it all: only the same move goes on then.
    if (error instanceof WorkspaceError && error.code === 'workspace_busy') await unmark(source);
    throw error;
  } finally {
    await source.close();
  }
}
