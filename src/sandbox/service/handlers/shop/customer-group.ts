import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { idsOf } from '../../../engine/store/record-lists.ts';
import { findById } from '../../lookup.ts';
import { requireTexts } from '../../orders/customer-of-order.ts';
import { removeGroup } from '../../remove-customer.ts';

/** shop.CustomerGroup: groups of a shop's customers (contract, "CustomerGroup and CustomerGroupRelationship"). */
export const handlers = {
  CreateGroup(input, call) {
    requireTexts(input, ['name']);
    return call.records('customer_group', shopOf(call.account).shopId).insert(input).shown;
  },
  GetGroup({ id }, call) {
    return findById(call, shopOf(call.account).shopId, 'customer_group', id).shown;
  },
  ListGroups({ filter, include_deleted: includeDeleted, paging }, call) {
    const groups = call.records('customer_group', shopOf(call.account).shopId);
    const page = groups.list({ where: { id: idsOf(filter?.id) }, includeDeleted, paging });
    return { customer_groups: page.shown, paging: page.paging };
  },
  UpdateGroup(input, call) {
    // A group consists of its name only, so the name cannot be cleared.
    if (input.name !== undefined) requireTexts(input, ['name']);
    const group = findById(call, shopOf(call.account).shopId, 'customer_group', input.id);
    return call.records('customer_group', group.shopId).update(group, input).record;
  },
  DeleteGroup({ id }, call) {
    removeGroup(call, findById(call, shopOf(call.account).shopId, 'customer_group', id));
    return {};
  },
} satisfies Handlers<typeof import('../../../../contract/shop/customer-group.ts')>;
