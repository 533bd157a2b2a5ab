import type { Ports } from '../action/ports.ts';
import { Refusal } from '../client/refusal.ts';
import { ledgerOpener } from '../ledger/open.ts';
import { type Clock, elapsedOn } from '../platform/process/clock.ts';
import { newId } from '../platform/process/new-id.ts';
import { numberOf, numberOrNull, type Sql, type SqlRow, textOf, textOrNull } from '../store/sql.ts';
import { say } from './texts.ts';

/** What an agent may use up: records, fees and cash on delivery, in currency units. */
export interface Amounts {
  readonly records: number;
  readonly fees: number;
  readonly cod: number;
}

/**
 * The state of a plan: `planned` until a person says something; `approved`, `denied`; `applying` once it was claimed, until
 * it has `ended`; `revoked` by a stop. Whether it has expired is a matter of time.
 */
export type PlanState = 'planned' | 'approved' | 'denied' | 'applying' | 'ended' | 'revoked';

/** A stored plan: what would be sent, to whom it is bound, and what of it was used. */
export interface StoredPlan extends Amounts {
  readonly id: string;
  /** The acting account, as the plan of the batch names it. */
  readonly account: string;
  readonly profile: string;
  readonly command: string;
  /** Of everything that is sent, and for which account. */
  readonly digest: string;
  /** The plan of the batch, as `batch run` takes it; empty once it was forgotten. */
  readonly content: string;
  /** What a person is shown of it, as JSON. */
  readonly facts: string;
  readonly state: PlanState;
  /** What the approval of a person holds for; null without one. */
  readonly boundTo: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly batch: string | null;
  /** The answer of the apply that ended it, as JSON. */
  readonly outcome: string | null;
  readonly reservedAt: number | null;
}

/** One line of the log. */
export interface LogEntry {
  readonly event: string;
  readonly command?: string;
  readonly plan?: string;
  readonly note?: string;
}

type StorePorts = Parameters<typeof ledgerOpener>[0] & Pick<Ports, 'clock' | 'settings'>;

const states: readonly PlanState[] = ['planned', 'approved', 'denied', 'applying', 'ended', 'revoked'];

function planOf(row: SqlRow): StoredPlan {
  const state = states.find((one) => one === row.state);
  if (state === undefined) throw new TypeError(`a plan in the state ${String(row.state)}`);
  return {
    id: textOf(row, 'id'),
    account: textOf(row, 'account'),
    profile: textOf(row, 'profile'),
    command: textOf(row, 'command'),
    digest: textOf(row, 'digest'),
    content: textOf(row, 'content'),
    facts: textOf(row, 'facts'),
    state,
    boundTo: textOrNull(row, 'bound_to'),
    createdAt: numberOf(row, 'created_at'),
    expiresAt: numberOf(row, 'expires_at'),
    batch: textOrNull(row, 'batch'),
    outcome: textOrNull(row, 'outcome'),
    reservedAt: numberOrNull(row, 'reserved_at'),
    records: numberOf(row, 'records'),
    fees: numberOf(row, 'fees'),
    cod: numberOf(row, 'cod'),
  };
}

/** How a profile is called in plans and in the log; one that comes from the environment alone has no name. */
export const profileName = ({ settings }: Pick<Ports, 'settings'>): string => settings.profileName?.value ?? '';

/** Reads the stored plans, and what belongs to them. Throws a WorkspaceError. */
export async function reading<Result>(ports: StorePorts, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const store = await ledgerOpener(ports).open();
  try {
    return await store.read(work);
  } finally {
    await store.close();
  }
}

/** For each clock of a running program: the time of the stored plans, less what had elapsed. */
const beginnings = new WeakMap<Clock, number>();

/** The time by a clock, no earlier than one that is known, and later by what has elapsed since it was last asked for. */
function timeBy(clock: Clock, known: number): number {
  const elapsed = elapsedOn(clock);
  const now = Math.max(clock.now(), known, (beginnings.get(clock) ?? 0) + elapsed);
  beginnings.set(clock, now - elapsed);
  return now;
}

/**
 * Changes the stored plans in one transaction, of which only one runs at a time, whoever shares the workspace. `now` never
 * runs backwards: a clock that is set back counts as not moved, and one of a running program goes on. Throws a WorkspaceError.
 */
export async function changing<Result>(
  ports: StorePorts,
  work: (sql: Sql, now: number) => Promise<Result>,
): Promise<Result> {
  const store = await ledgerOpener(ports).open();
  try {
    return await store.write(async (sql) => {
      const [row] = await sql(
        'insert into agent_facts (name, value) values (?, ?) on conflict (name) do update set value = agent_facts.value returning value',
        ['clock', String(ports.clock.now())],
      );
      const now = timeBy(ports.clock, Number(row?.value ?? 0));
      await sql('update agent_facts set value = ? where name = ?', [String(now), 'clock']);
      return work(sql, now);
    });
  } finally {
    await store.close();
  }
}

/** The time as the stored plans know it. */
export async function timeOf(sql: Sql, { clock }: Pick<Ports, 'clock'>): Promise<number> {
  return timeBy(clock, Number((await factOf(sql, 'clock')) ?? 0));
}

/** What is stored under a name; undefined if nothing is. */
export async function factOf(sql: Sql, name: string): Promise<string | undefined> {
  const [row] = await sql('select value from agent_facts where name = ?', [name]);
  return row === undefined ? undefined : textOf(row, 'value');
}

/** Stores something under a name. */
export async function setFact(sql: Sql, name: string, value: string): Promise<void> {
  await sql(
    'insert into agent_facts (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    [name, value],
  );
}

/** How long the content of a plan is stored after it has expired. */
const KEPT_MS = 86_400_000;

/** Stores a plan, and forgets what old ones would have sent. */
export async function addPlan(sql: Sql, plan: StoredPlan): Promise<void> {
  await sql("update agent_plans set content = '', facts = '{}' where expires_at < ? and state <> 'applying'", [
    plan.createdAt - KEPT_MS,
  ]);
  await sql(
    'insert into agent_plans (id, account, profile, command, digest, content, facts, state, created_at, expires_at, records, fees, cod) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    [
      ...[plan.id, plan.account, plan.profile, plan.command, plan.digest, plan.content, plan.facts, plan.state],
      ...[plan.createdAt, plan.expiresAt, plan.records, plan.fees, plan.cod],
    ],
  );
}

const FEWEST = 6;

/** The plan of a name, or of the start of one. Throws a Refusal if there is none, or several. */
export async function planCalled(sql: Sql, name: string): Promise<StoredPlan> {
  const given = name.trim().toLowerCase();
  const isName = new RegExp(`^[0-9a-z]{${FEWEST},}$`).test(given);
  const rows = isName
    ? await sql('select * from agent_plans where id = ? or id like ? order by id limit 2', [given, `${given}%`])
    : [];
  const [first, second] = rows.map(planOf);
  if (first !== undefined && (first.id === given || second === undefined)) return first;
  const message = first === undefined ? say().plan.unknown : say().plan.several;
  throw new Refusal('plan_unknown', message, { kind: first === undefined ? 'missing' : 'usage' });
}

/** The state of a plan; undefined if it is not there. */
export async function stateOf(sql: Sql, id: string): Promise<string | undefined> {
  const [row] = await sql('select state from agent_plans where id = ?', [id]);
  return row === undefined ? undefined : textOf(row, 'state');
}

/** Plans of this content, the newest first. */
export async function plansOf(sql: Sql, digest: string): Promise<StoredPlan[]> {
  return (await sql('select * from agent_plans where digest = ? order by created_at desc, id', [digest])).map(planOf);
}

/** Plans that nothing was decided about, the newest first. */
export async function openPlans(sql: Sql, now: number): Promise<StoredPlan[]> {
  const rows = await sql(
    "select * from agent_plans where state in ('planned', 'approved') and expires_at > ? order by created_at desc, id",
    [now],
  );
  return rows.map(planOf);
}

/** Changes columns of a plan that is in one of these states; whether it was. */
export async function setPlan(
  sql: Sql,
  id: string,
  from: readonly PlanState[],
  to: Readonly<Record<string, string | number | null>>,
): Promise<boolean> {
  const names = Object.keys(to);
  const marks = from.map(() => '?').join(', ');
  const rows = await sql(
    `update agent_plans set ${names.map((name) => `${name} = ?`).join(', ')} where id = ? and state in (${marks}) returning id`,
    [...Object.values(to), id, ...from],
  );
  return rows.length > 0;
}

/** Takes back every plan that has not ended; returns how many. */
export async function revokePlans(sql: Sql): Promise<number> {
  const rows = await sql(
    "update agent_plans set state = 'revoked' where state in ('planned', 'approved', 'applying') returning id",
  );
  return rows.length;
}

/** What was reserved since a moment, by all plans of the workspace. */
export async function reservedSince(sql: Sql, since: number): Promise<Amounts> {
  const [row = {}] = await sql(
    'select coalesce(sum(records), 0) as records, coalesce(sum(fees), 0) as fees, coalesce(sum(cod), 0) as cod from agent_plans where reserved_at is not null and reserved_at > ?',
    [since],
  );
  return { records: numberOf(row, 'records'), fees: numberOf(row, 'fees'), cod: numberOf(row, 'cod') };
}

/** Adds a line to the log. */
export async function logged(
  sql: Sql,
  now: number,
  profile: string,
  { event, command = '', plan = '', note = '' }: LogEntry,
): Promise<void> {
  // Of one moment there may be several lines, of which the later has the higher number.
  const [row = {}] = await sql('select count(*) as number from agent_log where at = ?', [now]);
  const id = `${String(numberOf(row, 'number')).padStart(9, '0')} ${newId()}`;
  await sql('insert into agent_log (id, at, event, profile, command, plan, note) values (?, ?, ?, ?, ?, ?, ?)', [
    ...[id, now, event, profile, command, plan, note],
  ]);
}

/** The lines of the log, the newest first. */
export async function logLines(sql: Sql, limit: number): Promise<SqlRow[]> {
  return [...(await sql('select * from agent_log order by at desc, id desc limit ?', [limit]))];
}
