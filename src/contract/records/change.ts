import * as enums from '../enums.ts';
import { id, list, nested, oneOf, record, time } from '../schema/scalars.ts';
import { productCollection, productCollectionRelationship } from './collection.ts';
import { customer } from './customer.ts';
import { customerAddress } from './customer-address.ts';
import { customerGroup, customerGroupRelationship } from './customer-group.ts';
import { fulfillment } from './fulfillment.ts';
import { inventoryLevel } from './inventory.ts';
import { order } from './order.ts';
import { shopProduct, shopVariant } from './product.ts';
import { shipnowFulfillment } from './shipnow.ts';

/** Holds the record of one kind: at most one of these keys is present (contract, "Change (event payload)"). */
const anyRecord = record({
  customer: nested(customer, 'A customer'),
  customer_address: nested(customerAddress, 'An address of a customer'),
  customer_group: nested(customerGroup, 'A group of customers'),
  customer_group_relationship: nested(customerGroupRelationship, 'A customer in a group'),
  fulfillment: nested(fulfillment, 'A shipment'),
  inventory_level: nested(inventoryLevel, 'The stock of a variant'),
  order: nested(order, 'An order'),
  product: nested(shopProduct, 'A product'),
  product_collection: nested(productCollection, 'A collection of products'),
  product_collection_relationship: nested(productCollectionRelationship, 'A product in a collection'),
  shipnow_fulfillment: nested(shipnowFulfillment, 'An on-demand delivery'),
  variant: nested(shopVariant, 'A variant'),
});

/** One change to a record (contract, "Change (event payload)"). */
export const change = record({
  change_type: oneOf(enums.changeType, 'What happened to the record'),
  entity: oneOf(enums.entity, 'Kind of the record'),
  time: time('When it happened'),
  changed: nested(anyRecord, 'Ids of the record and what changed in it; all of it when it was created'),
  latest: nested(anyRecord, 'The whole record after the change'),
});

/** The payload of a webhook delivery (contract, "Change (event payload)"). */
export const callback = record({
  id: id('Id of the delivery'),
  changes: list(change, 'The changes, oldest first'),
});
