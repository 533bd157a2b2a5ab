import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { notFound } from '../../../engine/refusal.ts';
import { idsOf } from '../../../engine/store/record-lists.ts';
import { changeAddress, makeAddress } from '../../customer-address.ts';
import { findById, givenNames } from '../../lookup.ts';

/** shop.CustomerAddress: the addresses of a shop's customers (decisions, sections 5 and 9). */
export const handlers = {
  CreateAddress(input, call) {
    return makeAddress(call, shopOf(call.account).shopId, input).record;
  },
  GetAddress(input, call) {
    const [[name, value] = ['id', '0']] = givenNames(input);
    // An address has neither a code nor an external id, so it cannot be found by them.
    if (name !== 'id') throw notFound('customer address');
    return findById(call, shopOf(call.account).shopId, 'customer_address', value).shown;
  },
  ListAddresses({ filter = {}, include_deleted: includeDeleted, paging }, call) {
    const addresses = call.records('customer_address', shopOf(call.account).shopId);
    const where = { customer_id: idsOf(filter.customer_id), phone: filter.phone ? [filter.phone] : undefined };
    const page = addresses.list({ where, includeDeleted, paging });
    return { addresses: page.shown, paging: page.paging };
  },
  UpdateAddress(input, call) {
    const address = findById(call, shopOf(call.account).shopId, 'customer_address', input.id);
    return changeAddress(call, address, input).record;
  },
  DeleteAddress({ id }, call) {
    const address = findById(call, shopOf(call.account).shopId, 'customer_address', id);
    call.records('customer_address', address.shopId).remove(address);
    return {};
  },
} satisfies Handlers<typeof import('../../../../contract/shop/customer-address.ts')>;
