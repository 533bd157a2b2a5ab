import { AmountError } from '../../domain/amounts/weight.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { completeOrder } from '../../ledger/order-draft.ts';
import type { CellFault, SourceRow } from '../../sheets/source-row.ts';
import { paidPartsIn } from '../../ship/message-cash.ts';

/** What an order costs, as far as its row says; undefined if it does not. */
export function totalOf(value: Fields): number | undefined {
  if (typeof value.total_amount === 'number') return value.total_amount;
  if (!Array.isArray(value.lines)) return undefined;
  try {
    return completeOrder(value).total_amount || undefined;
  } catch (error) {
    if (error instanceof AmountError) return undefined;
    throw error;
  }
}

/**
 * What is wrong with a row one of whose notes says that a part is paid: without cash of its own nothing would be
 * collected, and with the whole total too much.
 */
export function paidPartFaults({ value, cellOf }: SourceRow): readonly CellFault[] {
  const { shipping_note, cod_amount: cash } = fieldsIn(value.shipping);
  const notes = { 'shipping.shipping_note': shipping_note, order_note: value.order_note };
  // Most notes say nothing of that, and the total takes longer.
  if (!Object.values(notes).some((note) => typeof note === 'string' && paidPartsIn(note).length > 0)) return [];
  const total = totalOf(value);
  if (typeof cash === 'number' && cash !== total) return [];
  return Object.entries(notes).flatMap(([path, note]) =>
    paidPartsIn(typeof note === 'string' ? note : '', total).map(({ whole, left }) => {
      const message = `says ${JSON.stringify(whole.trim())}: ${left}; write the cash in its own column`;
      return { cell: cellOf(path), value: String(note), message, path };
    }),
  );
}
