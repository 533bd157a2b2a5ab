import { isAreaKey, loadArea, loadOperation } from '../contract/areas.ts';
import type { Operation } from '../contract/operation.ts';

const takes = ({ request }: Operation, field: string) => Object.hasOwn(request.shape, field);

/** Whether a record that an operation creates can have an external_id. */
export function takesName(operation: Operation): boolean {
  return takes(operation, 'external_id');
}

/** The operations of the same area that read. */
export async function readsOf({ id }: Operation): Promise<readonly Operation[]> {
  const area = id.split('/')[0] ?? '';
  const operations: readonly Operation[] = isAreaKey(area) ? Object.values(await loadArea(area)) : [];
  return operations.filter(({ effect }) => effect === 'read');
}

/**
 * The operation that reads what another one creates, by the name it was created under or by its id; undefined where the
 * contract has none. That of an order stands in its declaration.
 */
export async function lookupOf(operation: Operation, by: 'external_id' | 'id'): Promise<Operation | undefined> {
  if (operation.settlement !== undefined) return loadOperation(operation.settlement.lookup);
  return (await readsOf(operation)).find((one) => one.page === undefined && takes(one, by));
}

/** What kind of record an operation writes: all commands that make orders make the same kind. */
export function resourceOf({ id }: { readonly id: string }): string {
  const area = id.split('/')[0]?.split('.')[1] ?? '';
  return area === 'Order' || area === 'Shipping' ? 'order' : area;
}

/** What records are called by in requests. */
export const NAMES: readonly string[] = ['id', 'code', 'external_id', 'shipping_code'];

/** Which name of its record a field of a change is: one that is called otherwise, such as `order_id`, holds the id. */
export const nameOfField = (field: string): string => (NAMES.includes(field) ? field : 'id');
