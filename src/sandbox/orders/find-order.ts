import { invalid, notFound } from '../refusal.ts';
import type { Stored } from '../store/rows.ts';
import type { Work } from '../work.ts';
import { liveOrNewest } from './live-or-newest.ts';
import type { Maker } from './order-record.ts';

/** The names by which an order is looked up (contract, LookupRequest); "" and "0" are not given. */
export interface OrderLookup {
  readonly id?: string | undefined;
  readonly code?: string | undefined;
  readonly external_id?: string | undefined;
}

/** The names that are given. */
function givenNames({ id, code, external_id }: OrderLookup): OrderLookup {
  return Object.fromEntries(
    Object.entries({ id, code, external_id }).filter(([, name]) => name !== undefined && name !== '' && name !== '0'),
  );
}

/**
 * The order that all the given names fit; 400 without one, 404 where there is none in the shop (decisions, section 5).
 * An external id is a name in its maker's own system, so only its maker finds an order by it. Of several the live one
 * is found, and of those the newest.
 */
export function findOrder(work: Work, seeker: Maker, lookup: OrderLookup): Stored<'order'> {
  const names = givenNames(lookup);
  if (Object.keys(names).length === 0) throw invalid('id', 'is missing: give id, code or external_id');
  const maker = names.external_id === undefined ? {} : { partner_id: seeker.partnerId ?? null };
  const found = work.records('order', seeker.shopId).find({ ...names, ...maker });
  const order = liveOrNewest(found);
  if (order === undefined) throw notFound('order');
  return order;
}

/** Like `findOrder`, but exactly one name may be given (decisions, section 5, CancelOrder). */
export function findOrderByOneName(work: Work, seeker: Maker, lookup: OrderLookup): Stored<'order'> {
  const [, second] = Object.keys(givenNames(lookup));
  if (second !== undefined) throw invalid(second, 'is one name too many: give exactly one of id, code, external_id');
  return findOrder(work, seeker, lookup);
}
