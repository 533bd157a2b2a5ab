import { fieldsIn, readFields } from '../../domain/json/value-at.ts';
import type { BatchContext } from '../batch-context.ts';
import type { Batch } from '../store/batches.ts';

/** What parcels of a batch that are not sent yet collect, and what they are insured for. Money is an integer of currency units. */
export interface MoneyAhead {
  readonly total: number;
  /** Parcels that collect nothing. */
  readonly without: number;
  readonly insured: number;
  readonly insured_value: number;
}

/** Whether a request asks for an insured parcel: absent means yes (contract, OrderShipping). */
export const isInsured = ({ shipping }: Readonly<Record<string, unknown>>): boolean =>
  fieldsIn(shipping).include_insurance !== false;

/** The cash of the rows of a batch that are planned, or possibly sent. */
export async function moneyAhead({ rows }: Pick<BatchContext, 'rows'>, batch: Batch): Promise<MoneyAhead> {
  const sums = { total: 0, without: 0, insured: 0, insured_value: 0 };
  for await (const { payload } of rows.each({ batch: batch.number, states: ['planned', 'sending'] })) {
    const fields = readFields(payload);
    const { shipping, basket_value } = fields;
    const { cod_amount } = fieldsIn(shipping);
    if (typeof cod_amount === 'number' && cod_amount > 0) sums.total += cod_amount;
    else sums.without += 1;
    if (!isInsured(fields)) continue;
    sums.insured += 1;
    sums.insured_value += typeof basket_value === 'number' ? basket_value : 0;
  }
  return sums;
}
