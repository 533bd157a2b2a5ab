import { allOperations } from '../../src/contract/areas.ts';
import * as enums from '../../src/contract/enums.ts';
import { type Credential, type Operation, operationPath } from '../../src/contract/operation.ts';
import { AuthorizeShop } from '../../src/contract/partner/shop.ts';
import { locations, publicAccountInfo, versionInfo } from '../../src/contract/records/account.ts';
import { coordinates, locationAddress, orderAddress } from '../../src/contract/records/address.ts';
import { callback, change } from '../../src/contract/records/change.ts';
import { productCollection, productCollectionRelationship } from '../../src/contract/records/collection.ts';
import { customer } from '../../src/contract/records/customer.ts';
import { customerAddress } from '../../src/contract/records/customer-address.ts';
import { customerGroup, customerGroupRelationship } from '../../src/contract/records/customer-group.ts';
import { errorStatus, serviceError } from '../../src/contract/records/error.ts';
import { fulfillment } from '../../src/contract/records/fulfillment.ts';
import { inventoryLevel } from '../../src/contract/records/inventory.ts';
import { attribute, order, orderFeeLine, orderLine, orderShipping } from '../../src/contract/records/order.ts';
import { pageInfo, paging } from '../../src/contract/records/paging.ts';
import { shopProduct, shopVariant } from '../../src/contract/records/product.ts';
import { carrierInfo, shippingService } from '../../src/contract/records/service.ts';
import {
  newShipnowFulfillment,
  pricedDelivery,
  shipnowAddress,
  shipnowFulfillment,
  shipnowServices,
} from '../../src/contract/records/shipnow.ts';
import { webhook } from '../../src/contract/records/webhook.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { readTable } from './read-table.ts';

const at = (schema: JsonSchema | undefined, ...path: string[]): JsonSchema => {
  const found = path.reduce((inner, name) => (name === '[]' ? inner?.items : inner?.properties?.[name]), schema);
  if (found === undefined) throw new Error(`the contract has nothing at ${path.join('.')}`);
  return found;
};

/** The records by their names, below the headings of docs/contract-tables.md, which comments cite. */
const sections: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  Customer: { Customer: jsonSchema(customer) },
  CustomerAddress: { CustomerAddress: jsonSchema(customerAddress), Coordinates: jsonSchema(coordinates) },
  'CustomerGroup and CustomerGroupRelationship': {
    CustomerGroup: jsonSchema(customerGroup),
    CustomerGroupRelationship: jsonSchema(customerGroupRelationship),
  },
  'Product (ShopProduct)': { ShopProduct: jsonSchema(shopProduct) },
  Variant: { ShopVariant: jsonSchema(shopVariant) },
  'ProductCollection and ProductCollectionRelationship': {
    ProductCollection: jsonSchema(productCollection),
    ProductCollectionRelationship: jsonSchema(productCollectionRelationship),
  },
  InventoryLevel: { InventoryLevel: jsonSchema(inventoryLevel) },
  Order: { Order: jsonSchema(order) },
  OrderAddress: { OrderAddress: jsonSchema(orderAddress) },
  OrderLine: { OrderLine: jsonSchema(orderLine), Attribute: jsonSchema(attribute) },
  OrderShipping: { OrderShipping: jsonSchema(orderShipping) },
  OrderFeeLine: { OrderFeeLine: jsonSchema(orderFeeLine) },
  Fulfillment: { Fulfillment: jsonSchema(fulfillment) },
  ShipnowFulfillment: { ShipnowFulfillment: jsonSchema(shipnowFulfillment) },
  ShipnowAddress: { ShipnowAddress: jsonSchema(shipnowAddress) },
  ShipnowDeliveryPoint: {
    ShipnowDeliveryPoint: at(jsonSchema(shipnowFulfillment), 'delivery_points', '[]'),
    NewDeliveryPoint: at(jsonSchema(newShipnowFulfillment), 'delivery_points', '[]'),
  },
  ShipnowService: {
    ShipnowService: at(jsonSchema(shipnowServices), 'services', '[]'),
    PricedPoint: at(jsonSchema(pricedDelivery), 'delivery_points', '[]'),
    PricedAddress: at(jsonSchema(pricedDelivery), 'pickup_address'),
  },
  CarrierInfo: { CarrierInfo: jsonSchema(carrierInfo) },
  ShippingService: { ShippingService: jsonSchema(shippingService) },
  PublicAccountInfo: { PublicAccountInfo: jsonSchema(publicAccountInfo) },
  'Location response': {
    LocationResponse: jsonSchema(locations),
    Province: at(jsonSchema(locations), 'provinces', '[]'),
    District: at(jsonSchema(locations), 'provinces', '[]', 'districts', '[]'),
    Ward: at(jsonSchema(locations), 'provinces', '[]', 'districts', '[]', 'wards', '[]'),
  },
  LocationAddress: { LocationAddress: jsonSchema(locationAddress) },
  'VersionInfo response': { VersionInfo: jsonSchema(versionInfo) },
  Paging: { CursorPaging: jsonSchema(paging), CursorPageInfo: jsonSchema(pageInfo) },
  Webhook: {
    Webhook: jsonSchema(webhook),
    WebhookStates: at(jsonSchema(webhook), 'states'),
    WebhookError: at(jsonSchema(webhook), 'states', 'last_error'),
  },
  'Change (event payload)': {
    Callback: jsonSchema(callback),
    Change: jsonSchema(change),
    OneRecord: at(jsonSchema(change), 'latest'),
  },
  Error: { Error: jsonSchema(serviceError) },
  'AuthorizeShop result': { AuthorizeShopResult: jsonSchema(AuthorizeShop.response) },
};

const { statusWords: _, ...lists } = enums;

/** The enumerations by their names in docs/contract-tables.md, with their values. */
export const enumerations: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(lists)
    .map(([name, values]) => [name.charAt(0).toUpperCase() + name.slice(1), values] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);

const keysOf = (schema: JsonSchema) =>
  Object.keys(schema.properties ?? {})
    .sort()
    .join();
const recordNames = new Map(
  Object.values(sections).flatMap((records) =>
    Object.entries(records).map(([name, schema]) => [keysOf(schema), name] as const),
  ),
);
const enumNames = new Map(Object.entries(enumerations).map(([name, values]) => [values.join(), name]));

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return enumNames.get(schema.enum.join()) ?? schema.enum.join(' or ');
  if (schema.items !== undefined) return `${typeOf(schema.items)}[]`;
  if (schema.properties !== undefined) return recordNames.get(keysOf(schema)) ?? inline(schema);
  if (schema.additionalProperties !== undefined) return 'map of string';
  if (schema.examples !== undefined) return enumNames.get(schema.examples.join()) ?? schema.type;
  if (schema.format === 'int64') return 'int64';
  if (schema.format === 'int64-list') return 'IDs filter';
  if (schema.format === 'date-time') return 'time';
  if (schema.format === 'float') return 'float';
  return schema.type === 'integer' ? 'int' : schema.type;
}

function inline({ properties = {} }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, field]) => `${name}: ${typeOf(field)}`);
  return `{${fields.join(', ')}}`;
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map(row).join('\n');
}

function settledOf(name: string): readonly string[] {
  const listed = readTable('records.tsv').find(({ record }) => record === name);
  return listed?.settled?.split(', ') ?? [];
}

function recordTable(name: string, schema: JsonSchema): string {
  const settled = settledOf(name);
  const rows = Object.entries(schema.properties ?? {}).map(([field, value]) => [
    `\`${field}\`${settled.includes(field) ? ' (settled)' : ''}`,
    typeOf(value),
    value.unit ?? value.items?.unit ?? '',
    value.description ?? '',
  ]);
  return table(['Field', 'Type', 'Unit', 'Meaning'], rows);
}

const credentials: Readonly<Record<Credential, string>> = {
  'partner-api-key': 'partner API key',
  'shop-key': 'shop key',
  'shop-api-key': 'shop API key',
};

/** The requests whose required fields the contract itself names, besides those that take only an id. */
const requiredByContract = new Map(
  readTable('records.tsv').map(({ record = '', required = '' }) => [record, required]),
);

function requiredOf({ id }: Operation, names: readonly string[]): readonly string[] {
  const name = id.split('/')[1] ?? '';
  if (names.join() === 'id') return names;
  if (name === 'CancelOrder') return ['cancel_reason'];
  return (requiredByContract.get(name) ?? '').split(', ');
}

/** The fields of a request: bold if the contract requires one, italic if only we do. */
function requestCell(operation: Operation): string {
  const { properties = {}, required = [] } = jsonSchema(operation.request);
  const names = Object.keys(properties);
  if (names.length === 0) return '`{}`';
  const demanded = requiredOf(operation, names);
  const written = Object.entries(properties).map(([name, field]) => {
    const nested = field.properties !== undefined || field.items?.properties !== undefined;
    const text = nested ? `\`${name}\`: ${typeOf(field)}` : `\`${name}\``;
    if (!required.includes(name)) return text;
    return demanded.includes(name) ? `**${text}**` : `*${text}*`;
  });
  return written.join(', ');
}

function responseCell({ response }: Operation): string {
  return Object.keys(response.shape).length === 0 ? '`{}`' : typeOf(jsonSchema(response));
}

const byId = (one: Operation, other: Operation) => (one.id < other.id ? -1 : 1);

function operationsTable(operations: readonly Operation[], family: string): string {
  const areas = [...new Set(operations.map(({ id }) => id.split('/')[0]))];
  const rows = areas
    .filter((area) => area?.startsWith(`${family}.`))
    .flatMap((area) => operations.filter(({ id }) => id.startsWith(`${area}/`)).sort(byId))
    .map((operation) => [
      `\`${operationPath(operation.id)}\``,
      credentials[operation.credential],
      operation.effect,
      requestCell(operation),
      responseCell(operation),
    ]);
  return table(['Path', 'Credential', 'Effect', 'Request', 'Response'], rows);
}

const head = `# The contract: tables

The second page of the [contract](contract.md), which says how types and requests are written. Generated from the declarations
in \`src/contract\` by \`npm run generate\`: change those.
`;

/** docs/contract-tables.md: every table of the contract, as the declarations have it. */
export async function contractTables(): Promise<string> {
  const operations = await allOperations();
  const valueCell = (value: string) => (value === '' ? '*(empty)*' : `\`${value}\``);
  const enumRows = Object.entries(enumerations).map(([name, values]) => [name, values.map(valueCell).join(', ')]);
  const statusRows = Object.entries(errorStatus).map(([code, status]) => [`\`${code}\``, String(status)]);
  const recordParts = Object.entries(sections).flatMap(([heading, records]) => [
    `### ${heading}`,
    ...Object.entries(records).flatMap(([name, schema]) => [
      ...(name === heading ? [] : [`${name}:`]),
      recordTable(name, schema),
    ]),
  ]);
  const parts = [
    ...[head, '## Enumerations', table(['Name', 'Values'], enumRows), '## Records', ...recordParts],
    ...['## Operations', '### shop family', operationsTable(operations, 'shop')],
    ...['### partner family', operationsTable(operations, 'partner')],
    ...['## Error codes', table(['Code', 'HTTP status'], statusRows)],
  ];
  return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`;
}
