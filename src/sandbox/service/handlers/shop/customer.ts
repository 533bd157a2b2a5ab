import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { idsOf } from '../../../engine/store/record-lists.ts';
import { findByAllNames, findById } from '../../lookup.ts';
import { makeCustomer, requireTexts } from '../../orders/customer-of-order.ts';
import { removeCustomer } from '../../remove-customer.ts';

/** shop.Customer: the customers of a shop (decisions, sections 5 and 6). */
export const handlers = {
  CreateCustomer(input, call) {
    return makeCustomer(call, shopOf(call.account).shopId, input).record;
  },
  GetCustomer(input, call) {
    return findByAllNames(call, shopOf(call.account).shopId, 'customer', input).shown;
  },
  ListCustomers({ filter, include_deleted: includeDeleted, paging }, call) {
    const customers = call.records('customer', shopOf(call.account).shopId);
    const page = customers.list({ where: { id: idsOf(filter?.id) }, includeDeleted, paging });
    return { customers: page.shown, paging: page.paging };
  },
  UpdateCustomer(input, call) {
    const customer = findById(call, shopOf(call.account).shopId, 'customer', input.id);
    const { full_name, phone } = { ...customer.record, ...input };
    requireTexts({ full_name, phone }, ['full_name', 'phone']);
    return call.records('customer', customer.shopId).update(customer, input).record;
  },
  DeleteCustomer(input, call) {
    removeCustomer(call, findByAllNames(call, shopOf(call.account).shopId, 'customer', input));
    return {};
  },
} satisfies Handlers<typeof import('../../../../contract/shop/customer.ts')>;
