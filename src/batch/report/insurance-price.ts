import { fieldsIn, readOwn } from '../../domain/json/value-at.ts';
import type { CompleteOrder } from '../../ledger/order-draft.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { BatchContext } from '../batch-context.ts';
import { paced, workOff } from '../pace/in-flight.ts';
import { Stopped } from '../pace/pace.ts';
import { offersOf } from '../plan/choose-service.ts';
import type { Batch } from '../store/batches.ts';
import type { WholeRow } from '../store/row.ts';
import { isInsured } from './money-ahead.ts';

/** What insurance costs. Money is an integer of currency units. */
export interface InsurancePrice {
  readonly total: number;
  /** Insured parcels whose service is not offered without insurance: what it costs them is not known. */
  readonly unknown: number;
}

const ANY = { carriers: [], blankClears: false };

/**
 * Quotes the insured parcels of a planned batch once more, without insurance: the fee of the same service is what they
 * would cost. Throws a CallError.
 */
export async function insurancePrice(context: BatchContext, batch: Batch, work: RowWork): Promise<InsurancePrice> {
  const rows = context.rows.each({ batch: batch.number, states: ['planned'] })[Symbol.asyncIterator]();
  let [total, unknown] = [0, 0];
  const take = async (room: number): Promise<WholeRow[]> => {
    const taken: WholeRow[] = [];
    while (taken.length < room) {
      const { done, value } = await rows.next();
      if (done === true) break;
      if (isInsured(readOwn(value.payload))) taken.push(value);
    }
    return taken;
  };
  await paced(context, (pace) =>
    workOff(pace, take, async ({ payload, fee }) => {
      const order = readOwn<CompleteOrder>(payload);
      const bare = { ...order, shipping: { ...order.shipping, include_insurance: false } };
      try {
        const offers = await pace.through(() => offersOf(bare, work, ANY, context.connection));
        const code = fieldsIn(order.shipping).shipping_service_code;
        const without = offers.find(({ service }) => service.code === code)?.service.fee;
        if (fee === null || typeof without !== 'number') unknown += 1;
        else total += fee - without;
      } catch (error) {
        if (!(error instanceof Stopped)) pace.fail(error instanceof Error ? error : new TypeError(String(error)));
      }
    }),
  );
  return { total, unknown };
}
