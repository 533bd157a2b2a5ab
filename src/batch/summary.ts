import { readOwn } from '../domain/json/values.ts';
import type { RowState } from '../store/tables.ts';
import { BAD_CELLS } from './plan/read-rows.ts';
import type { Batch, Batches, Reason } from './store/batches.ts';
import type { StoredSource } from './stored-source.ts';

/** A batch for programs to read. */
export interface BatchSummary {
  readonly batch: string;
  /** `planned` is a plan that did not run; an `unfinished` batch can be resumed. */
  readonly state: 'planned' | 'unfinished' | 'finished';
  readonly do: string;
  readonly file: string;
  readonly counts: {
    readonly rows: number;
    readonly done: number;
    readonly existed: number;
    /** Made before, and ended since. */
    readonly ended: number;
    readonly failed: number;
    readonly unclear: number;
    readonly skipped: number;
    readonly undone: number;
    /** Planned, or possibly sent. */
    readonly left: number;
  };
  /** The fees of rows that are done, may be done, or are left; null if nothing is quoted. */
  readonly fees: { readonly total: number; readonly by_carrier: Readonly<Record<string, number>> } | null;
  /**
   * The next step: send the rows that are left, look up the unclear ones, retry the failed ones that may pass then, or
   * fix those that would fail again; null if there is nothing to do.
   */
  readonly next: 'resume' | 'look' | 'retry' | 'fix' | null;
}

/**
 * Why rows fail however often they are sent unchanged: the service refused what is in them, another record has their name,
 * their cells are invalid, a limit or the record they are about refuses them.
 */
const staying: ReadonlySet<string> = new Set([
  'invalid_argument',
  'out_of_range',
  'not_found',
  'already_exists',
  'differs',
  'sent_before',
  'not_shipped',
  'nothing_changed',
  'picked_up',
  'fee_above_max',
  'over_max_total',
  'no_offer',
  'no_offer_in_time',
  'service_not_offered',
  BAD_CELLS,
]);

/** Why rows are surely sent anew by a retry: their write was recorded as not done, or what they made is over. */
const passing: ReadonlySet<string> = new Set(['not_done', 'already_over']);

/**
 * Whether rows that failed for this reason may pass if they are sent unchanged; rows that failed twice are looked at, so
 * that following the next step ends.
 */
export const mayPass = ({ code, attempts }: Pick<Reason, 'code' | 'attempts'>): boolean =>
  passing.has(code) || (!staying.has(code) && attempts <= 1);

const costs: readonly RowState[] = ['planned', 'sending', 'done', 'unclear'];

type Shares = Pick<Batches, 'shares'>;

/** The rows of a batch that are planned, or possibly sent. */
async function sharesLeft(batches: Shares, { number }: Pick<Batch, 'number'>) {
  return (await batches.shares(number)).filter(({ state }) => state === 'planned' || state === 'sending');
}

/** How many rows of a batch are planned, or possibly sent. */
export async function rowsLeft(batches: Shares, batch: Pick<Batch, 'number'>): Promise<number> {
  return (await sharesLeft(batches, batch)).reduce((sum, { rows }) => sum + rows, 0);
}

/** The fees of these rows; 0 where nothing is quoted. */
export async function feesAhead(batches: Shares, batch: Pick<Batch, 'number'>): Promise<number> {
  return (await sharesLeft(batches, batch)).reduce((sum, { fees }) => sum + (fees ?? 0), 0);
}

/** Summarises a batch. */
export async function summaryOf(batches: Batches, batch: Batch): Promise<BatchSummary> {
  const shares = await batches.shares(batch.number);
  const count = (...states: RowState[]) =>
    shares.filter(({ state }) => states.includes(state)).reduce((sum, { rows }) => sum + rows, 0);
  const paid = shares.filter(({ state, fees }) => costs.includes(state) && fees !== null);
  const by_carrier: Record<string, number> = {};
  for (const { carrier, fees } of paid) {
    const name = carrier ?? 'unknown';
    by_carrier[name] = (by_carrier[name] ?? 0) + (fees ?? 0);
  }
  const left = count('planned', 'sending');
  const counts = {
    rows: shares.reduce((sum, { rows }) => sum + rows, 0),
    done: count('done'),
    existed: count('existed'),
    ended: count('ended'),
    failed: count('failed'),
    unclear: count('unclear'),
    skipped: count('skipped'),
    undone: count('undone'),
    left,
  };
  const isQuoted = batch.do === 'ship' || paid.length > 0;
  const nextStep = async () => {
    if (batch.state === 'planning') return null;
    if (left > 0) return 'resume';
    if (counts.unclear > 0) return 'look';
    if (counts.failed + counts.skipped === 0) return null;
    const reasons = await batches.reasons(batch.number);
    if (reasons.length === 0) return null;
    return counts.failed > 0 && reasons.some(mayPass) ? 'retry' : 'fix';
  };
  return {
    batch: batch.id,
    state: batch.state === 'planning' ? 'planned' : batch.state === 'open' ? 'unfinished' : 'finished',
    do: batch.do,
    file: readOwn<Partial<StoredSource>>(batch.source).name ?? '',
    counts,
    fees: isQuoted ? { total: paid.reduce((sum, { fees }) => sum + (fees ?? 0), 0), by_carrier } : null,
    next: await nextStep(),
  };
}
