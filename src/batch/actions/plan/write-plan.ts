import { Refusal } from '../../../client/refusal.ts';
import { inPlaceOfBlank } from '../../../contract/view.ts';
import { formatMoney } from '../../../domain/amounts/money.ts';
import { inClockTime, momentInZone } from '../../../domain/calendar.ts';
import { workbook } from '../../../operations/actions/list-to-file.ts';
import { writeParts } from '../../../platform/files/file-parts.ts';
import { documentPage, html, MOST_PAGE_ROWS } from '../../../platform/server/document-page.ts';
import { escapeHidden, makeSafe } from '../../../platform/terminal/text-safety.ts';
import type { Cell } from '../../../sheets/formats/sheet.ts';
import type { PlanRow } from '../../plan-rows.ts';
import { say } from '../../texts.ts';
import { faultLine } from '../fault-lines.ts';
import { planView } from './plan-outputs.ts';

/** A warning, by its code, or how a cell was read, which has none; the cell is null for the file as a whole. */
export interface PlanRemark {
  readonly code?: string;
  readonly cell: string | null;
  readonly value: string | null;
  readonly message: string;
}

/** The cells of a planned sheet itself. */
export interface OwnCells {
  /** Empty for a file without columns. */
  readonly columns: readonly string[];
  readonly linesOf: (row: number) => readonly (readonly Cell[])[];
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
  /** The sheet's own columns with the lines of each row, by its number, as a spreadsheet shows them. */
  readonly own: OwnCells;
  /** The zone of its times. */
  readonly timeZone: string;
}

const columns = [
  ...['row', 'external_id', 'recipient', 'phone', 'where', 'what'],
  ...['cash', 'fee', 'carrier', 'delivery'],
] as const;

const remarkColumns = ['kind', 'cell', 'value', 'message'] as const;

const headerOf = (name: (typeof columns | typeof remarkColumns)[number]) => say().written.columns[name];

const headers = () => columns.map(headerOf);

const isAmount = (name: string) => name === 'cash' || name === 'fee';

const cashColumn = planView.columns.find(({ path }) => path === 'cash') ?? {};

const timeText = ({ delivery }: PlanRow, timeZone: string) =>
  delivery === null ? '' : momentInZone(Date.parse(delivery), timeZone);

/** The cells of a row; an amount is a number. */
function cellsOf(row: PlanRow, timeZone: string): (string | number | null)[] {
  const { external_id, recipient, phone, where, what, cash, fee, carrier } = row;
  const collected = cash ?? inPlaceOfBlank(cashColumn, row) ?? null;
  return [row.row, external_id, recipient, phone, where, what, collected, fee, carrier, timeText(row, timeZone)];
}

const textOf = (cell: string | number | null) => (typeof cell === 'number' ? formatMoney(cell) : makeSafe(cell ?? ''));

/** What is said of the file and its cells, for a page: a heading for each list that has something, and its first lines. */
function remarksForPage({ remarks }: WrittenPlan): { heading: string; lines: readonly string[] }[] {
  const lists = [
    { heading: say().written.warnings, all: remarks.filter(({ code }) => code !== undefined) },
    { heading: say().written.readings, all: remarks.filter(({ code }) => code === undefined) },
  ];
  return lists.flatMap(({ heading, all }) => {
    const lines = all
      .slice(0, MOST_PAGE_ROWS)
      .map(({ cell, value, message }) => (cell === null ? message : faultLine({ cell, value: value ?? '', message })));
    const rest = all.length - lines.length;
    return all.length === 0 ? [] : [{ heading, lines: rest === 0 ? lines : [...lines, restLine(rest)] }];
  });
}

const restLine = (count: number) => say().written.rest({ count });

/** The first rows for a page, and what it leaves out. */
async function forPage({ rows, timeZone }: WrittenPlan): Promise<{ lines: string[][]; rest: string | undefined }> {
  const lines: string[][] = [];
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count <= MOST_PAGE_ROWS) lines.push(cellsOf(row, timeZone).map(textOf));
  }
  const rest = count - lines.length;
  return { lines, rest: rest === 0 ? undefined : restLine(rest) };
}

const markdownCell = (text: string) => text.replaceAll(/[\\|]/g, '\\$&').replaceAll(/[\r\n]+/g, ' ');

async function markdown(plan: WrittenPlan): Promise<string> {
  const { lines, rest } = await forPage(plan);
  const line = (cells: readonly string[]) => `| ${cells.map(markdownCell).join(' | ')} |\n`;
  const table = [line(headers()), line(columns.map((name) => (isAmount(name) ? '---:' : '---'))), ...lines.map(line)];
  const listOf = (texts: readonly string[]) => texts.map((text) => `- ${makeSafe(text)}\n`).join('');
  const said = remarksForPage(plan).map(({ heading, lines: texts }) => `\n## ${heading}\n\n${listOf(texts)}`);
  const after = rest === undefined ? '' : `\n${rest}\n`;
  return `# ${makeSafe(plan.title)}\n\n${listOf(plan.lines)}\n${table.join('')}${after}${said.join('')}`;
}

async function page(plan: WrittenPlan): Promise<string> {
  const { lines, rest } = await forPage(plan);
  const body = html`<h1>${plan.title}</h1>
<ul>${plan.lines.map((line) => html`<li>${line}</li>`)}</ul>
<div class="wide"><table>
<thead><tr>${headers().map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${lines.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}
</tbody>
</table></div>
<p class="quiet">${rest ?? ''}</p>
${remarksForPage(plan).map(
  ({ heading, lines: texts }) => html`<h2>${heading}</h2>
<ul>${texts.map((text) => html`<li>${makeSafe(text)}</li>`)}</ul>\n`,
)}`;
  return documentPage({ title: plan.title, body });
}

const visible = (cell: Cell) => (typeof cell === 'string' ? escapeHidden(cell) : cell);

/** A workbook: each row beside the lines of the sheet that it was read from, its own cells on the first of them. */
async function sheet({ rows, lines, remarks, own, timeZone }: WrittenPlan): Promise<Uint8Array> {
  const cells: Cell[][] = [];
  for await (const row of rows) {
    const [first = [], ...further] = own.columns.length === 0 ? [] : own.linesOf(row.row);
    cells.push([...cellsOf(row, timeZone), ...first].map(visible));
    for (const line of further) cells.push([...columns.map(() => null), ...line].map(visible));
  }
  const sums = lines.map((line) => [null, null, null, null, null, visible(line)]);
  const { written } = say();
  const said = remarks.map(({ code = written.reading, cell, value, message }) =>
    [code, cell, value, message].map(visible),
  );
  return workbook(
    {
      name: written.plan,
      columns: [...headers(), ...own.columns],
      lines: [...cells, ...sums],
      kinds: columns.map((name) => (isAmount(name) ? 'amount' : undefined)),
      isWide: true,
    },
    ...(said.length === 0
      ? []
      : [{ name: written.remarks, columns: remarkColumns.map(headerOf), lines: said, isWide: true }]),
  );
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
  throw new Refusal('format_unknown', say().written.formatUnknown({ path }));
}

/** Writes a plan to a file, all or nothing, with mode 0600. Throws a Refusal and a FileError. */
export async function writePlan(path: string, plan: WrittenPlan): Promise<void> {
  const { timeZone } = plan;
  const inZone = (text: string) => inClockTime(text, timeZone, true);
  const lines = [...plan.lines.map(inZone), say().written.times({ zone: timeZone })];
  const remarks = plan.remarks.map((remark) => ({ ...remark, message: inZone(remark.message) }));
  const content = await writerFor(path)?.({ ...plan, lines, remarks });
  if (content === undefined) return;
  await writeParts(
    path,
    (async function* () {
      yield content;
    })(),
  );
}
