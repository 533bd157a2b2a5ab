import type * as z from 'zod';
import { keysOf } from '../../domain/json/keys-of.ts';
import { publicAccountInfo } from '../records/account/account.ts';
import { callback, change } from '../records/account/change.ts';
import { versionInfo } from '../records/account/version.ts';
import { webhook } from '../records/account/webhook.ts';
import { coordinates, orderAddress } from '../records/customers/address.ts';
import { customer } from '../records/customers/customer.ts';
import { customerAddress } from '../records/customers/customer-address.ts';
import { customerGroup, customerGroupRelationship } from '../records/customers/customer-group.ts';
import { serviceError } from '../records/error.ts';
import { fulfillment, orderWithFulfillments } from '../records/orders/fulfillment.ts';
import { attribute, order, orderFeeLine, orderLine, orderShipping } from '../records/orders/order.ts';
import { carrierInfo, shippingService } from '../records/orders/service.ts';
import { shipnowAddress, shipnowFulfillment } from '../records/orders/shipnow.ts';
import { pageInfo, paging } from '../records/paging.ts';
import { productCollection, productCollectionRelationship } from '../records/products/collection.ts';
import { inventoryLevel } from '../records/products/inventory.ts';
import { shopProduct, shopVariant } from '../records/products/product.ts';
import { type JsonSchema, jsonSchema } from '../schema/json-schema.ts';

/** The records that the contract names ("Resources and their fields"); a document defines each of them once. */
const named = {
  Attribute: attribute,
  Callback: callback,
  CarrierInfo: carrierInfo,
  Change: change,
  Coordinates: coordinates,
  CursorPageInfo: pageInfo,
  CursorPaging: paging,
  Customer: customer,
  CustomerAddress: customerAddress,
  CustomerGroup: customerGroup,
  CustomerGroupRelationship: customerGroupRelationship,
  Error: serviceError,
  Fulfillment: fulfillment,
  InventoryLevel: inventoryLevel,
  Order: order,
  OrderAddress: orderAddress,
  OrderFeeLine: orderFeeLine,
  OrderLine: orderLine,
  OrderShipping: orderShipping,
  OrderWithFulfillments: orderWithFulfillments,
  ProductCollection: productCollection,
  ProductCollectionRelationship: productCollectionRelationship,
  PublicAccountInfo: publicAccountInfo,
  ShipnowAddress: shipnowAddress,
  ShipnowFulfillment: shipnowFulfillment,
  ShippingService: shippingService,
  ShopProduct: shopProduct,
  ShopVariant: shopVariant,
  VersionInfo: versionInfo,
  Webhook: webhook,
} as const satisfies Record<string, z.ZodType>;

export type SchemaName = keyof typeof named;

/** A schema without its description at one place, as text: equal for two uses of one record. */
function substanceOf({ description: _, ...schema }: JsonSchema): string {
  return JSON.stringify(schema);
}

/** The named schemas, sorted by name. */
export function namedSchemas(): readonly (readonly [SchemaName, JsonSchema])[] {
  return keysOf(named).map((name) => [name, jsonSchema(named[name])]);
}

let names: ReadonlyMap<string, SchemaName> | undefined;

/** The name of a record, whatever its description at that place; undefined for anything else. */
export function nameOfSchema(schema: JsonSchema): SchemaName | undefined {
  if (schema.properties === undefined) return undefined;
  names ??= new Map(namedSchemas().map(([name, known]) => [substanceOf(known), name]));
  return names.get(substanceOf(schema));
}
