import { CallError } from '../../client/errors.ts';
import { readOwn } from '../../domain/json/values.ts';
import type { CompleteOrder } from '../../ledger/order-draft.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { CellFault } from '../../sheets/source-row.ts';
import { QuoteRefused } from '../../ship/pick-quote.ts';
import type { BatchContext } from '../batch-context.ts';
import { paced, workOff } from '../send/in-flight.ts';
import { type Pace, Stopped } from '../send/pace.ts';
import { refusedFields } from '../send/row-outcome.ts';
import type { Batch } from '../store/batches.ts';
import type { RequestOfRow } from '../store/rows.ts';
import type { ChosenService } from '../store/write-rows.ts';
import { rowsLeft } from '../summary.ts';
import { asStored } from '../texts.ts';
import { type Chosen, choose, offersOf } from './choose-service.ts';
import type { BatchOptions } from './new-batch.ts';

const ROWS_AT_ONCE = 1_000;

/** A row for which no service can be chosen, and why. */
export interface Unquoted extends CellFault {
  readonly code: string;
  /** The number of the row. */
  readonly row: number;
}

/** A row without a service, and why. */
interface Left {
  readonly row: number;
  readonly error_code: string;
  readonly error_message: string;
  readonly error_fields: string | null;
  /** Why, as it is said. */
  readonly message: string;
}

/** Whether a quote failed because of the row rather than the service. */
function isOfTheRow(error: unknown): error is QuoteRefused | CallError {
  return error instanceof QuoteRefused || (error instanceof CallError && error.code === 'invalid_argument');
}

/**
 * Quotes every planned row and writes the chosen service into its request; returns the rows for which there is none.
 */
export async function quoteRows(
  context: BatchContext,
  batch: Batch,
  work: RowWork,
  options: BatchOptions,
  /** The state of a row for which there is no service. */
  refused: 'skipped' | 'failed' = 'skipped',
  /** Hears which service a row gets. */
  onChosen?: (row: number, chosen: Chosen) => void,
): Promise<Unquoted[]> {
  const { connection, tell } = context;
  const unquoted: Unquoted[] = [];
  let chosen: ChosenService[] = [];
  let left: Left[] = [];
  let buffer: RequestOfRow[] = [];
  let done = 0;
  let refusals = 0;
  const all = await rowsLeft(context.batches, batch);

  const quote = async ({ row, payload: text }: RequestOfRow, pace: Pace) => {
    const order = readOwn<CompleteOrder>(text);
    try {
      const offers = await pace.through(() => offersOf(order, work, options, connection));
      const service = choose(order, offers, options);
      const { payload, carrier, fee } = service;
      onChosen?.(row, service);
      chosen.push({ row, payload: JSON.stringify(payload), carrier, fee });
    } catch (error) {
      if (error instanceof Stopped) return;
      if (!isOfTheRow(error)) {
        pace.fail(error instanceof Error ? error : new TypeError(String(error)));
        return;
      }
      const { code, message } = error;
      const kept = { error_code: code, error_message: asStored(message), ...refusedFields(error) };
      left.push({ row, message, ...kept });
      refusals += 1;
    }
    done += 1;
    tell({ event: 'quoting', done, failed: refusals, all });
  };
  const leave = async (rows: readonly Left[]) => {
    for (const { row, message, ...error } of rows) {
      const whole = await context.rows.one(batch.number, row);
      if (whole === undefined) continue;
      await context.rows.replace([{ ...whole, state: refused, ...error }]);
      unquoted.push({ cell: whole.cell, value: '', message, code: error.error_code, row });
    }
  };
  // The disk is written to and read from while the service is asked: a quote waits for the step before it at most.
  let writing: Promise<void> | undefined;
  const write = async () => {
    await writing;
    const [rows, without] = [chosen, left];
    [chosen, left] = [[], []];
    writing = context.rows.choose(batch.number, rows).then(() => leave(without));
    // Whoever waits for it gets its failure.
    writing.catch(() => {});
  };
  const pages = context.rows.requests({ batch: batch.number, states: ['planned'] });
  const take = async (room: number) => {
    if (chosen.length + left.length >= ROWS_AT_ONCE) await write();
    if (buffer.length === 0) buffer = (await pages.next()).value ?? [];
    return buffer.splice(0, room);
  };
  await paced(context, (pace) => workOff(pace, take, (row) => quote(row, pace)));
  await write();
  await writing;
  return unquoted;
}
