import { locations, publicAccountInfo, versionInfo } from '../../src/contract/records/account.ts';
import { coordinates, locationAddress, orderAddress } from '../../src/contract/records/address.ts';
import { callback, change } from '../../src/contract/records/change.ts';
import {
  productCollection,
  productCollectionChanges,
  productCollectionRelationship,
} from '../../src/contract/records/collection.ts';
import { customer, customerChanges, newCustomer } from '../../src/contract/records/customer.ts';
import {
  customerAddress,
  customerAddressChanges,
  newCustomerAddress,
} from '../../src/contract/records/customer-address.ts';
import {
  customerGroup,
  customerGroupChanges,
  customerGroupRelationship,
} from '../../src/contract/records/customer-group.ts';
import { serviceError } from '../../src/contract/records/error.ts';
import { fulfillment } from '../../src/contract/records/fulfillment.ts';
import { inventoryLevel } from '../../src/contract/records/inventory.ts';
import {
  attribute,
  order,
  orderFeeLine,
  orderLine,
  orderRequest,
  orderShipping,
  shippedOrderRequest,
} from '../../src/contract/records/order.ts';
import { pageInfo, paging } from '../../src/contract/records/paging.ts';
import {
  newProduct,
  newVariant,
  productChanges,
  shopProduct,
  shopVariant,
  variantChanges,
} from '../../src/contract/records/product.ts';
import { carrierInfo, shippingService } from '../../src/contract/records/service.ts';
import {
  newShipnowFulfillment,
  shipnowAddress,
  shipnowFulfillment,
  shipnowServices,
} from '../../src/contract/records/shipnow.ts';
import { webhook } from '../../src/contract/records/webhook.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';

const at = (schema: JsonSchema | undefined, ...path: string[]): JsonSchema | undefined =>
  path.reduce((inner, name) => (name === '[]' ? inner?.items : inner?.properties?.[name]), schema);

const webhookStates = at(jsonSchema(webhook), 'states');

/** The schema of each record and request that `records.tsv` lists, by the name that it has there. */
export const recordSchemas: Readonly<Record<string, JsonSchema | undefined>> = {
  Customer: jsonSchema(customer),
  CustomerAddress: jsonSchema(customerAddress),
  Coordinates: jsonSchema(coordinates),
  CustomerGroup: jsonSchema(customerGroup),
  CustomerGroupRelationship: jsonSchema(customerGroupRelationship),
  ShopProduct: jsonSchema(shopProduct),
  ShopVariant: jsonSchema(shopVariant),
  ProductCollection: jsonSchema(productCollection),
  ProductCollectionRelationship: jsonSchema(productCollectionRelationship),
  InventoryLevel: jsonSchema(inventoryLevel),
  Order: jsonSchema(order),
  OrderAddress: jsonSchema(orderAddress),
  OrderLine: jsonSchema(orderLine),
  Attribute: jsonSchema(attribute),
  OrderShipping: jsonSchema(orderShipping),
  OrderFeeLine: jsonSchema(orderFeeLine),
  Fulfillment: jsonSchema(fulfillment),
  ShipnowFulfillment: jsonSchema(shipnowFulfillment),
  ShipnowAddress: jsonSchema(shipnowAddress),
  ShipnowDeliveryPoint: at(jsonSchema(shipnowFulfillment), 'delivery_points', '[]'),
  ShipnowService: at(jsonSchema(shipnowServices), 'services', '[]'),
  CarrierInfo: jsonSchema(carrierInfo),
  ShippingService: jsonSchema(shippingService),
  PublicAccountInfo: jsonSchema(publicAccountInfo),
  'Location response': jsonSchema(locations),
  'Location province': at(jsonSchema(locations), 'provinces', '[]'),
  'Location district': at(jsonSchema(locations), 'provinces', '[]', 'districts', '[]'),
  'Location ward': at(jsonSchema(locations), 'provinces', '[]', 'districts', '[]', 'wards', '[]'),
  LocationAddress: jsonSchema(locationAddress),
  VersionInfo: jsonSchema(versionInfo),
  CursorPaging: jsonSchema(paging),
  CursorPageInfo: jsonSchema(pageInfo),
  Webhook: jsonSchema(webhook),
  'Webhook states': webhookStates,
  'Webhook last_error': at(webhookStates, 'last_error'),
  Callback: jsonSchema(callback),
  Change: jsonSchema(change),
  'Change changed': at(jsonSchema(change), 'changed'),
  'Change latest': at(jsonSchema(change), 'latest'),
  Error: jsonSchema(serviceError),
  CreateCustomer: jsonSchema(newCustomer),
  CreateAddress: jsonSchema(newCustomerAddress),
  CreateShipnowFulfillment: jsonSchema(newShipnowFulfillment),
  CreateProduct: jsonSchema(newProduct),
  CreateVariant: jsonSchema(newVariant),
  CreateOrder: jsonSchema(orderRequest),
  CreateAndConfirmOrder: jsonSchema(shippedOrderRequest),
  UpdateCustomer: jsonSchema(customerChanges),
  UpdateAddress: jsonSchema(customerAddressChanges),
  UpdateGroup: jsonSchema(customerGroupChanges),
  UpdateProduct: jsonSchema(productChanges),
  UpdateVariant: jsonSchema(variantChanges),
  UpdateCollection: jsonSchema(productCollectionChanges),
};
