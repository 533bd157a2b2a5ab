import { chartLook } from '../domain/chart-columns.ts';
import { sparkSvg } from '../domain/chart-svg.ts';
import { documentPage, Html, html } from '../platform/server/document-page.ts';
import { chartOf, type Report } from './declared/report.ts';
import { spanText } from './report-page.ts';
import type { ReportResult } from './run-report.ts';

const look = /* css */ `${chartLook}.chart { width: 9rem; }
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
    return html`<tr><td><a href="${page}">${report.title}</a></td><td>${spark}</td><td>${spanText(result)}</td><td><a href="${sheet}">${sheet}</a></td></tr>\n`;
  });
  const body = html`<h1>Reports</h1>
<p class="quiet">${by}</p>
<div class="wide" tabindex="0" role="region" aria-label="Reports"><table>
<thead><tr><th scope="col">Report</th><th scope="col">At a glance</th><th scope="col">Days</th><th scope="col">Sheet</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
  return documentPage({ title: 'Reports', style: look, body });
}
