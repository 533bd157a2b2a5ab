import { type Answer, call } from '../client/call.ts';
import type { Connection } from '../client/connection.ts';
import { ServiceError } from '../client/errors.ts';
import type { Family } from '../contract/operation-id.ts';
import { GetOrder as GetPartnerOrder } from '../contract/partner/shipping.ts';
import { GetOrder as GetShopOrder } from '../contract/shop/orders/shipping.ts';

/** An order with its shipments, as the service answers it. */
export type OrderWithShipments = Answer<typeof GetShopOrder>;

const AT_ONCE = 6;

/** An id is all digits; anything else is the caller's own name for the order, or the service's code. */
function lookupsOf(name: string) {
  if (/^\d{16,19}$/.test(name)) return [{ id: name }, { external_id: name }];
  return [{ external_id: name }, { code: name }];
}

/** The order with that id, external id or code; undefined if there is none. Throws a CallError. */
async function readOrder(
  name: string,
  family: Family,
  connection: Connection,
): Promise<OrderWithShipments | undefined> {
  const operation = family === 'shop' ? GetShopOrder : GetPartnerOrder;
  for (const lookup of lookupsOf(name)) {
    try {
      return await call(operation, lookup, connection);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    }
  }
  return undefined;
}

/**
 * Reads orders by id or name, a few at a time, and returns them in the given order; undefined stands for an order that
 * the service does not know. Throws the first CallError.
 */
export async function readOrders(
  names: readonly string[],
  family: Family,
  connection: Connection,
  onRead: (count: number) => void,
): Promise<(OrderWithShipments | undefined)[]> {
  const found: (OrderWithShipments | undefined)[] = new Array(names.length).fill(undefined);
  let [next, read, failed] = [0, 0, false];
  const work = async () => {
    while (next < names.length && !failed) {
      const index = next;
      next += 1;
      try {
        found[index] = await readOrder(names[index] ?? '', family, connection);
      } catch (error) {
        failed = true;
        throw error;
      }
      read += 1;
      onRead(read);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}
