import { flag, id, record, requiring, text } from '../schema/scalars.ts';

const groupId = id('Id of the group');
const name = text('Name of the group');

/** A group of customers (contract, "CustomerGroup and CustomerGroupRelationship"). */
export const customerGroup = record({
  id: groupId,
  shop_id: id('Id of the shop'),
  name,
  deleted: flag('Whether the group is deleted'),
});

/** The fields of a new group (contract, shop.CustomerGroup/CreateGroup). */
export const newCustomerGroup = requiring({ name }, {});

/** The updatable fields of a group; absent or null is unchanged (decisions, section 6). */
export const customerGroupChanges = requiring({ id: groupId }, { name });

const membership = { customer_id: id('Id of the customer'), group_id: groupId };

/** A customer in a group (contract, "CustomerGroup and CustomerGroupRelationship"). */
export const customerGroupRelationship = record({
  ...membership,
  deleted: flag('Whether the customer has left the group'),
});

/** The pair that identifies a membership, and creates it. */
export const customerGroupMembership = requiring(membership, {});
