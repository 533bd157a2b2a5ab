import { formatMoney } from '../../../domain/amounts/money.ts';
import { momentInZone } from '../../../domain/time/zone-days.ts';
import type { PlanRow } from '../../../flows/batch/report/plan-rows.ts';
import { writeParts } from '../../../platform/files/file-parts.ts';
import { documentPage, MOST_PAGE_ROWS } from '../../../platform/page/document-page.ts';
import { html } from '../../../platform/server/html.ts';
import { makeSafe } from '../../../platform/terminal/text-safety.ts';
import { Refusal } from '../../action/refusal.ts';
import { workbook } from '../../operations/list-to-file.ts';

/** A warning, by its code, or how a cell was read, which has none; the cell is null for the file as a whole. */
export interface PlanRemark {
  readonly code?: string;
  readonly cell: string | null;
  readonly value: string | null;
  readonly message: string;
}

/** A plan as it is written for whoever approves it. */
export interface WrittenPlan {
  /** Such as `batch plan of orders.csv`. */
  readonly title: string;
  /** Counts and sums, one line each. */
  readonly lines: readonly string[];
  readonly rows: AsyncIterable<PlanRow>;
  /** What is said of the file and its cells. */
  readonly remarks: readonly PlanRemark[];
  readonly timeZone: string;
}

const columns = [
  ...['row', 'external_id', 'recipient', 'phone', 'where', 'what'],
  ...['cash', 'carrier', 'fee', 'delivery'],
] as const;

const timeText = ({ delivery }: PlanRow, timeZone: string) =>
  delivery === null ? '' : momentInZone(Date.parse(delivery), timeZone);

function cellsOf(row: PlanRow, timeZone: string): string[] {
  const { external_id, recipient, phone, where, what, carrier } = row;
  const [cash, fee] = [row.cash, row.fee].map((amount) => (amount === null ? null : formatMoney(amount)));
  const cells = [external_id, recipient, phone, where, what, cash, carrier, fee, timeText(row, timeZone)];
  return [String(row.row), ...cells.map((cell) => makeSafe(cell ?? ''))];
}

/** The first rows for a page, and what it leaves out. */
async function forPage({ rows, timeZone }: WrittenPlan): Promise<{ lines: string[][]; rest: string | undefined }> {
  const lines: string[][] = [];
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count <= MOST_PAGE_ROWS) lines.push(cellsOf(row, timeZone));
  }
  const rest = count - lines.length;
  return { lines, rest: rest === 0 ? undefined : `and ${formatMoney(rest)} more; all of them with --to plan.xlsx` };
}

const markdownCell = (text: string) => text.replaceAll(/[\\|]/g, '\\$&').replaceAll(/[\r\n]+/g, ' ');

async function markdown(plan: WrittenPlan): Promise<string> {
  const { lines, rest } = await forPage(plan);
  const line = (cells: readonly string[]) => `| ${cells.map(markdownCell).join(' | ')} |\n`;
  const table = [
    line(columns),
    line(columns.map((name) => (name === 'fee' || name === 'cash' ? '---:' : '---'))),
    ...lines.map(line),
  ];
  const facts = plan.lines.map((fact) => `- ${makeSafe(fact)}\n`).join('');
  return `# ${makeSafe(plan.title)}\n\n${facts}\n${table.join('')}${rest === undefined ? '' : `\n${rest}\n`}`;
}

async function page(plan: WrittenPlan): Promise<string> {
  const { lines, rest } = await forPage(plan);
  const body = html`<h1>${plan.title}</h1>
<ul>${plan.lines.map((line) => html`<li>${line}</li>`)}</ul>
<div class="wide"><table>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${lines.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}
</tbody>
</table></div>
<p class="quiet">${rest ?? ''}</p>`;
  return documentPage({ title: plan.title, body });
}

async function sheet({ rows, lines, remarks, timeZone }: WrittenPlan): Promise<Uint8Array> {
  const cells: (string | number | null)[][] = [];
  for await (const row of rows) {
    const { recipient, phone, where, what, external_id, cash, carrier, fee } = row;
    cells.push([row.row, external_id, recipient, phone, where, what, cash, carrier, fee, timeText(row, timeZone)]);
  }
  const sums = lines.map((line) => [null, null, null, null, null, line]);
  const said = remarks.map(({ code = 'reading', cell, value, message }) => [code, cell, value, message]);
  const plan = { name: 'Plan', columns, lines: [...cells, ...sums], isWide: true };
  return workbook(plan, { name: 'Remarks', columns: ['kind', 'cell', 'value', 'message'], lines: said, isWide: true });
}

const writers: Readonly<Record<string, (plan: WrittenPlan) => Promise<string | Uint8Array>>> = {
  xlsx: sheet,
  md: markdown,
  html: page,
};

/** The formats in which a plan can be written for a person, by the ending of the file. */
export const planFormats = Object.keys(writers);

const writerFor = (path: string) => writers[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''];

/** Throws a Refusal for a file whose ending names no format of a plan. */
export function requirePlanFormat(path: string): void {
  if (writerFor(path) !== undefined) return;
  throw new Refusal('format_unknown', `a plan can be written to .xlsx, .md or .html, not to ${path}`);
}

/** Writes a plan to a file, all or nothing, with mode 0600. Throws a Refusal and a FileError. */
export async function writePlan(path: string, plan: WrittenPlan): Promise<void> {
  const content = await writerFor(path)?.(plan);
  if (content === undefined) return;
  await writeParts(
    path,
    (async function* () {
      yield content;
    })(),
  );
}
