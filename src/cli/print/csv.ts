import { BYTE_ORDER_MARK } from '../../domain/csv-guard.ts';
import { isRecord } from '../../domain/json/values.ts';
import type { Sink } from '../../platform/terminal/streams.ts';
import { cellOf, delimitedLine, textWriter } from '../../sheets/formats/records-as-lines.ts';
import { planColumns } from './columns.ts';
import type { View } from './document.ts';
import type { PrintSettings, Writer } from './rows.ts';
import { inChunks } from './rows.ts';

function flatten(value: unknown, path: string, into: Map<string, unknown>): void {
  if (typeof value !== 'object' || value === null) {
    into.set(path, value);
    return;
  }
  for (const [name, inner] of Object.entries(value)) flatten(inner, path === '' ? name : `${path}.${name}`, into);
}

/** Records as rows of dotted columns, with list entries by index; each row has the columns of all rows. */
function csvRows(records: readonly object[]): Record<string, unknown>[] {
  const flat = records.map((record) => {
    const fields = new Map<string, unknown>();
    flatten(record, '', fields);
    return fields;
  });
  const columns = [...new Set(flat.flatMap((fields) => [...fields.keys()]))];
  return flat.map((fields) => Object.fromEntries(columns.map((column) => [column, fields.get(column) ?? null])));
}

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
