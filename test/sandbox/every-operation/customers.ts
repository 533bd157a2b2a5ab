import { expect } from 'vitest';
import type { Caller } from '../../support/callers.ts';
import { idOf, named, pagedList, type Row, refusedFilters } from './row.ts';

const person = { full_name: 'Nguyễn Thị Lan', phone: '0901234567' };
const place = { province: 'ha noi', district: 'cau giay', ward: 'dich vong', address1: '12 ngõ 5' };
const official = { province: 'Thành phố Hà Nội', district: 'Quận Cầu Giấy', ward: 'Phường Dịch Vọng' };

const customer = (caller: Caller) => caller.made('shop.Customer/CreateCustomer', person);

async function newAddress(caller: Caller) {
  return { customer_id: (await customer(caller)).id, ...person, ...place };
}

const address = async (caller: Caller) => caller.made('shop.CustomerAddress/CreateAddress', await newAddress(caller));

const group = (caller: Caller) => caller.made('shop.CustomerGroup/CreateGroup', { name: 'Regulars' });

async function pair(caller: Caller) {
  return { customer_id: (await customer(caller)).id, group_id: (await group(caller)).id };
}

async function membership(caller: Caller) {
  const named = await pair(caller);
  await caller.made('shop.CustomerGroupRelationship/CreateRelationship', named);
  return named;
}

export const customerRows = {
  'shop.Customer/CreateCustomer': {
    changes: ['customer create'],
    request: () => person,
    answers: { ...person, code: 'KH000001', status: 'P', deleted: false },
    needs: ['full_name', 'phone'],
    namesRecord: false,
    refuses: [
      { because: 'an unknown gender', request: () => ({ ...person, gender: 'x' }), code: 'invalid_argument' },
      { because: 'an unknown type', request: () => ({ ...person, type: 'x' }), code: 'invalid_argument' },
    ],
  },
  'shop.Customer/DeleteCustomer': { changes: ['customer delete'], ...named, request: idOf(customer), answers: {} },
  'shop.Customer/GetCustomer': {
    ...named,
    request: idOf(customer),
    answers: person,
    refuses: [
      {
        because: 'names that do not all fit',
        request: async (caller) => ({ id: (await customer(caller)).id, code: 'KH999999' }),
        code: 'not_found',
      },
    ],
  },
  'shop.Customer/ListCustomers': pagedList({ make: customer, answers: { customers: [person] } }, 'id'),
  'shop.Customer/UpdateCustomer': {
    changes: ['customer update'],
    ...named,
    request: async (caller) => ({ id: (await customer(caller)).id, note: 'Rings twice' }),
    answers: { ...person, note: 'Rings twice' },
  },

  'shop.CustomerAddress/CreateAddress': {
    changes: ['customer_address create'],
    request: newAddress,
    answers: { ...person, ...official, address1: '12 ngõ 5' },
    needs: ['customer_id', 'full_name', 'phone', 'province', 'district', 'ward', 'address1'],
    namesRecord: true,
    refuses: [
      {
        because: 'a place that is not known',
        request: async (caller) => ({ ...(await newAddress(caller)), district: 'Atlantis' }),
        code: 'invalid_argument',
        meta: { field: 'district' },
      },
    ],
  },
  'shop.CustomerAddress/DeleteAddress': {
    changes: ['customer_address delete'],
    ...named,
    request: idOf(address),
    answers: {},
  },
  'shop.CustomerAddress/GetAddress': { ...named, request: idOf(address), answers: official },
  'shop.CustomerAddress/ListAddresses': pagedList({ make: address, answers: { addresses: [official] } }, 'customer_id'),
  'shop.CustomerAddress/UpdateAddress': {
    changes: ['customer_address update'],
    ...named,
    request: async (caller) => ({ id: (await address(caller)).id, address2: 'Tầng 3' }),
    answers: { ...official, address2: 'Tầng 3' },
  },

  'shop.CustomerGroup/CreateGroup': {
    changes: ['customer_group create'],
    request: () => ({ name: 'Regulars' }),
    answers: { name: 'Regulars', deleted: false },
    needs: ['name'],
    namesRecord: false,
    refuses: [],
  },
  'shop.CustomerGroup/DeleteGroup': { changes: ['customer_group delete'], ...named, request: idOf(group), answers: {} },
  'shop.CustomerGroup/GetGroup': { ...named, request: idOf(group), answers: { name: 'Regulars' } },
  'shop.CustomerGroup/ListGroups': pagedList(
    { make: group, answers: { customer_groups: [{ name: 'Regulars' }] } },
    'id',
  ),
  'shop.CustomerGroup/UpdateGroup': {
    changes: ['customer_group update'],
    ...named,
    request: async (caller) => ({ id: (await group(caller)).id, name: 'Friends' }),
    answers: { name: 'Friends' },
  },

  'shop.CustomerGroupRelationship/CreateRelationship': {
    changes: ['customer_group_relationship create'],
    request: pair,
    answers: {},
    needs: ['customer_id', 'group_id'],
    namesRecord: true,
    refuses: [],
  },
  'shop.CustomerGroupRelationship/DeleteRelationship': {
    changes: ['customer_group_relationship delete'],
    request: membership,
    answers: {},
    needs: ['customer_id', 'group_id'],
    namesRecord: true,
    refuses: [],
  },
  'shop.CustomerGroupRelationship/ListRelationships': {
    request: async (caller) => ({ filter: { group_id: (await membership(caller)).group_id } }),
    answers: { relationship: [{ customer_id: expect.stringMatching(/^\d{19}$/), deleted: false }] },
    needs: [],
    namesRecord: false,
    refuses: [
      { because: 'no filter', request: () => ({}), code: 'failed_precondition' },
      {
        because: 'both filters',
        request: () => ({ filter: { group_id: '1', customer_id: '1' } }),
        code: 'failed_precondition',
      },
      ...refusedFilters('group_id'),
      ...refusedFilters('customer_id'),
    ],
  },
} satisfies Record<string, Row>;
