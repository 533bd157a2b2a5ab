import { sql } from 'kysely';
import { newId } from '../platform/process/new-id.ts';
import { say } from '../platform/terminal/texts.ts';
import { eventTables, type Migration, numberOfSteps, type SchemaWords } from './event-tables-schema.ts';
import type { WorkspaceTables } from './tables.ts';
import { MOVED_TO, movedError, WorkspaceError } from './workspace.ts';

/**
 * What agents have planned, with what they were allowed and have used; what was accepted and revoked; and a log that is only
 * appended to. Times are milliseconds since 1970, by a clock that is never set back.
 */
const texts: readonly string[] = [
  `create table agent_plans (
    id text primary key,
    account text not null,
    profile text not null,
    command text not null,
    digest text not null,
    content text not null,
    facts text not null,
    state text not null,
    bound_to text,
    created_at bigint not null,
    expires_at bigint not null,
    batch text,
    outcome text,
    reserved_at bigint,
    records bigint not null,
    fees bigint not null,
    cod bigint not null
  )`,
  'create index agent_plans_reserved on agent_plans (reserved_at)',
  'create index agent_plans_digest on agent_plans (digest, created_at)',
  'create table agent_facts (name text primary key, value text not null)',
  `create table agent_log (
    id text primary key,
    at bigint not null,
    event text not null,
    profile text not null,
    command text not null,
    plan text not null,
    note text not null
  )`,
  'create index agent_log_at on agent_log (at, id)',
];

/** The tables of agents, as a step of the schema. */
export const agentTables: Migration = {
  name: 'plans of agents',
  async up(database) {
    for (const text of texts) await sql.raw(text).execute(database);
  },
};

/**
 * Batches, their rows with their contents, who sends them, and the orders whose slip was printed. Integers that may be
 * money are 64 bits wide in both dialects; `{key}` stands for a key that counts by itself.
 */
const batchTables: readonly string[] = [
  `create table batches (
    number {key},
    id text not null unique,
    account text not null,
    "do" text not null,
    operation text not null,
    state text not null,
    content text not null,
    source text not null,
    options text not null,
    reserved bigint not null,
    max_total bigint,
    created_at text not null,
    finished_at text
  )`,
  'create index batches_content on batches (account, content)',
  `create table batch_rows (
    batch integer not null,
    "row" integer not null,
    cell text not null,
    name text not null,
    named integer not null,
    content text not null,
    recipient text,
    goods text,
    pick text,
    state text not null,
    attempts integer not null,
    id text,
    code text,
    shipping_code text,
    carrier text,
    fee bigint,
    error_code text,
    error_message text,
    error_fields text,
    worker text,
    identity text not null default '',
    generation integer not null default 0,
    made_by text,
    primary key (batch, "row")
  )`,
  `create table batch_contents (
    batch integer not null,
    "row" integer not null,
    cells text not null,
    payload text not null,
    old_values text,
    primary key (batch, "row")
  )`,
  // Open rows are found without scanning finished ones: a resume of a million rows with ten left.
  `create index batch_rows_open on batch_rows (batch, "row") where state in ('planned', 'sending')`,
  // The counts and fees of a batch are read from this index alone.
  'create index batch_rows_summary on batch_rows (batch, state, carrier, fee)',
  'create index batch_rows_name on batch_rows (name, batch)',
  'create index batch_rows_recipient on batch_rows (recipient)',
  // Only rows without a name of their own are looked up by content, and an index in no order costs more with every row.
  'create index batch_rows_content on batch_rows (content, batch) where named = 0',
  'create index batch_rows_made_by on batch_rows (made_by) where made_by is not null',
  // The time line of a record looks for its rows in all batches.
  'create index batch_rows_record on batch_rows (id) where id is not null',
  'create table batch_workers (id text primary key, batch integer not null, lease_until bigint not null)',
  `create table printed_slips (
    account text not null, order_id text not null, printed_at text not null, primary key (account, order_id)
  )`,
  // A mark for each write transaction: a process whose answer was lost can tell whether it was committed.
  'create table write_marks (id text primary key, attempt integer not null, written_at text not null)',
];

/**
 * The tables of the ledger, the same in both dialects.
 *
 * `ledger_keys` is the rule itself: whoever has the row of (account, resource, identity) is the only one that may have
 * such a write on its way. `intents` are the writes of single commands, and the drafts of the wizard; a row of a batch
 * is its own intent; `report` counts in which order they were reported, which no clock tells. `local_at`: when a key was
 * written by this machine's clock; `service_clocks`: how far a service's dates are from it.
 */
const ledgerTables: readonly string[] = [
  'create table meta (name text primary key, value text not null)',
  `create table ledger_keys (
    account text not null,
    resource text not null,
    identity text not null,
    holder text not null,
    state text not null,
    family text not null,
    derived integer not null,
    name text,
    equal text,
    request text,
    owner text,
    record_id text,
    at bigint not null,
    local_at bigint not null,
    primary key (account, resource, identity)
  )`,
  // The 24-hour rule: orders with equal content, whatever they are called.
  'create index ledger_keys_equal on ledger_keys (account, equal) where equal is not null',
  // A cancel or a delete finds who made its record.
  'create index ledger_keys_record on ledger_keys (account, record_id) where record_id is not null',
  "create index ledger_keys_open on ledger_keys (state, at) where state in ('sending', 'unclear')",
  `create table intents (
    id text primary key,
    account text not null,
    resource text not null,
    identity text,
    operation text not null,
    state text not null,
    record_id text,
    attempts integer not null,
    updated_at bigint not null,
    reported_at bigint,
    report bigint,
    body text not null
  )`,
  `create index intents_unfinished on intents (updated_at)
    where state in ('open', 'sending', 'unclear', 'failed') or reported_at is null`,
  'create table service_clocks (origin text primary key, offset_ms bigint not null)',
];

/**
 * Which services the ledger knows. `addresses`: where a shop was written to, which sandbox answered there (empty if none
 * did), and the name of the service in accounts; without a shop, what a person said of the address. One without an address
 * marks that two services are being joined. `separate_services`: pairs that a person called two, in order.
 */
const addressTables: readonly string[] = [
  `create table addresses (
    origin text not null,
    shop text not null,
    instance text not null,
    service text not null,
    at bigint not null,
    primary key (origin, shop, instance)
  )`,
  'create index addresses_shop on addresses (shop)',
  'create index addresses_instance on addresses (instance)',
  'create table separate_services (one text not null, other text not null, primary key (one, other))',
];

/**
 * Carriers' payment files with their lines, and the sessions that were agreed to. The version of a file is a number that never
 * comes again, also after it was removed: a mirror tells by it which copy it has.
 */
const paymentTables: readonly string[] = [
  `create table cod_files (
    number {key},
    shop_id text not null,
    id text not null,
    name text not null,
    layout text not null,
    carrier text not null,
    imported_at text not null,
    rows integer not null,
    unread integer not null,
    problems text not null,
    version bigint not null,
    unique (shop_id, id)
  )`,
  // Amounts without a parcel are told apart by all cells of their rows.
  `create table cod_lines (
    file integer not null,
    line integer not null,
    session text not null,
    parcel text not null,
    shipping_code text not null,
    fulfillment_id text not null,
    kind text not null,
    amount bigint not null,
    cell text not null,
    day text,
    repeats text,
    late integer not null,
    cells text not null,
    primary key (file, line)
  )`,
  // A session comes in few files, so that its entries stay together.
  'create index cod_lines_session on cod_lines (session, parcel)',
  // A file is compared with what any session has of its parcels.
  'create index cod_lines_parcel on cod_lines (parcel, session)',
  `create table cod_sessions (
    shop_id text not null,
    session text not null,
    closed_at text not null,
    closed_by text not null,
    note text not null,
    lines integer not null,
    amount bigint not null,
    primary key (shop_id, session)
  )`,
];

/** All tables of a workspace, and the random id of its ledger. */
const tables: Migration = {
  name: 'tables of the first version',
  async up(database, { key }) {
    for (const table of [batchTables, eventTables, ledgerTables, addressTables, paymentTables].flat()) {
      await sql.raw(table.replace('{key}', key)).execute(database);
    }
    await sql`insert into meta (name, value) values ('ledger', ${newId()})`.execute(database);
  },
};

/** All steps, in the order in which they run. Add new ones at the end, each in a file of its own. */
export const migrations: readonly Migration[] = [tables, agentTables];

/** Asks for the names of the steps applied to a workspace. */
export const stepNames = (database: WorkspaceTables) => database.selectFrom('schema_steps').select('name');

/**
 * The steps applied to the workspace at a place; none if it is new. Throws a WorkspaceError (`workspace_newer`) if this program does
 * not know one of them: the newer program might not understand what it writes; and `workspace_older` if it has steps
 * but not the first of all, as a program wrote it that was never released.
 */
export async function stepsTaken(
  database: WorkspaceTables,
  place: string,
  steps: readonly Migration[] = migrations,
): Promise<ReadonlySet<string>> {
  const taken = new Set((await stepNames(database).execute()).map(({ name }) => name));
  const unknown = [...taken].filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    const moved = unknown.find((name) => name.startsWith(MOVED_TO));
    if (moved !== undefined) throw movedError(moved.slice(MOVED_TO.length));
    if (!taken.has(tables.name)) throw olderError(place);
    throw new WorkspaceError('workspace_newer', say().workspace.newer({ place, steps: unknown }));
  }
  return taken;
}

function olderError(place: string): WorkspaceError {
  return new WorkspaceError('workspace_older', say().workspace.older({ place }));
}

/**
 * Migrates the workspace at a place to the newest schema. `write` runs its work in one transaction that excludes all other writers,
 * so that two processes that open an old workspace at once apply each step once. Throws a WorkspaceError
 * (`workspace_newer`, `workspace_older`).
 */
export async function migrate(
  write: <Result>(work: (database: WorkspaceTables) => Promise<Result>) => Promise<Result>,
  place: string,
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
    const taken = await stepsTaken(database, place, steps);
    for (const { name, up } of steps.filter((step) => !taken.has(step.name))) {
      await up(database, words);
      await database.insertInto('schema_steps').values({ name }).execute();
    }
    await words.number?.(database, numberOfSteps(steps.length));
  });
}
