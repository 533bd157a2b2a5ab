import { addDays, type PeriodLength, periodsIn } from '../domain/time/calendar.ts';
import { dayInZone, startOfDayInZone } from '../domain/time/zone-days.ts';
import type { MirrorDialect } from '../mirror/store/store/dialect.ts';
import type { Report, ReportScope } from './declared/report.ts';

/** What a report is asked for. */
export interface ReportAsk {
  readonly report: Report;
  /** The first day, and the day after the last one; the 30 days up to today when absent. */
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

/** The scope of a report at a mirror that is complete up to `now`, in milliseconds since 1970. */
export function scopeOf(
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
  const first = since ?? addDays(last, -DEFAULT_DAYS);
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
    hasRollups: rollupZone === timeZone,
  };
}
