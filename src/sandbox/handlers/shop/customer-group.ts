import { shopOf } from '../../accounts/account.ts';
import type { Handlers } from '../../call.ts';
import { removeGroup } from '../../customers/remove-customer.ts';
import { findById } from '../../lookup.ts';
import { idsOf } from '../../store/lists.ts';

/** shop.CustomerGroup: groups of a shop's customers (contract, "CustomerGroup and CustomerGroupRelationship"). */
export const handlers = {
  async CreateGroup(input, call) {
    return (await call.records('customer_group', shopOf(call.account).shopId).insert(input)).record;
  },
  async GetGroup({ id }, call) {
    return (await findById(call, shopOf(call.account).shopId, 'customer_group', id)).record;
  },
  async ListGroups({ filter, include_deleted: includeDeleted, paging }, call) {
    const groups = call.records('customer_group', shopOf(call.account).shopId);
    const page = await groups.list({ where: { id: idsOf(filter?.id) }, includeDeleted, paging });
    return { customer_groups: page.items, paging: page.paging };
  },
  async UpdateGroup(input, call) {
    const group = await findById(call, shopOf(call.account).shopId, 'customer_group', input.id);
    return (await call.records('customer_group', group.shopId).update(group, input)).record;
  },
  async DeleteGroup({ id }, call) {
    await removeGroup(call, await findById(call, shopOf(call.account).shopId, 'customer_group', id));
    return {};
  },
} satisfies Handlers<typeof import('../../../contract/shop/customer-group.ts')>;
