import { existsSync } from 'node:fs';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import type { CsvStyle } from '../../domain/csv-guard.ts';
import { writeParts } from '../../platform/files/file-parts.ts';
import { jsonSafe, makeSafe } from '../../platform/terminal/text-safety.ts';
import { shopAskedFor } from '../../settings/keys.ts';
import { sheetFormatOf } from '../../sheets/formats/formats.ts';
import { delimitedLine, textInCell, textWriter } from '../../sheets/formats/records-as-lines.ts';
import type { Cell } from '../../sheets/formats/sheet.ts';
import { resultHeader, resultLines, resultRecords } from '../result-table.ts';
import { batchNamed } from '../runs.ts';
import type { Batch } from '../store/batches.ts';
import type { Rows } from '../store/rows.ts';
import { sourceOf } from '../stored-source.ts';
import { say } from '../texts.ts';
import { looking } from './looking.ts';
import { pathFrom } from './plan/plan-file.ts';

/** What the service said, with nothing hidden in it; the columns of the file itself stay as they are. */
const visibleCell = (cell: Cell) => (typeof cell === 'string' ? makeSafe(cell, 'keep') : cell);

const textOf = (value: unknown) => (value === null || value === undefined ? '' : String(value));

function requireColumns(batch: Batch): void {
  if (sourceOf(batch).columns.length > 0) return;
  throw new Refusal('no_columns', say().result.noColumns({ batch: batch.id }));
}

async function* delimited(
  rows: Rows,
  batch: Batch,
  { delimiter, csv }: { readonly delimiter: string; readonly csv: CsvStyle },
  count: () => void,
): AsyncGenerator<string, void, undefined> {
  const { style } = sourceOf(batch);
  if (style.byteOrderMark === true) yield '\uFEFF';
  requireColumns(batch);
  const written = textWriter(csv);
  const cellText = (cell: Cell) => written(textOf(cell));
  // What a cell of the file means is written again; without the guard it stays as it stands there.
  const ownText = (cell: Cell) => (csv.csvGuard === false ? textOf(cell) : written(textInCell(textOf(cell))));
  yield delimitedLine(resultHeader(batch, 'program').map(cellText), delimiter);
  for await (const { cells, results } of resultLines(rows, batch, 'program')) {
    count();
    yield delimitedLine([...cells.map(ownText), ...results.map(visibleCell).map(cellText)], delimiter);
  }
}

async function* jsonLines(rows: Rows, batch: Batch, count: () => void): AsyncGenerator<string, void, undefined> {
  for await (const { record, result } of resultRecords(rows, batch)) {
    count();
    yield `${jsonSafe(JSON.stringify({ ...record, result }))}\n`;
  }
}

/** A workbook of one sheet is built in memory; the line limit of a sheet bounds its size. */
async function* newWorkbook(rows: Rows, batch: Batch, count: () => void): AsyncGenerator<Uint8Array, void, undefined> {
  requireColumns(batch);
  const { xlsxOf } = await import('../../sheets/xlsx/write-xlsx.ts');
  const lines: Cell[][] = [];
  for await (const { cells, results } of resultLines(rows, batch, 'person')) {
    count();
    lines.push([...cells, ...results.map(visibleCell)]);
  }
  yield xlsxOf(resultHeader(batch, 'person'), lines, 'Result');
}

/**
 * Writes the workbook that a batch was read from with its results, or else one with the batch's table alone; returns the
 * number of lines. Throws a Refusal rather than replace a changed workbook by a table.
 */
async function writeWorkbook(rows: Rows, batch: Batch, path: string, ports: Ports): Promise<number> {
  const { resultWorkbook } = await import('./result-workbook.ts');
  const whole = await resultWorkbook({ rows, batch }, ports, visibleCell);
  if (whole?.kind === 'there') {
    await writeParts(path, whole.bytes);
    return whole.lines;
  }
  if (whole !== undefined) {
    const { why: what } = whole;
    if (path === whole.path && existsSync(path)) {
      throw new Refusal('workbook_changed', say().result.doesNotFit({ what, batch: batch.id }));
    }
    ports.report.notice(say().result.inNewWorkbook({ what }));
  }
  let lines = 0;
  await writeParts(
    path,
    newWorkbook(rows, batch, () => {
      lines += 1;
    }),
  );
  return lines;
}

/** The format that the name of a file says; without an extension it is refused, since nothing else says it here. */
function formatOf(to: string): string {
  if (/\.[^./\\]+$/.test(to)) return sheetFormatOf(to).name;
  throw new Refusal('format_unknown', to === '-' ? say().result.toStdout : say().result.noFormat({ to }));
}

/** Writes the result of a batch, all or nothing. Throws a FileError, a Refusal and a WorkspaceError. */
export function writeResult(
  { batch: name, to }: { readonly batch?: string | null | undefined; readonly to: string },
  ports: Ports,
): Promise<{ file: string; lines: number }> {
  return looking(ports, async ({ batches, rows }) => {
    const batch = await batchNamed({ batches }, name, shopAskedFor(ports.settings));
    ports.intend({ write: to, of: batch.id });
    const path = pathFrom(ports.workingDirectory, to);
    let lines = 0;
    const count = () => {
      lines += 1;
    };
    const format = formatOf(to);
    const own = sourceOf(batch).style.delimiter;
    if (format === 'csv')
      await writeParts(path, delimited(rows, batch, { delimiter: own ?? ',', csv: ports.csv }, count));
    else if (format === 'tsv')
      await writeParts(path, delimited(rows, batch, { delimiter: '\t', csv: ports.csv }, count));
    else if (format === 'jsonl') await writeParts(path, jsonLines(rows, batch, count));
    else if (format === 'xlsx') lines = await writeWorkbook(rows, batch, path, ports);
    else throw new Refusal('format_unknown', say().result.formatUnknown({ format }));
    return { file: to, lines };
  });
}
