import type * as z from 'zod';
import { keysOf } from '../domain/json/keys-of.ts';
import { publicAccountInfo, versionInfo } from './records/account.ts';
import { coordinates, orderAddress } from './records/address.ts';
import { callback, change } from './records/change.ts';
import { productCollection, productCollectionRelationship } from './records/collection.ts';
import { customer } from './records/customer.ts';
import { customerAddress } from './records/customer-address.ts';
import { customerGroup, customerGroupRelationship } from './records/customer-group.ts';
import { serviceError } from './records/error.ts';
import { fulfillment, orderWithFulfillments } from './records/fulfillment.ts';
import { inventoryLevel } from './records/inventory.ts';
import { attribute, order, orderFeeLine, orderLine, orderShipping } from './records/order.ts';
import { pageInfo, paging } from './records/paging.ts';
import { shopProduct, shopVariant } from './records/product.ts';
import { carrierInfo, shippingService } from './records/service.ts';
import { shipnowAddress, shipnowFulfillment } from './records/shipnow.ts';
import { webhook } from './records/webhook.ts';
import { type JsonSchema, jsonSchema } from './schema/json-schema.ts';

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

type SchemaName = keyof typeof named;

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
function nameOfSchema(schema: JsonSchema): SchemaName | undefined {
  if (schema.properties === undefined) return undefined;
  names ??= new Map(namedSchemas().map(([name, known]) => [substanceOf(known), name]));
  return names.get(substanceOf(schema));
}

/** An OpenAPI 3.1 schema object, which is JSON Schema 2020-12. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema; a named record becomes a reference. */
export function schemaObject(schema: JsonSchema): SchemaObject {
  const name = nameOfSchema(schema);
  if (name === undefined) return wholeSchemaObject(schema);
  const { description } = schema;
  return { $ref: `#/components/schemas/${name}`, ...(description === undefined ? {} : { description }) };
}

/** A schema in full, even if it is named; the schemas in it become references. */
export function wholeSchemaObject(schema: JsonSchema): SchemaObject {
  const { unit, likeness: _, properties, items, additionalProperties, required = [], ...plain } = schema;
  return {
    ...plain,
    ...(unit === undefined ? {} : { 'x-unit': unit }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([field, value]) => [
              field,
              required.includes(field) ? schemaObject(value) : orNull(schemaObject(value)),
            ]),
          ),
        }),
    ...(required.length > 0 ? { required } : {}),
    ...(items === undefined ? {} : { items: schemaObject(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: schemaObject(additionalProperties) }),
  };
}

/** A field that is not required may be null, which is the same as absent (decisions, section 2). */
function orNull(schema: SchemaObject): SchemaObject {
  const { $ref, description, type, enum: values } = schema;
  if ($ref !== undefined) {
    return { anyOf: [{ $ref }, { type: 'null' }], ...(description === undefined ? {} : { description }) };
  }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}
