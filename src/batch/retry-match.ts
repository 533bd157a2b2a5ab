import { BatchError } from './batch-error.ts';
import type { WholeRow } from './store/row.ts';
import { say } from './texts.ts';

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
  const { cell } = corrected;
  const { standsAtAnother, standsAtState } = say().refused;
  const message = row === undefined ? standsAtAnother({ cell }) : standsAtState({ cell, state: row.state });
  throw new BatchError('file_differs', message);
}
