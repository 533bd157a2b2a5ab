import type { Owner } from '../../store/owner.ts';
import {
  numberOf,
  numberOrNull,
  placeholders,
  type Sql,
  type SqlRow,
  type SqlStore,
  textOf,
  textOrNull,
} from '../../store/sql.ts';
import type { Key } from './keys.ts';

/**
 * The ledger of one user: the keys and intents of a workspace, without a query builder, so that a single command pays
 * for little more than its statements. All functions throw a WorkspaceError.
 */
export interface LedgerStore extends SqlStore {
  /** Its location, for a person: a file path, or a url without a password. */
  readonly place: string;
  /** The random id that the names of this ledger contain. */
  readonly id: string;
  /** Changes when a copy from earlier is put back: what is numbered then was numbered before. */
  readonly putBack?: string;
  /** Whether several machines share it: then transactions run beside each other. */
  readonly isShared: boolean;
  /** As of the workspace. */
  readonly restored?: number | undefined;
  /** Makes this process an owner, once: what it sends is its own as long as it lives. */
  own(): Promise<Owner>;
  /** Whether an owner lives. */
  isAlive(owner: string): Promise<boolean>;
  /** Ends the ownership of this process, and closes the ledger. */
  close(): Promise<void>;
}

/** Whether whoever holds a key is still at it, so that waiting makes sense. Throws a WorkspaceError. */
export async function isHolderAlive(
  { isAlive }: Pick<LedgerStore, 'isAlive'>,
  { state, owner }: Pick<Key, 'state' | 'owner'>,
): Promise<boolean> {
  return state === 'sending' && owner !== null && (await isAlive(owner));
}

/**
 * The state of an intent: `open` while a person answers questions; `sending` from before the first byte until its
 * outcome is known; `unclear` if nobody knows it; `done`; `failed` if certainly nothing was or can be applied; `undone`
 * if its record was cancelled or deleted since.
 */
export type IntentState = 'open' | 'sending' | 'unclear' | 'done' | 'failed' | 'undone';

const states: readonly string[] = [
  'open',
  'sending',
  'unclear',
  'done',
  'failed',
  'undone',
] satisfies readonly IntentState[];

/** One write that somebody wants, a single command's or a draft of the wizard: a row of `intents`, column by column. */
export interface StoredIntent {
  /** Ten hexadecimal digits, from its first answer to its last. */
  readonly id: string;
  /** The account without its family, as `ledgerAccount` writes it. */
  readonly account: string;
  readonly resource: string;
  /** The digest of its identity; null until it is known what is sent. */
  readonly identity: string | null;
  /** The id of the operation that is called. */
  readonly operation: string;
  readonly state: IntentState;
  readonly record_id: string | null;
  /** How often bytes may have left. */
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly updated_at: number;
  /** When stdout had taken the last byte of its answer; null if nobody was told. */
  readonly reported_at: number | null;
  /** Everything else, as JSON: personal data, forgotten on request. */
  readonly body: string;
}

/** An intent as it is stored. */
export interface KeptIntent extends StoredIntent {
  /** The number of its report; null if nobody was told, or by a former version. */
  readonly report: number | null;
}

const columns = [
  'id',
  'account',
  'resource',
  'identity',
  'operation',
  'state',
  'record_id',
  'attempts',
  'updated_at',
  'reported_at',
  'body',
] as const satisfies readonly (keyof StoredIntent)[];

function isIntentState(text: string): text is IntentState {
  return states.includes(text);
}

function intentOf(row: SqlRow): KeptIntent {
  const state = textOf(row, 'state');
  if (!isIntentState(state)) throw new TypeError(`an intent of the ledger is ${state}`);
  return {
    id: textOf(row, 'id'),
    account: textOf(row, 'account'),
    resource: textOf(row, 'resource'),
    identity: textOrNull(row, 'identity'),
    operation: textOf(row, 'operation'),
    state,
    record_id: textOrNull(row, 'record_id'),
    attempts: numberOf(row, 'attempts'),
    updated_at: numberOf(row, 'updated_at'),
    reported_at: numberOrNull(row, 'reported_at'),
    body: textOf(row, 'body'),
    report: numberOrNull(row, 'report'),
  };
}

/**
 * Writes an intent, new or not; what it is and whose it is never change. What was undone is not done by whoever hears late
 * that it was made.
 */
export async function putIntent(sql: Sql, intent: StoredIntent): Promise<void> {
  const changing = columns.filter((column) => !['id', 'account', 'resource', 'state'].includes(column));
  await sql(
    `insert into intents (${columns.join(', ')}) values ${placeholders(1, columns.length)}
      on conflict (id) do update set ${changing.map((column) => `${column} = excluded.${column}`).join(', ')},
        state = case when intents.state = 'undone' and excluded.state = 'done' then 'undone' else excluded.state end`,
    columns.map((column) => intent[column]),
  );
}

/** The intent of that id; undefined if there is none. */
export async function intentAt(sql: Sql, id: string): Promise<KeptIntent | undefined> {
  const [row] = await sql('select * from intents where id = ?', [id]);
  return row && intentOf(row);
}

/** The intents whose id starts with this text, at most two: enough to see that it is ambiguous. */
export async function intentsNamed(sql: Sql, beginning: string): Promise<StoredIntent[]> {
  const rows = await sql('select * from intents where id >= ? and id < ? order by id limit 2', [
    beginning,
    `${beginning}\u{10FFFF}`,
  ]);
  return rows.map(intentOf);
}

/** The intents that are not finished or were reported to nobody, or all of them; latest first. */
export async function intentsIn(sql: Sql, which: 'unfinished' | 'all'): Promise<StoredIntent[]> {
  // The condition exactly as in its index.
  const unfinished = "where state in ('open', 'sending', 'unclear', 'failed') or reported_at is null";
  const rows = await sql(`select * from intents ${which === 'all' ? '' : unfinished} order by updated_at desc, id`);
  return rows.map(intentOf);
}

/** The number of the latest report. */
export async function latestReport(sql: Sql): Promise<number> {
  const [row] = await sql("select value from meta where name = 'reports'");
  return row === undefined ? 0 : Number(textOf(row, 'value'));
}

/** Records that an answer was taken, by stdout or by a page that showed it, unless that is known. */
export async function markReported(sql: Sql, id: string, at: number): Promise<void> {
  // The row of the numbers is locked until this is committed: whoever reads the latest knows all reports up to it.
  const report = await raiseReports(sql, 1);
  await sql('update intents set reported_at = ?, report = ? where id = ? and reported_at is null', [at, report, id]);
}

/** Takes the next numbers of reports, or passes over those that another ledger has used: the last of them. */
export async function raiseReports(sql: Sql, by: number): Promise<number> {
  const raised = `insert into meta (name, value) values ('reports', ?) on conflict (name) do update
    set value = cast(cast(meta.value as bigint) + cast(excluded.value as bigint) as text) returning value`;
  const [row = {}] = await sql(raised, [String(by)]);
  return Number(textOf(row, 'value'));
}

export async function removeIntent(sql: Sql, id: string): Promise<void> {
  await sql('delete from intents where id = ?', [id]);
}
