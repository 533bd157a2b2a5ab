import {
  addDays,
  dayInZone,
  firstOfPeriod,
  type PeriodLength,
  periodsIn,
  startOfDayInZone,
} from '../domain/calendar.ts';
import { ROLLUP_ZONE, readFact } from '../mirror/service-clock.ts';
import { areaStates } from '../mirror/store/area-states.ts';
import type { AnyRow, Mirror, MirrorDialect } from '../mirror/store/mirror.ts';
import type { Report, ReportColumn, ReportRow, ReportScope, ReportValue } from './declared/report.ts';

/** What a report is asked for. */
interface ReportAsk {
  readonly report: Report;
  /** The first day, and the day after the last one; the 30 days up to today when absent, and the rest of the period of the first. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly by?: PeriodLength | undefined;
  /** The time zone of its days. */
  readonly timeZone: string;
}

const DEFAULT_DAYS = 30;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A moment as the column type of the dialect compares with it. */
function momentIn({ name }: MirrorDialect, at: number): string {
  const text = new Date(at).toISOString().replace('.000Z', 'Z');
  return name === 'sqlite' ? `'${text}'` : `timestamptz '${text}'`;
}

/** The seconds between two moments in the dialect. */
const secondsIn = ({ name }: MirrorDialect, from: string, to: string): string =>
  name === 'sqlite'
    ? `(cast(strftime('%s', ${to}) as integer) - cast(strftime('%s', ${from}) as integer))`
    : `(cast(floor(extract(epoch from ${to})) as bigint) - cast(floor(extract(epoch from ${from})) as bigint))`;

/** The scope of a report at a mirror that is complete up to `now`, in milliseconds since 1970. */
function scopeOf(
  { since, until, by, timeZone }: Omit<ReportAsk, 'report'>,
  mirror: {
    readonly dialect: MirrorDialect;
    readonly shopId: string;
    readonly now: number;
    readonly rollupZone: string | undefined;
  },
): ReportScope {
  const { dialect, shopId, now, rollupZone } = mirror;
  const today = dayInZone(now, timeZone);
  const last = until ?? addDays(today, 1);
  const first = since ?? firstOfPeriod(addDays(last, -DEFAULT_DAYS), by ?? 'day');
  return {
    table: dialect.table,
    text: quoted,
    moment: (at) => momentIn(dialect, at),
    shopId,
    since: first,
    until: last,
    periods: periodsIn(first, last, by ?? 'day'),
    startOf: (day) => startOfDayInZone(day, timeZone),
    now,
    today,
    seconds: (from, to) => secondsIn(dialect, from, to),
    hasRollups: rollupZone === timeZone,
  };
}

/** A report with its figures. */
export interface ReportResult {
  readonly report: string;
  /** The first and the last day of the span; null for a report about the present. */
  readonly since: string | null;
  readonly until: string | null;
  readonly tz: string;
  /** The moment up to which every area of it is complete, ISO 8601. */
  readonly complete_until: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly unit: string | null }[];
  readonly rows: readonly ReportRow[];
  readonly totals: ReportRow;
}

/** A report that can be run: its SQL, and what it is about. */
export interface PreparedReport {
  readonly report: Report;
  readonly scope: ReportScope;
  readonly tz: string;
  /** One complete statement. */
  readonly sql: string;
  /** Whether days are counted from the records, because the rollups have another zone. */
  readonly isFromRecords: boolean;
  /** When the oldest copy of its areas began, by this machine's clock, in milliseconds since 1970. */
  readonly copiedAt: number;
}

/** Thrown for a report about areas that were never copied. */
export class NeverSynced extends Error {
  readonly areas: readonly string[];

  constructor(areas: readonly string[]) {
    super(`never copied: ${areas.join(', ')}`);
    this.name = 'NeverSynced';
    this.areas = areas;
  }
}

/** Writes the SQL of a report for a shop. Throws NeverSynced, and a WorkspaceError. */
export async function prepareReport(mirror: Mirror, shopId: string, ask: ReportAsk): Promise<PreparedReport> {
  const { report, timeZone } = ask;
  const states = new Map((await areaStates(mirror, shopId)).map((state) => [state.area, state]));
  const missing = report.areas.filter((area) => (states.get(area)?.complete_until ?? null) === null);
  if (missing.length > 0) throw new NeverSynced(missing);
  const oldest = (of: 'complete_until' | 'began_here') =>
    Math.min(...report.areas.map((area) => Number(states.get(area)?.[of])));
  const now = oldest('complete_until');
  const rollupZone = await mirror.read((session) => readFact(session, ROLLUP_ZONE));
  const scope = scopeOf(ask, { dialect: mirror.dialect, shopId, now, rollupZone });
  const isFromRecords = report.about === 'span' && !scope.hasRollups;
  return { report, scope, tz: timeZone, sql: report.sql(scope), isFromRecords, copiedAt: oldest('began_here') };
}

function reportValue({ type }: ReportColumn, value: unknown): ReportValue {
  if (value === null || value === undefined) return null;
  if (type === 'text' || type === 'period') return String(value);
  const number = Number(value);
  // A sum with more digits than a number holds keeps them all.
  return type === 'integer' && !Number.isSafeInteger(number) ? String(value) : number;
}

const rowOf = ({ columns }: Report, row: AnyRow): ReportRow =>
  Object.fromEntries(columns.map((column) => [column.name, reportValue(column, row[column.name])]));

/** The totals of a report's rows: sums, and what is computed from them. */
export function totalsOf({ columns, adds = () => true }: Report, rows: readonly ReportRow[]): ReportRow {
  const adding = rows.filter(adds);
  const sumOf = (name: string) => adding.reduce((sum, row) => sum + BigInt(row[name] ?? 0), 0n);
  const sums: Record<string, ReportValue> = {};
  for (const { name, total } of columns) {
    if (total !== 'sum') continue;
    const sum = sumOf(name);
    sums[name] = Number.isSafeInteger(Number(sum)) ? Number(sum) : String(sum);
  }
  const computed = columns.flatMap(({ name, total }) =>
    typeof total === 'function' ? [[name, total(sums)] as const] : [],
  );
  return { ...sums, ...Object.fromEntries(computed) };
}

/** Runs a report. Throws a WorkspaceError. */
export async function runReport(mirror: Mirror, prepared: PreparedReport): Promise<ReportResult> {
  const { report, scope, tz, sql } = prepared;
  const found = await mirror.read((session) => session.run(sql));
  const rows = report.gather === undefined ? found.map((row) => rowOf(report, row)) : report.gather(found);
  const isSpan = report.about === 'span';
  return {
    report: report.name,
    since: isSpan ? scope.since : null,
    until: isSpan ? addDays(scope.until, -1) : null,
    tz,
    complete_until: new Date(scope.now).toISOString().replace('.000Z', 'Z'),
    columns: report.columns.map(({ name, type, unit }) => ({ name, type, unit: unit ?? null })),
    rows,
    totals: totalsOf(report, rows),
  };
}
