import { join, resolve } from 'node:path';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { listFileFormat, workbook, writeList } from '../../operations/actions/list-to-file.ts';
import { writeParts } from '../../platform/files/file-parts.ts';
import { columnWords, type Report, rowInWords } from '../declared/report.ts';
import type { PreparedReport, ReportResult } from '../run-report.ts';
import { say } from '../texts.ts';

/** A report that was run. */
export interface DoneReport {
  readonly prepared: PreparedReport;
  readonly result: ReportResult;
}

/** A result as people read it: codes in words, and periods as they write them; for programs a period keeps its name. */
export const inWords = (report: Report, result: ReportResult, isForPerson = true): ReportResult => ({
  ...result,
  rows: result.rows.map((row) => rowInWords(report, row, isForPerson ? result : undefined)),
});

/** A page that is larger is slow to open and to send. */
const LARGE_PAGE_BYTES = 3_000_000;

const isPage = (path: string) => /\.html?$/i.test(path);

/** Refuses a file whose ending names no format. Throws a Refusal. */
export function checkFileName(path: string): void {
  if (isPage(path)) return;
  try {
    listFileFormat(path);
  } catch {
    throw new Refusal('format_unknown', say().page.ending({ path }));
  }
}

const by = ({ version }: Ports) => `shopctl ${version}`;

/** A report as the bytes of a workbook: whole numbers have thousands separators, and the totals are the last row. */
function sheetOf(report: Report, { rows, totals, ...days }: ReportResult): Promise<Uint8Array> {
  const { columns } = report;
  const lines = rows
    .map((row) => rowInWords(report, row, days, { hasDays: true }))
    .map((row) => columns.map(({ name }) => row[name] ?? null));
  const hasTotals = columns.some(({ total }) => total !== undefined);
  const last = columns.map(({ name }, index) => (index === 0 ? say().total : (totals[name] ?? null)));
  return workbook({
    name: report.words().title,
    columns: columns.map(({ name }) => columnWords(report, name).header),
    lines: hasTotals ? [...lines, last] : lines,
    kinds: columns.map(({ type }) => (type === 'period' ? 'day' : type === 'integer' ? 'amount' : undefined)),
    isWide: true,
  });
}

/** Writes a report to a file by its name's ending, complete or not at all. Throws a Refusal and a FileError. */
export async function writeReport(path: string, { prepared, result }: DoneReport, ports: Ports): Promise<void> {
  const { report } = prepared;
  if (isPage(path)) {
    const { leftOut, reportPage } = await import('../index.ts');
    const sheet = path.replace(/\.html?$/i, '.xlsx');
    const page = reportPage(prepared, inWords(report, result), { by: by(ports), sheet });
    await ports.files.write(path, page, 0o644);
    const rest = leftOut(result, `report ${report.name} --to ${sheet}`);
    if (rest !== undefined) ports.report.notice(rest);
    const size = Buffer.byteLength(page);
    if (size > LARGE_PAGE_BYTES) ports.report.notice(say().page.large({ path, megabytes: Math.round(size / 1e6) }));
    return;
  }
  if (listFileFormat(path) === 'xlsx') {
    const bytes = await sheetOf(report, result);
    await writeParts(
      path,
      (async function* () {
        yield bytes;
      })(),
    );
    return;
  }
  const properties = Object.fromEntries(report.columns.map(({ name }) => [name, { type: 'string' } as const]));
  const schema: JsonSchema = { type: 'object', properties };
  await writeList(path, result.rows, schema, { style: ports.csv });
}

/** Writes every report to a directory, as a page and a sheet each, with a page that leads to them. */
export async function writeAll(directory: string, done: readonly DoneReport[], ports: Ports) {
  const { indexPage } = await import('../index.ts');
  const indexed = done.map(({ prepared, result }) => ({
    report: prepared.report,
    result: inWords(prepared.report, result),
    page: `${prepared.report.name}.html`,
    sheet: `${prepared.report.name}.xlsx`,
  }));
  const at = (name: string) => join(resolve(ports.workingDirectory, directory), name);
  for (const [index, one] of done.entries()) {
    const { page = '', sheet = '' } = indexed[index] ?? {};
    await writeReport(at(page), one, ports);
    await writeReport(at(sheet), one, ports);
  }
  await ports.files.write(at('index.html'), indexPage(indexed, by(ports)), 0o644);
  const names = ['index.html', ...indexed.flatMap(({ page, sheet }) => [page, sheet])];
  return names.map((name) => ({ file: join(directory, name) }));
}
