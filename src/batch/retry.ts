import type { JsonSchema } from '../contract/schema/json-schema.ts';
import { fieldsIn, isRecord, readFields, readOwn, valueAt } from '../domain/json/values.ts';
import type { RowWork } from '../ledger/work.ts';
import { fieldNamed, spelt } from '../sheets/fields.ts';
import { type Cell, placeText } from '../sheets/formats/sheet.ts';
import { exportOf } from '../sheets/mapping/exports.ts';
import { recognised } from '../sheets/service/service-rows.ts';
import type { WorkspaceTables } from '../store/tables.ts';
import type { Workspace } from '../store/workspace.ts';
import type { BatchContext } from './batch-context.ts';
import { BatchError } from './batch-error.ts';
import { type BatchOptions, newBatch, optionsOf, optionsText } from './plan/new-batch.ts';
import type { ReadRequest } from './plan/open-rows.ts';
import { quoteRows } from './plan/quote-rows.ts';
import { BAD_CELLS, readRows } from './plan/read-rows.ts';
import { rowSchemaOf } from './plan/record-finders.ts';
import { recordOf } from './result-table.ts';
import { isComparable } from './row-work.ts';
import { batchNamed, type Ran, requireOwn, work } from './runs.ts';
import { type Batch, lockOf, removed } from './store/batches.ts';
import { type WholeRow, wholeRows } from './store/row.ts';
import { replaceRow } from './store/write-rows.ts';
import { requireNoUndo, sourceOf } from './stored-source.ts';
import { summaryOf } from './summary.ts';
import { say } from './texts.ts';

/** A batch, the schema of its rows, and how its corrected file was written. */
interface Forms {
  readonly batch: Pick<Batch, 'do' | 'source'>;
  readonly schema: JsonSchema;
  readonly from: Pick<Batch, 'source'>;
}

/**
 * What a column of the batch has of the record: a field as it is; undefined where its cells are converted, or decide how
 * others are read; null where it has nothing of it.
 */
function fieldIn({ batch, schema }: Forms): (column: string) => string | undefined | null {
  const { columns, mapping: own } = sourceOf(batch);
  const mapping = Object.keys(own?.columns ?? {}).length > 0 ? own : exportOf(columns, batch.do)?.mapping;
  const entries = mapping?.columns ?? {};
  const deciding = new Set([
    ...Object.keys(mapping?.leaveOut ?? {}),
    ...(mapping?.statuses?.words ?? []).map(({ column }) => column),
    ...Object.values(entries).flatMap((entry) => Object.keys(entry?.when ?? {})),
  ]);
  const isOfService = mapping === undefined && recognised(columns) !== undefined;
  return (column) => {
    if (isOfService || deciding.has(column)) return undefined;
    const entry = Object.hasOwn(entries, column) ? entries[column] : undefined;
    if (entry === undefined)
      return [column, spelt(column)].find((name) => fieldNamed(schema, name) !== undefined) ?? null;
    if (entry === null) return null;
    const { field, ...conversion } = entry;
    return Object.values(conversion).every((part) => part === undefined) ? field : undefined;
  };
}

/** A value as a cell has it; blank where it is none, or a record. */
function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellOf).join('|');
  return value === null || value === undefined || isRecord(value) ? '' : String(value);
}

/** The cells of a field: one for each entry of the list that it belongs to, or the same one on every line. */
function cellsAt(record: unknown, field: string): Cell | readonly Cell[] {
  const at = field.lastIndexOf('.');
  const holder = at < 0 ? record : valueAt(record, field.slice(0, at));
  const name = field.slice(at + 1);
  return Array.isArray(holder) ? holder.map((entry) => cellOf(valueAt(entry, name))) : cellOf(valueAt(holder, name));
}

/** The cells of a corrected row in one column of its batch, if its file says them. */
function cellsSaid({ cells }: WholeRow, forms: Forms): (column: string) => Cell | readonly Cell[] | undefined {
  const { columns } = sourceOf(forms.from);
  if (columns.length > 0) {
    const lines = readOwn<Cell[][]>(cells);
    const said = (column: string) => lines.map((line) => line[columns.indexOf(column)] ?? '');
    return (column) => (columns.includes(column) ? said(column) : undefined);
  }
  const record = recordOf({ cells }, columns);
  const fieldOf = fieldIn(forms);
  return (column) => {
    const field = fieldOf(column);
    return typeof field === 'string' ? cellsAt(record, field) : undefined;
  };
}

/** The corrected lines in the columns of the batch; blank where the corrected file says nothing of a field. */
function linesOf({ corrected, row }: Match, forms: Forms): Cell[][] {
  const fieldOf = fieldIn(forms);
  const said = cellsSaid(corrected, forms);
  const before = readOwn<Cell[][]>(row.cells);
  const own = (index: number) => before.map((line) => line[index] ?? '');
  const { columns } = sourceOf(forms.batch);
  const found = columns.map((column) => said(column));
  const count = Math.max(1, ...found.map((cells) => (Array.isArray(cells) ? cells.length : 1)));
  const whole = found.map((cells, index) => cells ?? (fieldOf(columns[index] ?? '') === null ? own(index) : ''));
  return Array.from({ length: count }, (_, line) =>
    whole.map((cells) => (Array.isArray(cells) ? (cells[line] ?? '') : cells)),
  );
}

/**
 * How a corrected row is shown in a batch whose other rows stay as they are: in the batch's columns, by their names, or
 * by the fields that they are. What is no field of the record stays as it was.
 */
export function shownAs(match: Match, forms: Forms): Pick<WholeRow, 'cell' | 'cells'> {
  const { corrected, row } = match;
  const [from, to] = [sourceOf(forms.from).columns, sourceOf(forms.batch).columns];
  if (from.join('\0') === to.join('\0')) return corrected;
  if (corrected.content === row.content) return row;
  const lines = to.length === 0 ? [[JSON.stringify(recordOf(corrected, from))]] : linesOf(match, forms);
  return { cell: corrected.cell, cells: JSON.stringify(lines) };
}

/** A row of a corrected file, and the row of the batch that it matches. */
export interface Match {
  readonly corrected: WholeRow;
  readonly row: WholeRow;
}

/** Whether a row was not made, for a reason that may have passed. */
export function mayGoAgain({ state, error_code }: WholeRow): boolean {
  return state === 'failed' || (state === 'skipped' && error_code !== null);
}

const keyOf = ({ named, name, content }: WholeRow) => (named === 1 ? `name ${name}` : `content ${content}`);

/**
 * Matches rows by their own name, then by content (the first equal one first), then the remaining ones by position if
 * their numbers are equal. `isWhole` says whether the file has all rows of the batch. Throws a BatchError.
 */
export async function matched(
  id: string,
  rows: AsyncIterable<WholeRow>,
  corrected: AsyncIterable<WholeRow>,
): Promise<{ readonly matches: readonly Match[]; readonly isWhole: boolean }> {
  const waiting = new Map<string, WholeRow[]>();
  const before = new Map<number, WholeRow>();
  for await (const row of rows) {
    before.set(row.row, row);
    const same = waiting.get(keyOf(row));
    if (same === undefined) waiting.set(keyOf(row), [row]);
    else same.push(row);
  }
  const total = before.size;
  const matches: Match[] = [];
  const strangers: WholeRow[] = [];
  for await (const one of corrected) {
    const row = waiting.get(keyOf(one))?.shift();
    if (row === undefined) strangers.push(one);
    else {
      before.delete(row.row);
      matches.push({ corrected: one, row });
    }
  }
  const count = matches.length + strangers.length;
  if (strangers.length > 0 && count !== total) {
    throw new BatchError('file_differs', say().refused.otherCount({ count, batch: id, total }));
  }
  const all = [...matches, ...strangers.map((one) => byPlace(one, before.get(one.row)))];
  return { matches: all, isWhole: all.length === total };
}

function byPlace(corrected: WholeRow, row: WholeRow | undefined): Match {
  if (row !== undefined && mayGoAgain(row)) return { corrected, row };
  const cell = placeText(corrected.cell);
  const { standsAtAnother, standsAtState } = say().refused;
  const message = row === undefined ? standsAtAnother({ cell }) : standsAtState({ cell, state: row.state });
  throw new BatchError('file_differs', message);
}

const ROWS_AT_ONCE = 500;

/** How a row stands in a corrected file. */
type WrittenCells = Pick<WholeRow, 'row' | 'cell' | 'cells'>;

/**
 * How a batch reads since its file was corrected: its content, its source, and the cells of all its rows; and the limits
 * that it has from now on.
 */
type NewFacts = Partial<Pick<Batch, 'content' | 'max_total' | 'options' | 'source'>> & {
  readonly written?: readonly WrittenCells[];
};

/**
 * Puts rows that were prepared aside, in a batch of their own, in the place of rows that failed: all of them, complete
 * and in one transaction, so that nobody can claim one before. Each is a new generation of its row. The other batch
 * is removed. Throws a WorkspaceError.
 */
export function takeUp(
  { write }: Workspace,
  batch: Batch,
  prepared: Batch,
  { written = [], ...facts }: NewFacts,
): Promise<void> {
  return write(async (database) => {
    for (let after = 0; ; ) {
      const rows = await wholeRows(database)
        .where('r.batch', '=', prepared.number)
        .where('r.row', '>', after)
        .orderBy('r.row')
        .limit(ROWS_AT_ONCE)
        .execute();
      after = rows.at(-1)?.row ?? after;
      for (const row of rows) {
        if (await isReplaceable(database, batch.number, row))
          await replaceRow(database, { ...row, batch: batch.number });
      }
      if (rows.length < ROWS_AT_ONCE) break;
    }
    for (const { row, cell, cells } of written) {
      const at = { batch: batch.number, row };
      await database
        .updateTable('batch_rows')
        .set({ cell })
        .where((build) => build.and(at))
        .execute();
      await database
        .updateTable('batch_contents')
        .set({ cells })
        .where((build) => build.and(at))
        .execute();
    }
    await removed(database, prepared.number);
    const open = { state: 'open' as const, finished_at: null, ...facts };
    await database.updateTable('batches').set(open).where('number', '=', batch.number).execute();
  });
}

/** Whether a row is still the generation before, and was not made. */
async function isReplaceable(
  database: WorkspaceTables,
  batch: number,
  { row, generation }: { readonly row: number; readonly generation: number },
): Promise<boolean> {
  const found = await database
    .selectFrom('batch_rows')
    .select('row')
    .where('batch', '=', batch)
    .where('row', '=', row)
    .where('generation', '=', generation - 1)
    .where('state', 'in', ['failed', 'skipped'])
    .executeTakeFirst();
  return found !== undefined;
}

/** A corrected file of a batch, and how to read it. */
export type CorrectedFile = Omit<ReadRequest, 'meeting' | 'namedAs' | 'options' | 'work'>;

/** A corrected file, and what is done with its rows. */
interface Correction {
  readonly file: CorrectedFile;
  readonly rowWork: RowWork;
}

/**
 * Uses a batch of its own that nobody sees, and that the next run removes if this one is killed. `use` says whether it
 * was taken up; otherwise it is removed.
 */
async function aside<Result>(
  context: BatchContext,
  batch: Pick<Batch, 'do' | 'max_total' | 'operation' | 'options'>,
  use: (prepared: Batch) => Promise<Result>,
): Promise<Result> {
  const { do: words, operation, options, max_total } = batch;
  const { batch: prepared, release } = await newBatch(context, { do: words, operation, options, max_total });
  try {
    return await use(prepared);
  } finally {
    await context.batches.remove(prepared.number).finally(release);
  }
}

/** A row as it is prepared to go again: its service is chosen anew. */
function nextGeneration(row: WholeRow, { row: number, generation, attempts }: WholeRow, batch: Batch): WholeRow {
  const { shipping, ...payload } = readFields(row.payload);
  const { shipping_service_code: _, shipping_service_fee: __, ...rest } = fieldsIn(shipping);
  const code = row.pick === null ? {} : { shipping_service_code: row.pick };
  const request = shipping === undefined ? payload : { ...payload, shipping: { ...rest, ...code } };
  const none = {
    id: null,
    code: null,
    shipping_code: null,
    carrier: null,
    fee: null,
    error_code: null,
    error_message: null,
    error_fields: null,
  };
  const own = { batch: batch.number, row: number, generation: generation + 1, attempts };
  return { ...row, ...none, ...own, made_by: null, state: 'planned', payload: JSON.stringify(request) };
}

/** Prepares the failed rows of a batch, unchanged; returns how many there are, and how many stay since a cell is bad. */
async function prepareFailed(context: BatchContext, batch: Batch, prepared: Batch, rowWork: RowWork) {
  let count = 0;
  let bad = 0;
  const isUndo = sourceOf(batch).undoes !== undefined;
  for await (const row of context.rows.each({ batch: batch.number })) {
    // A bad cell stays bad until the file is corrected.
    if (row.error_code === BAD_CELLS) bad += 1;
    if (!mayGoAgain(row) || row.error_code === BAD_CELLS) continue;
    const next = nextGeneration(row, row, prepared);
    // What an undo undoes stays the same, and what a row sends again; what an update replaces is read when it is sent.
    const own = isUndo ? { id: row.id, made_by: row.made_by } : {};
    const replaced = !isUndo && isComparable(rowWork) ? { old_values: null } : {};
    await context.rows.add([{ ...next, ...own, ...replaced }]);
    count += 1;
  }
  return { count, bad, facts: {} };
}

/** Reads a corrected file; throws a BatchError if a cell of it is bad. */
async function readCorrected(context: BatchContext, batch: Batch, into: Batch, { file, rowWork }: Correction) {
  const meeting = { again: sourceOf(batch).equals === 'again' };
  const facts = await readRows(context, into, {
    ...file,
    options: optionsOf(batch.options),
    work: rowWork,
    meeting,
    namedAs: batch.id,
  });
  if (facts.faultCount > 0 && !file.skipBad) {
    const message = say().refused.cells({ count: facts.faultCount });
    throw new BatchError('cells_wrong', message, { faults: facts.faults });
  }
  return facts;
}

/** Prepares the failed rows of a batch as they are in a corrected file, and returns how it reads now. */
async function prepareCorrected(
  context: BatchContext,
  batch: Batch,
  prepared: Batch,
  correction: Correction,
): Promise<{ readonly count: number; readonly bad: number; readonly facts: NewFacts }> {
  return aside(context, batch, async (read) => {
    const { described } = await readCorrected(context, batch, read, correction);
    let count = 0;
    let bad = 0;
    const rowsOf = ({ number }: Batch) => context.rows.each({ batch: number });
    const { matches, isWhole } = await matched(batch.id, rowsOf(batch), rowsOf(read));
    // A file becomes the batch's own if it has all of its rows, and shows none that was sent otherwise than it was.
    const isOwn =
      isWhole && matches.every(({ corrected, row }) => mayGoAgain(row) || corrected.content === row.content);
    const forms = { batch, from: described, schema: rowSchemaOf(correction.rowWork) };
    const written: WrittenCells[] = [];
    for (const match of matches) {
      const { corrected, row } = match;
      if (isOwn) written.push({ row: row.row, cell: corrected.cell, cells: corrected.cells });
      if (corrected.error_code === BAD_CELLS) bad += 1;
      if (!mayGoAgain(row) || corrected.error_code === BAD_CELLS || corrected.payload === '{}') continue;
      const { cell, cells } = isOwn ? corrected : shownAs(match, forms);
      await context.rows.add([{ ...nextGeneration(named(corrected, row), row, prepared), cell, cells }]);
      count += 1;
    }
    return { count, bad, facts: isOwn ? { ...described, written } : {} };
  });
}

/** An unchanged row keeps the name that it was sent under, or was to be sent under. */
function named(corrected: WholeRow, row: WholeRow): WholeRow {
  if (corrected.content !== row.content || corrected.named !== row.named) return corrected;
  const { name, identity } = row;
  const payload = readFields(corrected.payload);
  const request = payload.external_id === corrected.name ? { ...payload, external_id: name } : payload;
  return { ...corrected, name, identity, payload: JSON.stringify(request) };
}

/** Limits that a retry changes: what they refused before may be sent now. */
export type NewLimits = Pick<BatchOptions, 'maxFee' | 'maxTotal'>;

/** The options of a batch with new limits, as they are stored. Throws a BatchError for less than was spent. */
function withLimits({ id, options, max_total, reserved }: Batch, { maxFee, maxTotal }: NewLimits) {
  if (maxTotal !== undefined && maxTotal < reserved) {
    const message = say().refused.spentAlready({ batch: id, spent: reserved, most: maxTotal });
    throw new BatchError('options_differ', message);
  }
  const before = optionsOf(options);
  const now = { ...before, maxFee: maxFee ?? before.maxFee, maxTotal: maxTotal ?? before.maxTotal };
  return { options: optionsText(now), max_total: maxTotal ?? max_total };
}

/** How failed rows are sent again. */
interface Retrying {
  readonly file?: CorrectedFile | undefined;
  readonly limits?: NewLimits;
  /** Called with the rows that would be sent, in a batch of their own; may throw, and then nothing has changed. */
  readonly agree?: (prepared: Batch) => Promise<void>;
  /** Around what takes long. */
  readonly during?: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/**
 * Sends the failed rows of a batch again, unchanged or from a corrected file. They are prepared aside, and take their
 * places together once they are complete: killed before, nothing has changed. Throws a BatchError, a SheetError, a
 * CallError before anything was sent, or a WorkspaceError.
 */
export async function retry(
  context: BatchContext,
  batch: Batch,
  rowWork: RowWork,
  { file, limits = {}, agree, during = (work) => work() }: Retrying = {},
): Promise<Ran> {
  requireOwn(context, batch);
  const { workspace, signal, tell, batches } = context;
  // As where a batch is resumed.
  if (workspace.serverTime !== undefined) await context.beforeSending?.(batch, rowWork);
  const onWait = () => tell({ event: 'waiting', batch: batch.id });
  const release = await workspace.hold(lockOf(batch), { signal, onWait });
  try {
    const stored = await batchNamed(context, batch.id);
    const limited = withLimits(stored, limits);
    const before = { ...stored, ...limited };
    await aside(context, before, async (prepared) => {
      const { count, bad, facts } = await during(async () => {
        const ready =
          file === undefined
            ? await prepareFailed(context, before, prepared, rowWork)
            : await prepareCorrected(context, before, prepared, { file, rowWork });
        if (ready.count === 0) return ready;
        await requireNoUndo(context, before);
        if (rowWork.quote !== undefined)
          await quoteRows(context, prepared, rowWork, optionsOf(before.options), 'failed');
        return ready;
      });
      if (count === 0) return tell({ event: 'nothing', bad });
      await agree?.(prepared);
      await takeUp(workspace, before, prepared, { ...facts, ...limited });
    });
    const now = await batchNamed(context, batch.id);
    if (now.state === 'finished') {
      return {
        stopped: undefined,
        failure: undefined,
        held: [],
        applied: 0,
        isUnclear: false,
        summary: await summaryOf(batches, now),
      };
    }
    return await during(() => work(context, now, rowWork));
  } finally {
    release();
  }
}
