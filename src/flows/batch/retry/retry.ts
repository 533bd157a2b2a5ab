import { accountText } from '../../../client/account.ts';
import type { Batch } from '../../../workspace/batches/batches.ts';
import type { WholeRow } from '../../../workspace/rows/row.ts';
import { BatchError } from '../batch-error.ts';
import type { BatchDesk } from '../desk.ts';
import { optionsOf } from '../plan/batch-options.ts';
import { lockOf } from '../plan/plan.ts';
import { quoteRows } from '../plan/quote-rows.ts';
import { BAD_CELLS, type ReadRequest, readRows } from '../read/read-rows.ts';
import { summaryOf } from '../report/summary.ts';
import type { RowWork } from '../row-work.ts';
import { batchNamed, type Ran, requireOwn, work } from '../runs.ts';

const ROWS_AT_ONCE = 500;

/** Whether a row was not made, for a reason that may have passed. */
function mayGoAgain({ state, error_code }: WholeRow): boolean {
  return state === 'failed' || (state === 'skipped' && error_code !== null);
}

async function* rowsIn(desk: BatchDesk, batch: number): AsyncGenerator<WholeRow, void, undefined> {
  for (let after = 0; ; ) {
    const rows = await desk.rows.next({ batch, after, limit: ROWS_AT_ONCE });
    if (rows.length === 0) return;
    after = rows.at(-1)?.row ?? after;
    yield* rows;
  }
}

const again = { state: 'planned', error_code: null, error_message: null } as const;

/** Plans the failed rows of a batch again, unchanged. */
async function planFailed(desk: BatchDesk, batch: Batch): Promise<number> {
  let planned = 0;
  for await (const row of rowsIn(desk, batch.number)) {
    // A bad cell stays bad until the file is corrected.
    if (!mayGoAgain(row) || row.error_code === BAD_CELLS) continue;
    await desk.rows.replace([{ ...row, ...again }]);
    planned += 1;
  }
  return planned;
}

/** A row of the corrected file, and the row of the batch that it matches. */
type Match = readonly [mended: WholeRow, row: WholeRow];

/**
 * Matches rows by their own name, then by content (the first equal one first), then the remaining ones by position if
 * their numbers are equal.
 */
async function matched(desk: BatchDesk, batch: Batch, mended: Batch): Promise<Match[]> {
  const waiting = new Map<string, WholeRow[]>();
  const before = new Map<number, WholeRow>();
  const keyOf = ({ named, name, content }: WholeRow) => (named === 1 ? `name ${name}` : `content ${content}`);
  for await (const row of rowsIn(desk, batch.number)) {
    before.set(row.row, row);
    waiting.set(keyOf(row), [...(waiting.get(keyOf(row)) ?? []), row]);
  }
  const matches: Match[] = [];
  const strangers: WholeRow[] = [];
  let count = 0;
  for await (const row of rowsIn(desk, mended.number)) {
    count += 1;
    const same = waiting.get(keyOf(row))?.shift();
    if (same === undefined) strangers.push(row);
    else {
      before.delete(same.row);
      matches.push([row, same]);
    }
  }
  if (strangers.length === 0) return matches;
  const total = before.size + matches.length;
  if (count !== total) {
    const message = `the file has ${count} rows and batch ${batch.id} has ${total}: a changed row is found by its place, so rows must not be added or removed`;
    throw new BatchError('file_differs', message);
  }
  for (const row of strangers) {
    const same = before.get(row.row);
    if (same === undefined || !mayGoAgain(same)) {
      const state = same === undefined ? 'another row' : `a row that is ${same.state}`;
      throw new BatchError('file_differs', `${row.cell} is changed, and stands where ${state} was`);
    }
    matches.push([row, same]);
  }
  return matches;
}

/** Plans the failed rows of a batch as they are in a corrected file. */
async function planMended(
  desk: BatchDesk,
  batch: Batch,
  request: Omit<ReadRequest, 'meeting' | 'options' | 'work'>,
  rowWork: RowWork,
): Promise<number> {
  const { batches, connection } = desk;
  const created_at = new Date(connection.clock.now()).toISOString();
  const id = `${batch.id}-mended`;
  const release = await desk.workspace.hold(`planning-${id}`, { signal: desk.signal });
  const mended = await batches.create({
    id,
    account: accountText(desk.account),
    do: batch.do,
    operation: batch.operation,
    options: batch.options,
    max_total: batch.max_total,
    created_at,
  });
  try {
    const options = optionsOf(batch.options);
    const meeting = { again: false };
    const facts = await readRows(desk, mended, { ...request, options, work: rowWork, meeting });
    if (facts.faultCount > 0 && !request.skipBad) {
      throw new BatchError('cells_wrong', `${facts.faultCount} cells cannot be used; nothing was sent`, {
        faults: facts.faults,
      });
    }
    let planned = 0;
    for (const [row, same] of await matched(desk, batch, mended)) {
      if (!mayGoAgain(same) || row.state === 'skipped') continue;
      const { name, named, content, recipient, goods, pick, payload, cells, cell } = row;
      await desk.rows.replace([
        {
          ...same,
          ...again,
          name,
          named,
          content,
          recipient,
          goods,
          pick,
          payload,
          cells,
          cell,
          fee: null,
          carrier: null,
        },
      ]);
      planned += 1;
    }
    const [read] = (await batches.list({ states: ['planning'] })).filter((one) => one.id === id);
    if (read !== undefined) await batches.describe(batch.number, { content: read.content, source: read.source });
    return planned;
  } finally {
    await batches.remove(mended.number);
    release();
  }
}

/**
 * Sends the failed rows of a batch again, unchanged or from a corrected file. Throws a BatchError, a SheetError, a
 * CallError before anything was sent, or a WorkspaceError.
 */
export async function retry(
  desk: BatchDesk,
  batch: Batch,
  rowWork: RowWork,
  mended?: Omit<ReadRequest, 'meeting' | 'options' | 'work'>,
): Promise<Ran> {
  requireOwn(desk, batch);
  const { workspace, signal, tell, batches } = desk;
  const release = await workspace.hold(lockOf(batch), {
    signal,
    onWait: () => tell({ event: 'waiting', batch: batch.id }),
  });
  try {
    const now = await batchNamed(desk, batch.id);
    if (workspace.serverTime !== undefined && (await desk.rows.any(now.number, ['planned', 'sending']))) {
      // A helping worker would send rows that are planned again but not quoted yet.
      throw new BatchError('batch_open', `batch ${now.id} is not finished: others may be working on its rows`, {
        meta: { batch: now.id },
      });
    }
    const planned = mended === undefined ? await planFailed(desk, now) : await planMended(desk, now, mended, rowWork);
    if (planned > 0) await batches.move(now.number, 'open', null);
    if (planned > 0 && rowWork.quote !== undefined) {
      await quoteRows(desk, now, rowWork, optionsOf(now.options), 'failed');
    }
    const isOpen = await desk.rows.any(now.number, ['planned', 'sending']);
    if (!isOpen) return { stopped: undefined, failure: undefined, summary: await summaryOf(batches, now) };
    return await work(desk, await batchNamed(desk, batch.id), rowWork);
  } finally {
    release();
  }
}
