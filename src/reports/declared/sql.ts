import type { ReportScope } from './report.ts';

/** A sum as a whole number, 0 for nothing. */
export const total = (what: string): string => `cast(coalesce(sum(${what}), 0) as bigint)`;

/** A sum of those rows that meet a condition. */
export const totalWhere = (what: string, condition: string): string => total(`case when ${condition} then ${what} end`);

/** The periods of a span as a table: their names, their days, and their moments. */
export function periodsTable({ periods, text, moment, startOf }: ReportScope): string {
  const rows = periods.map(({ name, first, next }) =>
    [text(name), text(first), text(next), moment(startOf(first)), moment(startOf(next))].join(', '),
  );
  return `periods(period, first_day, next_day, begins, ends) as (values\n  (${rows.join('),\n  (')}))`;
}

/** Whether a moment is within the span. */
export const inSpan = ({ moment, startOf, since, until }: ReportScope, column: string): string =>
  `${column} >= ${moment(startOf(since))} and ${column} < ${moment(startOf(until))}`;

/**
 * Sums per period. `rollup` names a rollup, whose rows have a day; without rollups for the zone `records`, a table
 * whose rows have a moment, is read instead. Both are called `d`.
 */
export function perPeriod(
  scope: ReportScope,
  rollup: { readonly table: string; readonly where: string; readonly sums: Readonly<Record<string, string>> },
  records: {
    readonly table: string;
    readonly at: string;
    readonly where: string;
    readonly sums: Readonly<Record<string, string>>;
  },
): string {
  const { table, text, shopId, hasRollups } = scope;
  const { sums, where, table: name } = hasRollups ? rollup : records;
  const within = hasRollups
    ? 'd.day >= p.first_day and d.day < p.next_day'
    : `d.deleted_at is null and d.${records.at} >= p.begins and d.${records.at} < p.ends`;
  const columns = Object.entries(sums).map(([column, sum]) => `, ${sum} as ${column}`);
  return `select p.period, p.first_day${columns.join('')}
  from periods as p left join ${table(name)} as d on d.shop_id = ${text(shopId)} and ${within} and ${where}
  group by p.period, p.first_day`;
}
