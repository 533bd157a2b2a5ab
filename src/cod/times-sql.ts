import { DAY_MS } from '../domain/calendar.ts';
import type { Mirror, MirrorSession } from '../mirror/store/mirror.ts';
import { KEYS, type PaymentNames } from '../mirror/store/payment-parcels.ts';

const QUARTER_MS = 900_000;
const HOURS_AROUND = 15;

const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The day so many days after another one; both are YYYY-MM-DD. */
const dayAfter = (day: string, days: number): string => dayAt(Date.parse(day) + days * DAY_MS);

const isWorkingDay = (day: string) => ![0, 6].includes(new Date(Date.parse(day)).getUTCDay());

/** The day so many working days (Monday to Friday) before another one; both are YYYY-MM-DD. */
export function workingDaysBefore(day: string, count: number): string {
  let at = day;
  for (let left = count; left > 0; ) {
    at = dayAfter(at, -1);
    if (isWorkingDay(at)) left -= 1;
  }
  return at;
}

/** The first moment of a day (YYYY-MM-DD) in a time zone, ISO 8601 in UTC. `dayOf` tells the day of a moment there. */
export function startOfDay(day: string, dayOf: (moment: string) => string): string {
  const midnight = Date.parse(day);
  for (let at = midnight - HOURS_AROUND * 4 * QUARTER_MS; ; at += QUARTER_MS) {
    const moment = `${new Date(at).toISOString().slice(0, 19)}Z`;
    if (dayOf(moment) >= day) return moment;
  }
}

/** How many working days a carrier has to pay, and those of single carriers. */
export interface Grace {
  readonly days: number;
  readonly of: ReadonlyMap<string, number>;
}

/** Reads `7d`, or `7d,ghn=5d,ghtk=3d`; undefined for any other text. */
export function graceOf(text: string): Grace | undefined {
  let days = 7;
  const of = new Map<string, number>();
  for (const part of text.split(',')) {
    const [, carrier, count] = /^\s*(?:([^\s=,]+)\s*=\s*)?(\d{1,3})d?\s*$/.exec(part) ?? [];
    if (count === undefined) return undefined;
    if (carrier === undefined) days = Number(count);
    else of.set(carrier, Number(count));
  }
  return { days, of };
}

/** Which parcels are reconciled. Moments are like 2026-11-21T17:00:00, in UTC and without a zone. */
export interface ReconcileSpan extends PaymentNames {
  /** Parcels count by when they were closed, others by the import of their first line. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly carrier?: string | undefined;
  /** Only parcels with a line in this session. */
  readonly session?: string | undefined;
  /** Parcels that were closed before this moment should be paid by now. */
  readonly overdueBefore: string;
  /** The same for single carriers. */
  readonly overdueOf: ReadonlyMap<string, string>;
}

/** The temporary table with the carriers of each session that pays cash, and the moment before which it pays. */
export const SESSIONS = 'reconcile_sessions';

/** Makes the table of sessions: the last day of each is that of its cash, else the last on which a parcel of it was delivered. */
export async function createSessions(
  session: MirrorSession,
  mirror: Mirror,
  { shopId, dayOf, session: only }: ReconcileSpan,
): Promise<void> {
  const { name: dialect, table, types } = mirror.dialect;
  await session.run(
    `create temporary table ${SESSIONS} (session ${types.text}, carrier ${types.text}, before ${types.time})`,
  );
  const paying = await session.run(
    `select l.session, max(l.day) as day from ${table('payment_lines')} as l
     where l.shop_id = ? and l.deleted_at is null and l.repeats is null and l.kind = 'cod' and l.amount <> 0
       ${only === undefined ? '' : 'and l.session = ?'} group by l.session`,
    only === undefined ? [shopId] : [shopId, only],
  );
  if (paying.length === 0) return;
  const days = new Map(paying.map(({ session: name, day }) => [String(name), day === null ? '' : String(day)]));
  const carriers = await session.run(
    `select s.session, f.carrier, max(case when s.paid <> 0 then f.closed_at end) as closed_at
     from (select first_session as session, found, paid from ${KEYS} where found is not null and part <> 'all'
       union all select last_session, found, paid from ${KEYS} where found is not null and part <> 'all') as s
     join ${table('fulfillments')} as f on f.id = s.found and f.shop_id = ?
     where f.carrier <> '' group by s.session, f.carrier`,
    [shopId],
  );
  const time = dialect === 'postgres' ? 'cast(? as timestamptz)' : '?';
  for (const { session: name, carrier, closed_at } of carriers) {
    const day = days.get(String(name));
    const last = day === undefined ? '' : day || dayOf(closed_at);
    if (last === '') continue;
    const before = startOfDay(dayAfter(last, 1), dayOf);
    await session.run(`insert into ${SESSIONS} (session, carrier, before) values (?, ?, ${time})`, [
      name,
      carrier,
      before,
    ]);
  }
  await session.run(`create index reconcile_sessions_before on ${SESSIONS} (carrier, before)`);
}
