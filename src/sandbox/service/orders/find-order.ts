import { invalid, notFound } from '../../engine/refusal.ts';
import type { Stored } from '../../engine/store/records/rows.ts';
import type { Work } from '../../engine/work.ts';
import { givenNames, type Names } from '../requests/lookup.ts';
import { liveOrNewest } from './live-or-newest.ts';
import type { Maker } from './order-record.ts';

/**
 * The order that matches all given names; 400 without any, 404 if there is none in the shop (decisions, section 5). An
 * external id is a name in its maker's own system, so only the maker finds an order by it. If several match, the live
 * one is returned, and of several live ones the newest.
 */
export function findOrder(work: Work, seeker: Maker, lookup: Names): Stored<'order'> {
  const names: Names = Object.fromEntries(givenNames(lookup));
  const maker = names.external_id === undefined ? {} : { partner_id: seeker.partnerId ?? null };
  const found = work.records('order', seeker.shopId).find({ ...names, ...maker });
  const order = liveOrNewest(found);
  if (order === undefined) throw notFound('order');
  return order;
}

/** Like `findOrder`, but exactly one name may be given (decisions, section 5, CancelOrder). */
export function findOrderByOneName(work: Work, seeker: Maker, lookup: Names): Stored<'order'> {
  const [, second] = givenNames(lookup);
  if (second !== undefined) throw invalid(second[0], 'is one name too many: give exactly one of id, code, external_id');
  return findOrder(work, seeker, lookup);
}
