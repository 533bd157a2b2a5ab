// Written by hand from the interface's description, and from nothing of ours: a second reading of the same contract.

/** The enumerations of the interface. */
export const enumerations: Readonly<Record<string, readonly string[]>> = {
  Status3: ['Z', 'P', 'N'],
  Status4: ['Z', 'P', 'S', 'N'],
  Status5: ['Z', 'P', 'S', 'N', 'NS'],
  ShipnowState: [
    'default',
    'created',
    'assigning',
    'picking',
    'delivering',
    'delivered',
    'returning',
    'returned',
    'unknown',
    'undeliverable',
    'cancelled',
  ],
  Substate: ['default', 'pick_fail', 'delivery_fail', 'devivery_giveup', 'return_fail', 'cancelling'],
  TryOn: ['unknown', 'none', 'open', 'try'],
  AccountType: ['unknown', 'partner', 'shop', 'affiliate', 'carrier', 'platform'],
  CustomerType: ['unknown', 'individual', 'organization', 'anonymous'],
  OrderFeeType: ['shipping', 'tax', 'other'],
  WebhookState: ['ok', 'retry', 'stop'],
  ShippingState: ['created', 'picking', 'holding', 'delivering', 'delivered'],
  Gender: ['unknown', 'male', 'female', 'other'],
  Entity: ['order', 'fulfillment'],
};

/** The fields of each record: `name:type`, with `[]` for a list; a type is a scalar, an enumeration or a record. */
const described = {
  Customer:
    'id:id shop_id:id code:text external_id:text external_code:text full_name:text phone:text email:text note:text birthday:text gender:Gender type:CustomerType status:Status3 deleted:bool created_at:time updated_at:time',
  Coordinates: 'latitude:float longitude:float',
  CustomerAddress:
    'id:id customer_id:id full_name:text phone:text email:text company:text address1:text address2:text province:text district:text ward:text position:text coordinates:Coordinates deleted:bool',
  CustomerGroup: 'id:id shop_id:id name:text deleted:bool',
  CustomerGroupRelationship: 'customer_id:id group_id:id deleted:bool',
  Attribute: 'name:text value:text',
  Product:
    'id:id external_id:text external_code:text code:text name:text description:text short_desc:text image_urls:text[] category_id:id brand_id:id note:text status:Status3 list_price:int retail_price:int created_at:time updated_at:time deleted:bool variants:Variant[]',
  Variant:
    'id:id product_id:id code:text external_id:text external_code:text name:text description:text short_desc:text image_urls:text[] list_price:int retail_price:int cost_price:int note:text status:Status3 attributes:Attribute[] deleted:bool',
  ProductCollection:
    'id:id shop_id:id name:text short_desc:text description:text deleted:bool created_at:time updated_at:time',
  ProductCollectionRelationship: 'collection_id:id product_id:id deleted:bool',
  InventoryLevel: 'variant_id:id available_quantity:int picked_quantity:int reserved_quantity:int updated_at:time',
  OrderAddress:
    'full_name:text phone:text email:text company:text province:text district:text ward:text address1:text address2:text',
  OrderLine:
    'product_name:text quantity:int list_price:int retail_price:int payment_price:int image_url:text attributes:Attribute[] product_id:id variant_id:id',
  OrderFeeLine: 'type:OrderFeeType name:text code:text desc:text amount:int',
  OrderShipping:
    'pickup_address:OrderAddress return_address:OrderAddress shipping_service_code:text shipping_service_name:text shipping_service_fee:int carrier:text connection_id:id include_insurance:bool try_on:TryOn shipping_note:text cod_amount:int chargeable_weight:int gross_weight:int length:int width:int height:int',
  Order:
    'id:id shop_id:id code:text external_id:text external_code:text external_url:text external_meta:map customer_address:OrderAddress shipping_address:OrderAddress lines:OrderLine[] total_items:int basket_value:int order_discount:int total_discount:int total_fee:int fee_lines:OrderFeeLine[] total_amount:int order_note:text shipping:OrderShipping status:Status5 confirm_status:Status3 platform_payment_status:Status4 fulfillment_shipping_status:Status5 pre_order:bool self_url:text cancel_reason:text created_at:time updated_at:time processed_at:time confirmed_at:time closed_at:time cancelled_at:time',
  Fulfillment:
    'id:id order_id:id shop_id:id carrier:text shipping_code:text shipping_note:text shipping_service_code:text shipping_service_name:text cancel_reason:text self_url:text shipping_service_fee:int actual_shipping_service_fee:int actual_cod_amount:int cod_amount:int basket_value:int chargeable_weight:int total_items:int include_insurance:bool try_on:TryOn confirm_status:Status3 platform_payment_status:Status4 shipping_status:Status5 status:Status5 shipping_state:ShippingState shipping_substate:Substate pickup_address:OrderAddress return_address:OrderAddress shipping_address:OrderAddress estimated_pickup_at:time estimated_delivery_at:time created_at:time updated_at:time closed_at:time cancelled_at:time',
  ShipnowAddress:
    'full_name:text phone:text province:text district:text address:text coordinates:Coordinates company:text email:text ward:text',
  ShipnowDeliveryPoint:
    'gross_weight:int cod_amount:int basket_value:int chargeable_weight:int lines:OrderLine[] shipping_address:ShipnowAddress shipping_note:text shipping_state:ShipnowState',
  CarrierInfo: 'name:text image_url:text',
  ShipnowFulfillment:
    'id:id shop_id:id order_ids:id[] external_id:text coupon:text shipping_code:text shipping_note:text shipping_service_code:text shipping_service_name:text shipping_service_description:text shipping_shared_link:text driver_name:text driver_phone:text cancel_reason:text shipping_service_fee:int actual_shipping_service_fee:int basket_value:int chargeable_weight:int gross_weight:int cod_amount:int confirm_status:Status3 shipping_state:ShipnowState shipping_status:Status5 status:Status5 pickup_address:ShipnowAddress delivery_points:ShipnowDeliveryPoint[] carrier_info:CarrierInfo created_at:time updated_at:time',
  ShipnowService: 'code:text name:text description:text fee:int carrier_info:CarrierInfo',
  ShippingService:
    'code:text fee:int estimated_pickup_at:time estimated_delivery_at:time carrier_info:CarrierInfo carrier:text name:text',
  Account: 'id:id name:text image_url:text website:text type:AccountType',
  Ward: 'name:text',
  District: 'name:text wards:Ward[]',
  Province: 'name:text districts:District[]',
  Locations: 'provinces:Province[]',
  Version: 'service:text version:text updated_at:time meta:map',
  LastError: 'error:text resp_status:int resp_body:text retried:int sent_at:time',
  States: 'state:WebhookState last_sent_at:time last_error:LastError',
  Webhook: 'id:id url:text entities:Entity[] fields:none[] metadata:text created_at:time states:States',
  Webhooks: 'webhooks:Webhook[]',
  Error: 'code:text msg:text meta:map',
  OrderAndMore: 'order:Order fulfillments:Fulfillment[] fulfillment_errors:none[]',
  ShippingServices: 'services:ShippingService[]',
  ShipnowServices: 'services:ShipnowService[]',
  Updated: 'updated:int',
  Authorized: 'code:text msg:text type:text auth_token:text expires_in:int',
  Changed:
    'customer:Customer customer_address:CustomerAddress customer_group:CustomerGroup customer_group_relationship:CustomerGroupRelationship fulfillment:Fulfillment inventory_level:InventoryLevel order:Order product:Product product_collection:ProductCollection product_collection_relationship:ProductCollectionRelationship shipnow_fulfillment:ShipnowFulfillment variant:Variant',
  Change: 'change_type:text entity:text time:time changed:Changed latest:Changed',
  Callback: 'id:id changes:Change[]',
  Empty: '',
} as const;

/** A field of a record. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isList: boolean;
}

/** The name of a record. */
export type RecordName = keyof typeof described;

const isRecordName = (name: string): name is RecordName => Object.hasOwn(described, name);

/** The fields of a record; undefined if the interface has no such record. */
export function fieldsOf(name: string): readonly Field[] | undefined {
  if (!isRecordName(name)) return undefined;
  const words = described[name].split(' ').filter(Boolean);
  return words.map((word) => {
    const [field = '', type = ''] = word.split(':');
    return { name: field, type: type.replace('[]', ''), isList: type.endsWith('[]') };
  });
}

/** How an operation answers: with a record, or with a page of records under a name. */
interface Answering {
  readonly record: RecordName;
  readonly list?: string;
}

const crud = (area: string, one: string, many: string, record: RecordName, list: string) => ({
  [`${area}/Create${one}`]: { record },
  [`${area}/Get${one}`]: { record },
  [`${area}/Update${one}`]: { record },
  [`${area}/Delete${one}`]: { record: 'Empty' },
  [`${area}/List${many}`]: { record, list },
});

/** What each operation answers. */
export const operations: Readonly<Record<string, Answering>> = {
  ...(crud('shop.Customer', 'Customer', 'Customers', 'Customer', 'customers') as Record<string, Answering>),
  ...(crud('shop.CustomerAddress', 'Address', 'Addresses', 'CustomerAddress', 'addresses') as Record<
    string,
    Answering
  >),
  ...(crud('shop.CustomerGroup', 'Group', 'Groups', 'CustomerGroup', 'customer_groups') as Record<string, Answering>),
  ...(crud('shop.Product', 'Product', 'Products', 'Product', 'products') as Record<string, Answering>),
  ...(crud('shop.Variant', 'Variant', 'Variants', 'Variant', 'shop_variants') as Record<string, Answering>),
  ...(crud('shop.ProductCollection', 'Collection', 'Collections', 'ProductCollection', 'collections') as Record<
    string,
    Answering
  >),
  'shop.CustomerGroupRelationship/CreateRelationship': { record: 'Empty' },
  'shop.CustomerGroupRelationship/DeleteRelationship': { record: 'Empty' },
  'shop.CustomerGroupRelationship/ListRelationships': { record: 'CustomerGroupRelationship', list: 'relationship' },
  'shop.ProductCollectionRelationship/CreateRelationship': { record: 'Empty' },
  'shop.ProductCollectionRelationship/DeleteRelationship': { record: 'Empty' },
  'shop.ProductCollectionRelationship/ListRelationships': {
    record: 'ProductCollectionRelationship',
    list: 'relationships',
  },
  'shop.Inventory/ListInventoryLevels': { record: 'InventoryLevel', list: 'inventory_levels' },
  'shop.Order/CreateOrder': { record: 'Order' },
  'shop.Order/ConfirmOrder': { record: 'Empty' },
  'shop.Order/CancelOrder': { record: 'OrderAndMore' },
  'shop.Order/GetOrder': { record: 'OrderAndMore' },
  'shop.Order/ListOrders': { record: 'Order', list: 'orders' },
  'shop.Shipping/CreateAndConfirmOrder': { record: 'OrderAndMore' },
  'shop.Shipping/CancelOrder': { record: 'OrderAndMore' },
  'shop.Shipping/GetOrder': { record: 'OrderAndMore' },
  'shop.Shipping/GetFulfillment': { record: 'Fulfillment' },
  'shop.Shipping/GetShippingServices': { record: 'ShippingServices' },
  'shop.Fulfillment/GetFulfillment': { record: 'Fulfillment' },
  'shop.Fulfillment/ListFulfillments': { record: 'Fulfillment', list: 'fulfillments' },
  'shop.Shipnow/CreateShipnowFulfillment': { record: 'ShipnowFulfillment' },
  'shop.Shipnow/GetShipnowFulfillment': { record: 'ShipnowFulfillment' },
  'shop.Shipnow/CancelShipnowFulfillment': { record: 'Updated' },
  'shop.Shipnow/GetShipnowServices': { record: 'ShipnowServices' },
  'shop.Misc/CurrentAccount': { record: 'Account' },
  'shop.Misc/GetLocationList': { record: 'Locations' },
  'shop.Misc/VersionInfo': { record: 'Version' },
  'shop.History/GetChanges': { record: 'Callback' },
  'shop.Webhook/CreateWebhook': { record: 'Webhook' },
  'shop.Webhook/DeleteWebhook': { record: 'Webhooks' },
  'shop.Webhook/GetWebhooks': { record: 'Webhooks' },
  'partner.Shop/AuthorizeShop': { record: 'Authorized' },
  'partner.Shipping/GetShippingServices': { record: 'ShippingServices' },
  'partner.Shipping/CreateAndConfirmOrder': { record: 'OrderAndMore' },
  'partner.Shipping/GetOrder': { record: 'OrderAndMore' },
  'partner.Shipping/CancelOrder': { record: 'OrderAndMore' },
  'partner.Webhook/CreateWebhook': { record: 'Webhook' },
  'partner.Webhook/GetWebhooks': { record: 'Webhooks' },
  'partner.Webhook/DeleteWebhook': { record: 'Webhooks' },
};
