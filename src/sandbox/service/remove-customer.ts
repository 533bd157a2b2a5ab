import type { Work } from '../engine/call.ts';
import { removeAll } from '../engine/store/remove-records.ts';
import type { Stored } from '../engine/store/rows.ts';

/**
 * Deletes a customer, and before it its dependents: its addresses and its memberships in groups, each with its change.
 * Its orders stay, because they contain the address that they were sent to (our choice).
 */
export function removeCustomer(work: Work, customer: Stored<'customer'>): void {
  const { id: customer_id, shopId } = customer;
  removeAll(work.records('customer_address', shopId), { customer_id });
  removeAll(work.records('customer_group_relationship', shopId), { customer_id });
  work.records('customer', shopId).remove(customer);
}

/** Deletes a group, and before it the memberships in it; its customers stay (our choice). */
export function removeGroup(work: Work, group: Stored<'customer_group'>): void {
  const { id: group_id, shopId } = group;
  removeAll(work.records('customer_group_relationship', shopId), { group_id });
  work.records('customer_group', shopId).remove(group);
}
