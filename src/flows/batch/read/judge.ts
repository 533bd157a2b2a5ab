import type { FieldError } from '../../../contract/operation.ts';
import { isSurelyTaken } from '../../../contract/rules/surely-taken.ts';
import { requestErrors } from '../../../contract/schema/parse.ts';
import { unknownFields } from '../../../contract/schema/unknown-fields.ts';
import { AmountError } from '../../../domain/amounts/amount-error.ts';
import type { CellFault, SourceRow } from '../../../sheets/source-row.ts';
import { completeOrder, type OrderDraft } from '../../ship/order-draft.ts';
import type { RowWork } from '../row-work.ts';

/**
 * A row that was checked: the request to send, except for the service that a quote chooses, or why it cannot be sent.
 */
export type Judged =
  | { readonly kind: 'good'; readonly payload: Readonly<Record<string, unknown>>; readonly filled: readonly string[] }
  | { readonly kind: 'nothing-to-change' }
  | { readonly kind: 'bad'; readonly faults: readonly CellFault[] };

/** Fields that come from a quote, not from the file. */
const chosenLater = new Set(['shipping.shipping_service_code', 'shipping.shipping_service_fee']);

type Fields = Readonly<Record<string, unknown>>;

function isOrder({ schema }: RowWork): boolean {
  return schema.properties?.lines !== undefined && schema.properties.total_amount !== undefined;
}

/** An order with its sums, weights, customer and cash on delivery filled in, as `ship` does. */
function filledOrder(value: Fields, work: RowWork): Fields {
  const order: Fields = { ...completeOrder(value as OrderDraft) };
  const keepsMethod = work.quote === undefined && value.payment_method !== undefined;
  return keepsMethod ? { ...order, payment_method: value.payment_method } : order;
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .reduce<unknown>((at, step) => (typeof at === 'object' && at !== null ? (at as Fields)[step] : undefined), value);
}

function faultOf(row: SourceRow, { path, message }: FieldError): CellFault {
  const given = valueAt(row.value, path);
  const text = given === undefined || typeof given === 'object' ? '' : String(given);
  const cell = row.cellOf(path);
  // A cell is already named by its column; a row is not.
  return {
    cell,
    value: text,
    message: cell.includes(path.replaceAll(/\[\d+\]/g, '')) ? message : `${path} ${message}`,
  };
}

/** What is wrong with the request of a row, ignoring the service that a quote will choose. */
function errorsOf(payload: Fields, { operation, quote }: RowWork): readonly FieldError[] {
  if (quote === undefined) return requestErrors(operation, payload);
  const shipping = (payload.shipping ?? {}) as Fields;
  const { shipping_service_code: code, shipping_service_fee: fee } = shipping;
  if (code === undefined || fee === undefined) {
    // Rules between fields need a complete request, and this one is not complete before it is quoted.
    const whole = {
      ...payload,
      shipping: { ...shipping, shipping_service_code: code ?? '-', shipping_service_fee: fee ?? 0 },
    };
    if (isSurelyTaken(operation.request, whole)) return unknownFields(operation.request, payload);
  }
  return requestErrors(operation, payload).filter(({ path }) => !chosenLater.has(path));
}

/**
 * Checks one row against the declaration of its operation: fills in what can be computed, and reports each bad cell.
 */
export function judge(row: SourceRow, work: RowWork, name: string): Judged {
  if (row.faults.length > 0) return { kind: 'bad', faults: row.faults };
  const { operation, targets } = work;
  if (operation.effect === 'update' && Object.keys(row.value).every((field) => targets.includes(field))) {
    return { kind: 'nothing-to-change' };
  }
  let filled: Fields;
  try {
    filled = isOrder(work) ? filledOrder(row.value, work) : row.value;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    const message = error.message.slice(error.field.length).trimStart();
    return { kind: 'bad', faults: [faultOf(row, { path: error.field, message })] };
  }
  const payload = work.named && !filled.external_id ? { ...filled, external_id: name } : filled;
  const own = errorsOf(payload, work);
  if (own.length > 0) return { kind: 'bad', faults: own.map((error) => faultOf(row, error)) };
  const added = Object.keys(payload).filter((field) => !(field in row.value) && field !== 'external_id');
  return { kind: 'good', payload, filled: added };
}
