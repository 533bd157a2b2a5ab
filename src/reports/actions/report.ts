import { resolve } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { list, record, text, time } from '../../contract/schema/scalars.ts';
import type { Column, View } from '../../contract/view.ts';
import { agoText } from '../../domain/calendar.ts';
import { fieldsIn, recordsIn } from '../../domain/json/values.ts';
import { type AtMirror, atMirror, requireMirror, rollupZone } from '../../mirror/actions/place.ts';
import { chartOf, columnWords, type Report, unitWord } from '../declared/report.ts';
import { reports } from '../declared/reports.ts';
import type { ReportResult } from '../run-report.ts';
import { say } from '../texts.ts';
import { ALL, askOf, type ReportInput, reportInput, reportsNamed } from './report-input.ts';
import { checkFileName, type DoneReport, inWords, writeAll, writeReport } from './write-report.ts';

const anyRow = (description: string) => z.looseObject({}).meta({ description });

const column = z.object({
  name: text('Name'),
  type: z.optional(text('Type')),
  unit: z.nullable(text('What it counts')),
  meaning: z.optional(text('What it means')),
});

/** A report, or what was asked for instead of one. */
export const output = record({
  report: text('Name of the report'),
  since: text('First day of the span; null for a report about the present'),
  until: text('Last day of the span'),
  tz: text('Time zone of the days'),
  complete_until: time("The moment up to which the mirror is complete, by the service's clock"),
  columns: list(column, 'The columns'),
  rows: list(anyRow('Values by the names of the columns'), 'The rows'),
  totals: anyRow('Totals by the names of the columns'),
  title: text('Title, with an explanation'),
  definition: text('What it counts, with an explanation'),
  sql: text('One statement that `mirror sql` runs, if asked for'),
  files: list(z.object({ file: text('The file') }), 'What was written'),
});

/** The columns of a report in a table. */
const columnOf = (report: Report): Column[] =>
  report.columns.map(({ name, type, optional, isWhole }, index) => ({
    path: name,
    header: columnWords(report, name).header,
    kind: type === 'text' || type === 'period' ? 'text' : 'number',
    ...(optional === true ? { optional } : {}),
    ...(index === 0 || isWhole === true ? { cut: 'never' as const } : {}),
  }));

/** How the result of an input is displayed. */
export function viewOf({ name, list, chart, width, ascii, sql, explain, to }: Partial<ReportInput>): View {
  const [report] = reportsNamed(name ?? '', list === true);
  if (typeof to === 'string') return { columns: [{ path: 'file' }], name: 'file', list: 'files' };
  if (sql === true) return { columns: [{ path: 'sql' }], name: 'sql', text: 'sql' };
  if (explain === true)
    return {
      columns: [
        { path: 'title' },
        { path: 'definition' },
        { path: 'columns', each: [{ path: 'name' }, { path: 'unit' }, { path: 'meaning' }] },
      ],
    };
  return report === undefined ? { columns: [] } : tableView(report, chart === true ? { width, ascii } : undefined);
}

/** A report as a table, or as a chart. */
export function tableView(report: Report, chart?: Partial<Pick<ReportInput, 'width' | 'ascii'>>): View {
  const picture = (result: unknown) => chartOf(report, recordsIn(fieldsIn(result).rows));
  return {
    columns: columnOf(report),
    name: report.columns[0]?.name ?? 'id',
    list: 'rows',
    total: { path: 'totals', label: say().total },
    picture,
    ...(chart && { chart: { of: picture, width: chart.width ?? undefined, ascii: chart.ascii === true } }),
  };
}

/** Opens the mirror for reports. Throws a Refusal if there is none, or if an area of a report was never copied. */
export async function atReports<Result>(ports: Ports, work: (at: AtMirror) => Promise<Result>): Promise<Result> {
  requireMirror(ports, 'report');
  const { NeverSynced } = await import('../index.ts');
  try {
    return await atMirror(ports, work);
  } catch (error) {
    if (!(error instanceof NeverSynced)) throw error;
    const { and, neverCopied } = say().notice;
    const areas = error.areas.reduce((one, other) => and({ one, other }));
    const message = neverCopied({ areas, count: error.areas.length });
    throw new Refusal('mirror_area_missing', message, { kind: 'missing', facts: { areas: error.areas } });
  }
}

/** Works with the mirror; a person at a terminal whose shop was never copied gets the copy first. Throws as `atReports` does. */
export async function afterCopy<Result>(ports: Ports, work: (at: AtMirror) => Promise<Result>): Promise<Result> {
  try {
    return await atReports(ports, work);
  } catch (error) {
    const isMissing =
      error instanceof Refusal && (error.code === 'mirror_missing' || error.code === 'mirror_area_missing');
    if (!isMissing || !ports.person.readsResult || !ports.person.isThere) throw error;
    ports.report.say(say().notice.copiesFirst);
    const { syncAreasOf } = await import('../../mirror/actions/sync.ts');
    await syncAreasOf(ports, { areas: [] });
    return atReports(ports, work);
  }
}

/** What imported payment files have paid of the cash that the platform has not settled: it counts nowhere else. */
export async function paidOf({ mirror, shopId }: AtMirror, ports: Ports): Promise<number> {
  const [{ paidByFiles }, { daysIn }] = await Promise.all([
    import('../index.ts'),
    import('../../mirror/store/write/days.ts'),
  ]);
  return paidByFiles(mirror, { shopId, dayOf: daysIn(rollupZone(ports)) });
}

/** Says of what counts the platform's settlements alone that payment files have paid more. */
export async function tellPaid({ isOfSettlement }: Report, at: AtMirror, ports: Ports): Promise<void> {
  const paid = isOfSettlement === true ? await paidOf(at, ports) : 0;
  if (paid > 0) ports.report.notice(say().notice.paid({ paid, advice: ports.ui.advise('compare_payments') }));
}

/** A copy is old enough to be renewed once so much time has passed. */
const RENEWED_AFTER_MS = 60_000;

/** What was copied at a moment, with its age, and how an old one is renewed. */
export function copiedText(at: number, said: (about: { age: string }) => string, { clock, ui }: Ports): string {
  const passed = clock.now() - at;
  const copied = said({ age: agoText(passed) });
  return passed < RENEWED_AFTER_MS ? copied : say().span.renewed({ copied, way: ui.advise('renew_mirror') });
}

/** Says how old the copy is of which reports were made. */
function tellAge(done: readonly DoneReport[], ports: Ports): void {
  const copied = Math.min(...done.map(({ prepared }) => prepared.copiedAt));
  ports.report.notice(copiedText(copied, say().notice.age, ports));
}

/** Says how fresh a result is, and what it was computed from. */
function tellFreshness(
  { prepared, result }: DoneReport,
  ports: Ports,
  spanText: (report: Report, result: ReportResult) => string,
): void {
  const what = `${prepared.report.words().title}: ${spanText(prepared.report, result)}`;
  ports.report.notice(copiedText(prepared.copiedAt, ({ age }) => say().span.copied({ what, age }), ports));
  const { adds = () => true } = prepared.report;
  const within = result.rows.filter((row) => !adds(row) && row.parcels !== 0);
  const names = within.map((row) => String(inWords(prepared.report, { ...result, rows: [row] }).rows[0]?.state));
  if (names.length > 0) ports.report.notice(say().notice.within({ names }));
  if (prepared.isFromRecords) ports.report.notice(say().notice.fromRecords({ zone: prepared.tz }));
}

/** `report`. */
export const report = action({
  id: 'report',
  words: ['report'],
  summary: 'Report on sales, customers, parcels, carriers, cash and stock',
  description:
    'unreconciled, states and late are about the present; carriers, cod, sales, products, customers and stock about the days from --since to --until, both included. The present is the moment up to which the mirror is complete: `shopctl mirror sync` updates it. --explain says what a report counts, --sql how. docs/reports.md defines every figure.',
  examples: [
    'shopctl report sales --by week',
    'shopctl report products',
    'shopctl report customers --since this-week',
    'shopctl report late --list',
    'shopctl report cod --chart',
    'shopctl report carriers --since 2026-11-01 --until 2026-11-30 --to carriers.html',
    'shopctl report all --to reports',
  ],
  effect: 'read',
  agents: 'read',
  needs: ['key'],
  page: 'allowed',
  input: reportInput,
  positional: ['name'],
  hints: {
    name: { placeholder: 'NAME', from: 'path', page: { values: reports.map(({ name }) => name) } },
    since: { placeholder: 'DAY', from: 'path' },
    until: { placeholder: 'DAY', from: 'path' },
    tz: { placeholder: 'ZONE', from: 'path' },
    to: { placeholder: 'FILE', from: 'path', page: { download: ['html', 'xlsx', 'csv', 'jsonl'] } },
    chart: { page: 'never' },
    width: { placeholder: 'COLUMNS', page: 'never' },
    ascii: { page: 'never' },
    explain: { aside: true },
    sql: { aside: true },
  },
  output,
  view: viewOf,
  async run(given, ports) {
    const asked = askOf(given, ports);
    const named = reportsNamed(given.name, given.list === true);
    const [only] = named;
    if (given.explain === true && given.name !== ALL && only !== undefined) {
      const { name, words, columns } = only;
      const { title, definition } = words();
      const reported = columns.map((column) => ({
        name: column.name,
        unit: column.unit === undefined ? null : unitWord(column.unit),
        meaning: columnWords(only, column.name).meaning,
      }));
      return { report: name, title, definition: definition.replaceAll('\n', ' '), columns: reported };
    }
    if (typeof given.to === 'string' && given.name !== ALL) checkFileName(given.to);
    const { prepareReport, runReport, spanText } = await import('../index.ts');
    return afterCopy(ports, async ({ mirror, shopId }) => {
      const done: DoneReport[] = [];
      for (const report of named) {
        const prepared = await prepareReport(mirror, shopId, { report, ...asked });
        if (given.sql === true) return { report: report.name, sql: `${prepared.sql}\n` };
        done.push({ prepared, result: await runReport(mirror, prepared) });
      }
      const [first] = done;
      if (given.name === ALL) {
        tellAge(done, ports);
        ports.intend({ write: given.to });
        return { files: await writeAll(given.to ?? '', done, ports) };
      }
      if (first === undefined) throw new TypeError(`there is no report ${given.name}`);
      tellFreshness(first, ports, spanText);
      await tellPaid(first.prepared.report, { mirror, shopId }, ports);
      if (typeof given.to !== 'string')
        return inWords(first.prepared.report, first.result, ports.settings.output.value === 'table');
      ports.intend({ write: given.to });
      await writeReport(resolve(ports.workingDirectory, given.to), first, ports);
      return { files: [{ file: given.to }] };
    });
  },
});
