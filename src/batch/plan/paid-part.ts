import { formatMoney } from '../../domain/amounts/money.ts';
import { AmountError } from '../../domain/amounts/weight.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { completeOrder } from '../../ledger/order-draft.ts';
import type { CellFault, SourceRow } from '../../sheets/source-row.ts';
import { paidPartsIn, readCash } from '../../ship/message-cash.ts';

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

/** What a note may say of cash, at a first look. */
const mayBeOfCash = /thu|cod|ck|kho[aả]n|thanh|tr[aả]|c[oọ]c/iu;

/** What is wrong with a row since a note says otherwise what is collected, and what is only unusual. */
export interface CashInNotes {
  readonly faults: readonly CellFault[];
  readonly notes: readonly CellFault[];
}

const nothing: CashInNotes = { faults: [], notes: [] };

/**
 * What the notes of a row say of its cash. A part that is paid is a doubt where the row has no cash of its own, or the whole
 * total; an amount to collect where it has none. Any other amount than the row's is unusual.
 */
export function cashInNotes({ value, cellOf }: SourceRow): CashInNotes {
  const { shipping_note, cod_amount } = fieldsIn(value.shipping);
  const written = Object.entries({ 'shipping.shipping_note': shipping_note, order_note: value.order_note });
  const speaking = written.flatMap(([path, note]) =>
    typeof note === 'string' && mayBeOfCash.test(note) ? [{ path, note, ...readCash(note) }] : [],
  );
  const said = speaking.filter(({ note, amount }) => amount !== undefined || paidPartsIn(note).length > 0);
  if (said.length === 0) return nothing;
  const total = totalOf(value);
  const cash = typeof cod_amount === 'number' ? cod_amount : undefined;
  const collects = cash ?? (value.payment_method === 'cod' ? (total ?? 0) : 0);
  const faultsOf = ({ path, note, amount = 0 }: (typeof said)[number]): readonly CellFault[] => {
    const at = { cell: cellOf(path), value: note, path };
    const parts = cash === undefined || cash === total ? paidPartsIn(note, total) : [];
    const messages = parts.map(({ whole, left }) => `says ${JSON.stringify(whole.trim())}: ${left}`);
    if (amount > 0 && collects === 0) messages.push(`says that ${formatMoney(amount)} are collected, and no cash is`);
    return messages.map((message) => ({ ...at, message: `${message}; write the cash in its own column` }));
  };
  const noteOf = ({ path, note, amount }: (typeof said)[number]): readonly CellFault[] => {
    if (amount === undefined || amount === collects || collects === 0) return [];
    const message = `speaks of ${formatMoney(amount)} to collect, and ${formatMoney(collects)} are collected`;
    return [{ cell: cellOf(path), value: note, path, message, code: 'cash_in_note' }];
  };
  return { faults: said.flatMap(faultsOf), notes: said.flatMap(noteOf) };
}
