import { hasComing, whole } from '../../domain/coming-lists.ts';
import { valueAt } from '../../domain/json/values.ts';
import { interruptible } from '../../platform/process/interruptible.ts';
import type { Sink } from '../../platform/terminal/streams.ts';
import type { Document, ListDocument, RecordDocument, View } from './document.ts';
import { formatOf } from './formats.ts';
import { gather } from './gathering.ts';
import type { Printed, PrintSettings } from './rows.ts';
import { collect } from './rows.ts';
import { checkFields } from './select-fields.ts';
import { checkQuery, runQuery } from './select-query.ts';

/**
 * Throws a UsageError for an invalid `--fields` or `--query`. Must be called before a request is sent, so that a
 * successful write is never reported as a failure because of how it was to be printed.
 */
export async function checkPrintSettings({ fields, query }: PrintSettings, view: View): Promise<void> {
  if (query !== undefined) await checkQuery(query);
  // After a query the fields are those of its result, which are not known in advance.
  if (fields !== undefined) checkFields(fields, query === undefined ? view : { columns: [] });
}

/**
 * Prints a document in the format in force, row by row in constant memory (a query needs all rows at once). Stops
 * reading rows when stdout is closed. An error while reading rows is rethrown after the rows before it were printed; a
 * JSON array then lacks its closing bracket. Throws a UsageError for unknown fields and for an invalid query.
 */
export async function printDocument(document: Document, settings: PrintSettings, stdout: Sink): Promise<Printed> {
  const rows = await printedRows(document, settings, stdout);
  return { rows, closed: stdout.closed };
}

async function printedRows(document: Document, settings: PrintSettings, stdout: Sink): Promise<number> {
  if (document.kind === 'none' || stdout.closed) return 0;
  if (document.kind === 'text') {
    await stdout.write(document.text);
    return 0;
  }
  if (document.kind === 'record' && document.isWhole === true) {
    const { fields: _, ...whole } = settings;
    return (await formatOf(settings.format).load()).record(document, whole, stdout);
  }
  await checkPrintSettings(settings, document.view);
  if (document.kind === 'record' && hasComing(document.value)) return comingRecord(document, settings, stdout);
  const heard =
    document.kind === 'list' ? { ...document, rows: interruptible(document.rows, settings.signal) } : document;
  const listed =
    heard.kind === 'list' && (settings.format !== 'table' || settings.query !== undefined)
      ? await inOrder(heard)
      : heard;
  const asked = settings.query === undefined ? listed : await queried(listed, settings.query, settings);
  const writer = await formatOf(settings.format).load();
  if (asked.kind !== 'list') return writer.record(asked, settings, stdout);
  // A table buffers groups of rows itself.
  if (settings.format === 'table') return writer.list(asked, settings, stdout);
  const gathered = gather(stdout);
  try {
    return await writer.list(asked, settings, gathered);
  } finally {
    await gathered.flush();
  }
}

/** Rows that come as things end, in their order, once all are there. */
async function inOrder(document: ListDocument): Promise<ListDocument> {
  const { comes, name = 'id' } = document.view;
  if (comes === undefined) return document;
  const placeOf = (row: unknown) => comes.inOrder.indexOf(String(valueAt(row, name)));
  const rows = (await collect(document.rows)).toSorted((one, other) => placeOf(one) - placeOf(other));
  return { ...document, rows };
}

/** Prints a record with lists that are still coming: in JSON as they come, otherwise once all of them are there. */
async function comingRecord(document: RecordDocument, settings: PrintSettings, stdout: Sink): Promise<number> {
  const isWritten = settings.format === 'json' && settings.query === undefined && settings.fields === undefined;
  if (!isWritten) return printedRows({ ...document, value: await whole(document.value) }, settings, stdout);
  const { printComing } = await import('./json.ts');
  const gathered = gather(stdout);
  try {
    return await printComing(document.value, gathered);
  } finally {
    await gathered.flush();
  }
}

/** The result of a query on a document. It has no columns, since its shape is its own. */
async function queried(
  document: RecordDocument | ListDocument,
  query: string,
  { signal, onFieldOfList }: Pick<PrintSettings, 'signal' | 'onFieldOfList'>,
): Promise<RecordDocument | ListDocument> {
  const whole = document.kind === 'list' ? await collect(document.rows) : document.value;
  const value = await runQuery(query, whole, signal);
  const [, field, isCall] = /^\s*([A-Za-z_]\w*)\s*(\()?/.exec(query) ?? [];
  if ((value ?? null) === null && Array.isArray(whole) && field !== undefined && isCall === undefined)
    onFieldOfList?.(field);
  const { name } = document.view;
  const view: View = { columns: [], ...(name === undefined ? {} : { name }) };
  return Array.isArray(value)
    ? { kind: 'list', rows: interruptible(value, signal), view }
    : { kind: 'record', value, view };
}
