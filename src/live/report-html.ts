import { labels } from '../contract/labels.ts';
import { isVietnamese } from '../domain/language.ts';
import { documentPage, type Html, html, MOST_PAGE_ROWS } from '../platform/server/document-page.ts';
import { makeSafe } from '../platform/terminal/text-safety.ts';
import type { Judged } from './accepted.ts';
import type { Checked } from './notebook.ts';
import { type ConformanceSummary, summaryText } from './summary.ts';
import { say } from './texts.ts';

/** What a report says besides its checks and findings. */
export interface ReportHead {
  readonly service: string;
  /** When the run ended, ISO 8601. */
  readonly at: string;
  /** The program and its version. */
  readonly by: string;
  readonly summary: ConformanceSummary;
}

const figures = /* css */ `ul.figures { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1rem 0; padding: 0; list-style: none; }
ul.figures li { flex: 1 1 8rem; padding: 0.6rem 0.8rem; border: 1px solid var(--line); border-radius: 0.4rem; background: var(--card); }
ul.figures b { display: block; font-size: 1.5rem; }
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { padding: 0.4rem 0; border: 1px solid var(--line); }
  td { padding: 0.1rem 0.6rem; border: 0; }
}
@media (min-width: 60rem) { td.where { min-width: 19rem; } }
`;

const safe = (text: string) => makeSafe(text, 'keep');

/** The name of an operation that a narrow column breaks between its words, and never within one. */
const named = (operation: string) => operation.split(/(?<=[./])|(?<=[a-z])(?=[A-Z])/).map((part) => html`${part}<wbr>`);

function figure(count: number, words: string): Html {
  return html`<li><b>${count}</b> ${words}</li>`;
}

function findingRow({ check, operation, path, kind, expected, seen, curl, accepted, expired }: Judged): Html {
  const note =
    accepted !== null
      ? html`<br>${say().page.acceptedFor({ reason: safe(accepted) })}`
      : expired !== null
        ? html`<br>${say().page.wasAccepted({ day: expired })}`
        : undefined;
  const words = { expected: labels().sentence(safe(expected)), seen: labels().sentence(safe(seen)) };
  const differs = say().page.differs({ path: safe(path), ...words });
  return html`<tr>
<td><b>${labels().state(kind)}</b>${note}</td>
<td class="where">${named(operation)}<br>${check}</td>
<td>${differs}
<details><summary>${say().page.request}</summary><pre>${safe(curl)}</pre></details></td>
</tr>`;
}

function findingsTable(findings: readonly Judged[]): Html {
  if (findings.length === 0) return html`<p>${say().page.nothing}</p>`;
  const rows = findings.slice(0, MOST_PAGE_ROWS).map(findingRow);
  const { means, where, what } = say().page;
  return html`<div class="wide"><table>
<thead><tr><th>${means}</th><th>${where}</th><th>${what}</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** The checks of an operation in one row: each result with the checks that ended so. */
function operationRow(operation: string, checks: readonly Checked[]): Html {
  const results = ['deviates', 'unchecked', 'holds', 'not asked'] as const;
  const lines = results.flatMap((result) => {
    const own = checks.filter((one) => one.result === result);
    if (own.length === 0) return [];
    const reasons = [...new Set(own.flatMap(({ reason }) => (reason === null ? [] : labels().sentence(reason))))].join(
      '; ',
    );
    return [
      html`<div><b>${labels().state(result)}</b>: ${own.map(({ check }) => check).join(', ')}${reasons === '' ? '' : ` (${safe(reasons)})`}</div>`,
    ];
  });
  return html`<tr><td class="where">${named(operation)}</td><td>${lines}</td></tr>`;
}

/** A run as one page: no script, nothing from elsewhere, in the colours of the reader's system, for paper as well. */
export function conformancePage(
  { service, at, by, summary }: ReportHead,
  checks: readonly Checked[],
  findings: readonly Judged[],
): string {
  const operations = [...new Set(checks.map(({ operation }) => operation))];
  const said = say().page;
  const title = said.title({ service });
  const body = html`<h1>${title}</h1>
<p class="quiet">${at} · ${by}</p>
<p>${summaryText(summary)}</p>
<ul class="figures">
${[
  figure(summary.proved, said.proved),
  figure(summary.drifted, said.drifted),
  figure(summary.untested, said.untested),
  ...(summary.undecided === 0 ? [] : [figure(summary.undecided, said.undecided)]),
  ...(summary.accepted === 0 ? [] : [figure(summary.accepted, said.acceptedOnly)]),
  figure(summary.unreachable, said.unreachable),
]}
</ul>
<h2>${said.differences}</h2>
${findingsTable(findings)}
<h2>${said.checked}</h2>
<p class="quiet">${said.scope}</p>
<div class="wide"><table>
<thead><tr><th>${said.operation}</th><th>${said.checks}</th></tr></thead>
<tbody>${operations.map((operation) =>
    operationRow(
      operation,
      checks.filter((one) => one.operation === operation),
    ),
  )}</tbody>
</table></div>`;
  return documentPage({ title, style: figures, lang: isVietnamese() ? 'vi' : 'en', body });
}
