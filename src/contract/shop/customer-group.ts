import { operation } from '../operation.ts';
import { customerGroup, customerGroupChanges, newCustomerGroup } from '../records/customer-group.ts';
import { atPage, byId, filtered, paged, withDeleted } from '../request-shapes.ts';
import { notBlank } from '../schema/rules.ts';
import { empty, idsFilter, list, record } from '../schema/scalars.ts';

export const CreateGroup = operation({
  id: 'shop.CustomerGroup/CreateGroup',
  command: 'groups create',
  summary: 'Create a group of customers',
  examples: ['shopctl groups create --name "Wholesale buyers" -o name'],
  effect: 'create',
  proves: ['name'],
  credential: 'shop-api-key',
  request: newCustomerGroup,
  response: customerGroup,
  rules: notBlank('name'),
});

export const DeleteGroup = operation({
  id: 'shop.CustomerGroup/DeleteGroup',
  command: 'groups delete',
  summary: 'Delete a group',
  examples: ['shopctl groups delete 1234567890123456789 --yes'],
  effect: 'delete',
  credential: 'shop-api-key',
  request: byId('group'),
  response: empty,
  positional: 'id',
  holds: [{ as: 'members', list: { operation: 'shop.CustomerGroupRelationship/ListRelationships', by: 'group_id' } }],
});

export const GetGroup = operation({
  id: 'shop.CustomerGroup/GetGroup',
  command: 'groups get',
  summary: 'Show a group',
  examples: ['shopctl groups get 1234567890123456789'],
  effect: 'read',
  credential: 'shop-api-key',
  request: byId('group'),
  response: customerGroup,
  positional: 'id',
  shows: {
    columns: [
      {
        path: 'members',
        each: [
          { path: 'customer.code' },
          { path: 'customer.full_name' },
          { path: 'customer.phone' },
          { path: 'customer_id' },
        ],
      },
    ],
    beside: [
      {
        ...{ as: 'members', key: 'id', filter: 'group_id', on: 'group_id' },
        list: 'shop.CustomerGroupRelationship/ListRelationships',
        beside: [
          {
            ...{ as: 'customer', key: 'customer_id', filter: 'id', on: 'id', isOne: true },
            list: 'shop.Customer/ListCustomers',
          },
        ],
      },
    ],
  },
});

export const ListGroups = operation({
  id: 'shop.CustomerGroup/ListGroups',
  command: 'groups list',
  summary: 'List groups of customers',
  examples: ['shopctl groups list'],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({ ...filtered({ id: idsFilter('Ids of the groups') }), ...withDeleted, ...paged }),
  response: record({ customer_groups: list(customerGroup, 'The groups'), ...atPage }),
  page: { items: 'customer_groups', cursors: true },
});

export const UpdateGroup = operation({
  id: 'shop.CustomerGroup/UpdateGroup',
  command: 'groups update',
  summary: 'Update a group',
  examples: ['shopctl groups update 1234567890123456789 --name "Wholesale, north"'],
  effect: 'update',
  credential: 'shop-api-key',
  request: customerGroupChanges,
  response: customerGroup,
  rules: notBlank('name'),
  positional: 'id',
});
