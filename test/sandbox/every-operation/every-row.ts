import type { KnownOperationId } from '../../../src/contract/areas.ts';
import { customerRows } from './customers.ts';
import { accountRows, deliveryRows } from './deliveries-and-accounts.ts';
import { inventoryRows } from './inventory.ts';
import { orderRows } from './orders.ts';
import { productRows } from './products.ts';
import type { Row } from './row.ts';

/** The one operation that never succeeds: an illustration in the contract. */
export const GET_CHANGES = 'shop.History/GetChanges';

/** The compiler names an operation that has no row here; `every-operation.test.ts` does the same for the contract's list. */
export const rows: Readonly<Record<Exclude<KnownOperationId, typeof GET_CHANGES>, Row>> = {
  ...customerRows,
  ...productRows,
  ...inventoryRows,
  ...orderRows,
  ...deliveryRows,
  ...accountRows,
};
