import type { Connection } from '../../src/client/connection.ts';
import type { NamedCreate } from '../../src/client/settle/create-named.ts';
import { CreateAndConfirmOrder, GetOrder } from '../../src/contract/partner/shipping.ts';
import { Sending } from '../../src/ledger/writing.ts';
import { shippedOrder } from './order-request.ts';

/** A process that never loses what it owns. */
export const anOwner = { id: 'owner', holds: () => true, release: async () => {} };

/** An order under a name, sent over a connection; by default the name is the caller's own, WEB-7. */
export function orderUnder(
  connection: Connection,
  changes: Partial<NamedCreate<typeof CreateAndConfirmOrder>> = {},
): NamedCreate<typeof CreateAndConfirmOrder> {
  const sending = new Sending(connection, anOwner);
  return {
    operation: CreateAndConfirmOrder,
    request: shippedOrder,
    name: 'WEB-7',
    lookup: GetOrder,
    unique: true,
    derived: false,
    connection: sending.connection,
    lookups: sending.lookups,
    left: () => sending.left,
    ...changes,
  };
}
