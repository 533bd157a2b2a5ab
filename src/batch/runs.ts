import { accountText, shopOfAccount } from '../client/account.ts';
import { CallError } from '../client/errors.ts';
import { verdictOn } from '../client/settle/settle-lost.ts';
import { readFields } from '../domain/json/values.ts';
import { inCapitalsToo, isNamedBy, LEAST_PREFIX } from '../domain/named-by.ts';
import { lookUp } from '../ledger/look-up.ts';
import type { RowWork } from '../ledger/work.ts';
import { placeText } from '../sheets/formats/sheet.ts';
import type { BatchContext } from './batch-context.ts';
import { BatchError } from './batch-error.ts';
import { type BatchOptions, optionDifferences, optionsOf } from './plan/new-batch.ts';
import { requireStillThere } from './plan/read-records.ts';
import { rowRuleOf } from './row-rule.ts';
import { factsOf } from './send/row-outcome.ts';
import { type RunEnd, runRows } from './send/run-rows.ts';
import { type BatchOutcome, Tally } from './send/tally.ts';
import { type Batch, lockOf } from './store/batches.ts';
import type { WholeRow } from './store/row.ts';
import { reopenUnclear, writeSettled } from './store/unclear.ts';
import { undoneByOthers } from './store/undone.ts';
import { requireNoUndo, sourceOf } from './stored-source.ts';
import { type BatchSummary, summaryOf } from './summary.ts';
import { batchTexts, say } from './texts.ts';

/** The result of a run. */
export interface Ran extends RunEnd {
  readonly summary: BatchSummary;
  /** Rows that this process has applied. */
  readonly applied: number;
  /** Whether the outcome of a row is unknown that is not waited for: it may have been applied. */
  readonly isUnclear: boolean;
}

/** The letters at the end of a name, by which people remember it. */
const isTail = (text: string) => text.length >= LEAST_PREFIX && /^[a-z\d]+$/i.test(text);

/**
 * The batch whose id starts with this text or ends with it; without a text the newest. If a shop is given, one of that
 * shop alone. Throws a BatchError.
 */
export async function batchNamed(
  { batches }: Pick<BatchContext, 'batches'>,
  name: string | null | undefined,
  shop?: string,
): Promise<Batch> {
  if (name === undefined || name === null) {
    const newest = (await batches.list({})).find(
      ({ account }) => shop === undefined || shopOfAccount(account) === shop,
    );
    if (newest === undefined) throw new BatchError('batch_not_found', say().look.noneYet);
    return newest;
  }
  const begins = (await batches.named(name)).filter(({ id }) => isNamedBy(name, id));
  const fitting =
    begins.length > 0 || !isTail(name) ? begins : (await batches.list({})).filter(({ id }) => id.endsWith(name));
  const [found, another] = fitting;
  if (found === undefined) {
    const isPlanned = (await batches.list({ states: ['planning'] })).some(({ id }) => id === name);
    const message = isPlanned ? say().look.beingPlanned({ name }) : say().look.none({ name });
    throw new BatchError('batch_not_found', message, { missing: name });
  }
  if (another !== undefined && found.id !== name) {
    throw new BatchError('batch_ambiguous', say().look.several({ name }));
  }
  if (shop !== undefined && shopOfAccount(found.account) !== shop) throw elsewhere(found);
  return found;
}

function elsewhere(batch: Batch): BatchError {
  const [origin = '', family = '', shop = '']: string[] = JSON.parse(batch.account);
  const message = say().look.elsewhere({ batch: batch.id, shop, origin });
  return new BatchError('batch_elsewhere', message, { meta: { batch: batch.id, origin, family, shop } });
}

/** What a person knows the record of a row by. */
export const shownName = ({ named, name, code, id }: WholeRow) => (named === 1 ? name : (code ?? id ?? name));

/** What a row is called, in the order in which it is named: its number, where it is in the file, or a name of its record. */
const wordsOf = ({ row, cell, name, id, code, shipping_code }: WholeRow): string[] =>
  [String(row), cell, name, id, code, shipping_code].filter((word) => word !== null);

type AtRows = Pick<BatchContext, 'rows'>;

/** The first word that means a row of a batch and no other: the number of one may be the name of another. */
export async function wordFor({ rows }: AtRows, batch: number, row: WholeRow): Promise<string> {
  const words = wordsOf(row);
  const others = (await rows.meant(batch, words)).filter((other) => other.row !== row.row).flatMap(wordsOf);
  return words.find((word) => !others.includes(word)) ?? row.cell;
}

/**
 * The row that each word names, whatever became of it; undefined for one that names none. Throws a BatchError for a word that
 * names several.
 */
export async function rowsNamed(
  at: AtRows,
  { id, number }: Batch,
  words: readonly string[],
): Promise<ReadonlyMap<string, WholeRow | undefined>> {
  const found = new Map<string, WholeRow[]>(words.map((word) => [word, []]));
  const read = async (typed: ReadonlyMap<string, string>) => {
    for (const row of await at.rows.meant(number, [...typed.keys()]))
      for (const name of new Set(wordsOf(row))) found.get(typed.get(name) ?? '')?.push(row);
  };
  await read(new Map(words.map((word) => [word, word])));
  const missed = words.filter((word) => found.get(word)?.length === 0);
  await read(
    new Map(
      missed.flatMap((word) =>
        inCapitalsToo(word)
          .slice(1)
          .map((typed) => [typed, word]),
      ),
    ),
  );
  for (const [word, called] of found) {
    const [first] = called;
    if (first === undefined || called.length < 2) continue;
    const own = JSON.stringify(await wordFor(at, number, first));
    const { row: rowCalled, severalRows } = say().look;
    const listed = called.map((row) => rowCalled({ row: row.row, cell: placeText(row.cell), name: shownName(row) }));
    const message = severalRows({ word, rows: listed, own });
    throw new BatchError('nothing_made', message, { meta: { batch: id } });
  }
  return new Map([...found].map(([word, [row]]) => [word, row]));
}

/** Refuses a batch of another account: its records would not be found there, and would be sent a second time. */
export function requireOwn({ account }: Pick<BatchContext, 'account'>, batch: Batch): void {
  if (batch.account !== accountText(account)) throw elsewhere(batch);
}

/** Refuses options that differ from those that a batch was started with. */
export function requireSameOptions(batch: Batch, options: BatchOptions): void {
  const different = optionDifferences(optionsOf(batch.options), options);
  if (different.length === 0) return;
  throw new BatchError('options_differ', say().refused.keepsOptions({ batch: batch.id, different }));
}

/** What an undo found gone already is not made either; must happen before the undo counts as finished. */
async function writeGone(context: BatchContext, batch: Batch, rowWork: RowWork): Promise<void> {
  if (sourceOf(batch).undoes === undefined) return;
  const { workspace } = context;
  const { account, resource } = rowRuleOf(context, batch, rowWork);
  await undoneByOthers(workspace, { account, resource, by: batch.number, at: context.time.now() });
}

/** Sends the open rows of a batch that this process holds, and closes it if nothing is left. */
export async function work(context: BatchContext, batch: Batch, rowWork: RowWork): Promise<Ran> {
  await context.beforeSending?.(batch, rowWork);
  const tally = new Tally();
  try {
    return await counted(context, batch, rowWork, tally);
  } catch (error) {
    throw tally.stoppedBy(batch.id, error);
  }
}

/** Whether earlier processes have applied rows of a batch, or may have. */
async function sentEarlier({ rows }: BatchContext, { number }: Batch): Promise<BatchOutcome> {
  if (await rows.any(number, ['sending', 'unclear'])) return 'unknown';
  return (await rows.any(number, ['done', 'undone'])) ? 'partial' : 'not_applied';
}

async function counted(context: BatchContext, batch: Batch, rowWork: RowWork, tally: Tally): Promise<Ran> {
  const { batches, rows, connection, tell } = context;
  if (batch.state !== 'planning') {
    tell({ event: 'began', batch: batch.id, resumed: true });
    tally.earlier = await sentEarlier(context, batch);
  }
  await batches.move(batch.number, 'open', null);
  const end = await runRows(context, batch, rowWork, tally);
  await writeGone(context, batch, rowWork);
  const isOver = !(await rows.any(batch.number, ['planned', 'sending']));
  if (isOver) await batches.move(batch.number, 'finished', new Date(connection.clock.now()).toISOString());
  const state = isOver ? 'finished' : 'open';
  const isUnclear = tally.unknown > 0 || (await rows.any(batch.number, ['unclear']));
  return { ...end, applied: tally.applied, isUnclear, summary: await summaryOf(batches, { ...batch, state }) };
}

/**
 * Helps with a batch in progress, beside its other workers; in a workspace of this machine alone, one process works on
 * a batch at a time, so this one waits. Throws as `resume` does.
 */
export async function help(context: BatchContext, batch: Batch, rowWork: RowWork): Promise<Ran> {
  if (context.workspace.serverTime === undefined) return resume(context, batch, rowWork);
  requireOwn(context, batch);
  if (batch.state !== 'finished') return work(context, batch, rowWork);
  return { ...nothingRan, summary: await summaryOf(context.batches, batch) };
}

const nothingRan = { stopped: undefined, failure: undefined, held: [], applied: 0, isUnclear: false } as const;

/** Resumes a batch that this process holds, or returns its outcome. Throws as `resume` does. */
export async function resumeHeld(context: BatchContext, batch: Batch, rowWork: RowWork): Promise<Ran> {
  const { rows, batches } = context;
  const now = await batchNamed(context, batch.id);
  // What is unclear is looked up once more, and sent again only where that is safe.
  const reopens = rowWork.lookup !== undefined && (await rows.any(now.number, ['unclear']));
  // On a server a run looks for an undo when it begins.
  const isShared = context.workspace.serverTime !== undefined;
  const isOfUndo = reopens || (!isShared && (await rows.any(now.number, ['planned', 'sending', 'unclear'])));
  if (isOfUndo) await requireNoUndo(context, now);
  await requireStillThere(context, rowWork, now);
  const reopened = reopens ? await reopenUnclear(context.workspace, now.number) : 0;
  const isOpen = now.state !== 'finished' || reopened > 0 || (await rows.any(now.number, ['planned', 'sending']));
  if (isOpen) return work(context, now, rowWork);
  await writeGone(context, now, rowWork);
  return { ...nothingRan, summary: await summaryOf(batches, now) };
}

/**
 * Resumes a batch: waits for its current worker, then settles what may have been sent and sends what is left. Throws a
 * BatchError, a CallError before anything was sent, or a WorkspaceError.
 */
export async function resume(context: BatchContext, batch: Batch, rowWork: RowWork): Promise<Ran> {
  requireOwn(context, batch);
  const { workspace, signal, tell } = context;
  // There is no copy of a database on a server in which a look could prepare it.
  if (workspace.serverTime !== undefined) await context.beforeSending?.(batch, rowWork);
  const release = await workspace.hold(lockOf(batch), {
    signal,
    onWait: () => tell({ event: 'waiting', batch: batch.id }),
  });
  try {
    return await resumeHeld(context, batch, rowWork);
  } finally {
    release();
  }
}

/** A row by its number, its position in the file or a name of its record. */
async function unclearRow(context: BatchContext, batch: Batch, word: string): Promise<WholeRow> {
  const row = (await rowsNamed(context, batch, [word])).get(word);
  if (row?.state === 'unclear') return row;
  const message = say().look.notUnclear({ word, batch: batch.id });
  throw new BatchError('row_not_unclear', message, { meta: { batch: batch.id } });
}

/**
 * What the record of a row is called that a person says was made, where the service has it under the row's name: whoever
 * ends it is recognised by its id. Nothing if it is another's, or cannot be asked for.
 */
async function recordNow({ lookups, tree }: BatchContext, work: RowWork, row: WholeRow): Promise<Partial<WholeRow>> {
  const { operation, lookup } = work;
  if (operation.effect !== 'create' || lookup?.by !== 'name') return {};
  const request = readFields(row.payload);
  try {
    const found = await lookUp(work, request, lookups);
    const write = { operation, request, derived: row.named === 0, mayHaveLeft: true };
    const { state } = verdictOn(write, found.state === 'none' ? undefined : found, tree);
    return found.state === 'there' && state === 'done' ? factsOf(found.answer) : {};
  } catch (error) {
    if (error instanceof CallError) return {};
    throw error;
  }
}

/**
 * Settles by hand a row whose outcome cannot be determined: done, or not done, so that `retry` sends it. Throws a
 * BatchError.
 */
export async function settleByHand(
  context: BatchContext,
  { batch, work }: { readonly batch: Batch; readonly work: RowWork },
  word: string,
  isDone: boolean,
): Promise<WholeRow> {
  const row = await unclearRow(context, batch, word);
  const settled: WholeRow = isDone
    ? { ...row, ...(await recordNow(context, work, row)), state: 'done', error_code: null, error_message: null }
    : { ...row, state: 'failed', error_code: 'not_done', error_message: batchTexts.row.byHand };
  if (await writeSettled(context.workspace, rowRuleOf(context, batch, work), settled)) return settled;
  const message = say().look.settledMeanwhile({ word });
  throw new BatchError('row_not_unclear', message, { meta: { batch: batch.id } });
}
