import { BYTE_ORDER_MARK } from '../../../domain/csv-guard.ts';
import { isRecord } from '../../../domain/json/value-at.ts';
import type { Sink } from '../../../platform/terminal/streams.ts';
import { delimitedLine } from '../../../sheets/formats/delimited.ts';
import { cellOf } from '../../../sheets/formats/records-as-lines.ts';
import { textWriter } from '../../../sheets/formats/written-cell.ts';
import type { View } from '../document.ts';
import type { PrintSettings } from '../print-settings.ts';
import { planColumns } from '../table/columns.ts';
import { csvRows } from '../table/flat-rows.ts';
import { inChunks } from './chunks.ts';
import type { Writer } from './writer.ts';

/** If the view has no columns, this many rows determine them, as in a table. */
const rowsThatDecide = 200;

/**
 * Records as RFC 4180: a header row of paths, then one row each, with values spelled as on the wire. Line breaks and
 * tabs stay inside their quotes; other control characters are escaped visibly, since csv has no escape syntax.
 */
export async function printCsv(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  view: View,
  settings: PrintSettings,
  stdout: Sink,
): Promise<number> {
  if (settings.forExcel === true) await stdout.write(BYTE_ORDER_MARK);
  return printRows(rows, view, settings, stdout);
}

async function printRows(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  view: View,
  settings: PrintSettings,
  stdout: Sink,
): Promise<number> {
  if (view.flat === true && settings.fields === undefined) {
    return printRows(csvRows(await collectRecords(rows)), { columns: [] }, settings, stdout);
  }
  const known = settings.fields !== undefined || view.columns.length > 0;
  const written = textWriter(settings);
  const line = (cells: readonly unknown[]) => csvLine(cells.map((cell) => written(textOf(cell))));
  let plan = known ? planColumns(view, settings.fields, []) : undefined;
  if (plan !== undefined) await stdout.write(line(plan.columns.map(({ path }) => path)));
  let count = 0;
  for await (const chunk of inChunks(rows, known ? 1 : rowsThatDecide, 1)) {
    if (plan === undefined) {
      plan = planColumns(view, undefined, chunk);
      if (plan.named) await stdout.write(line(plan.columns.map(({ path }) => path)));
    }
    for (const row of chunk) {
      await stdout.write(line(plan.columns.map(({ read }) => read(row))));
      if (stdout.closed) return count;
      count += 1;
    }
  }
  return count;
}

async function collectRecords(rows: AsyncIterable<unknown> | Iterable<unknown>): Promise<object[]> {
  const records: object[] = [];
  for await (const row of rows) records.push(isRecord(row) ? row : { value: row });
  return records;
}

/** A value as in a file of a batch; of the values that a path finds in a list, those that are there. */
function textOf(value: unknown): string {
  return String(cellOf(Array.isArray(value) ? value.filter((item) => item !== null && item !== '') : value));
}

function csvLine(cells: readonly string[]): string {
  return cells.length === 0 ? '' : delimitedLine(cells);
}

/** Results as csv. */
export const csv: Writer = {
  list: ({ rows, view }, settings, stdout) => printCsv(rows, view, settings, stdout),
  record: ({ value, view }, settings, stdout) => printCsv([value], view, settings, stdout),
};
