import { interruptible } from '../../platform/interruptible.ts';
import type { Sink } from '../../platform/streams.ts';
import type { Document, ListDocument, RecordDocument, View } from '../document.ts';
import { collect } from './chunks.ts';
import { printCsv } from './csv.ts';
import { checkFields } from './fields.ts';
import { jsonLine, jsonRecord, printJsonList } from './json.ts';
import { liveLine } from './live-line.ts';
import { nameLines } from './name.ts';
import { projectTo } from './projection.ts';
import { checkQuery, runQuery } from './query.ts';
import type { PrintResult, PrintSettings } from './settings.ts';
import { sheetText } from './sheet.ts';
import { printTable } from './table.ts';
import { loadYaml } from './yaml.ts';

export type { PrintResult, PrintSettings } from './settings.ts';

/**
 * Throws a UsageError when `--fields` or `--query` cannot be honoured. To be called before a request is sent, so that a
 * write that succeeded never ends as a failure because of how it was to be printed.
 */
export async function checkPrintSettings({ fields, query }: PrintSettings, view: View): Promise<void> {
  if (query !== undefined) await checkQuery(query);
  // After a query the fields are those of its result, which nobody knows before.
  if (fields !== undefined) checkFields(fields, query === undefined ? view : { columns: [] });
}

/**
 * Prints a document in the format in force, one row after the other in flat memory (a query sees all rows at once).
 * Stops reading rows when stdout was closed. A failure while reading rows is thrown on after what came before it was
 * printed; a JSON array then lacks its closing bracket. Throws a UsageError for unknown fields and for a bad query.
 */
export async function print(document: Document, settings: PrintSettings, stdout: Sink): Promise<PrintResult> {
  const rows = await printedRows(document, settings, stdout);
  return { rows, closed: stdout.closed };
}

async function printedRows(document: Document, settings: PrintSettings, stdout: Sink): Promise<number> {
  if (document.kind === 'none' || stdout.closed) return 0;
  if (document.kind === 'text') {
    await stdout.write(document.text);
    return 0;
  }
  await checkPrintSettings(settings, document.view);
  const heard =
    document.kind === 'list' ? { ...document, rows: interruptible(document.rows, settings.signal) } : document;
  const asked = settings.query === undefined ? heard : await queried(heard, settings.query);
  return asked.kind === 'list' ? printList(asked, settings, stdout) : printRecord(asked, settings, stdout);
}

/** What a query makes of a document. Its columns are gone: the result has a shape of its own. */
async function queried(document: RecordDocument | ListDocument, query: string): Promise<RecordDocument | ListDocument> {
  const whole = document.kind === 'list' ? await collect(document.rows) : document.value;
  const value = await runQuery(query, whole);
  const { name } = document.view;
  const view: View = { columns: [], ...(name === undefined ? {} : { name }) };
  return Array.isArray(value) ? { kind: 'list', rows: value, view } : { kind: 'record', value, view };
}

async function printList({ rows, view, live }: ListDocument, settings: PrintSettings, stdout: Sink): Promise<number> {
  const project = projectionOf(settings);
  switch (settings.format) {
    case 'json':
      if (live === true) return printEach(rows, (row) => jsonLine(project(row)), stdout);
      return printJsonList(mapped(rows, project), stdout);
    case 'jsonl':
      return printEach(rows, (row) => jsonLine(project(row)), stdout);
    case 'yaml': {
      const toYaml = await loadYaml();
      const count = await printEach(rows, (row) => toYaml([project(row)]), stdout);
      if (count === 0) await stdout.write('[]\n');
      return count;
    }
    case 'name':
      return printEach(rows, (row) => nameLines(row, view), stdout);
    case 'csv':
      return printCsv(rows, view, settings, stdout);
    case 'table':
      if (live === true) return printEach(rows, (row) => liveLine(row, view, settings), stdout);
      return printTable(rows, view, settings, stdout);
  }
}

async function printRecord(document: RecordDocument, settings: PrintSettings, stdout: Sink): Promise<number> {
  if (settings.format === 'csv') return printCsv([document.value], document.view, settings, stdout);
  await stdout.write(await recordText(document, settings));
  return stdout.closed ? 0 : 1;
}

async function recordText({ value, view }: RecordDocument, settings: PrintSettings): Promise<string> {
  const project = projectionOf(settings);
  switch (settings.format) {
    case 'json':
      return jsonRecord(project(value));
    case 'jsonl':
      return jsonLine(project(value));
    case 'yaml':
      return (await loadYaml())(project(value));
    case 'name':
      return nameLines(value, view);
    default:
      return sheetText(value, view, settings);
  }
}

function projectionOf({ fields }: PrintSettings): (record: unknown) => unknown {
  return fields === undefined ? (record) => record : projectTo(fields);
}

async function printEach(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  textOf: (row: unknown) => string,
  stdout: Sink,
): Promise<number> {
  let count = 0;
  for await (const row of rows) {
    await stdout.write(textOf(row));
    if (stdout.closed) return count;
    count += 1;
  }
  return count;
}

async function* mapped(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  change: (row: unknown) => unknown,
): AsyncGenerator<unknown, void> {
  for await (const row of rows) yield change(row);
}
