import { formatMoney } from '../domain/amounts/money.ts';
import { momentInZone } from '../domain/calendar.ts';
import { chartLook } from '../domain/chart-columns.ts';
import { chartSvg, sparkSvg } from '../domain/chart-svg.ts';
import { documentPage, Html, html, MOST_PAGE_ROWS } from '../platform/server/document-page.ts';
import { makeSafe } from '../platform/terminal/text-safety.ts';
import { chartOf, type Report, type ReportColumn, type ReportValue } from './declared/report.ts';
import type { PreparedReport, ReportResult } from './run-report.ts';

const WIDE = 880;
const NARROW = 340;

const look = /* css */ `${chartLook}figure { margin: 1rem 0; }
figcaption { font-weight: 600; margin-bottom: 0.3rem; }
.narrow { display: none; }
main { max-width: 72rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
th, td { padding: 0.4rem 0.45rem; }
td.words, th.words { min-width: 5.5rem; overflow-wrap: break-word; }
tr.total td { font-weight: 700; border-top: 2px solid var(--quiet); }
@media (max-width: 600px) { .broad { display: none; } .narrow { display: block; } }
@media screen and (max-width: 600px) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { padding: 0.3rem 0; border-bottom: 1px solid var(--line); }
  td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: 0.15rem 0.5rem; }
  td::before { content: attr(data-label); color: var(--quiet); text-align: left; }
}
@media print { .broad { display: block; } .narrow { display: none; } body { background: none; } }
`;

/** A value as a person reads it. */
function cellText(value: ReportValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return makeSafe(value);
  return Number.isSafeInteger(value) ? formatMoney(value) : String(value);
}

const isNumber = ({ type }: ReportColumn) => type !== 'text' && type !== 'period';

const cellClass = (column: ReportColumn) => new Html(isNumber(column) ? ' class="number"' : ' class="words"');

/** The days of a report and what is dated by them, or its moment, in words, and how fresh it is. */
export function spanText({ dated }: Report, { since, until, tz, complete_until }: ReportResult): string {
  const fresh = `complete up to ${momentInZone(Date.parse(complete_until), tz)} (${tz})`;
  if (since === null || until === null) return `now, ${fresh}`;
  const days = since === until ? since : `${since} to ${until}`;
  return `${dated === undefined ? '' : `${dated} `}${days}, ${fresh}`;
}

function figure(report: Report, { report: name, rows }: ReportResult): Html {
  const chart = chartOf(report, rows);
  if (chart.labels.length === 0) return html`<p>There is nothing to show.</p>`;
  const wide = new Html(chartSvg(chart, { width: WIDE, id: `${name}-wide` }));
  const narrow = new Html(chartSvg(chart, { width: NARROW, id: `${name}-narrow` }));
  return html`<figure>
<figcaption>${chart.title}</figcaption>
<div class="broad">${wide}</div>
<div class="narrow">${narrow}</div>
</figure>`;
}

function tableOf(report: Report, { rows, totals }: ReportResult): Html {
  const { columns } = report;
  const line = (row: Readonly<Record<string, ReportValue>>, first: string | undefined) =>
    columns.map((column, index) => {
      const text = index === 0 && first !== undefined ? first : cellText(row[column.name]);
      return html`<td${cellClass(column)} data-label="${column.header}">${text}</td>`;
    });
  const shown = rows.slice(0, MOST_PAGE_ROWS).map((row) => html`<tr>${line(row, undefined)}</tr>\n`);
  const hasTotals = columns.some(({ total }) => total !== undefined);
  return html`<div class="wide" tabindex="0" role="region" aria-label="${report.title}"><table>
<thead><tr>${columns.map((column) => html`<th scope="col"${cellClass(column)}>${column.header}</th>`)}</tr></thead>
<tbody>
${shown}${hasTotals ? html`<tr class="total">${line(totals, 'Total')}</tr>` : undefined}
</tbody>
</table></div>`;
}

/** What a page that leaves rows out says; undefined if it has them all. */
export function leftOut({ rows }: ReportResult, sheet: string): string | undefined {
  if (rows.length <= MOST_PAGE_ROWS) return undefined;
  return `The first ${MOST_PAGE_ROWS} of ${formatMoney(rows.length)} rows; all of them: ${sheet}`;
}

/** A report as one page, for a browser and for paper. `sheet` says where all rows are, if the page has not room for them. */
export function reportPage(
  { report, sql }: PreparedReport,
  result: ReportResult,
  { by, sheet }: { readonly by: string; readonly sheet: string },
): string {
  const rest = leftOut(result, sheet);
  const meanings = report.columns.map(
    ({ header, meaning, unit }) =>
      html`<li><b>${header}</b>: ${meaning}${unit === undefined ? '' : ` (${unit})`}</li>\n`,
  );
  const body = html`<h1>${report.title}</h1>
<p class="quiet">${spanText(report, result)} · ${by}</p>
${figure(report, result)}
${rest === undefined ? undefined : html`<p>${rest}</p>`}
${tableOf(report, result)}
<h2>What it counts</h2>
${report.definition.map((paragraph) => html`<p>${paragraph}</p>\n`)}
<details><summary>Columns</summary><ul>
${meanings}</ul></details>
<details><summary>SQL</summary><pre tabindex="0">${sql}</pre></details>`;
  return documentPage({ title: report.title, style: look, body });
}

const indexLook = /* css */ `${chartLook}.chart { width: 9rem; }
`;

/** A report, its figures, and the files that have them. */
export interface IndexedReport {
  readonly report: Report;
  readonly result: ReportResult;
  readonly page: string;
  readonly sheet: string;
}

/** The page that leads to the reports of a directory. */
export function indexPage(reports: readonly IndexedReport[], by: string): string {
  const rows = reports.map(({ report, result, page, sheet }) => {
    const chart = chartOf(report, result.rows);
    const values = chart.labels.map((_, index) =>
      chart.series.reduce((sum, series) => sum + (series.values[index] ?? 0), 0),
    );
    const spark = new Html(sparkSvg(values, chart.title, { width: 144, id: report.name }));
    return html`<tr><td><a href="${page}">${report.title}</a></td><td>${spark}</td><td>${spanText(report, result)}</td><td><a href="${sheet}">${sheet}</a></td></tr>\n`;
  });
  const body = html`<h1>Reports</h1>
<p class="quiet">${by}</p>
<div class="wide" tabindex="0" role="region" aria-label="Reports"><table>
<thead><tr><th scope="col">Report</th><th scope="col">At a glance</th><th scope="col">Days</th><th scope="col">Sheet</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
  return documentPage({ title: 'Reports', style: indexLook, body });
}
