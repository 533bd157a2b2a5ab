import { operation } from '../operation.ts';
import { customerGroupMembership, customerGroupRelationship } from '../records/customer-group.ts';
import { atPage, filtered, paged, withDeleted } from '../request-shapes.ts';
import { exactlyOneOf } from '../schema/rules.ts';
import { empty, idsFilter, list, record } from '../schema/scalars.ts';

export const CreateRelationship = operation({
  id: 'shop.CustomerGroupRelationship/CreateRelationship',
  command: 'groups members add',
  summary: 'Add a customer to a group',
  examples: ['shopctl groups members add --group-id 1234567890123456789 --customer-id 1234567890123456790'],
  effect: 'create',
  credential: 'shop-api-key',
  request: customerGroupMembership,
  response: empty,
  tells: (_, { customer_id, group_id }) => `customer ${customer_id} is in group ${group_id}`,
});

export const DeleteRelationship = operation({
  id: 'shop.CustomerGroupRelationship/DeleteRelationship',
  command: 'groups members remove',
  summary: 'Remove a customer from a group',
  examples: ['shopctl groups members remove --group-id 1234567890123456789 --customer-id 1234567890123456790 --yes'],
  effect: 'delete',
  credential: 'shop-api-key',
  request: customerGroupMembership,
  response: empty,
  tells: (_, { customer_id, group_id }) => `customer ${customer_id} is in group ${group_id} no more`,
});

export const ListRelationships = operation({
  id: 'shop.CustomerGroupRelationship/ListRelationships',
  command: 'groups members list',
  summary: 'List the customers of groups, or the groups of customers',
  description: 'Takes exactly one of the two filters.',
  examples: [
    'shopctl groups members list --group-id 1234567890123456789',
    'shopctl groups members list --customer-id 1234567890123456790 --json',
  ],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({
    ...filtered({ customer_id: idsFilter('Ids of the customers'), group_id: idsFilter('Ids of the groups') }),
    ...withDeleted,
    ...paged,
  }),
  response: record({ relationship: list(customerGroupRelationship, 'Which customer is in which group'), ...atPage }),
  page: { items: 'relationship', cursors: true },
  rules: exactlyOneOf('filter.customer_id', 'filter.group_id'),
});
