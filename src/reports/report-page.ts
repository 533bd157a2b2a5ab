import { formatMoney } from '../domain/amounts/money.ts';
import { momentInZone } from '../domain/calendar.ts';
import { chartLook } from '../domain/chart-columns.ts';
import { chartSvg, sparkSvg } from '../domain/chart-svg.ts';
import { dayText, decimalText, isVietnamese } from '../domain/language.ts';
import { documentPage, Html, html, MOST_PAGE_ROWS } from '../platform/server/document-page.ts';
import { makeSafe } from '../platform/terminal/text-safety.ts';
import { chartOf, columnWords, type Report, type ReportColumn, type ReportValue, unitWord } from './declared/report.ts';
import type { PreparedReport, ReportResult } from './run-report.ts';
import { say } from './texts.ts';

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

const languageOfRun = () => (isVietnamese() ? 'vi' : 'en');

/** A value as a person reads it. */
function cellText(value: ReportValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return makeSafe(value);
  return Number.isSafeInteger(value) ? formatMoney(value) : decimalText(value);
}

const isNumber = ({ type }: ReportColumn) => type !== 'text' && type !== 'period';

const cellClass = (column: ReportColumn) => new Html(isNumber(column) ? ' class="number"' : ' class="words"');

/** The days of a report and what is dated by them, or its moment, in words, and how fresh it is. */
export function spanText(report: Report, { since, until, tz, complete_until }: ReportResult): string {
  const texts = say().span;
  const { dated } = report.words();
  const fresh = texts.fresh({ moment: momentInZone(Date.parse(complete_until), tz), zone: tz });
  if (since === null || until === null) return texts.now({ fresh });
  const [first, last] = [dayText(since), dayText(until)];
  const days = first === last ? first : texts.days({ since: first, until: last });
  return dated === undefined ? texts.day({ day: days, fresh }) : texts.dated({ dated, days, fresh });
}

function figure(report: Report, { report: name, rows }: ReportResult): Html {
  const chart = chartOf(report, rows);
  if (chart.labels.length === 0) return html`<p>${say().page.nothing}</p>`;
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
  const headers = columns.map(({ name }) => columnWords(report, name).header);
  const line = (row: Readonly<Record<string, ReportValue>>, first: string | undefined) =>
    columns.map((column, index) => {
      const text = index === 0 && first !== undefined ? first : cellText(row[column.name]);
      return html`<td${cellClass(column)} data-label="${headers[index]}">${text}</td>`;
    });
  const shown = rows.slice(0, MOST_PAGE_ROWS).map((row) => html`<tr>${line(row, undefined)}</tr>\n`);
  const hasTotals = columns.some(({ total }) => total !== undefined);
  return html`<div class="wide" tabindex="0" role="region" aria-label="${report.words().title}"><table>
<thead><tr>${columns.map((column, index) => html`<th scope="col"${cellClass(column)}>${headers[index]}</th>`)}</tr></thead>
<tbody>
${shown}${hasTotals ? html`<tr class="total">${line(totals, say().total)}</tr>` : undefined}
</tbody>
</table></div>`;
}

/** What a page that leaves rows out says; undefined if it has them all. */
export function leftOut({ rows }: ReportResult, sheet: string): string | undefined {
  if (rows.length <= MOST_PAGE_ROWS) return undefined;
  return say().page.leftOut({ count: MOST_PAGE_ROWS, rows: rows.length, sheet });
}

/** A sentence, whose names to type stand between backticks. */
const withCode = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));

/** A report as one page, for a browser and for paper. `sheet` says where all rows are, if the page has not room for them. */
export function reportPage(
  { report, sql }: PreparedReport,
  result: ReportResult,
  { by, sheet }: { readonly by: string; readonly sheet: string },
): string {
  const rest = leftOut(result, sheet);
  const texts = say().page;
  const { title, definition } = report.words();
  const meanings = report.columns.map(({ name, unit }) => {
    const { header, meaning } = columnWords(report, name);
    return html`<li><b>${header}</b>: ${meaning}${unit === undefined ? '' : ` (${unitWord(unit)})`}</li>\n`;
  });
  const body = html`<h1>${title}</h1>
<p class="quiet">${spanText(report, result)} · ${by}</p>
${figure(report, result)}
${rest === undefined ? undefined : html`<p>${rest}</p>`}
${tableOf(report, result)}
<h2>${texts.counts}</h2>
${definition.split('\n').map((paragraph) => html`<p>${withCode(paragraph)}</p>\n`)}
<details><summary>${texts.columns}</summary><ul>
${meanings}</ul></details>
<details><summary>SQL</summary><pre tabindex="0">${sql}</pre></details>`;
  return documentPage({ title, style: look, lang: languageOfRun(), body });
}

const indexLook = /* css */ `${chartLook}.chart { width: 9rem; }
@media screen and (max-width: 600px) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  td { border: 0; padding: 0.15rem 0.5rem; }
}
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
    return html`<tr><td><a href="${page}">${report.words().title}</a></td><td>${spark}</td><td>${spanText(report, result)}</td><td><a href="${sheet}">${sheet}</a></td></tr>\n`;
  });
  const texts = say().page;
  const heads = [texts.report, texts.glance, texts.days, texts.sheet];
  const body = html`<h1>${texts.reports}</h1>
<p class="quiet">${by}</p>
<div class="wide" tabindex="0" role="region" aria-label="${texts.reports}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
  return documentPage({ title: texts.reports, style: indexLook, lang: languageOfRun(), body });
}
