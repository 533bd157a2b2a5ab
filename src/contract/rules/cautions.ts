import { formatMoney } from '../../domain/amounts/money.ts';
import { fieldsIn, recordsIn } from '../../domain/json/value-at.ts';

/**
 * The warning before cancelling an order whose cash was collected on delivery: cancelling returns neither the goods nor
 * the money. Undefined for any other order.
 */
export function deliveredWithCash(answer: unknown): string | undefined {
  const { order, fulfillments } = fieldsIn(answer);
  const paid = recordsIn(fulfillments).flatMap(({ shipping_state: state, cod_amount: cash }) =>
    state === 'delivered' && typeof cash === 'number' && cash > 0 ? [cash] : [],
  );
  if (paid.length === 0) return undefined;
  const cash = formatMoney(paid.reduce((sum, each) => sum + each, 0));
  const { code } = fieldsIn(order);
  const which = typeof code === 'string' ? `order ${code}` : 'this order';
  return `${which} is delivered, and ${cash} in cash was collected for it; cancelling brings back neither goods nor money`;
}

/** What a cancellation did to an order some of whose shipments could not be cancelled; undefined for any other. */
export function cancelledWithShipments(answer: unknown): string | undefined {
  const { order, fulfillment_errors: errors } = fieldsIn(answer);
  const failed = recordsIn(errors).filter(({ code }) => typeof code === 'string' && code !== '' && code !== 'ok');
  if (failed.length === 0) return undefined;
  const { code, status } = fieldsIn(order);
  const which = typeof code === 'string' ? `order ${code}` : 'the order';
  const rest = 'shipments that were not cancelled continue, with their fees and their cash on delivery';
  return status === 'N' ? `${which} is now cancelled; ${rest}` : `${which} is not cancelled; ${rest}`;
}

/** The warning that an order with a shipping part is not shipped just because it is confirmed. */
export function notShipped(answer: unknown): string | undefined {
  const { shipping } = fieldsIn(answer);
  return shipping
    ? 'its shipping part is stored with it, and nothing is shipped, not even when it is confirmed'
    : undefined;
}
