import { Refusal } from '../../client/refusal.ts';
import type { FieldError } from '../../contract/operation.ts';
import { checkRequest } from '../../contract/schema/parse.ts';
import { AmountError } from '../../domain/amounts/weight.ts';
import { inEnglish } from '../../domain/language.ts';
import { type CompleteOrder, completeOrder, type OrderDraft } from '../../ledger/order-draft.ts';
import type { ShipOperations } from '../send-draft.ts';
import { say } from '../texts.ts';
import { withoutCopies } from './look-at-order.ts';
import { judging } from './totals.ts';

const ofService = new Set(['shipping.shipping_service_code', 'shipping.shipping_service_fee']);

/** The contract's errors for an order that has no service yet. */
export function orderErrors(operations: ShipOperations, order: CompleteOrder): FieldError[] {
  const checked = checkRequest(operations.create, order);
  return checked.ok ? [] : checked.errors.filter(({ path }) => !ofService.has(path));
}

/** The contract's error for one field of an unfinished order; undefined if there is none. */
export function fieldError(operations: ShipOperations, draft: OrderDraft, path: string): string | undefined {
  let order: CompleteOrder;
  try {
    order = completeOrder(draft);
  } catch (error) {
    if (error instanceof AmountError) return error.message;
    throw error;
  }
  // What is missing yet is no fault; it is known by the text, which is that of no language of people.
  const missing = new Set(
    inEnglish(() => orderErrors(operations, order)).flatMap((error) =>
      error.message === 'is required' ? error.path : [],
    ),
  );
  const found = orderErrors(operations, order).filter((error) => !missing.has(error.path));
  const own = found.find((error) => error.path === path || error.path.startsWith(`${path}.`));
  return own === undefined ? undefined : say().field({ field: own.path, what: own.message });
}

/** What an order lacks besides its fields if nobody can be asked: a service, and an agreement. */
export type Unsaid = 'pick' | 'agreement';

/** The order to send; throws a Refusal that names everything that is missing or wrong. */
export function wholeOrder(
  operations: ShipOperations,
  draft: OrderDraft,
  unsaid: readonly Unsaid[] = [],
): CompleteOrder {
  const order = judging(draft.external_id, () => completeOrder(draft));
  const errors = withoutCopies(orderErrors(operations, order));
  if (errors.length === 0 && unsaid.length === 0) return order;
  const wrong = errors.map(({ path, message }) => say().field({ field: path, what: message }));
  throw new Refusal('order_incomplete', [...wrong, ...unsaid.map((name) => say().run.missing({ name }))].join('; '), {
    fieldErrors: errors,
    facts: { wrong, unsaid },
  });
}
