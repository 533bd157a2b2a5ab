import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { notFound } from '../../../engine/refusal.ts';
import { findById } from '../../lookup.ts';
import { exactlyOneFilter } from '../../one-filter.ts';

/**
 * shop.CustomerGroupRelationship: which customer is in which group. Adding one to a group again changes nothing and is
 * not an error, so that a call whose answer was lost can be retried (our choice).
 */
export const handlers = {
  CreateRelationship(pair, call) {
    const { shopId } = shopOf(call.account);
    findById(call, shopId, 'customer', pair.customer_id, 'customer_id');
    findById(call, shopId, 'customer_group', pair.group_id, 'group_id');
    const relationships = call.records('customer_group_relationship', shopId);
    const [known] = relationships.find(pair);
    if (known === undefined) relationships.insert(pair);
    return {};
  },
  DeleteRelationship(pair, call) {
    const relationships = call.records('customer_group_relationship', shopOf(call.account).shopId);
    const [known] = relationships.find(pair);
    if (known === undefined) throw notFound('customer group relationship');
    relationships.remove(known);
    return {};
  },
  ListRelationships({ filter, include_deleted: includeDeleted, paging }, call) {
    const relationships = call.records('customer_group_relationship', shopOf(call.account).shopId);
    const where = exactlyOneFilter({ customer_id: filter?.customer_id, group_id: filter?.group_id });
    const page = relationships.list({ where, includeDeleted, paging });
    return { relationship: page.shown, paging: page.paging };
  },
} satisfies Handlers<typeof import('../../../../contract/shop/customer-group-relationship.ts')>;
